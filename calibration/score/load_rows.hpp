#pragma once

#include "calibration/score/placed_rows.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// The loads of a file as configurations of a scenario. Where the scenario's jobs are such a load generator, one
/// blocking call and nothing else, they become as many as there were requests in flight; where they are not, they give
/// way to a load generator at their site, and the file's notes say so.
/// @param chosen  name of the model that loads are of; empty: the file's, or the only one that the jobs call
RowsOfFile load_rows(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen);

}  // namespace saturn
