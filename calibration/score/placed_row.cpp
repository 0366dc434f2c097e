#include "calibration/score/placed_row.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace saturn {

namespace {

constexpr double whole_but_for_rounding = 1e-9;

}  // namespace

void RowsOfFile::note(const std::string& text) {
  constexpr std::size_t most_notes = 20;
  if (notes.size() > most_notes || std::find(notes.begin(), notes.end(), text) != notes.end()) return;
  notes.push_back(notes.size() < most_notes ? text : "There are further notes of this kind.");
}

void RowsOfFile::leave_out(const FoundAt& at, const std::string& code, const std::string& text) {
  left_out.push_back({.source = at.file, .line = at.line, .code = code, .text = text});
}

void RowsOfFile::refuse(const std::string& source, const std::string& code, const std::string& text) {
  const bool said = std::any_of(refusals.begin(), refusals.end(), [&](const Complaint& one) {
    return one.source == source && one.code == code && one.text == text;
  });
  if (!said) refusals.push_back({.source = source, .code = code, .text = text});
}

void add_measured(PublishedPoint& point, std::string_view quantity, const std::map<std::string, double>& measured) {
  const std::string name(quantity);
  const std::optional<double> value = measured_value(measured, name);
  if (!value || !(*value > 0.0)) return;
  const MeasuredQuantity* known = find_measured_quantity(quantity);
  if (known == nullptr) throw std::logic_error("add_measured: no quantity is called " + name);
  point.values.push_back({.quantity = known,
                          .value = *value,
                          .sd = measured_value(measured, name + "_sd"),
                          .sem = measured_value(measured, name + "_sem")});
}

std::optional<std::uint64_t> whole_count(double value, std::uint64_t most) {
  const double whole = std::round(value);
  if (!(whole >= 1.0) || !(whole <= static_cast<double>(most))) return std::nullopt;
  if (std::abs(value - whole) > whole_but_for_rounding * whole) return std::nullopt;
  return static_cast<std::uint64_t>(whole);
}

}  // namespace saturn
