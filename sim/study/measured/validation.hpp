#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/measured_case.hpp"
#include "calibration/score/own_measurements.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/plan/plan_report.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/run/replications.hpp"
#include "sim/study/request.hpp"

namespace saturn {

/// Simulates every row of every case, all of them together so that every core has work.
/// @param changes  applied to each row's scenario after the row's own
/// @throws InputError  a row's scenario is refused, measured.model
/// @throws RunFailed   a simulation gave no result
ValidationReport validated(std::span<const MeasuredCase> cases, const std::vector<Override>& changes,
                           const RunOptions& options);

/// The shipped cases about a scenario: where it is a shipped one as it stands, but for its number of jobs and how it is
/// simulated, what was published of that system is about it. Without their rival hypotheses.
/// @param options  with which it was read
std::vector<MeasuredCase> cases_about(const ReadScenario& read, const ScenarioOptions& options);

/// How far formulas are from the event times and rates that were published of a scenario, case by case; nothing where
/// nothing was.
std::vector<FormulaErrors> formula_errors(const ReadScenario& read, const ScenarioOptions& options,
                                          const Methods& methods);

/// Most items that the jobs of a scenario can have in flight to a model: each stream is in one stage at a time, and
/// that stage has its window of full requests out [item].
double most_in_flight(const Scenario& scenario, const std::string& model);

/// Items under way all the time: of the jobs of a scenario that are a load generator whose requests have all the same
/// number of items. Nothing for other jobs, which compute between requests or wait for events.
std::optional<double> items_in_loop(const Scenario& scenario, const std::string& model);

/// A measured row before it is simulated: with the rate of a closed loop where the scenario's jobs are one.
/// @param model  from measured_model(); empty when the row has no quantity of a model
ValidationRow measured_row(const MeasuredRow& row, const Scenario& scenario, const std::string& model);

/// The model that a row's quantities are of: the one that the row or its case names, else the only one that the jobs
/// call.
/// @throws InputError  measured.model
std::string measured_model(const MeasuredCase& measured, const MeasuredRow& row, const Scenario& scenario);

/// A measured row beside the run that simulated it.
/// @param model  from measured_model(); empty when the row has no quantity of a model
ValidationRow compared_row(const MeasuredRow& row, const Scenario& scenario, const std::string& model,
                           const Results& summary);

}  // namespace saturn
