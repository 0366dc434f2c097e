#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "calibration/import/imported_text.hpp"
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
constexpr std::array<MeasuredColumn, 13> perf_times{{{"client send", "send_s"},
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
bool is_perf_header(const CsvColumns& columns) {
  if (columns.has("model") || columns.has("model config path")) return false;
  if (columns.has(throughput)) return true;
  if (!has_load(columns)) return false;
  for (const MeasuredColumn& time : perf_times)
    if (columns.has(time.column)) return true;
  for (const char* gpu : gpu_columns)
    if (columns.has(gpu)) return true;
  return false;
}

bool recognises_perf_csv(std::string_view text) {
  return recognises_load_table(text, is_perf_header);
}

/// One header after the other, as when files of several runs were put behind each other.
class PerfCsvReader {
 public:
  PerfCsvReader(const std::string& path, MeasuredFile& file) : path_(path), file_(file), complaints_(path) {}

  void read(std::string_view text);

 private:
  bool begin(const CsvColumns& columns, const CsvLine& header);
  void take(const CsvRow& row);
  void times_of(const CsvRow& row, LoadPoint& point);
  void mean_of(const CsvRow& row, LoadPoint& point);
  void add_mean(LoadPoint& point, double sum_s);
  void gpus_of(const CsvRow& row, LoadPoint& point);
  std::optional<GpuFigures> gpu_cell(const CsvRow& row, const char* column);

  const std::string& path_;
  MeasuredFile& file_;
  LeftOutLines complaints_;
  std::size_t headers_ = 0;
  bool one_compute_ = false;
  bool several_gpus_ = false;
  bool summed_ = false;
};

bool PerfCsvReader::begin(const CsvColumns& columns, const CsvLine& header) {
  ++headers_;
  if (columns.has(throughput) && has_load(columns)) return true;
  std::string missing = columns.has(throughput) ? "" : "Inferences/Second";
  if (!has_load(columns)) append_part(missing, "Concurrency (or Request Rate)", " and ");
  complaints_.add(header.line, "import.missing_column",
                  "The header has no column " + missing +
                      (columns.has("...") ? "; \"...\" stands for columns that were cut away" : "") +
                      ": without the load and its throughput the rows say nothing. Give the file as perf_analyzer -f "
                      "wrote it.",
                  header.text);
  return false;
}

std::optional<GpuFigures> PerfCsvReader::gpu_cell(const CsvRow& row, const char* column) {
  const std::string cell = row.cell(column);
  if (cell.empty()) return std::nullopt;
  const auto figures = gpu_figures(cell);
  if (!figures) {
    row.complain("import.bad_number", row.columns().name(*row.columns().find(column)) + " is \"" + cell.substr(0, 60) +
                                          "\"; it has to be a list such as \"GPU-1:0.5;GPU-2:0.4;\". The value is left "
                                          "out.");
  }
  return figures;
}

void PerfCsvReader::gpus_of(const CsvRow& row, LoadPoint& point) {
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

void PerfCsvReader::times_of(const CsvRow& row, LoadPoint& point) {
  for (const MeasuredColumn& time : perf_times) {
    const auto value = row.number(time.column);
    if (!value) continue;
    if (point.measured.emplace(time.measured, *value * microsecond).second && time.column == perf_times[6].column)
      one_compute_ = true;
  }
}

void PerfCsvReader::mean_of(const CsvRow& row, LoadPoint& point) {
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
    } else if (row.columns().has(column)) {
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

void PerfCsvReader::take(const CsvRow& row) {
  const bool closed = row.columns().has("concurrency");
  const auto load = row.needed(closed ? "concurrency" : "request rate", "there was no load.");
  const auto items = row.needed(throughput, "no inference ended while it was measured; measure longer.");
  if (!load || !items) return;
  LoadPoint point{.at = {path_, row.line().line}, .items_per_s = *items};
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
  drop_impossible_latencies(point, complaints_);
  file_.loads.push_back(point);
}

void PerfCsvReader::read(std::string_view text) {
  const std::size_t first = file_.loads.size();
  walk_load_tables(
      text, is_perf_header, file_, complaints_,
      [this](const CsvColumns& columns, const CsvLine& header) { return begin(columns, header); },
      [this](const CsvRow& row) { take(row); });
  const bool used = file_.loads.size() > first;
  if (headers_ > 1) {
    for (std::size_t k = first; k < file_.loads.size(); ++k)
      if (file_.loads[k].configuration.empty()) file_.loads[k].configuration = "run 1";
  }
  complaints_.hand_over(file_, used, "import.no_load_points",
                        "There is no row with a load and its throughput; a row reads \"4,84.2,...\" under "
                        "\"Concurrency,Inferences/Second,...\".");
  if (summed_)
    file_.notes.emplace_back("The mean latency is the sum of its parts; there is no column \"Avg latency\".");
  if (one_compute_) {
    file_.notes.emplace_back(
        "The column \"Server Compute\" holds input, inference and output together; it stands as compute_infer_s.");
  }
  if (several_gpus_) {
    file_.notes.emplace_back("GPU utilisation is the mean over the GPUs, GPU power their sum.");
  }
  apply_littles_law(file_, first);
}

void read_perf_csv(std::string_view text, const std::string& path, MeasuredFile& file) {
  PerfCsvReader(path, file).read(text);
}

}  // namespace

ImportFormat perf_analyzer_csv() {
  return {.name = "perf_analyzer CSV",
          .looks_like = "a header with \"Concurrency\" or \"Request Rate\" and \"Inferences/Second\"",
          .recognises = recognises_perf_csv,
          .read = read_perf_csv};
}

}  // namespace saturn
