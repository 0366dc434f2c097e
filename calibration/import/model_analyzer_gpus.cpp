#include "calibration/import/model_analyzer_gpus.hpp"

#include <algorithm>
#include <set>

#include "calibration/import/line_walk.hpp"
#include "models/words/numbers.hpp"

namespace saturn {

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

}  // namespace saturn
