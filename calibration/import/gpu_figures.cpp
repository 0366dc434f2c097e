#include "calibration/import/gpu_figures.hpp"

#include <cmath>

#include "calibration/import/line_walk.hpp"
#include "models/words/texts.hpp"

namespace saturn {

std::optional<GpuFigures> gpu_figures(std::string_view cell) {
  GpuFigures result;
  while (!cell.empty()) {
    const std::size_t end = cell.find(';');
    const std::string_view one = trimmed(cell.substr(0, end));
    cell.remove_prefix(end == std::string_view::npos ? cell.size() : end + 1);
    if (one.empty()) continue;
    const std::size_t colon = one.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto value = plain_number(one.substr(colon + 1));
    if (!value || *value < 0.0) return std::nullopt;
    result.sum += *value;
    ++result.gpus;
  }
  if (result.gpus == 0 || !std::isfinite(result.sum)) return std::nullopt;
  return result;
}

}  // namespace saturn
