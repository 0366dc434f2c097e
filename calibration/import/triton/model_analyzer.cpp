#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/load_points.hpp"
#include "calibration/import/measured_file.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

// Instances of a model, "3:GPU", older "3/GPU".
struct InstanceGroup {
  double count = 0.0;  // > 0
  bool on_cpu = false;
};

// The parts of a cell of Model Analyzer about several models, "a,b": at its commas, without margins.
std::vector<std::string> cell_parts(std::string_view cell) {
  return texts_of(split_at(cell, ','), [](std::string_view part) { return trimmed(part); });
}

// A figure of each model. Of one model "421.0"; of several "421.0, [184.5,236.5]": the first is their total or mean.
// `models` numbers >= 0; absent when the cell is anything else
std::optional<std::vector<double>> cell_figures(std::string_view cell, std::size_t models) {
  const std::size_t open = cell.find('[');
  std::string_view list = cell;
  if (open != std::string_view::npos) {
    const std::size_t close = cell.find(']', open);
    if (close == std::string_view::npos) return std::nullopt;
    list = cell.substr(open + 1, close - open - 1);
  }
  std::vector<double> figures;
  for (const std::string& part : cell_parts(list)) {
    const auto value = plain_number(part);
    if (!value || *value < 0.0) return std::nullopt;
    figures.push_back(*value);
  }
  if (figures.size() != models) return std::nullopt;
  return figures;
}

std::optional<InstanceGroup> instance_group(std::string_view text) {
  const std::size_t mark = text.find_first_of(":/");
  if (mark == std::string_view::npos) return std::nullopt;
  const auto count = plain_number(text.substr(0, mark));
  const std::string kind = column_key(text.substr(mark + 1));
  if (!count || *count <= 0.0 || (kind != "gpu" && kind != "cpu")) return std::nullopt;
  return InstanceGroup{.count = *count, .on_cpu = kind == "cpu"};
}

constexpr const char* analyzer_throughput = "throughput (infer/sec)";

constexpr std::array<LoadColumn, 13> analyzer_times{{{"avg latency (ms)", "latency_mean_s"},
                                                     {"p50 latency (ms)", "latency_p50_s"},
                                                     {"p90 latency (ms)", "latency_p90_s"},
                                                     {"p95 latency (ms)", "latency_p95_s"},
                                                     {"p99 latency (ms)", "latency_p99_s"},
                                                     {"server queue time (ms)", "queue_s"},
                                                     {"server queue (ms)", "queue_s"},
                                                     {"server compute input time (ms)", "compute_input_s"},
                                                     {"server compute input (ms)", "compute_input_s"},
                                                     {"server compute infer time (ms)", "compute_infer_s"},
                                                     {"server compute infer (ms)", "compute_infer_s"},
                                                     {"server compute output time (ms)", "compute_output_s"},
                                                     {"server compute output (ms)", "compute_output_s"}}};

bool is_analyzer_header(const LoadHeader& header) {
  if (!header.has("model")) return false;
  for (const char* title : {"model config path", "satisfies constraints", analyzer_throughput, "gpu utilization (%)",
                            "gpu memory usage (mb)", "gpu power usage (w)"})
    if (header.has(title)) return true;
  return false;
}

bool recognises_model_analyzer(std::string_view text) {
  return recognises_load_table(text, is_analyzer_header);
}

// A row for each GPU, to be joined to the inference rows of the same measurement.
struct GpuRow {
  ImportedLine line{};
  std::string gpu{};
  std::optional<double> utilisation{};
  std::optional<double> power_w{};
};

// What stands in the file about the same models, batch, load, configuration and instances.
struct AnalyzerMeasurement {
  std::size_t inference_rows = 0;
  std::vector<std::size_t> points{};  // places in the file's loads
  std::vector<GpuRow> gpus{};
};

/// Files of inferences and of GPUs may stand behind each other in one text, each under its header.
class ModelAnalyzerReader {
 public:
  explicit ModelAnalyzerReader(Import& import) : import_(import), loads_(import.file().loads) {}

  void read();

 private:
  bool begin(const LoadHeader& header, const ImportedLine& line);
  void take(const LoadRow& row);
  GpuRow gpu_row(const LoadRow& row);
  std::vector<LoadPoint> points(const LoadRow& row);
  void times_of(const LoadRow& row, std::vector<LoadPoint>& points);
  void instances_of(const LoadRow& row, std::vector<LoadPoint>& points);
  std::optional<std::vector<double>> figures(const LoadRow& row, const char* title, std::size_t models, bool needed);
  void join_gpus(const AnalyzerMeasurement& measurement);

  Import& import_;
  std::vector<LoadPoint>& loads_;
  std::map<std::string, AnalyzerMeasurement> measurements_;
  bool several_models_ = false;
  bool on_cpu_ = false;
  bool gpus_ = false;
  bool several_gpus_ = false;
};

bool ModelAnalyzerReader::begin(const LoadHeader& header, const ImportedLine& line) {
  if (header.has_load()) return true;
  import_.leave_out(line, "import.missing_column",
                    header.has(analyzer_throughput)
                        ? "The header has neither Concurrency nor Request Rate: without the load the rows say nothing."
                        : "The rows are of an idle server: the header has neither a load nor a throughput. Give "
                          "metrics-model-inference.csv.");
  return false;
}

std::optional<std::vector<double>> ModelAnalyzerReader::figures(const LoadRow& row, const char* title,
                                                                std::size_t models, bool needed) {
  const std::string cell = row.cell(title);
  if (cell.empty() && !needed) return std::nullopt;
  auto result = cell_figures(cell, models);
  const bool zero =
      result && needed && std::any_of(result->begin(), result->end(), [](double figure) { return figure <= 0.0; });
  if (result && !zero) return result;
  const std::string expected = zero          ? "above 0"
                               : models == 1 ? "a number"
                                             : std::to_string(models) + " numbers, one for each of the models";
  row.complain(needed ? "import.unusable_line" : "import.bad_number",
               (needed ? "The line is left out: " : "") + row.header().written(title) + " is \"" + cell.substr(0, 60) +
                   "\"; it has to be " + expected + ".");
  return std::nullopt;
}

void ModelAnalyzerReader::times_of(const LoadRow& row, std::vector<LoadPoint>& points) {
  for (const LoadColumn& time : analyzer_times) {
    const auto values = figures(row, time.title, points.size(), false);
    for (std::size_t k = 0; values && k < points.size(); ++k)
      points[k].measured.emplace(time.measured, (*values)[k] * 1e-3);
  }
}

void ModelAnalyzerReader::instances_of(const LoadRow& row, std::vector<LoadPoint>& points) {
  const auto groups = cell_parts(row.cell("instance group"));
  // An ensemble lists the groups of its steps, of which none is its own.
  if (groups.size() != points.size()) return;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto group = instance_group(groups[k]);
    if (!group) continue;
    points[k].instances = group->count;
    on_cpu_ = on_cpu_ || group->on_cpu;
  }
}

std::vector<LoadPoint> ModelAnalyzerReader::points(const LoadRow& row) {
  const auto models = cell_parts(row.cell("model"));
  const bool closed = row.header().has("concurrency");
  const auto load = figures(row, closed ? "concurrency" : "request rate", models.size(), true);
  const auto items = figures(row, analyzer_throughput, models.size(), true);
  if (!load || !items) return {};
  const auto batch = figures(row, "batch", models.size(), false);
  const std::string group = row.cell("instance group");
  std::vector<LoadPoint> result;
  for (std::size_t k = 0; k < models.size(); ++k) {
    LoadPoint point{.at = import_.at(row.line()), .model = models[k], .items_per_s = (*items)[k]};
    point.configuration = row.cell("model config path");
    if (!group.empty()) append_part(point.configuration, group);
    (closed ? point.concurrency : point.request_rate_per_s) = (*load)[k];
    if (batch && (*batch)[k] > 0.0) {
      point.request_batch = (*batch)[k];
      point.batch_from = BatchOrigin::given;
    }
    result.push_back(point);
  }
  several_models_ = several_models_ || models.size() > 1;
  return result;
}

GpuRow ModelAnalyzerReader::gpu_row(const LoadRow& row) {
  GpuRow one{.line = {.number = row.line().number}, .gpu = row.cell("gpu uuid")};
  if (one.gpu.empty()) one.gpu = row.cell("gpu id");
  one.utilisation = row.number("gpu utilization (%)");
  if (one.utilisation && *one.utilisation > 100.0) {
    row.complain("import.bad_number",
                 "GPU Utilization is " + significant(*one.utilisation, 4) + " %; more than 100 % cannot be.");
    one.utilisation.reset();
  }
  one.power_w = row.number("gpu power usage (w)");
  return one;
}

void ModelAnalyzerReader::take(const LoadRow& row) {
  std::string key;
  for (const char* title : {"model", "batch", "concurrency", "request rate", "model config path", "instance group"})
    key += column_key(row.cell(title)) + '\n';
  // Without a throughput a table is one of GPUs.
  if (!row.header().has(analyzer_throughput)) {
    std::vector<GpuRow>& gpus = measurements_[key].gpus;
    gpus.push_back(gpu_row(row));
    gpus_ = true;
    several_gpus_ = several_gpus_ || gpus.size() > 1;
    return;
  }
  std::vector<LoadPoint> result = points(row);
  if (result.empty()) return;
  times_of(row, result);
  instances_of(row, result);
  AnalyzerMeasurement& measurement = measurements_[key];
  ++measurement.inference_rows;
  for (LoadPoint& point : result) {
    drop_impossible_latencies(point, import_);
    measurement.points.push_back(loads_.size());
    loads_.push_back(std::move(point));
  }
}

// Mean utilisation and total power; a figure that one of the GPUs lacks would be too small for all of them.
void ModelAnalyzerReader::join_gpus(const AnalyzerMeasurement& measurement) {
  const std::vector<GpuRow>& rows = measurement.gpus;
  if (rows.empty()) return;
  if (measurement.inference_rows == 0) {
    import_.leave_out(rows.front().line, "import.gpu_without_load",
                      "The GPU figures are left out: no inference row of this file has the same model, batch, load, "
                      "configuration and instances.");
    return;
  }
  std::set<std::string> gpus;
  for (const GpuRow& row : rows) gpus.insert(row.gpu);
  if (measurement.inference_rows > 1 || gpus.size() < rows.size()) {
    import_.leave_out(
        rows.front().line, "import.gpu_ambiguous",
        "The GPU figures are left out: this measurement stands here more than once, and which row belongs "
        "to which cannot be told.");
    return;
  }
  std::optional<double> utilisation = 0.0;
  std::optional<double> power_w = 0.0;
  for (const GpuRow& row : rows) {
    utilisation = utilisation && row.utilisation ? std::optional(*utilisation + *row.utilisation) : std::nullopt;
    power_w = power_w && row.power_w ? std::optional(*power_w + *row.power_w) : std::nullopt;
  }
  for (const std::size_t place : measurement.points) {
    auto& measured = loads_[place].measured;
    if (utilisation) measured["gpu_utilisation"] = *utilisation / 100.0 / static_cast<double>(rows.size());
    if (power_w) measured["gpu_power_w"] = *power_w;
  }
}

void ModelAnalyzerReader::read() {
  walk_load_tables(
      import_, is_analyzer_header,
      [this](const LoadHeader& header, const ImportedLine& line) { return begin(header, line); },
      [this](const LoadRow& row) { take(row); });
  if (loads_.empty())
    import_.refuse("import.no_load_points",
                   gpus_ ? "The file holds GPU figures without throughputs; give metrics-model-inference.csv, or both "
                           "files put behind each other as one, so that the rows can be joined."
                         : "There is no row with a load and its throughput, under a header with Model, Concurrency and "
                           "Throughput (infer/sec).");
  for (const auto& [key, measurement] : measurements_) join_gpus(measurement);
  if (several_models_)
    import_.note(
        "Several models were loaded side by side: the latencies of each hold what the others take of the GPU; their "
        "configurations keep such rows apart.");
  if (on_cpu_) import_.note("Some instances run on CPUs, as their configuration says (\"16:CPU\").");
  if (several_gpus_) import_.note("GPU utilisation is the mean over the GPUs, GPU power their sum.");
  apply_littles_law(import_.file());
}

void read_model_analyzer(Import& import) {
  ModelAnalyzerReader(import).read();
}

}  // namespace

ImportFormat model_analyzer_csv() {
  return {.name = "Model Analyzer CSV",
          .looks_like = "a header with \"Model\", \"Concurrency\" or \"Request Rate\", and \"Throughput (infer/sec)\"",
          .recognises = recognises_model_analyzer,
          .read = read_model_analyzer};
}

}  // namespace saturn
