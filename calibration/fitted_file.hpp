#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"

/// The fitted file, schema "saturn-fitted/1": what `saturn calibrate` writes, a scenario's {"fitted": "file.json"}
/// takes values from (scenarios/inputs/fitted_files.hpp), and `saturn report` shows.

namespace saturn {

/// A file of measurements that fits were made from.
struct FittedData {
  std::string path{};
  std::string format{};
  std::string sha256{};
  std::size_t used = 0;      ///< loads, modules, lines: whatever the file has
  std::size_t left_out = 0;  ///< lines and values that could not be used
};

/// A calibration with where it comes from.
struct SavedCalibration {
  std::string version{};  ///< of the program that fitted
  std::string git{};      ///< commit it was built from
  std::string created{};  ///< date in UTC
  std::string command{};  ///< gives the same fits again
  std::vector<FittedData> data{};
  Calibration calibration{};  ///< of what was read from a fitted file, fits and comparisons alone
  SourceKnees saturation{};
};

/// What was read, file by file.
std::vector<FittedData> fitted_data(std::span<const MeasuredFile> files);

/// The fitted file's text.
std::string fitted_file_json(const SavedCalibration& saved);

/// A fitted file as `saturn calibrate` wrote it. Files of former versions lack what plots are titled by: their curves
/// go through the points.
/// @throws InputError  report.not_fitted, report.bad_fit, with every place that is wrong; scenario.missing_file,
///                     .not_a_file, .unreadable_file, .too_large; report.bad_json
SavedCalibration read_fitted_file(const std::string& path);

/// Whether the file says that it is a fitted file of `saturn calibrate`; false where it cannot be read.
bool is_fitted_file(const std::string& path);

}  // namespace saturn
