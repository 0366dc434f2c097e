#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reports/text_table.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// The points of a sweep before anything is computed.
struct PointsListing {
  std::string title{};
  std::string answer{};  ///< what each point answers
  std::vector<AxisColumn> columns{};
  std::uint64_t points = 0;
  std::size_t tried = 0;         ///< points that were computed to see how long they take
  bool at_least = false;         ///< some of them were given up, so that the time is a lower bound
  double seconds_a_point = 0.0;  ///< on one worker [s]
  unsigned workers = 1;
  std::function<std::vector<AxisCell>(std::uint64_t)> cells{};

  /// All points on all workers [s].
  double seconds() const { return static_cast<double>(points) * seconds_a_point / workers; }
};

/// The first and last points, their number, the time.
std::string points_listing_text(const PointsListing& listing, TextStyle style);
/// All points.
std::string points_listing_json(const PointsListing& listing);
std::string points_listing_csv(const PointsListing& listing);

}  // namespace saturn
