#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/plan_report.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// What the saturation curve of a plan is drawn from.
struct SaturationPicture {
  std::string x_title{};            ///< "jobs per GPU"
  double unhindered_s = 0.0;        ///< event time of a job alone [s]
  double saturates_at = 0.0;        ///< per device, where the bound begins to rise
  double tolerated_slowdown = 0.0;  ///< [1]
  /// Per device and event time [s]; empty: flat up to saturates_at, then straight on through the origin.
  std::vector<std::pair<double, double>> bound_curve{};
  std::optional<double> plan{};  ///< per device
  std::string plan_words{};      ///< "68 (66.1 to 70.3) jobs per GPU"
  struct Point {
    double per_device = 0.0;
    double event_time_s = 0.0;
    bool accepted = false;
  };
  std::vector<Point> simulated{};
};

/// The picture of a plan.
SaturationPicture saturation_picture(const PlanReport& report);

/// Event time against jobs per device: the bound as blocks, simulated candidates as points, the plan marked below the
/// axis. Empty unless the style has pictures, and where nothing saturates.
std::string saturation_text(const SaturationPicture& picture, TextStyle style);

}  // namespace saturn
