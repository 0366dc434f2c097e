#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/condition_kinds.hpp"

namespace saturn {

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
