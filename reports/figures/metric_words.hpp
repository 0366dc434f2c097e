#pragma once

#include <string>
#include <string_view>

#include "models/results/measures.hpp"

/// What the names of a sweep mean, in words.

namespace saturn {

/// What points answer besides the numbers of a run: keys in CSV and JSON.
namespace answer_keys {

inline constexpr std::string_view streams_per_gpu = "streams_per_gpu";
inline constexpr std::string_view saturates_at = "saturates_at_streams_per_gpu";
inline constexpr std::string_view within_slowdown = "within_slowdown_streams_per_gpu";
inline constexpr std::string_view binding = "binding";
inline constexpr std::string_view next = "next";

}  // namespace answer_keys

/// "event time", "latency of emtrk, 99th percentile", "busy share of gke/t4"; other names with blanks for underscores.
/// @param stem  of a metric, "models.emtrk.latency_p99"
std::string metric_title(const std::string& stem);

/// "round-trip time", "max batch size".
/// @param name  of an axis, "rtt"
std::string axis_title(const std::string& name);

/// Which of two values of a metric a planner wants.
/// @param stem  of a metric; neither: nothing says that one value is better than another
Better better_of(const std::string& stem);

}  // namespace saturn
