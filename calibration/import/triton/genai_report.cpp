#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "calibration/import/json_report.hpp"
#include "calibration/import/load_points.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

using KeyPath = std::initializer_list<std::string_view>;

struct Statistic {
  const char* key;
  const char* measured;
};
constexpr std::array<Statistic, 6> statistics{{{"avg", "latency_mean_s"},
                                               {"std", "latency_sd_s"},
                                               {"p50", "latency_p50_s"},
                                               {"p90", "latency_p90_s"},
                                               {"p95", "latency_p95_s"},
                                               {"p99", "latency_p99_s"}}};

/// A figure above 0 at one of the places where versions of the tools keep it.
std::optional<double> figure_at(const Node& root, std::initializer_list<KeyPath> paths) {
  for (const KeyPath& path : paths)
    if (const auto value = json_figure(json_at(root, path)); value && *value > 0.0) return value;
  return std::nullopt;
}

/// The only name at one of these places; empty where several models were measured.
std::string name_at(const Node& root, std::initializer_list<KeyPath> paths) {
  for (const KeyPath& path : paths) {
    const Node* named = json_at(root, path);
    if (named == nullptr) continue;
    const bool one = named->kind == NodeKind::list && named->children.size() == 1;
    std::string name = json_words(one ? &named->children.front() : named);
    if (!name.empty()) return name;
  }
  return "";
}

void note_errors(double requests, Import& import) {
  import.note("Requests that ended with an error, and are in none of the means: " +
              std::to_string(static_cast<std::uint64_t>(requests)) + ".");
}

void take_only_load(LoadPoint point, Import& import) {
  const auto spread = measured_value(point.measured, "latency_sd_s");
  if (spread && point.requests) point.measured["latency_sem_s"] = *spread / std::sqrt(*point.requests);
  drop_impossible_latencies(point, import);
  import.file().loads.push_back(std::move(point));
  assume_single_items(import.file());
  apply_littles_law(import.file());
}

class GenaiReader {
 public:
  explicit GenaiReader(JsonReport& report) : report_(report) {}

  void read();

 private:
  void take_load(LoadPoint& point);
  void take_latencies(LoadPoint& point);
  void take_model(LoadPoint& point);
  void note_losses();

  JsonReport& report_;
};

void GenaiReader::take_load(LoadPoint& point) {
  const Node& root = report_.root();
  point.request_rate_per_s = figure_at(root, {{"input_config", "request_rate"},
                                              {"input_config", "loadgen", "request_rate"},
                                              {"input_config", "perf_analyzer", "stimulus", "request_rate"}});
  if (point.request_rate_per_s) return;
  point.concurrency = figure_at(root, {{"input_config", "concurrency"},
                                       {"input_config", "loadgen", "concurrency"},
                                       {"input_config", "perf_analyzer", "stimulus", "concurrency"}});
  if (point.concurrency) return;
  const Node* config = root.find("input_config");
  report_.refuse(
      config != nullptr ? *config : root, "import.no_load",
      "The report does not say with how many requests in flight, or at which rate, it was measured "
      "(\"concurrency\" or \"request_rate\" of \"input_config\"); write rate and latency into a table with the "
      "columns concurrency, items_per_s and latency_ms.");
}

void GenaiReader::take_latencies(LoadPoint& point) {
  const Node* block = report_.root().find("request_latency");
  if (block == nullptr) return;
  const std::string unit = json_words(block->find("unit"));
  const std::optional<double> seconds = seconds_of_unit(unit);
  if (!seconds) {
    report_.leave_out(*block, "import.unknown_unit",
                      "The latencies are left out: their \"unit\" is " + shown(unit) +
                          "; known are \"ms\", \"s\", \"sec\", \"seconds\", \"us\" and \"ns\".");
    return;
  }
  for (const Statistic& one : statistics)
    if (const auto value = json_figure(block->find(one.key)); value && is_measurable(*value * *seconds))
      point.measured[one.measured] = *value * *seconds;
}

void GenaiReader::take_model(LoadPoint& point) {
  point.model = name_at(
      report_.root(),
      {{"input_config", "model"}, {"input_config", "endpoint", "model_names"}, {"input_config", "model_names"}});
}

void GenaiReader::note_losses() {
  const Node& root = report_.root();
  if (json_holds(root.find("was_cancelled")))
    report_.import().note("The measurement was cancelled before its end; what it had counted by then is read.");
  if (const auto errors = figure_at(root, {{"error_request_count", "avg"}})) note_errors(*errors, report_.import());
}

void GenaiReader::read() {
  const Node& root = report_.root();
  const Node* rate_block = root.find("request_throughput");
  const std::optional<double> rate = figure_at(root, {{"request_throughput", "avg"}});
  if (rate_block == nullptr || !rate)
    report_.refuse(rate_block != nullptr ? *rate_block : root, "import.no_load_points",
                   "\"request_throughput\" has no \"avg\" above 0: no request ended while it was measured; measure "
                   "longer.");
  LoadPoint point{.at = report_.at(*rate_block), .items_per_s = *rate};
  take_load(point);
  take_model(point);
  take_latencies(point);
  point.requests = figure_at(root, {{"request_count", "avg"}});
  note_losses();
  take_only_load(std::move(point), report_.import());
}

bool recognises_genai(std::string_view text) {
  return begins_as_object(text) && holds(text, "\"request_throughput\"") && holds(text, "\"input_config\"") &&
         holds_one(text, {"\"request_latency\"", "\"aiperf_version\"", "\"request_count\""});
}

/// The same summary as a table: a block of metrics with their statistics, and one of single values. It does not say how
/// many requests were in flight.
class GenaiTable {
 public:
  explicit GenaiTable(Import& import) : import_(import) {}

  void read();

 private:
  void take(const LoadRow& row);
  void take_latencies(const LoadRow& row, std::string_view unit);
  std::optional<double> figure(const LoadRow& row, const char* title);
  void take_in_flight();

  Import& import_;
  LoadPoint point_{};
};

/// The tools group digits: "6,406.20".
std::optional<double> GenaiTable::figure(const LoadRow& row, const char* title) {
  std::string cell = row.cell(title);
  if (cell.empty()) return std::nullopt;
  std::erase(cell, ',');
  const std::optional<double> value = plain_number(cell);
  if (value && *value >= 0.0) return value;
  row.complain("import.bad_number", row.cell("metric") + ", " + row.header().written(title) + ", is " +
                                        shown(row.cell(title)) + ", not a number >= 0. The value is left out.");
  return std::nullopt;
}

void GenaiTable::take_latencies(const LoadRow& row, std::string_view unit) {
  const std::optional<double> seconds = seconds_of_unit(unit);
  if (!seconds)
    return row.complain("import.unknown_unit",
                        "The latencies are left out: their unit is " + shown(std::string(unit)) +
                            "; known are \"ms\", \"s\", \"sec\", \"seconds\", \"us\" and \"ns\".");
  for (const Statistic& one : statistics)
    if (const auto value = figure(row, one.key)) point_.measured[one.measured] = *value * *seconds;
}

void GenaiTable::take(const LoadRow& row) {
  if (row.header().has("gpu")) return;
  const std::string metric = row.cell("metric");
  const std::size_t bracket = metric.find('(');
  const std::string name = column_key(std::string_view(metric).substr(0, bracket));
  if (name == "request latency" && row.header().has("avg")) {
    const std::string_view unit = bracket == std::string::npos ? "" : std::string_view(metric).substr(bracket + 1);
    take_latencies(row, trimmed(unit.substr(0, unit.find(')'))));
  } else if (name == "request throughput") {
    point_.at = import_.at(row.line());
    point_.items_per_s = figure(row, "value").value_or(0.0);
  } else if (name == "request count") {
    point_.requests = figure(row, "value");
  } else if (name == "error request count") {
    if (const auto errors = figure(row, "value"); errors && *errors > 0.0) note_errors(*errors, import_);
  }
}

void GenaiTable::take_in_flight() {
  const auto mean = measured_value(point_.measured, "latency_mean_s");
  const std::string way = "give the report in JSON that was written beside it.";
  if (!mean || !(*mean > 0.0))
    import_.refuse("import.no_load",
                   "The table has no mean of \"Request Latency\", so that it does not tell how many "
                   "requests were in flight; " +
                       way);
  const double in_flight = point_.items_per_s * *mean;
  const double whole = std::max(1.0, std::round(in_flight));
  constexpr double whole_number_within = 0.05;
  if (std::abs(in_flight - whole) > whole_number_within * whole)
    import_.refuse("import.no_load",
                   "The table does not say how many requests were in flight, and rate times mean "
                   "latency, " +
                       significant(in_flight, 3) + ", is no whole number, so that they were not always as many; " +
                       way);
  point_.concurrency = whole;
  import_.note("The table does not say how many requests were in flight. By Little's law they were " +
               significant(in_flight, 3) + " on average, and " + significant(whole, 6) +
               " are taken; the report in JSON says how many were asked for.");
}

bool is_genai_header(const LoadHeader& header) {
  return header.has("metric") && (header.has("avg") || header.has("value"));
}

void GenaiTable::read() {
  walk_load_tables(
      import_, is_genai_header, [](const LoadHeader&, const ImportedLine&) { return true; },
      [this](const LoadRow& row) { take(row); });
  if (!(point_.items_per_s > 0.0))
    import_.refuse(
        "import.no_load_points",
        "There is no \"Request Throughput\" above 0 under \"Metric,Value\": the table was cut off, or no request "
        "ended while it was measured.");
  take_in_flight();
  take_only_load(std::move(point_), import_);
}

bool recognises_genai_table(std::string_view text) {
  return recognises_load_table(text, is_genai_header) && holds(text, "Request ");
}

void read_genai_table(Import& import) {
  GenaiTable(import).read();
}

void read_genai(Import& import) {
  JsonReport report(import, " Let the load generator end by itself, so that it writes the file whole.");
  GenaiReader(report).read();
}

}  // namespace

ImportFormat genai_report() {
  return {.name = "AIPerf or GenAI-Perf report",
          .looks_like = "JSON with \"request_throughput\", \"request_latency\" and \"input_config\"",
          .recognises = recognises_genai,
          .read = read_genai};
}

ImportFormat genai_table() {
  return {.name = "AIPerf or GenAI-Perf table",
          .looks_like = "a header \"Metric,avg,...\" with \"Request Latency (ms)\", and one \"Metric,Value\"",
          .recognises = recognises_genai_table,
          .read = read_genai_table};
}

}  // namespace saturn
