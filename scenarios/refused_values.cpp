#include <algorithm>
#include <numeric>

#include "models/words/texts.hpp"
#include "scenarios/meant_fields.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/sweep_columns.hpp"
#include "scenarios/swept_column.hpp"

namespace saturn {

namespace {

// Values tried from each end of an axis, and those that are named.
constexpr std::size_t most_tried = 100;
constexpr std::size_t most_named = 5;

std::string refused_words(const SweptColumn& column) {
  const PlaceType& type = column.places.front().type;
  const std::vector<std::string> words =
      type.kind == PlaceKind::flag ? std::vector<std::string>{"true", "false"} : type.choices;
  for (const std::string& value : column.values) {
    if (std::find(words.begin(), words.end(), value) != words.end()) continue;
    const std::string nearest = nearest_name(value, words);
    return column.pointer + " is never " + shown(value) + "; allowed is " + listed(words) +
           (nearest.empty() ? "." : ". Did you mean \"" + nearest + "\"?");
  }
  return {};
}

/// What the field says of one value; empty when it takes it.
std::string complaint_of(const SweptColumn& column, const std::string& value, const ScenarioPlaces& places) {
  for (const NamedPlace& place : column.places) {
    const std::vector<Override> setting{{place.pointer, value}};
    const TriedSettings tried = places.tried(setting);
    if (!tried.complaints.empty()) return tried.complaints.front();
  }
  return {};
}

}  // namespace

std::string refused_values(const SweptColumn& column, const ScenarioPlaces& places) {
  const PlaceType& type = column.places.front().type;
  if (is_word(type.kind)) return refused_words(column);
  // The range of a field of numbers has no gaps: what it refuses lies at the ends.
  std::vector<std::size_t> ascending(column.values.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::vector<double> numbers;
  for (const std::string& value : column.values) numbers.push_back(cell_of(value, type).number.value_or(0.0));
  std::stable_sort(ascending.begin(), ascending.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::string first_complaint;
  std::vector<std::size_t> refused;
  const auto try_from_an_end = [&](auto begin, auto end) {
    for (std::size_t tried = 0; begin != end && tried < most_tried; ++begin, ++tried) {
      const std::string complaint = complaint_of(column, column.values[*begin], places);
      if (complaint.empty()) return;
      if (first_complaint.empty()) first_complaint = complaint;
      refused.push_back(*begin);
    }
  };
  try_from_an_end(ascending.begin(), ascending.end());
  if (refused.size() < ascending.size())
    try_from_an_end(ascending.rbegin(), ascending.rend() - static_cast<std::ptrdiff_t>(refused.size()));
  if (refused.size() < 2) return first_complaint;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < std::min(refused.size(), most_named); ++i) others.push_back(column.values[refused[i]]);
  return first_complaint + " Refused too: " + joined(others) + (refused.size() > most_named ? " and others." : ".");
}

}  // namespace saturn
