#pragma once

#include <string>
#include <vector>

#include "sim/plan/sensitivity.hpp"

namespace saturn {

/// Puts the rows of a sensitivity in order: those without any effect by name alone, the widest bar first, shares of the
/// variance, and the measurement that would narrow the answer most.
/// @param sensitivity  with its rows in any order, elasticities and bars filled in
Sensitivity assembled(Sensitivity sensitivity);

/// Bars of a row whose answer follows a power law: answer·(1 ∓ uncertainty)^elasticity.
void set_bars(SensitivityRow& row, double answer);

/// An answer with one input at another value.
struct AnswerBeside {
  double factor = 1.0;  ///< of the input; 1: there is none on this side [1]
  double answer = 0.0;  ///< >= 0, in its unit
};

/// Bars of a row whose answer is known on both sides: where the input was off by its uncertainty the bar ends there;
/// where by something else (whole numbers, uncertainties beyond what is tried) on the power law from the answer through
/// that point. A side without an answer, or with one that is no finite number, is as in set_bars().
/// @param answer  with the input as it stands, > 0
void set_bars(SensitivityRow& row, double answer, const AnswerBeside& low, const AnswerBeside& high);

/// Elasticities below and above a value that differ by more than this make a bend: a smooth sum of a constant and a
/// proportional part differs by less, up to uncertainties of 50 % [1].
inline constexpr double least_bend = 0.2;

/// Inputs that a note names before it says how many more there are.
inline constexpr std::size_t most_names_in_a_note = 8;

/// An elasticity that is known without noise.
Estimate exact_elasticity(double value);

/// (1 − uncertainty), but never so small that an input would vanish.
double lower_factor(double uncertainty);

}  // namespace saturn
