#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/import/measured_file.hpp"
#include "calibration/measured_case.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"

/// The user's own measurements as cases of the user's own scenario.

namespace saturn {

/// What the user says about how measured rows become configurations of a scenario.
struct OwnChoice {
  std::string scenario;            ///< its name or file
  std::string model{};             ///< that loads are of; empty: see LoadModels
  std::optional<double> batch{};   ///< items of a request where a file does not say [item]; see infer_request_items()
  std::string vary{};              ///< "/jobs/1/count": the pool whose jobs are the clients; empty: the only one
  std::optional<double> median{};  ///< that the errors of every quantity should keep within [1]
  std::optional<double> worst{};   ///< the same of the worst error [1]
};

struct OwnMeasurements {
  std::vector<MeasuredCase> cases{};  ///< one a file, rows in the order of their load
  std::vector<Complaint> warnings{};  ///< rows that are not used, and measurements that contradict each other
};

/// The rows of the files as configurations of the scenario.
/// @param scenario  as it was read, with the user's changes
/// @param fitted    files that it takes values from
/// @throws InputError  score.no_rows, score.several_pools, score.not_a_pool, score.open_jobs, score.model, score.batch:
/// every
///                     complaint about every file at once
OwnMeasurements own_measurements(const Scenario& scenario, std::span<const MeasuredFile> files,
                                 std::span<const FittedFile> fitted, const OwnChoice& choice);

}  // namespace saturn
