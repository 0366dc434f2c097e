#pragma once

#include <optional>
#include <string>

#include "scenarios/quantity_text.hpp"

/// What the parts of a condition are: numbers with a unit, truths or words. Kinds are numbers themselves, so that a
/// condition is checked by the same walk that evaluates it, with kinds in the places of values.
namespace saturn {

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

}  // namespace saturn
