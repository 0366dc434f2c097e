#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/embedded_file.hpp"
#include "scenarios/read_scenario.hpp"

/// Published measurements in the project's own schema "saturn-measured/1", with their source.
namespace saturn {

/// A measured mean.
struct MeasuredValue {
  double value = 0.0;         ///< > 0, in the unit of the quantity
  std::optional<double> sd;   ///< spread of the single values
  std::optional<double> sem;  ///< standard error of the mean
};

/// One measured configuration: what it changes in the scenario, and what was seen.
struct MeasuredRow {
  std::vector<Override> set;
  double jobs = 0.0;              ///< how many ran at once
  std::optional<double> nonml_s;  ///< the event's time outside the offloaded module, in this row [s]
  std::optional<MeasuredValue> event_time_s;
  std::optional<MeasuredValue> module_time_s;
  std::optional<MeasuredValue> events_per_s;
  std::string remark;  ///< what makes the row weak; empty when nothing does
};

/// Where a measurement was published.
struct MeasurementSource {
  std::string text;
  std::string url;
  std::string commit;
  std::string file;
};

struct MeasuredCase {
  std::string id;
  std::string title;
  MeasurementSource source;
  bool verified = false;  ///< compared with the published numbers
  std::string notes;
  std::string scenario;  ///< name of the shipped scenario that stands for it
  std::vector<MeasuredRow> rows;
};

/// Reads one case; `name` is what complaints call the text.
/// @throws InputError  measured.not_json, measured.schema, measured.missing, measured.wrong_type,
/// measured.out_of_range,
///                     measured.unknown_key: every complaint at once
MeasuredCase read_measured_text(const std::string& text, const std::string& name);

/// The same from a file; a bare name of a shipped case, with or without ".json", is read from the program when no such
/// file exists.
/// @throws InputError  measured.no_file, and as above
MeasuredCase read_measured_file(const std::string& path);

/// The shipped cases, sorted by name; generated from calibration/data at build time.
std::span<const EmbeddedFile> shipped_measurements();

}  // namespace saturn
