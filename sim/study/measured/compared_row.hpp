#pragma once

#include <string>

#include "calibration/measured_case.hpp"
#include "reports/calibration/validation_report.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

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
