#include "models/words/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/words/numbers.hpp"

namespace saturn {

ShownUnit shown_unit(double value, const std::string& unit) {
  const double size = std::abs(value);
  if (unit == "s") {
    if (size >= 1.0 || size == 0.0) return {.name = "s", .factor = 1.0};
    if (size >= 1e-3) return {.name = "ms", .factor = 1e3};
    return {.name = "us", .factor = 1e6};
  }
  if (unit == "B/s") {
    const double bits = 8.0 * size;
    if (bits >= 1e9) return {.name = "Gbps", .factor = 8e-9};
    if (bits >= 1e6) return {.name = "Mbps", .factor = 8e-6};
    return {.name = "kbps", .factor = 8e-3};
  }
  return {.name = unit, .factor = 1.0};
}

std::string time_text(double seconds, int significant_digits) {
  if (!std::isfinite(seconds)) return no_value;
  const ShownUnit unit = shown_unit(seconds, "s");
  return number_text(seconds * unit.factor, significant_digits) + " " + unit.name;
}

std::string with_unit(const std::string& number, std::string_view unit) {
  return unit.empty() ? number : number + " " + std::string(unit);
}

std::string exact_seconds(double seconds) {
  return exact_text(seconds) + " s";
}

std::string written_unit(const std::string& unit) {
  if (unit == "bytes") return "B";
  if (unit == "percent") return "%";
  if (unit == "j") return "J";
  if (unit == "bytes_per_s") return "B/s";
  if (unit == "fraction" || unit == "ratio") return "";
  if (unit.starts_with("per_")) return "1/" + unit.substr(4);
  const std::size_t per = unit.find("_per_");
  if (per == std::string::npos) return unit;
  return unit.substr(0, per) + "/" + unit.substr(per + 5);
}

std::vector<ShownUnit> readable_units(const std::string& unit) {
  if (unit == "s") return {{.name = "s", .factor = 1.0}, {.name = "ms", .factor = 1e3}, {.name = "us", .factor = 1e6}};
  constexpr double kibi = 1024.0;
  if (unit == "bytes" || unit == "B")
    return {{.name = "GB", .factor = 1e-9}, {.name = "GiB", .factor = 1.0 / (kibi * kibi * kibi)},
            {.name = "MB", .factor = 1e-6}, {.name = "MiB", .factor = 1.0 / (kibi * kibi)},
            {.name = "kB", .factor = 1e-3}, {.name = "KiB", .factor = 1.0 / kibi},
            {.name = "B", .factor = 1.0}};
  if (unit == "bytes_per_s" || unit == "B/s")
    return {{.name = "Gbps", .factor = 8e-9}, {.name = "Mbps", .factor = 8e-6}, {.name = "kbps", .factor = 8e-3}};
  return {{.name = written_unit(unit), .factor = 1.0}};
}

ShownUnit handiest_unit(std::span<const double> values, const std::string& unit, int significant_digits) {
  const std::vector<ShownUnit> units = readable_units(unit);
  const auto width = [&](const ShownUnit& candidate) {
    std::size_t widest = 0;
    std::size_t all = 0;
    for (const double value : values) {
      const std::size_t digits = compact_number(value * candidate.factor, significant_digits).size();
      widest = std::max(widest, digits);
      all += digits;
    }
    return std::pair(widest, all);
  };
  return *std::min_element(units.begin(), units.end(),
                           [&](const ShownUnit& a, const ShownUnit& b) { return width(a) < width(b); });
}

std::string name_with_unit(std::string_view name, std::string_view unit) {
  return std::string(name) + (unit.empty() ? "" : " [" + std::string(unit) + "]");
}

}  // namespace saturn
