#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace saturn {

/// One figure of each GPU, as perf_analyzer writes them: "uuid:0.33;uuid:0.5;".
struct GpuFigures {
  double sum = 0.0;
  std::size_t gpus = 0;  ///< > 0
};

/// @returns absent when the cell is not such a list of numbers >= 0
std::optional<GpuFigures> gpu_figures(std::string_view cell);

}  // namespace saturn
