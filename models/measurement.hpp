#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/results.hpp"

/// What people measure on real systems, and which simulated number stands beside it.
namespace saturn {

/// A kind of measured number, and the simulated one to put beside it.
struct MeasuredQuantity {
  std::string_view name;     ///< its key in files, with the unit that it has there
  std::string_view heading;  ///< of its column
  std::string_view unit;     ///< that tables show it in; empty for rates
  double shown_factor;       ///< from the file's unit to the table's
  std::variant<Key<Subject::jobs>, Key<Subject::model>> simulated;
  bool module = false;  ///< without the event's time outside the offloaded module

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

/// A measured mean, in the unit of its quantity.
struct MeasuredValue {
  const MeasuredQuantity* quantity = nullptr;
  double value = 0.0;           ///< > 0
  std::optional<double> sd{};   ///< spread of the single values
  std::optional<double> sem{};  ///< standard error of the mean
  bool scored = true;           ///< its relative error says something; false for a queue of microseconds
};

/// What a measured point is for.
enum class PointUse {
  scored,       ///< predicted, and its error counts
  calibration,  ///< parameters of the scenario were taken from it
  identity,     ///< a parameter is this number itself: its error counts, but checks the arithmetic and predicts nothing
  shown,        ///< measured badly, digitised or derived: compared, but not counted
};

/// One measured configuration.
struct PublishedPoint {
  std::string label;  ///< such as "concurrency 16"
  PointUse use = PointUse::scored;
  std::string remark;  ///< what makes the point weak; empty when nothing does
  std::vector<MeasuredValue> values;
};

/// The errors that a case should keep within, as fractions.
struct ErrorTarget {
  const MeasuredQuantity* quantity = nullptr;
  std::optional<double> median;
  std::optional<double> worst;
};

/// What a set of measurements is, wherever it is printed.
struct MeasuredSystem {
  std::string id;
  std::string title;
  std::string source;     ///< where it was published
  bool verified = false;  ///< compared with the published numbers
  std::string scenario;   ///< name of the scenario that stands for it
  std::string notes;
  std::string calibration;  ///< which rows gave which parameter of the scenario, and by which equation; may be empty
  std::vector<ErrorTarget> targets;
  bool published = true;  ///< false: the user's own measurements
};

/// Below this ratio more items were in flight than the clients can have sent: the row was measured badly (its windows
/// were short).
inline constexpr double least_little_ratio = 0.95;

/// Items that the clients can have in flight, over those that the measured rate and time have by Little's law [1].
/// @param most_in_flight  [item] > 0
/// @returns nothing where the point lacks items_per_s or latency_mean_s
std::optional<double> little_ratio(const PublishedPoint& point, double most_in_flight);

}  // namespace saturn
