#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "calibration/import/import_kit.hpp"
#include "calibration/score/placed_rows.hpp"
#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"

namespace saturn {

namespace {

constexpr double same_without_errors = 1.2;
constexpr double same_at_all = 1.02;
constexpr double same_own_time = 1.05;
constexpr double standard_errors = 3.0;

/// One measurement and its row.
struct Measured {
  const PlacedRow* row = nullptr;
  const MeasuredValue* value = nullptr;
};

/// The two that are furthest apart at one load.
struct Apart {
  Measured low{};
  Measured high{};

  double factor() const { return high.value->value / low.value->value; }
};

bool is_of_events(const MeasuredQuantity& quantity) {
  return quantity.name == "event_time_s" || quantity.name == "events_per_s";
}

bool same_own(const PlacedRow& a, const PlacedRow& b) {
  const double first = a.row.nonml_s.value_or(0.0);
  const double second = b.row.nonml_s.value_or(0.0);
  return std::max(first, second) <= same_own_time * std::min(first, second);
}

bool contradict(const Apart& apart) {
  if (is_of_events(*apart.low.value->quantity) && !same_own(*apart.low.row, *apart.high.row)) return false;
  const double factor = apart.factor();
  if (!apart.low.value->sem || !apart.high.value->sem) return factor > same_without_errors;
  const double error = std::hypot(*apart.low.value->sem, *apart.high.value->sem);
  return factor > same_at_all && apart.high.value->value - apart.low.value->value > standard_errors * error;
}

Complaint in_words(const Apart& apart, std::size_t loads) {
  const MeasuredQuantity& quantity = *apart.low.value->quantity;
  const auto number = [&](const Measured& one) {
    const std::string unit(quantity.unit);
    return with_unit(significant(one.value->value * quantity.shown_factor, 6), unit);
  };
  const FoundAt& low = apart.low.row->at;
  return {.source = low.file,
          .line = low.line,
          .code = "score.contradiction",
          .text = low.text() + " and " + apart.high.row->at.text() + " CONTRADICT each other at " +
                  apart.low.row->row.point.label + ": " + std::string(quantity.heading) + " is " + number(apart.low) +
                  " in the one and " + number(apart.high) + " in the other, a factor of " +
                  significant(std::round(apart.factor() * 100.0) / 100.0, 6) +
                  (loads > 1 ? ", the largest of " + std::to_string(loads) + " such loads" : "") +
                  "; no scenario can meet both."};
}

}  // namespace

std::vector<Complaint> contradictions(std::span<const PlacedRow> rows) {
  std::map<std::tuple<std::string, std::string, std::string>, Apart> by_load;  // quantity, model, label
  for (const PlacedRow& row : rows) {
    for (const MeasuredValue& value : row.row.point.values) {
      const Measured one{.row = &row, .value = &value};
      const auto [found, is_new] =
          by_load.try_emplace({std::string(value.quantity->name), row.row.model, row.row.point.label}, Apart{one, one});
      if (is_new) continue;
      if (value.value < found->second.low.value->value) found->second.low = one;
      if (value.value > found->second.high.value->value) found->second.high = one;
    }
  }
  std::map<const MeasuredQuantity*, std::pair<Apart, std::size_t>> worst;
  for (const auto& [key, apart] : by_load) {
    if (apart.low.row == apart.high.row || !contradict(apart)) continue;
    const auto [found, is_new] = worst.try_emplace(apart.low.value->quantity, apart, 0);
    if (apart.factor() > found->second.first.factor()) found->second.first = apart;
    ++found->second.second;
  }
  std::vector<Complaint> texts;
  for (const MeasuredQuantity& quantity : measured_quantities()) {
    const auto found = worst.find(&quantity);
    if (found != worst.end()) texts.push_back(in_words(found->second.first, found->second.second));
  }
  return texts;
}

}  // namespace saturn
