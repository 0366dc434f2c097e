#include "scenarios/sweep/sweep_columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "models/words/numbers.hpp"
#include "scenarios/inputs/named_fields.hpp"

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

}  // namespace saturn
