#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/fields/quantity_text.hpp"

namespace saturn {

// What the parts of a condition are: numbers with a unit, truths or words. Kinds are numbers themselves, so that a
// condition is checked by the same walk that evaluates it, with kinds in the places of values.

/// A kind: whole numbers stand for products of units, the others for what has none.
using ConditionKind = double;

inline constexpr ConditionKind bare_kind = 0.0;
inline constexpr ConditionKind truth_kind = 0.5;
inline constexpr ConditionKind word_kind = 0.25;

/// What is wrong with a condition, as a sentence; thrown.
struct ConditionFault {
  std::string text;
};

ConditionKind kind_of(std::optional<Dimension> dimension);

/// The kinds that operators give. @throws ConditionFault  where they do not fit
ConditionKind kind_of_sum(ConditionKind a, ConditionKind b);
ConditionKind kind_of_product(ConditionKind a, ConditionKind b);
ConditionKind kind_of_quotient(ConditionKind a, ConditionKind b);
ConditionKind kind_of_power(ConditionKind a, ConditionKind b);
ConditionKind kind_of_order(ConditionKind a, ConditionKind b);     ///< a < b
ConditionKind kind_of_equality(ConditionKind a, ConditionKind b);  ///< a == b
ConditionKind kind_of_choice(ConditionKind a, ConditionKind b);    ///< a and b, a or b
ConditionKind kind_of_not(ConditionKind a);
ConditionKind kind_of_sign(ConditionKind a);  ///< -a, abs(a)
ConditionKind kind_of_bare(ConditionKind a);  ///< floor(a), sqrt(a)

/// A name that a condition may use for a column of the sweep.
struct ConditionName {
  std::string name{};
  std::size_t column = 0;
};

/// Words of the axes, each with a number that stands for it.
using WordNumbers = std::map<std::string, double>;

/// One part of a condition.
struct ConditionTerm {
  enum class Sort { column, constant, symbol };

  Sort sort = Sort::symbol;
  std::string text{};      ///< as written
  std::string symbol{};    ///< of a symbol, in one spelling: "&&" for "and", "min" for a function
  std::size_t column = 0;  ///< of a column
  double value = 0.0;      ///< of a constant, in SI units, or the number of a word
  ConditionKind kind = bare_kind;
};

/// Longest condition, in bytes; keeps nesting and evaluation small.
inline constexpr std::size_t longest_condition = 2000;

/// Cuts a condition into its parts.
/// @throws ConditionFault  unknown names and units, characters that mean nothing, too long
std::vector<ConditionTerm> condition_terms(std::string_view text, const std::vector<ConditionName>& names,
                                           const WordNumbers& words);

}  // namespace saturn
