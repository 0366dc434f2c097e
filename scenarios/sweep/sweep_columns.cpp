#include "scenarios/sweep/sweep_columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "scenarios/sweep/sweep_axes.hpp"

namespace saturn {

namespace {

constexpr std::array<std::pair<Dimension, std::string_view>, 8> units_of_columns{{
    {Dimension::duration, "s"},
    {Dimension::size, "bytes"},
    {Dimension::bandwidth, "bytes_per_s"},
    {Dimension::rate, "per_s"},
    {Dimension::price, "usd_per_h"},
    {Dimension::energy_price, "usd_per_kwh"},
    {Dimension::traffic_price, "usd_per_gb"},
    {Dimension::power, "w"},
}};

bool is_index(const std::string& key) {
  return key == "*" || (!key.empty() && key.find_first_not_of("0123456789") == std::string::npos);
}

/// The last keys of a pointer, at least `most` of them where there are as many, the first of which is no index.
std::string last_keys(const std::vector<std::string>& keys, std::size_t most) {
  std::size_t first = keys.size() - std::min(most, keys.size());
  while (first > 0 && is_index(keys[first])) --first;
  std::string name;
  for (std::size_t i = first; i < keys.size(); ++i) name += (i == first ? "" : ".") + keys[i];
  return name;
}

}  // namespace

std::string_view column_unit(Dimension dimension) {
  for (const auto& [known, unit] : units_of_columns)
    if (known == dimension) return unit;
  return {};
}

std::optional<Dimension> dimension_of_column(std::string_view unit) {
  for (const auto& [dimension, known] : units_of_columns)
    if (known == unit) return dimension;
  return std::nullopt;
}

std::vector<std::string> column_names(const std::vector<std::string>& pointers) {
  std::vector<std::vector<std::string>> keys;
  std::size_t longest = 1;
  for (const std::string& pointer : pointers) {
    keys.push_back(split_pointer(pointer));
    longest = std::max(longest, keys.back().size());
  }
  std::vector<std::string> names(pointers.size());
  std::vector<bool> settled(pointers.size(), false);
  for (std::size_t length = 1; length <= longest; ++length) {
    std::map<std::string, std::size_t> bearers;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!settled[i]) names[i] = last_keys(keys[i], length);
      ++bearers[names[i]];
    }
    for (std::size_t i = 0; i < names.size(); ++i) settled[i] = bearers[names[i]] == 1;
  }
  // Keys that hold dots may still give two columns one name.
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!settled[i]) names[i] = pointers[i];
  return names;
}

AxisCell cell_of(std::string text, const PlaceType& type) {
  AxisCell cell{.text = std::move(text)};
  if (is_word(type.kind)) return cell;
  const std::optional<Dimension> dimension = dimension_of(type);
  if (dimension) {
    const ReadQuantity read = read_quantity(cell.text, *dimension);
    if (read.reading == QuantityReading::good) {
      cell.number = read.value;
      return cell;
    }
  }
  cell.number = read_number(cell.text);
  return cell;
}

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
    return column.pointer + " is never " + shown(value) + "; " + allowed_names(value, words);
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
