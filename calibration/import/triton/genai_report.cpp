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
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

using KeyPath = std::initializer_list<std::string_view>;

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array<TimeUnit, 6> genai_time_units{
    {{"ms", 1e-3}, {"s", 1.0}, {"sec", 1.0}, {"seconds", 1.0}, {"us", 1e-6}, {"ns", 1e-9}}};

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
  const TimeUnit* known = nullptr;
  for (const TimeUnit& one : genai_time_units)
    if (one.name == unit) known = &one;
  if (known == nullptr) {
    report_.leave_out(*block, "import.unknown_unit",
                      "The latencies are left out: their \"unit\" is " + shown(unit) +
                          "; known are \"ms\", \"s\", \"sec\", \"seconds\", \"us\" and \"ns\".");
    return;
  }
  for (const Statistic& one : statistics)
    if (const auto value = json_figure(block->find(one.key)); value && is_measurable(*value * known->seconds))
      point.measured[one.measured] = *value * known->seconds;
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
  if (const auto errors = figure_at(root, {{"error_request_count", "avg"}}))
    report_.import().note("Requests that ended with an error, and are in none of the means: " +
                          std::to_string(static_cast<std::uint64_t>(*errors)) + ".");
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
  const auto spread = measured_value(point.measured, "latency_sd_s");
  if (spread && point.requests) point.measured["latency_sem_s"] = *spread / std::sqrt(*point.requests);
  drop_impossible_latencies(point, report_.import());
  report_.import().file().loads.push_back(std::move(point));
  note_losses();
  assume_single_items(report_.import().file());
  apply_littles_law(report_.import().file());
}

bool recognises_genai(std::string_view text) {
  return begins_as_object(text) && holds(text, "\"request_throughput\"") && holds(text, "\"input_config\"") &&
         holds_one(text, {"\"request_latency\"", "\"aiperf_version\"", "\"request_count\""});
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

}  // namespace saturn
