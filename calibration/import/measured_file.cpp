#include "calibration/import/measured_file.hpp"

namespace saturn {

std::string FoundAt::text() const {
  return line == 0 ? file : file + ":" + std::to_string(line);
}

std::optional<double> measured_value(const std::map<std::string, double>& measured, const std::string& name) {
  const auto at = measured.find(name);
  return at == measured.end() ? std::nullopt : std::optional<double>(at->second);
}

}  // namespace saturn
