#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/measurement.hpp"
#include "scenarios/embedded_file.hpp"
#include "scenarios/read_scenario.hpp"

/// Published measurements in the project's own schema "saturn-measured/1", with their source.
namespace saturn {

/// One measured configuration, and what it changes in the scenario.
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

/// A scenario that claims to explain the measured rows.
struct MeasuredHypothesis {
  std::string name;             ///< the same in cases that are judged together
  std::string scenario;         ///< a shipped name or a file
  std::vector<Override> set{};  ///< changes of it, before those of each row
  std::string says;             ///< what limits the system, in words
};

struct MeasuredCase {
  MeasuredSystem about;
  std::vector<MeasuredHypothesis> hypotheses{};  ///< none, or two that rival
  const MeasuredQuantity* decides_by = nullptr;  ///< quantity that judges between them; set when there are hypotheses
  std::string decides_because{};                 ///< why that one
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
