#pragma once

#include <string>

#include "models/plan_figures.hpp"

namespace saturn {

/// A figure as people read it: shares and the slowdown in per cent, times in the unit that gives handy numbers, with
/// the interval where it has one: "1.2 ± 0.3 %", "38 ms", "1,190 USD".
std::string figure_text(MeasureId figure, const Estimate& value);

/// The same of a bare number.
std::string figure_text(MeasureId figure, double value);

/// A limit that makes a requirement hold: rounded so that it holds when it is typed as it is printed.
std::string limit_text(const Requirement& requirement, double needed);

}  // namespace saturn
