#include "reports/shown_axis.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "reports/terminal_text.hpp"

namespace saturn {

namespace {

constexpr int usual_digits_of_labels = 4;
constexpr int most_digits_of_labels = 12;
constexpr std::size_t longest_name = 40;
constexpr std::size_t longest_label = 24;
constexpr double whole_below = 1e12;

bool all_different(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

double rounded_to_digits(double value, int digits) {
  const std::string text = compact_number(value, digits);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

// A whole number is a count: "65536" must not read 65540.
std::string label_of(double value, int digits) {
  const bool whole = value == std::round(value) && std::abs(value) < whole_below;
  return compact_number(value, whole ? most_digits_of_labels + 3 : digits);
}

std::vector<std::string> number_labels(const std::vector<double>& values, double factor, int digits) {
  std::vector<std::string> labels;
  for (const double value : values) {
    // 0.0005 s is 0.5 ms, not 0.49999999999999994.
    labels.push_back(label_of(rounded_to_digits(value * factor, most_digits_of_labels), digits));
  }
  return labels;
}

/// The widest label, then all together.
std::pair<std::size_t, std::size_t> room_of(const std::vector<std::string>& labels) {
  std::pair<std::size_t, std::size_t> room;
  for (const std::string& label : labels) {
    room.first = std::max(room.first, label.size());
    room.second += label.size();
  }
  return room;
}

/// Labels in the unit that makes them shortest; false where no number of digits tells them apart.
bool label_numbers(ShownAxis& axis, const std::string& unit) {
  std::vector<double> values;
  for (const AxisCell& cell : axis.values) {
    if (!cell.number || !std::isfinite(*cell.number)) return false;
    values.push_back(*cell.number);
  }
  for (int digits = usual_digits_of_labels; digits <= most_digits_of_labels; ++digits) {
    for (const ShownUnit& candidate : readable_units(unit)) {
      std::vector<std::string> labels = number_labels(values, candidate.factor, digits);
      if (!all_different(labels)) continue;
      if (!axis.labels.empty() && room_of(labels) >= room_of(axis.labels)) continue;
      axis.labels = std::move(labels);
      axis.unit = candidate.name;
    }
    if (!axis.labels.empty()) return true;
  }
  return false;
}

/// The values as they are written; numbered where cutting them makes them equal.
void label_words(ShownAxis& axis) {
  for (const AxisCell& cell : axis.values) axis.labels.push_back(terminal_text(cell.text, longest_label));
  std::set<std::string> taken;
  for (std::string& shown : axis.labels) {
    if (shown.empty()) shown = "(empty)";
    const std::string label = shown;
    for (std::size_t n = 2; !taken.insert(shown).second; ++n) shown = label + " (" + std::to_string(n) + ")";
  }
}

bool comes_before(const AxisCell& a, const AxisCell& b) {
  if (a.number && b.number) return *a.number < *b.number;
  return a.number.has_value() && !b.number;
}

}  // namespace

std::string ShownAxis::equation(std::size_t value) const {
  return name + " = " + with_unit(labels.at(value), unit);
}

ShownAxis shown_axis(const SweepTable& table, std::span<const SweepRow* const> rows, std::size_t column) {
  ShownAxis axis;
  axis.name = terminal_text(table.axes.at(column).name, longest_name);
  for (const SweepRow* row : rows) {
    const AxisCell& cell = row->cells.at(column);
    if (axis.place.emplace(cell.text, 0).second) axis.values.push_back(cell);
  }
  std::stable_sort(axis.values.begin(), axis.values.end(), comes_before);
  for (std::size_t i = 0; i < axis.values.size(); ++i) axis.place[axis.values[i].text] = i;
  if (!label_numbers(axis, table.axes[column].unit)) label_words(axis);
  axis.heading = name_with_unit(axis.name, axis.unit);
  return axis;
}

}  // namespace saturn
