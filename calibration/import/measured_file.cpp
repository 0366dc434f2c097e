#include "calibration/import/measured_file.hpp"

#include <cmath>
#include <utility>

namespace saturn {

std::string FoundAt::text() const {
  return line == 0 ? file : file + ":" + std::to_string(line);
}

std::optional<double> measured_value(const std::map<std::string, double>& measured, const std::string& name) {
  const auto at = measured.find(name);
  return at == measured.end() ? std::nullopt : std::optional<double>(at->second);
}

CpuTimes sampled_times(std::vector<double> values_s) {
  CpuTimes times{.values_s = std::move(values_s)};
  times.count = times.values_s.size();
  if (times.count == 0) return times;
  const auto count = static_cast<double>(times.count);
  for (const double value : times.values_s) times.mean_s += value / count;
  if (times.count < 2) return times;
  double squares = 0.0;
  for (const double value : times.values_s) squares += (value - times.mean_s) * (value - times.mean_s);
  times.sd_s = std::sqrt(squares / (count - 1.0));
  return times;
}

}  // namespace saturn
