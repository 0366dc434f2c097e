#pragma once

#include <span>
#include <string_view>

#include "models/summary.hpp"

/// What people measure on real systems, and which simulated number stands beside it.
namespace saturn {

/// The part of a simulated run that a measurement is about.
struct ComparedPart {
  const ModelSummary* model = nullptr;  ///< the measured model; set for every quantity of a model
  double nonml_s = 0.0;                 ///< the event's time outside the offloaded module, as measured [s]
};

/// A kind of measured number.
struct MeasuredQuantity {
  std::string_view name;      ///< its key in files, with the unit that it has there
  std::string_view heading;   ///< of its column
  std::string_view unit;      ///< that tables show it in; empty for rates
  double shown_factor = 1.0;  ///< from the file's unit to the table's
  bool of_model = false;      ///< of one model, not of the jobs
  /// The simulated number to put beside the measured one.
  Estimate (*simulated)(const RunSummary& run, const ComparedPart& part) = nullptr;
};

/// All of them, in the order in which tables show them.
std::span<const MeasuredQuantity> measured_quantities();

/// @returns null for an unknown name
const MeasuredQuantity* find_measured_quantity(std::string_view name);

}  // namespace saturn
