#pragma once

#include <optional>
#include <string>

#include "models/estimate.hpp"

/// Numbers as people read them in tables; files for machines carry all digits instead.
namespace saturn {

/// A number with so many significant digits, thousands apart by commas: "0.0321", "121.2", "12,400".
/// Trailing zeros after the point stay, since they are digits that were asked for.
/// @param value               any; "none" when it is not finite
/// @param significant_digits  >= 1
std::string number_text(double value, int significant_digits = 4);

/// What stands in a table for a number that there is none of.
inline const std::string no_value = "–";

/// A number, or `no_value`.
std::string optional_text(const std::optional<double>& value, int significant_digits);

/// A whole number, rounded, thousands apart by commas.
std::string whole_text(double value);

/// A number with exactly so many digits after the point.
std::string fixed_text(double value, int decimals);

/// The mean alone, or why it is withheld.
std::string mean_text(const Estimate& estimate, double factor = 1.0, int significant_digits = 4);

/// "121.2 ± 0.3": the mean to the digit that its interval's half-width makes sense of (two digits of the half-width
/// when the first is 1), at most five significant digits of the mean; a half-width below that is rounded up, never to
/// zero. A half-width of zero, or as small as rounding errors, gives the mean alone; an interval that ends at 0 is
/// written out, "1.5 (0 to 4.2)". What has a caveat says it: "too few events", "1111, not stationary".
/// @param factor  multiplies mean and interval before they are printed, for example 100 for a percentage
std::string estimate_text(const Estimate& estimate, double factor = 1.0);

/// A fraction as a percentage with one or two digits that matter: 0.01 gives "1 %", 0.0025 gives "0.25 %".
std::string percent_text(double fraction);

/// Event time over the one without waiting as people read it, a share with its interval: 1.0016 gives "0.16 % slower",
/// 1.05 ± 0.01 gives "5.0 ± 1.0 % slower"; below 1 it is "faster".
/// @param ratio  [1]; what is not finite gives "none"
std::string slower_text(const Estimate& ratio);
/// The same of an exact ratio, with three digits.
std::string slower_text(double ratio);

/// An error as a percentage with its sign and one digit after the point: "+3.1 %", "-12.0 %"; "0.0 %" has no sign,
/// since rounding errors would choose it.
std::string signed_percent_text(double fraction);

}  // namespace saturn
