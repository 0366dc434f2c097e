#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/estimate.hpp"
#include "models/fit.hpp"
#include "models/source_comparison.hpp"
#include "reports/provenance.hpp"
#include "reports/text_table.hpp"

/// What `saturn calibrate` answers.
namespace saturn {

/// One file as it was read.
struct FileFacts {
  std::string path{};
  std::string format{};
  std::string sha256{};
  std::string holds{};                  ///< "4 loads", "3 modules of 240 events"
  std::vector<std::string> notes{};     ///< what was assumed
  std::vector<std::string> left_out{};  ///< complaints, formatted
  std::size_t used = 0;                 ///< loads, modules, lines: whatever the file has
};

/// One fit under its name.
struct FitFacts {
  std::string name{};
  std::string kind{};   ///< "service law", "time", "bandwidth", "count", "closed loop"
  std::string about{};  ///< "GPU times of resnet"
  std::string value{};  ///< what stands in a scenario's place, JSON; empty when nothing can
  Fit fit{};
  std::vector<std::string> at{};                      ///< (n) JSON pointer of each parameter inside `value`
  std::vector<std::string> units{};                   ///< (n) of the parameters: "s", "B/s", "B", "1/s" or ""
  std::string x_title{};                              ///< "batch [items]"; empty: the fit has no x
  std::string y_title{};                              ///< "time"
  std::string y_unit{};                               ///< "s", "B/s", "1/s"
  std::vector<std::pair<double, double>> curve{};     ///< of the law, for the plot
  std::vector<std::pair<double, double>> measured{};  ///< points of the plot where they are not the residuals' own
  std::vector<std::string> sources{};
  std::vector<std::string> notes{};
};

/// What a source says of the scenario's saturation.
struct SourceKnee {
  std::string source{};
  Estimate device_time_s{};  ///< time that an event needs of a device
  Estimate jobs{};           ///< number of jobs at which the devices saturate
  std::string decided_by{};  ///< the rows whose absence would move it most
};

struct CalibrationReport {
  Provenance provenance{};
  std::string created{};  ///< date of the fitted file, in UTC
  std::vector<FileFacts> files{};
  std::vector<FitFacts> fits{};
  std::vector<std::string> left_out{};  ///< figures that were read but tell nothing, formatted
  std::vector<SourceComparison> comparisons{};
  std::string scenario{};  ///< that the knees are of; empty: none was named
  std::vector<SourceKnee> knees{};
  std::vector<std::string> knee_notes{};  ///< what a reader of the knees should know, and why a source has none
  std::vector<NumberSum> sums{};
};

/// What two sources say of the scenario's saturation, side by side.
struct KneeComparison {
  bool contradict = false;  ///< the number of jobs of one lies outside the other's interval
  std::string sentence{};   ///< by what factor their device times differ, and which interval excludes what
};

/// The first source of the report's knees beside each of the others, in their order; empty for fewer than two.
std::vector<KneeComparison> knee_comparisons(const CalibrationReport& report);

/// For people: files, laws, parameters with intervals, residuals, plots, contradictions.
std::string calibration_table(const CalibrationReport& report, TextStyle style);

/// The fitted file, schema "saturn-fitted/1": what a scenario's {"fitted": "file.json"} reads.
std::string fitted_file_json(const CalibrationReport& report);

/// Tidy rows, see CsvRows: parameters, residuals, sums, comparisons and saturation.
std::string calibration_csv(const CalibrationReport& report);

}  // namespace saturn
