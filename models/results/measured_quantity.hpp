#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "models/results/results.hpp"

/// What people measure on real systems, and which simulated number stands beside it.

namespace saturn {

/// A kind of measured number, and the simulated one to put beside it.
struct MeasuredQuantity {
  std::string_view name;     ///< its key in files, with the unit that it has there
  std::string_view heading;  ///< of its column
  std::string_view unit;     ///< that tables show it in; empty for rates
  double shown_factor;       ///< from the file's unit to the table's
  std::variant<Key<Subject::jobs>, Key<Subject::model>> simulated;
  bool module = false;     ///< without the event's time outside the offloaded module
  bool in_server = false;  ///< without the mean times on the network and in the host's input handling

  /// Of one model, not of the jobs.
  bool of_model() const { return std::holds_alternative<Key<Subject::model>>(simulated); }
};

/// The part of a simulated run that a measurement is about.
struct ComparedPart {
  const ModelResults* model = nullptr;  ///< the measured model; set for every quantity of a model
  double nonml_s = 0.0;                 ///< the event's time outside the offloaded module, as measured [s]
};

/// The simulated number beside a measured one.
Estimate simulated_number(const MeasuredQuantity& quantity, const Results& results, const ComparedPart& part);

/// All of them, in the order in which tables show them.
std::span<const MeasuredQuantity> measured_quantities();

/// @returns null for an unknown name
const MeasuredQuantity* find_measured_quantity(std::string_view name);

}  // namespace saturn
