#pragma once

#include <map>
#include <string>
#include <vector>

#include "calibration/import/csv_lines.hpp"
#include "calibration/import/measured_file.hpp"

namespace saturn {

/// Which measurement a row of Model Analyzer belongs to: its models, batch, load, configuration and instances.
std::string measurement_key(const CsvRow& row);

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

}  // namespace saturn
