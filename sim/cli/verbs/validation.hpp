#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/measured_case.hpp"
#include "calibration/score/own_measurements.hpp"
#include "reports/calibration/validation_report.hpp"
#include "sim/cli/options.hpp"
#include "sim/run/replications.hpp"

namespace saturn {

/// Simulates every row of every case, all of them together so that every core has work.
/// @param changes  applied to each row's scenario after the row's own
/// @throws InputError  a row's scenario is refused, measured.model
/// @throws RunFailed   a simulation gave no result
ValidationReport validated(std::span<const MeasuredCase> cases, const std::vector<Override>& changes,
                           const RunOptions& options);

/// What `validate` is told about the user's own measurements.
struct OwnOptions {
  std::string model{};
  std::optional<std::uint64_t> batch{};  ///< items of a request where a file does not say [item]
  std::string vary{};
  std::optional<std::string> median{};  ///< "5 %"
  std::optional<std::string> worst{};
};

/// True when an option is given that means something for own measurements alone.
bool any_given(const OwnOptions& options);

/// The cases of a scenario and files of measurements. Rows that the scenario refuses, such as batches far beyond
/// its service law, are left out and named; warnings go to stderr unless the user wants quiet.
/// @param names  the scenario, then the files
/// @throws InputError  every complaint about scenario, files and options at once
std::vector<MeasuredCase> own_cases(const std::vector<std::string>& names, const ScenarioOptions& changes,
                                    const OwnOptions& options, const OutputOptions& output);

/// The command line that repeats the answer.
std::string own_command(const std::vector<std::string>& names, const ScenarioOptions& changes,
                        const OwnOptions& options);

}  // namespace saturn
