#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/load_points.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

/// One figure of each GPU, as perf_analyzer writes them: "uuid:0.33;uuid:0.5;".
struct GpuFigures {
  double sum = 0.0;
  std::size_t gpus = 0;  ///< > 0
};

/// @returns absent when the cell is not such a list of numbers >= 0
std::optional<GpuFigures> gpu_figures(std::string_view cell) {
  GpuFigures result;
  for (const std::string_view part : split_at(cell, ';')) {
    const std::string_view one = trimmed(part);
    if (one.empty()) continue;
    const std::size_t colon = one.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto value = plain_number(one.substr(colon + 1));
    if (!value || *value < 0.0) return std::nullopt;
    result.sum += *value;
    ++result.gpus;
  }
  if (result.gpus == 0 || !std::isfinite(result.sum)) return std::nullopt;
  return result;
}

namespace {

constexpr const char* throughput = "inferences/second";

// The older generation has one column for the whole computation.
constexpr std::array<LoadColumn, 13> perf_times{{{"client send", "send_s"},
                                                 {"network+server send/recv", "network_s"},
                                                 {"server queue", "queue_s"},
                                                 {"server compute input", "compute_input_s"},
                                                 {"server compute infer", "compute_infer_s"},
                                                 {"server compute output", "compute_output_s"},
                                                 {"server compute", "compute_infer_s"},
                                                 {"client recv", "receive_s"},
                                                 {"avg latency", "latency_mean_s"},
                                                 {"p50 latency", "latency_p50_s"},
                                                 {"p90 latency", "latency_p90_s"},
                                                 {"p95 latency", "latency_p95_s"},
                                                 {"p99 latency", "latency_p99_s"}}};

constexpr std::array<const char*, 4> gpu_columns{"avg gpu utilization", "avg gpu power usage", "max gpu memory usage",
                                                 "total gpu memory"};

// A header may be damaged, but some of the columns that only perf_analyzer has are left.
bool is_perf_header(const LoadHeader& header) {
  if (header.has("model") || header.has("model config path")) return false;
  if (header.has(throughput)) return true;
  return header.has_load() &&
         (std::any_of(perf_times.begin(), perf_times.end(), [&](const auto& time) { return header.has(time.title); }) ||
          std::any_of(gpu_columns.begin(), gpu_columns.end(), [&](const char* gpu) { return header.has(gpu); }));
}

bool recognises_perf_csv(std::string_view text) {
  return recognises_load_table(text, is_perf_header);
}

/// One header after the other, as when files of several runs were put behind each other.
class PerfCsvReader {
 public:
  explicit PerfCsvReader(Import& import) : import_(import) {}

  void read();

 private:
  bool begin(const LoadHeader& header, const ImportedLine& line);
  void take(const LoadRow& row);
  void times_of(const LoadRow& row, LoadPoint& point);
  void mean_of(const LoadRow& row, LoadPoint& point);
  void add_mean(LoadPoint& point, double sum_s);
  void gpus_of(const LoadRow& row, LoadPoint& point);
  std::optional<GpuFigures> gpu_cell(const LoadRow& row, const char* column);

  Import& import_;
  std::size_t headers_ = 0;
  bool one_compute_ = false;
  bool several_gpus_ = false;
  bool summed_ = false;
};

bool PerfCsvReader::begin(const LoadHeader& header, const ImportedLine& line) {
  ++headers_;
  if (header.has(throughput) && header.has_load()) return true;
  std::string missing = header.has(throughput) ? "" : "Inferences/Second";
  if (!header.has_load()) append_part(missing, "Concurrency (or Request Rate)", " and ");
  import_.leave_out(line, "import.missing_column",
                    "The header has no column " + missing +
                        (header.has("...") ? "; \"...\" stands for columns that were cut away" : "") +
                        ": without the load and its throughput the rows say nothing. Give the file as perf_analyzer -f "
                        "wrote it.");
  return false;
}

std::optional<GpuFigures> PerfCsvReader::gpu_cell(const LoadRow& row, const char* column) {
  const std::string cell = row.cell(column);
  if (cell.empty()) return std::nullopt;
  const auto figures = gpu_figures(cell);
  if (!figures) {
    row.complain("import.bad_number", row.header().written(column) + " is \"" + cell.substr(0, 60) +
                                          "\"; it has to be a list such as \"GPU-1:0.5;GPU-2:0.4;\". The value is left "
                                          "out.");
  }
  return figures;
}

void PerfCsvReader::gpus_of(const LoadRow& row, LoadPoint& point) {
  if (const auto used = gpu_cell(row, gpu_columns[0])) {
    const double mean = used->sum / static_cast<double>(used->gpus);
    several_gpus_ = several_gpus_ || used->gpus > 1;
    if (mean <= 1.0) {
      point.measured["gpu_utilisation"] = mean;
    } else {
      row.complain("import.bad_number", "Avg GPU Utilization is " + significant(mean, 4) +
                                            "; perf_analyzer writes it from 0 to 1. The value is left out.");
    }
  }
  if (const auto power = gpu_cell(row, gpu_columns[1])) {
    point.measured["gpu_power_w"] = power->sum;
    several_gpus_ = several_gpus_ || power->gpus > 1;
  }
}

void PerfCsvReader::times_of(const LoadRow& row, LoadPoint& point) {
  for (const LoadColumn& time : perf_times) {
    const auto value = row.number(time.title);
    if (!value) continue;
    if (point.measured.emplace(time.measured, *value * microsecond).second && time.title == perf_times[6].title)
      one_compute_ = true;
  }
}

void PerfCsvReader::mean_of(const LoadRow& row, LoadPoint& point) {
  if (point.measured.contains("latency_mean_s")) return;
  // A verbose file has these two even when a percentile was asked for, and "Avg latency" is not there.
  const auto exchange = row.number("request/response");
  const auto wait = row.number("response wait");
  if (exchange && wait) {
    add_mean(point, (*exchange + *wait) * microsecond);
    return;
  }
  double sum = 0.0;
  for (const char* part : {"send_s", "network_s", "queue_s", "compute_infer_s", "receive_s"}) {
    const auto found = point.measured.find(part);
    if (found == point.measured.end()) return;
    sum += found->second;
  }
  for (const auto& [column, part] : {perf_times[3], perf_times[5]}) {
    const auto found = point.measured.find(part);
    if (found != point.measured.end()) {
      sum += found->second;
    } else if (row.header().has(column)) {
      // A part that could not be read is missing in the sum.
      return;
    }
  }
  for (const char* cache : {"server cache hit", "server cache miss"})
    sum += row.number(cache).value_or(0.0) * microsecond;
  add_mean(point, sum);
}

void PerfCsvReader::add_mean(LoadPoint& point, double sum_s) {
  if (!std::isfinite(sum_s) || sum_s <= 0.0) return;
  point.measured["latency_mean_s"] = sum_s;
  summed_ = true;
}

void PerfCsvReader::take(const LoadRow& row) {
  const bool closed = row.header().has("concurrency");
  const auto load = row.needed(closed ? "concurrency" : "request rate", "there was no load.");
  const auto items = row.needed(throughput, "no inference ended while it was measured; measure longer.");
  if (!load || !items) return;
  LoadPoint point{.at = import_.at(row.line()), .items_per_s = *items};
  (closed ? point.concurrency : point.request_rate_per_s) = *load;
  if (headers_ > 1) point.configuration = "run " + std::to_string(headers_);
  for (const char* column : {"batch", "batch size"}) {
    const auto batch = row.number(column);
    if (!batch || *batch <= 0.0) continue;
    point.request_batch = *batch;
    point.batch_from = BatchOrigin::given;
  }
  times_of(row, point);
  mean_of(row, point);
  gpus_of(row, point);
  drop_impossible_latencies(point, import_);
  import_.file().loads.push_back(point);
}

void PerfCsvReader::read() {
  walk_load_tables(
      import_, is_perf_header,
      [this](const LoadHeader& header, const ImportedLine& line) { return begin(header, line); },
      [this](const LoadRow& row) { take(row); });
  std::vector<LoadPoint>& loads = import_.file().loads;
  if (loads.empty())
    import_.refuse("import.no_load_points",
                   "There is no row with a load and its throughput; a row reads \"4,84.2,...\" under "
                   "\"Concurrency,Inferences/Second,...\".");
  for (LoadPoint& point : loads)
    if (headers_ > 1 && point.configuration.empty()) point.configuration = "run 1";
  if (summed_) import_.note("The mean latency is the sum of its parts; there is no column \"Avg latency\".");
  if (one_compute_)
    import_.note(
        "The column \"Server Compute\" holds input, inference and output together; it stands as compute_infer_s.");
  if (several_gpus_) import_.note("GPU utilisation is the mean over the GPUs, GPU power their sum.");
  apply_littles_law(import_.file());
}

void read_perf_csv(Import& import) {
  PerfCsvReader(import).read();
}

}  // namespace

ImportFormat perf_analyzer_csv() {
  return {.name = "perf_analyzer CSV",
          .looks_like = "a header with \"Concurrency\" or \"Request Rate\" and \"Inferences/Second\"",
          .recognises = recognises_perf_csv,
          .read = read_perf_csv};
}

}  // namespace saturn
