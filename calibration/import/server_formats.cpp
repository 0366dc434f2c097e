#include <array>

#include "calibration/import/server_importers.hpp"

namespace saturn {

std::span<const ImportFormat> server_formats() {
  static const std::array<ImportFormat, 5> formats{perf_analyzer_profile(), triton_metrics(), model_analyzer_csv(),
                                                   perf_analyzer_csv(), perf_analyzer_terminal()};
  return formats;
}

}  // namespace saturn
