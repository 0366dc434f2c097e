#pragma once

#include <vector>

#include "reports/figures/curves/saturation_curve.hpp"
#include "reports/figures/figure.hpp"
#include "reports/run/run_report.hpp"
#include "sim/engine/recording/run_trace.hpp"

/// Figures that every check of specifications goes through: handsome ones, and ones from what a study may hold at its
/// worst.

namespace saturn {

/// 272 clients on 4 GPUs: an unloaded event time of 121.35 s, a plan of 68 clients per GPU.
SaturationStudy handsome_study();

/// A run with two models on three instances, 100 batches, samples of two resources and two queues.
RunTrace handsome_trace();

/// Ten moments of a minute: from the third on the link is out for two minutes, calls are tried again, the nodes go from
/// one to three and back, and from the eighth on all is as before.
RunReport handsome_hour();

/// Runs without a fixed length, of one moment, with words that need care, and with what is not finite.
std::vector<RunReport> ugly_hours();

/// Studies of one point, of constant values, of NaN, without intervals, without devices, with words that need care,
/// with many resources, open pools, and nothing at all.
std::vector<SaturationStudy> ugly_studies();

/// Traces with nothing, with words that need care, with many instances, and with what is not finite.
std::vector<RunTrace> ugly_traces();

/// The figures of studies and traces.
std::vector<Figure> curve_samples();

/// Every figure function with every sample.
std::vector<Figure> sample_figures();

}  // namespace saturn
