#include <algorithm>
#include <array>
#include <string_view>

#include "reports/web/web_files.hpp"

namespace saturn {

bool has_bundles(std::span<const EmbeddedFile> files) {
  static constexpr std::array<std::string_view, 3> bundles{"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"};
  return std::all_of(bundles.begin(), bundles.end(), [&](std::string_view bundle) {
    return std::any_of(files.begin(), files.end(), [&](const EmbeddedFile& file) { return file.name == bundle; });
  });
}

}  // namespace saturn
