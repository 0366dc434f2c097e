#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/measured_quantity.hpp"
#include "scenarios/document/text_files.hpp"
#include "scenarios/read_scenario.hpp"

/// Published measurements in the project's own schema "saturn-measured/1", with their source.

namespace saturn {

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
  /// items/s as they were printed, where the value is the rate of a closed loop: items in flight over mean latency.
  std::optional<double> printed_per_s{};
};

/// A scenario's name, with what is changed in it.
std::string scenario_in_words(const std::string& scenario, const std::vector<Override>& set);

/// The errors that a case should keep within, as fractions.
struct ErrorTarget {
  const MeasuredQuantity* quantity = nullptr;
  std::optional<double> median;
  std::optional<double> worst;
};

/// A scenario that claims to explain the measured rows.
struct MeasuredHypothesis {
  std::string name;             ///< the same in cases that are judged together
  std::string scenario;         ///< a shipped name or a file
  std::vector<Override> set{};  ///< changes of it, before those of each row
  std::string says;             ///< what limits the system, in words
};

/// What a set of measurements is, wherever it is printed.
struct MeasuredSystem {
  std::string id;
  std::string title;
  std::string source;     ///< where it was published
  bool verified = false;  ///< compared with the published numbers
  std::string scenario;   ///< name of the scenario that stands for it
  /// What makes that scenario this system, before what a row changes; each row's own list begins with it.
  std::vector<Override> set{};
  std::string notes;
  std::string calibration;  ///< which rows gave which parameter of the scenario, and by which equation; may be empty
  std::vector<ErrorTarget> targets;
  bool published = true;                         ///< false: the user's own measurements
  std::vector<MeasuredHypothesis> hypotheses{};  ///< none, or two that rival
  const MeasuredQuantity* decides_by = nullptr;  ///< quantity that judges between them; set when there are hypotheses
  std::string decides_because{};                 ///< why that one
};

/// Items that the clients can have in flight, over those that the printed rate and the mean latency have by Little's
/// law [1].
/// @param most_in_flight  [item] > 0
/// @returns nothing where the point lacks items_per_s or latency_mean_s
std::optional<double> little_ratio(const PublishedPoint& point, double most_in_flight);

/// Puts the rate of a closed loop, items in flight over mean latency, in the place of the printed one; its error is
/// that of the latency. Nothing happens where the point lacks one of the two, or where that has been done.
/// @param in_flight  of a load generator, whose every client has a request under way all the time [item] > 0
void take_rate_of_loop(PublishedPoint& point, double in_flight);

/// One measured configuration, and what it changes in the scenario: first what its case changes, then its own.
struct MeasuredRow {
  PublishedPoint point;
  std::vector<Override> set;
  std::optional<double> nonml_s;  ///< the event's time outside the offloaded module, in this row [s]
  std::string model{};            ///< that the row's quantities of a model are of; empty: the case's
};

/// A batch that one client sent alone, again and again: what the service law of a scenario is taken from.
struct OfflineRow {
  double batch = 0.0;  ///< [item]
  /// By name with unit: items_per_s, latency_mean_s, latency_p50_s, latency_p95_s, latency_p99_s, transfer_s, queue_s,
  /// compute_input_s, compute_infer_s, compute_output_s; zero where the source rounds to it.
  std::map<std::string, double> measured;
};

struct MeasuredCase {
  MeasuredSystem about;
  std::string model;  ///< that the quantities of a model are of; empty: the only one that the jobs call
  std::vector<MeasuredRow> rows;
  std::vector<OfflineRow> offline;
};

/// Reads one case; `name` is what complaints call the text.
/// @throws InputError  measured.not_json, measured.schema, measured.missing, measured.wrong_type,
/// measured.out_of_range, measured.unknown_key: every complaint at once
MeasuredCase read_measured_text(const std::string& text, const std::string& name);

/// The same for a case that is shipped: every quantity by which a row counts has a band, a target of both its median
/// and its worst error.
/// @throws InputError  measured.no_band, and as above
MeasuredCase read_shipped_text(const std::string& text, const std::string& name);

/// The cases that a name stands for: a file; else the shipped case of that name, with or without ".json"; else all
/// shipped cases whose names begin with it. "" stands for all shipped cases.
/// @throws InputError  measured.no_file, and as above
std::vector<MeasuredCase> read_measured_cases(const std::string& name);

/// The shipped cases, sorted by name; generated from calibration/data at build time.
std::span<const EmbeddedFile> shipped_measurements();

}  // namespace saturn
