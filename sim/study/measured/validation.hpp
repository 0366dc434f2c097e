#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/measured_case.hpp"
#include "calibration/score/own_measurements.hpp"
#include "reports/calibration/validation_report.hpp"
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

/// True when an option is given that means something for own measurements alone.
bool any_given(const OwnOptions& options);

/// The cases of a scenario and files of measurements, the request's names. Rows that the scenario refuses, such as
/// batches far beyond its service law, are left out and named; warnings are said.
/// @throws InputError  every complaint about scenario, files and options at once
std::vector<MeasuredCase> own_cases(const ValidateRequest& request, Monitor& monitor);

}  // namespace saturn
