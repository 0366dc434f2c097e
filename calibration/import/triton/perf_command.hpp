#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace saturn {

/// What a command line of perf_analyzer or perf_client says about its measurement.
struct PerfCommand {
  std::string model{};
  std::optional<double> batch{};
  std::optional<int> percentile{};  ///< that the printed latency is; absent: the mean
};

/// Reads a line such as "$ perf_analyzer -m resnet -b 2 --percentile=95".
/// @returns absent when the line is no such command, or only its pattern: "-m <model>"
std::optional<PerfCommand> perf_command(std::string_view line);

}  // namespace saturn
