#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace saturn {

/// Most points that a sweep has.
inline constexpr std::uint64_t most_points = 10'000'000;

/// How the points of a sample are drawn.
enum class Sampling { latin_hypercube, random };

/// Where in the scenario file the parts of a sweep stand, as JSON pointers; empty: they were given as options.
struct SweepPlaces {
  std::string axes{};   ///< "/sweep/axes"
  std::string where{};  ///< "/sweep/where"
  std::string sample{};
};

/// A sweep as it was asked, by options or by the scenario's `sweep` block.
struct SweepText {
  /// "/models/emtrk/max_batch_size=1:1024:x2"; several places that run along with each other (zipped, as many values
  /// each) are joined by " with ": "/a=1,2,4 with /b=1ms,2ms,4ms". Axes are crossed, the last one running fastest.
  std::vector<std::string> axes{};
  /// Conditions between axes, all of which hold at every point: "max_batch_size * 2 <= request_batch and rtt < 5 ms".
  /// Axes are called by their pointers or their short names.
  std::vector<std::string> where{};
  std::optional<std::uint64_t> sample{};  ///< so many points in place of all
  Sampling sampling = Sampling::latin_hypercube;
  SweepPlaces places{};  ///< what complaints point at
};

}  // namespace saturn
