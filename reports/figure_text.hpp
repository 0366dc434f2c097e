#pragma once

#include <string>

#include "models/plan_figures.hpp"

namespace saturn {

/// A figure as people read it: shares and the slowdown in per cent, times in the unit that gives handy numbers, with
/// the interval where it has one: "1.2 ± 0.3 %", "38 ms", "1,190 USD".
std::string figure_text(PlanFigure figure, const Estimate& value);

/// The same of a bare number.
std::string figure_text(PlanFigure figure, double value);

/// A limit that makes a requirement hold: rounded so that it holds when it is typed as it is printed.
std::string limit_text(const Requirement& requirement, double needed);

/// The name of a figure in JSON and CSV, with its unit: "latency_p99_s", "rent_usd_per_h", "gpus".
std::string figure_key(PlanFigure figure);

}  // namespace saturn
