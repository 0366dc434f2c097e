#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/load_points.hpp"
#include "calibration/import/measured_file.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

/// Instances of a model, "3:GPU", older "3/GPU".
struct InstanceGroup {
  double count = 0.0;  ///< > 0
  bool on_cpu = false;
};

/// The parts of a cell of Model Analyzer about several models, "a,b": at its commas, without margins.
std::vector<std::string> cell_parts(std::string_view cell) {
  return texts_of(split_at(cell, ','), [](std::string_view part) { return trimmed(part); });
}

/// A figure of each model. Of one model "421.0"; of several "421.0, [184.5,236.5]": the first is their total or mean.
/// @returns `models` numbers >= 0; absent when the cell is anything else
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

/// @returns absent when the text is not one such group
std::optional<InstanceGroup> instance_group(std::string_view text) {
  const std::size_t mark = text.find_first_of(":/");
  if (mark == std::string_view::npos) return std::nullopt;
  const auto count = plain_number(text.substr(0, mark));
  const std::string kind = column_key(text.substr(mark + 1));
  if (!count || *count <= 0.0 || (kind != "gpu" && kind != "cpu")) return std::nullopt;
  return InstanceGroup{.count = *count, .on_cpu = kind == "cpu"};
}

/// GPU rows of a Model Analyzer file, to be joined to the inference rows of the same measurements: a row for each GPU.
class ModelAnalyzerGpus {
 public:
  /// Takes a row that has passed CsvRow::whole.
  void take(const CsvRow& row);

  /// Adds the mean utilisation and the total power to the points of each measurement. Rows that cannot be told apart,
  /// or that belong to no point, are complained about.
  /// @param points  by measurement_key, the inference rows: each with the points made from it
  void join(const std::map<std::string, std::vector<std::vector<LoadPoint*>>>& points, LeftOutLines& complaints) const;

  bool empty() const { return rows_.empty(); }
  bool several() const;  ///< a measurement has rows of several GPUs

 private:
  struct GpuRow {
    std::size_t line = 0;
    std::string gpu{};
    std::optional<double> utilisation{};
    std::optional<double> power_w{};
  };
  std::map<std::string, std::vector<GpuRow>> rows_;
};

/// Which measurement a row of Model Analyzer belongs to: its models, batch, load, configuration and instances.
std::string measurement_key(const CsvRow& row) {
  std::string key;
  for (const char* column : {"model", "batch", "concurrency", "request rate", "model config path", "instance group"})
    key += column_key(row.cell(column)) + '\n';
  return key;
}

void ModelAnalyzerGpus::take(const CsvRow& row) {
  const std::string gpu = row.cell("gpu uuid").empty() ? row.cell("gpu id") : row.cell("gpu uuid");
  GpuRow one{.line = row.line().line, .gpu = gpu};
  one.utilisation = row.number("gpu utilization (%)");
  if (one.utilisation && *one.utilisation > 100.0) {
    row.complain("import.bad_number",
                 "GPU Utilization is " + significant(*one.utilisation, 4) + " %; more than 100 % cannot be.");
    one.utilisation.reset();
  }
  one.power_w = row.number("gpu power usage (w)");
  rows_[measurement_key(row)].push_back(one);
}

bool ModelAnalyzerGpus::several() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const auto& rows) { return rows.second.size() > 1; });
}

void ModelAnalyzerGpus::join(const std::map<std::string, std::vector<std::vector<LoadPoint*>>>& points,
                             LeftOutLines& complaints) const {
  for (const auto& [key, rows] : rows_) {
    const auto found = points.find(key);
    if (found == points.end()) {
      complaints.add(rows.front().line, "import.gpu_without_load",
                     "The GPU figures are left out: no inference row of this file has the same model, batch, load, "
                     "configuration and instances.");
      continue;
    }
    std::set<std::string> gpus;
    for (const GpuRow& row : rows) gpus.insert(row.gpu);
    if (found->second.size() > 1 || gpus.size() < rows.size()) {
      complaints.add(rows.front().line, "import.gpu_ambiguous",
                     "The GPU figures are left out: this measurement stands here more than once, and which row belongs "
                     "to which cannot be told.");
      continue;
    }
    double utilisation = 0.0;
    double power = 0.0;
    std::size_t used = 0;
    std::size_t powered = 0;
    for (const GpuRow& row : rows) {
      utilisation += row.utilisation.value_or(0.0);
      if (row.utilisation) ++used;
      power += row.power_w.value_or(0.0);
      if (row.power_w) ++powered;
    }
    for (LoadPoint* point : found->second.front()) {
      // A figure that one of the GPUs lacks would be too small for all of them.
      if (used == rows.size()) point->measured["gpu_utilisation"] = utilisation / 100.0 / static_cast<double>(used);
      if (powered == rows.size()) point->measured["gpu_power_w"] = power;
    }
  }
}

namespace {

constexpr const char* analyzer_throughput = "throughput (infer/sec)";

constexpr std::array<MeasuredColumn, 13> analyzer_times{{{"avg latency (ms)", "latency_mean_s"},
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

bool is_analyzer_header(const CsvColumns& columns) {
  if (!columns.has("model")) return false;
  for (const char* column : {"model config path", "satisfies constraints", analyzer_throughput, "gpu utilization (%)",
                             "gpu memory usage (mb)", "gpu power usage (w)"})
    if (columns.has(column)) return true;
  return false;
}

bool recognises_model_analyzer(std::string_view text) {
  return recognises_load_table(text, is_analyzer_header);
}

/// Files of inferences and of GPUs may stand behind each other in one text, each under its header.
class ModelAnalyzerReader {
 public:
  ModelAnalyzerReader(const std::string& path, MeasuredFile& file) : path_(path), file_(file), complaints_(path) {}

  void read(std::string_view text);

 private:
  bool begin(const CsvColumns& columns, const CsvLine& header);
  void take(const CsvRow& row);
  std::vector<LoadPoint> points(const CsvRow& row);
  void times_of(const CsvRow& row, std::vector<LoadPoint>& points);
  void instances_of(const CsvRow& row, std::vector<LoadPoint>& points);
  std::optional<std::vector<double>> figures(const CsvRow& row, const char* column, std::size_t models, bool needed);
  void join_gpus(std::size_t first);
  void add_notes();

  const std::string& path_;
  MeasuredFile& file_;
  LeftOutLines complaints_;
  ModelAnalyzerGpus gpus_;
  std::map<std::string, std::vector<std::vector<std::size_t>>> rows_;  ///< places in file_.loads by measurement
  bool several_models_ = false;
  bool on_cpu_ = false;
};

bool ModelAnalyzerReader::begin(const CsvColumns& columns, const CsvLine& header) {
  if (has_load(columns)) return true;
  complaints_.add(header.line, "import.missing_column",
                  columns.has(analyzer_throughput)
                      ? "The header has neither Concurrency nor Request Rate: without the load the rows say nothing."
                      : "The rows are of an idle server: the header has neither a load nor a throughput. Give "
                        "metrics-model-inference.csv.",
                  header.text);
  return false;
}

std::optional<std::vector<double>> ModelAnalyzerReader::figures(const CsvRow& row, const char* column,
                                                                std::size_t models, bool needed) {
  const std::string cell = row.cell(column);
  if (cell.empty() && !needed) return std::nullopt;
  auto result = cell_figures(cell, models);
  if (result && needed) {
    for (const double figure : *result)
      if (figure <= 0.0) result.reset();
    if (!result) {
      row.complain("import.unusable_line", "The line is left out: " + row.columns().name(*row.columns().find(column)) +
                                               " is \"" + cell.substr(0, 60) + "\"; it has to be above 0.");
      return std::nullopt;
    }
  }
  if (result) return result;
  const std::string expected =
      models == 1 ? "a number" : std::to_string(models) + " numbers, one for each of the models";
  const auto at = row.columns().find(column);
  row.complain(needed ? "import.unusable_line" : "import.bad_number",
               (needed ? "The line is left out: " : "") + (at ? row.columns().name(*at) : std::string(column)) +
                   " is \"" + cell.substr(0, 60) + "\"; it has to be " + expected + ".");
  return std::nullopt;
}

void ModelAnalyzerReader::times_of(const CsvRow& row, std::vector<LoadPoint>& points) {
  for (const MeasuredColumn& time : analyzer_times) {
    if (!row.columns().has(time.column)) continue;
    const auto values = figures(row, time.column, points.size(), false);
    for (std::size_t k = 0; values && k < points.size(); ++k)
      points[k].measured.emplace(time.measured, (*values)[k] * 1e-3);
  }
}

void ModelAnalyzerReader::instances_of(const CsvRow& row, std::vector<LoadPoint>& points) {
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

std::vector<LoadPoint> ModelAnalyzerReader::points(const CsvRow& row) {
  const auto models = cell_parts(row.cell("model"));
  const bool closed = row.columns().has("concurrency");
  const auto load = figures(row, closed ? "concurrency" : "request rate", models.size(), true);
  const auto items = figures(row, analyzer_throughput, models.size(), true);
  if (!load || !items) return {};
  const auto batch = row.columns().has("batch") ? figures(row, "batch", models.size(), false) : std::nullopt;
  const std::string group = row.cell("instance group");
  std::vector<LoadPoint> result;
  for (std::size_t k = 0; k < models.size(); ++k) {
    LoadPoint point{.at = {path_, row.line().line}, .model = models[k], .items_per_s = (*items)[k]};
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

void ModelAnalyzerReader::take(const CsvRow& row) {
  // Without a throughput a table is one of GPUs, to be joined to the inferences.
  if (!row.columns().has(analyzer_throughput)) return gpus_.take(row);
  std::vector<LoadPoint> result = points(row);
  if (result.empty()) return;
  times_of(row, result);
  instances_of(row, result);
  std::vector<std::size_t> places;
  for (LoadPoint& point : result) {
    drop_impossible_latencies(point, complaints_);
    places.push_back(file_.loads.size());
    file_.loads.push_back(std::move(point));
  }
  rows_[measurement_key(row)].push_back(places);
}

void ModelAnalyzerReader::join_gpus(std::size_t first) {
  if (gpus_.empty() || file_.loads.size() == first) return;
  std::map<std::string, std::vector<std::vector<LoadPoint*>>> joined;
  for (const auto& [key, rows] : rows_) {
    for (const auto& places : rows) {
      joined[key].emplace_back();
      for (const std::size_t place : places) joined[key].back().push_back(&file_.loads[place]);
    }
  }
  gpus_.join(joined, complaints_);
}

void ModelAnalyzerReader::add_notes() {
  if (several_models_) {
    file_.notes.emplace_back(
        "Several models were loaded side by side: the latencies of each hold what the others take of the GPU; their "
        "configurations keep such rows apart.");
  }
  if (on_cpu_) file_.notes.emplace_back("Some instances run on CPUs, as their configuration says (\"16:CPU\").");
  if (gpus_.several()) file_.notes.emplace_back("GPU utilisation is the mean over the GPUs, GPU power their sum.");
}

void ModelAnalyzerReader::read(std::string_view text) {
  const std::size_t first = file_.loads.size();
  walk_load_tables(
      text, is_analyzer_header, file_, complaints_,
      [this](const CsvColumns& columns, const CsvLine& header) { return begin(columns, header); },
      [this](const CsvRow& row) { take(row); });
  join_gpus(first);
  const std::string gpus_alone =
      "The file holds GPU figures without throughputs; give metrics-model-inference.csv, or both files put behind each "
      "other as one, so that the rows can be joined.";
  complaints_.hand_over(file_, file_.loads.size() > first, "import.no_load_points",
                        !gpus_.empty() ? gpus_alone
                                       : "There is no row with a load and its throughput, under a header with Model, "
                                         "Concurrency and Throughput (infer/sec).");
  add_notes();
  apply_littles_law(file_, first);
}

void read_model_analyzer(std::string_view text, const std::string& path, MeasuredFile& file) {
  ModelAnalyzerReader(path, file).read(text);
}

}  // namespace

ImportFormat model_analyzer_csv() {
  return {.name = "Model Analyzer CSV",
          .looks_like = "a header with \"Model\", \"Concurrency\" or \"Request Rate\", and \"Throughput (infer/sec)\"",
          .recognises = recognises_model_analyzer,
          .read = read_model_analyzer};
}

}  // namespace saturn
