#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/figures/maps/heat_map_figure.hpp"
#include "reports/page/report_page.hpp"
#include "reports/page/scenario/scenario_studies.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/run/replications.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/study/sweep/sweep_study.hpp"

/// The studies of a scenario, one function each. All take the same view of what was asked.

namespace saturn {

/// What is reported of, and how.
struct ReportOptions {
  /// `scenario.scenario` is a scenario file or a shipped name, the folder of a sweep, or a fitted file of `saturn
  /// calibrate`.
  ScenarioOptions scenario{};
  MachineOptions machine{};
  std::optional<std::string> slowdown{};       ///< tolerated; absent: 1 %
  std::optional<std::string> loss{};           ///< tolerated share of events, where they arrive; absent: 0.1 %
  std::string budget{};                        ///< wall time for simulations
  SweepViewOptions view{};                     ///< of a sweep
  std::vector<std::string> typed_for_views{};  ///< options that choose what the figures of a sweep show: "--metric"
  std::vector<std::string> typed_for_simulations{};  ///< those that change what is simulated: "--seed"
};

/// A page, and how well it answers.
struct ReportAnswer {
  ReportPage page{};
  ExitCode code = ExitCode::answered;  ///< precision_not_reached: a warning of the page says what is missing
};

/// What every study works with.
struct StudyContext {
  const ReadScenario& read;
  const ReportOptions& options;
  const Budget& budget;
  std::string name{};  ///< of the scenario, without folder and ending
  PlanQuestion question{};
  double loss = 0.001;  ///< tolerated where events arrive
  RunOptions run_options{};
  double until = 1.0;  ///< share of the budget at which this study has to end

  const Scenario& scenario() const { return read.scenario; }
  /// Asked before and between simulations.
  bool is_over() const { return budget.is_spent(until); }
  /// RunOptions that obey the budget.
  RunOptions run_options_until() const;

  /// Simulates unless the time is over.
  /// @throws OutOfBudget, RunFailed
  std::vector<Results> simulate(std::span<const Scenario> scenarios) const;
  /// For planners, who look at no quantiles.
  Evaluate evaluator() const;
};

/// Why something was not simulated when the budget was spent.
std::string budget_spent_text(const StudyContext& context);

/// Why the study that threw has no result: the time was over, nothing meets what is asked, a simulation exceeded its
/// limits, the reader refuses what would have been varied. To be called while the exception is handled.
/// @throws  what is nobody's answer, interrupts and our own bugs: the same exception
std::string why_not_studied(const StudyContext& context);

/// A study, or why it has no result.
template <class Study>
Studied<Study> studied(const StudyContext& context, const std::function<Studied<Study>()>& study) {
  try {
    return study();
  } catch (...) {
    return {.study = {}, .why_not = why_not_studied(context)};
  }
}

/// How many jobs a device carries. @throws std::domain_error  no number does
PlanReport plan_study(const StudyContext& context);
/// How many devices the events need that arrive. @throws std::domain_error  no number suffices
OpenPlanReport arrivals_study(const StudyContext& context);
/// Devices needed against the load; nothing without devices, or where events arrive at some pools alone.
/// @param plan      of the same scenario; may be null
/// @param arrivals  of the same scenario, where events arrive; may be null
Studied<NeedStudy> need_study(const StudyContext& context, const Plan* plan, const OpenPlan* arrivals);
/// The scenario as something to look at, with what its own run kept busy.
SystemStudy system_study(const StudyContext& context, const SystemFacts& facts, const Results& own);
/// Formulas densely, simulations at some numbers of clients.
/// @param own   the summary of the scenario's own run
/// @param knee  clients per device by the plan
SaturationStudy saturation_study(const StudyContext& context, const Results& own, const std::optional<Estimate>& knee);
/// The published rows that differ from the scenario by their number of jobs, and by the CPU time of their nodes.
void add_published_loads(SaturationStudy& study, const StudyContext& context);
/// The event time with the scenario's own jobs over the request batch, or what takes its place, and the round-trip
/// time, by the bounds; a few cells are simulated.
/// @param own  the summary of the scenario's own run, which is one of the map's cells
Studied<FieldStudy> field_study(const StudyContext& context, const Results& own);
/// What a million events cost against the number of jobs, each way to serve them as a line: services as large as the
/// bounds, in proportion to what was simulated of the scenario's own, say within the tolerated slowdown; and the price
/// of devices at which the service costs what own cores do.
/// @param cost  with its clients and what its own cores cost
/// @param need  of the same scenario, whose loads are told; may be null
void add_cost_lines(CostStudy& cost, const StudyContext& context, const NeedStudy* need);
/// Cost against jobs and against devices, the three named plans, candidates by two figures.
/// @param plan  of the same scenario; may be null
/// @param need  of the same scenario; may be null
Studied<MoneyStudy> money_study(const StudyContext& context, const Plan* plan, const NeedStudy* need);
/// Near, far, direct, CPU only.
Studied<WaysStudy> ways_study(const StudyContext& context);
/// How much each input moves the plan.
Studied<Sensitivity> sensitivity_study(const StudyContext& context, const Plan& plan);
/// Published cases about the scenario; none where it was changed.
Studied<MeasuredStudy> measured_study(const StudyContext& context);
/// What the planner panel computes with: the closed formulas of a single pool with blocking calls, or those of the
/// network where there is more; or why neither describes the scenario.
PlannerModel planner_model(const System& system, double tolerated_slowdown);
/// The same with what was simulated beside it.
/// @param saturation  its points stand beside the formulas where jobs begin their events themselves; may be null
/// @param arrivals    its rows do where events arrive from outside; may be null
PlannerModel planner_study(const StudyContext& context, const SaturationStudy* saturation, const OpenPlan* arrivals);
/// Why the formulas of a network do not describe the scenario; empty where they do.
std::string why_no_network(const Scenario& scenario);
/// The network behind a scenario of which why_no_network() says nothing.
PlannerNetwork planner_network(const System& system);
/// Every number that went in, with its source where the scenario or its file names one.
std::vector<Assumption> assumptions_of(const StudyContext& context);
/// How the scenario's file begins: its first comment, paragraph by paragraph.
std::vector<std::string> first_comment(const StudyContext& context);

/// An input that a map varies: its axis, and what a value of it sets.
struct VariedAxis {
  MapAxis axis{};
  std::vector<std::vector<Override>> settings{};  ///< (values) for ReadScenario::again
  std::string why_not{};                          ///< nothing of the kind can be varied
};

/// What batches the devices get: the request batch of the stage that takes most of their time; where its requests are
/// single, the largest batch that the server forms; where that is fixed as well, the speed of the devices.
VariedAxis batch_axis(const ReadScenario& read);

/// Numbers in steps of about `factor`, `present` among them, from `least` to `most`.
/// @param present  > 0
std::vector<double> geometric_values(double present, double least, double most, double factor);

/// Round-trip times between jobs and servers [s], to be set with with_round_trip(); without values where there is no
/// link.
MapAxis round_trip_axis(const Scenario& scenario);

}  // namespace saturn
