#include "reports/compact_number.hpp"

#include <algorithm>
#include <cmath>

#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double kibi = 1024.0;

void drop_trailing_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  while (digits.ends_with('0')) digits.pop_back();
  if (digits.ends_with('.')) digits.pop_back();
}

/// "e-07" as "e-7", "e+12" as "e12"
std::string short_exponent(const std::string& exponent) {
  std::string digits = exponent.substr(2);
  while (digits.size() > 1 && digits.starts_with('0')) digits.erase(0, 1);
  return std::string("e") + (exponent[1] == '-' ? "-" : "") + digits;
}

}  // namespace

std::string compact_number(double value, int significant_digits) {
  std::string text = number_text(value, significant_digits);
  std::erase(text, ',');
  const std::size_t exponent = text.find('e');
  // "none" has an e as well.
  if (exponent == std::string::npos || text == "none") {
    drop_trailing_zeros(text);
    return text;
  }
  std::string digits = text.substr(0, exponent);
  drop_trailing_zeros(digits);
  return digits + short_exponent(text.substr(exponent));
}

std::string written_unit(const std::string& unit) {
  if (unit == "bytes") return "B";
  if (unit == "percent") return "%";
  if (unit == "bytes_per_s") return "B/s";
  if (unit == "fraction" || unit == "ratio") return "";
  if (unit.starts_with("per_")) return "1/" + unit.substr(4);
  const std::size_t per = unit.find("_per_");
  if (per == std::string::npos) return unit;
  return unit.substr(0, per) + "/" + unit.substr(per + 5);
}

std::vector<ShownUnit> readable_units(const std::string& unit) {
  if (unit == "s") return {{.name = "s", .factor = 1.0}, {.name = "ms", .factor = 1e3}, {.name = "us", .factor = 1e6}};
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

std::string name_with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

}  // namespace saturn
