#include "scenarios/fitted_place.hpp"

#include "scenarios/node_text.hpp"

namespace saturn {

namespace {

std::optional<double> quantity_in(const Node& node, Dimension dimension) {
  if (node.kind != NodeKind::text) return std::nullopt;
  const ReadQuantity read = read_quantity(node.text, dimension);
  return read.reading == QuantityReading::good ? std::optional<double>(read.value) : std::nullopt;
}

/// Mean of a list of durations.
std::optional<double> mean_of(const Node& list) {
  if (list.kind != NodeKind::list || list.children.empty()) return std::nullopt;
  double sum = 0.0;
  for (const Node& child : list.children) {
    const std::optional<double> one = quantity_in(child, Dimension::duration);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum / static_cast<double>(list.children.size());
}

void write(Node& place, double value, const std::string& unit) {
  place.kind = unit.empty() ? NodeKind::number : NodeKind::text;
  place.text = shortest(value) + (unit.empty() ? "" : " " + unit);
}

}  // namespace

std::optional<Dimension> fitted_dimension(const std::string& unit) {
  if (unit == "s") return Dimension::duration;
  if (unit == "B/s") return Dimension::bandwidth;
  if (unit == "B") return Dimension::size;
  if (unit == "1/s") return Dimension::rate;
  return std::nullopt;
}

std::optional<double> standing_value(const Node& place, const std::string& unit) {
  const std::optional<Dimension> dimension = fitted_dimension(unit);
  if (!dimension) return number_in(place);
  if (const std::optional<double> value = quantity_in(place, *dimension)) return value;
  if (*dimension == Dimension::duration) return mean_of(place);
  if (*dimension != Dimension::rate) return std::nullopt;
  const std::optional<double> time = quantity_in(place, Dimension::duration);
  return time && *time > 0.0 ? std::optional<double>(1.0 / *time) : std::nullopt;
}

void put_value(Node& place, const std::string& unit, double value) {
  if (unit == "s" && place.kind == NodeKind::list) {
    const double factor = value / mean_of(place).value_or(value);
    for (Node& child : place.children)
      write(child, factor * quantity_in(child, Dimension::duration).value_or(0.0), "s");
    return;
  }
  if (unit == "1/s") {
    const bool as_time = quantity_in(place, Dimension::duration).has_value();
    // One per second is a hertz; the file's other units are the scenario's.
    return as_time ? write(place, 1.0 / value, "s") : write(place, value, "Hz");
  }
  write(place, value, unit);
}

}  // namespace saturn
