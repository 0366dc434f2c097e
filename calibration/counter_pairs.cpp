#include "calibration/counter_pairs.hpp"

#include <optional>
#include <utility>

#include "calibration/import/counter_difference.hpp"

namespace saturn {

std::vector<MeasuredFile> with_differences(std::vector<MeasuredFile> files) {
  std::vector<MeasuredFile> result;
  std::optional<MeasuredFile> before;
  std::size_t place_before = 0;
  for (MeasuredFile& file : files) {
    if (file.counters.empty()) {
      result.push_back(std::move(file));
      continue;
    }
    if (!before) {
      place_before = result.size();
      result.push_back(file);
    } else {
      MeasuredFile between = difference(*before, file);
      between.notes.push_back("counted since the reading in " + before->path);
      result[place_before].counters.clear();
      result[place_before].notes.assign(1, "only the beginning of what " + file.path + " counts");
      place_before = result.size();
      result.push_back(std::move(between));
    }
    before = std::move(file);
  }
  return result;
}

}  // namespace saturn
