#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fitted_law.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/figures/choices/cost_figure.hpp"
#include "reports/figures/choices/need_figure.hpp"
#include "reports/figures/choices/system_figure.hpp"
#include "reports/figures/curves/saturation_curve.hpp"
#include "reports/figures/figure.hpp"
#include "reports/figures/maps/heat_map_figure.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/run/run_report.hpp"
#include "sim/engine/recording/run_trace.hpp"
#include "sim/plan/comparison/sensitivity.hpp"

/// Every figure that saturn knows. Each function never throws for what a study may hold (one point, constant values,
/// NaN, no interval): where nothing can be drawn, Figure::cannot says why.

namespace saturn {

/// Where a figure is about, for its subtitle.
struct FigureContext {
  std::string scenario{};
  std::uint64_t seed = 0;
};

/// Devices needed against jobs, or against the rate of events, in steps, a line for each tolerance; what saturates
/// whatever the devices, and the scenario's own place.
Figure need_figure(const NeedStudy& study, const FigureContext& context);
/// Sites, links, servers and their devices, each as wide and as coloured as it is busy; what binds marked.
Figure system_figure(const SystemStudy& study, const FigureContext& context);
/// Event time against streams per device: published formula, bound, MVA, simulation with its band, published points;
/// the knee with its interval, the tolerated slowdown as a line.
Figure event_time_figure(const SaturationStudy& study);
/// Events per second against streams per device, the same way.
Figure throughput_figure(const SaturationStudy& study);
/// Where a request's time goes against load: send, host, queue, compute, receive stacked, one panel a model (at most
/// four, the busiest).
Figure latency_breakdown_figure(const SaturationStudy& study);
/// Latency of a request (mean and 99th percentile) against the rate of requests, labelled by streams: of the model
/// that has most of them in flight at the scenario's own load.
/// @param latency_limit_s  drawn as a line; absent: there is none
Figure throughput_latency_figure(const SaturationStudy& study, std::optional<double> latency_limit_s);
/// Busy share of every resource against streams, the one that binds and the next limit marked.
Figure resource_use_figure(const SaturationStudy& study);
/// How many items executed batches had, by model, at the scenario's own number of streams; of models with one or two
/// sizes it is said in words.
Figure batch_sizes_figure(const SaturationStudy& study);

/// Requests at servers, nodes beside the least that would have done, and the load over a run of a fixed length, with
/// outages, recoveries and scaling marked.
Figure over_time_figure(const RunReport& report, const FigureContext& context);
/// Use of resources and length of queues over time, of one traced run.
Figure timeline_figure(const RunTrace& trace, const FigureContext& context);
/// Batches on devices over a short window, of one traced run.
Figure gantt_figure(const RunTrace& trace, const FigureContext& context);

/// A field over two axes with labelled contours, such as streams per GPU over batch size and round-trip time.
Figure heat_map_figure(const FieldMap& map, const FigureContext& context);
/// Which alternative is best over two axes.
Figure break_even_figure(const WinnerMap& map, const FigureContext& context);

/// Cost of a million events against clients, a line for each way to serve them, with the price of devices at which
/// service and own cores break even.
Figure cost_figure(const CostStudy& study, const FigureContext& context);
/// Candidates of a search by two figures; those that no other beats in both are joined.
Figure pareto_figure(const ParetoStudy& study, const FigureContext& context);
/// How much each input moves the answer.
Figure tornado_figure(const Sensitivity& sensitivity, const FigureContext& context);

/// Predicted against measured of one case, with the ±10 % band.
Figure validation_figure(const ValidationCase& validation, const FigureContext& context);
/// A fitted law with its points, and their residuals.
Figure fit_figure(const NamedFit& named, const FigureContext& context);
/// Lost share of events against devices, with the tolerated share.
Figure loss_figure(const OpenPlanReport& plan, const FigureContext& context);

}  // namespace saturn
