#pragma once

#include <string>

#include "models/results/estimate.hpp"
#include "models/words/numbers.hpp"
#include "reports/run/provenance.hpp"
#include "sim/plan/question/requirement.hpp"

namespace saturn {

// Numbers with their uncertainty as people read them in tables; files for machines carry all digits instead.

/// The mean alone, or why it is withheld.
std::string mean_text(const Estimate& estimate, double factor = 1.0, int significant_digits = 4);

/// "121.2 ± 0.3": the mean to the digit that its interval's half-width makes sense of (two digits of the half-width
/// when the first is 1), at most five significant digits of the mean; a half-width below that is rounded up, never to
/// zero. A half-width of zero, or as small as rounding errors, gives the mean alone; an interval that ends at 0 is
/// written out, "1.5 (0 to 4.2)". What has a caveat says it: "too few events", "1111, not stationary".
/// @param factor  multiplies mean and interval before they are printed, for example 100 for a percentage
std::string estimate_text(const Estimate& estimate, double factor = 1.0);
/// The same of a share [1]: "9.0 ± 0.2 %".
std::string percent_text(const Estimate& share);

/// Event time over the one without waiting as people read it, a share with its interval: 1.0016 gives "0.16 % slower",
/// 1.05 ± 0.01 gives "5.0 ± 1.0 % slower"; below 1 it is "faster", from 100 on "250 times slower".
/// @param ratio  [1]; what is not finite gives "none"
std::string slower_text(const Estimate& ratio);
/// The same of an exact ratio, with three digits.
std::string slower_text(double ratio);

/// A figure as people read it: shares and the slowdown in per cent, times in the unit that gives handy numbers, with
/// the interval where it has one: "1.2 ± 0.3 %", "38 ms", "1,190 USD".
std::string figure_text(MeasureId figure, const Estimate& value);

/// The same of a bare number.
std::string figure_text(MeasureId figure, double value);

/// A limit that makes a requirement hold: rounded so that it holds when it is typed as it is printed.
std::string limit_text(const Requirement& requirement, double needed);

/// ": ±3.5 from the GPU times of resnet, ±1.8 from the simulation": what an interval is made of, the fits in the order
/// of the scenario; empty where no fit widens it.
std::string interval_parts_text(const Estimate& estimate);

/// A line for each fitted parameter file: its name, its SHA-256 and the fits that were used; empty without such files.
std::string fitted_sources_text(const Provenance& provenance);

}  // namespace saturn
