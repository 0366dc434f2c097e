#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/measured_case.hpp"
#include "calibration/score/own_measurements.hpp"
#include "reports/calibration/validation_report.hpp"
#include "scenarios/scenario.hpp"
#include "sim/run/replications.hpp"
#include "sim/study/request.hpp"

namespace saturn {

/// What `validate` is told about the user's own measurements.
struct OwnOptions {
  std::string model{};
  std::optional<std::uint64_t> batch{};  ///< items of a request where a file does not say [item]
  std::string vary{};
  std::optional<std::string> median{};  ///< "5 %"
  std::optional<std::string> worst{};
};

struct ValidateRequest {
  std::vector<std::string> names{};  ///< one case; or a scenario and files of measurements
  OwnOptions own{};
  bool all = false;
  bool summary = false;
  std::optional<std::string> page{};  ///< file for the report as Markdown
  ScenarioOptions changes{};
  MachineOptions machine{};
  OutputOptions output{};
};

/// Simulates every row of every case, all of them together so that every core has work.
/// @param changes  applied to each row's scenario after the row's own
/// @throws InputError  a row's scenario is refused, measured.model
/// @throws RunFailed   a simulation gave no result
ValidationReport validated(std::span<const MeasuredCase> cases, const std::vector<Override>& changes,
                           const RunOptions& options);

/// The cases of a scenario and files of measurements, the request's names. Rows that the scenario refuses, such as
/// batches far beyond its service law, are left out and named; warnings are said.
/// @throws InputError  every complaint about scenario, files and options at once
std::vector<MeasuredCase> own_cases(const ValidateRequest& request, Monitor& monitor);

/// Most items that the jobs of a scenario can have in flight to a model: each stream is in one stage at a time, and
/// that stage has its window of full requests out [item].
double most_in_flight(const Scenario& scenario, const std::string& model);

/// The model that a row's quantities are of: the one that the row or its case names, else the only one that the jobs
/// call.
/// @throws InputError  measured.model
std::string measured_model(const MeasuredCase& measured, const MeasuredRow& row, const Scenario& scenario);

/// A measured row beside the run that simulated it.
/// @param model  from measured_model(); empty when the row has no quantity of a model
ValidationRow compared_row(const MeasuredRow& row, const Scenario& scenario, const std::string& model,
                           const Results& summary);

}  // namespace saturn
