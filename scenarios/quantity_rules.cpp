#include <nlohmann/json.hpp>

#include "scenarios/fitted_reference.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

struct Limits {
  Dimension dimension{};
  QuantityRange range;
  double low = 0.0;
  double high = 0.0;

  Limits(Dimension measured, const QuantityRange& given) : dimension(measured), range(given) {
    low = read_quantity(range.low, dimension).value;
    high = read_quantity(range.high, dimension).value;
  }
  bool hold(double value) const { return (range.above_low ? value > low : value >= low) && value <= high; }
  std::string words() const {
    return (range.above_low ? "above " + range.low + ", at most " : range.low + " to ") + range.high;
  }
  std::string noun() const { return "a " + std::string(name_of(dimension)); }
  std::string example(const std::string& number) const { return "\"" + number + " " + range.usual + "\""; }
};

std::vector<std::string> unit_names(Dimension dimension) {
  std::vector<std::string> names;
  for (const Unit& unit : units())
    if (unit.dimension == dimension) names.emplace_back(unit.name);
  return names;
}

std::string unknown_unit(const std::string& value, const std::string& unit, const Limits& limits) {
  const std::vector<std::string> known = unit_names(limits.dimension);
  const std::string nearest = nearest_name(unit, known);
  return value + "; " + shown(unit) + " is no unit of " + limits.noun() + ": " +
         (nearest.empty() ? "use " + listed(known) : "did you mean \"" + nearest + "\"?") +
         (nearest.empty() ? "." : "");
}

std::optional<double> read_bounded(const Spot& spot, const Limits& limits, ComplaintList& complaints) {
  const auto refuse = [&](const char* code, const std::string& text) {
    complaints.refuse(spot.node.place, spot.pointer, code, text);
    return std::nullopt;
  };
  const std::string value = spot.subject() + " is " + shown(spot.node);
  if (spot.node.kind == NodeKind::number)
    return refuse("scenario.missing_unit", value + "; " + limits.noun() + " needs its unit, for example " +
                                               limits.example(shown(spot.node)) + ".");
  if (spot.node.kind != NodeKind::text)
    return refuse("scenario.wrong_type",
                  value + "; " + limits.noun() + " in quotes is needed, for example " + limits.example("1") + ".");

  const ReadQuantity read = read_quantity(spot.node.text, limits.dimension);
  switch (read.reading) {
    case QuantityReading::no_number:
      return refuse("scenario.not_a_quantity",
                    value + "; " + limits.noun() + " is a number and a unit, for example " + limits.example("1") + ".");
    case QuantityReading::no_unit:
      return refuse("scenario.missing_unit",
                    value + "; " + limits.noun() + " needs its unit, for example " + limits.example(read.number) + ".");
    case QuantityReading::unknown_unit:
      return refuse("scenario.unknown_unit", unknown_unit(value, read.unit, limits));
    case QuantityReading::other_dimension:
      return refuse("scenario.wrong_unit", value + ", which is a " + std::string(name_of(read.found)) + "; " +
                                               limits.noun() + " is needed, for example " +
                                               limits.example(read.number) + ".");
    case QuantityReading::good:
      if (limits.hold(read.value)) return read.value;
      break;
    case QuantityReading::too_large:
      break;
  }
  return refuse("scenario.out_of_range", value + "; allowed is " + limits.words() + ".");
}

/// Durations and bandwidths are what fitted parameter files hold.
ValueText text_of(const Limits& limits) {
  const std::string words = std::string(name_of(limits.dimension)) + ", " + limits.words();
  const nlohmann::json schema{{"type", "string"}, {"pattern", quantity_pattern(limits.dimension)}};
  ValueText quantity{words, schema.dump(), ValueForm::single, {PlaceKind::quantity, limits.dimension}};
  quantity.described = true;
  if (limits.dimension != Dimension::duration && limits.dimension != Dimension::bandwidth) return quantity;
  quantity.described = false;
  return {.words = words,
          .schema = {},
          .form = ValueForm::either,
          .described = true,
          .parts = {quantity, reference_to(fitted_definition())}};
}

template <class Quantity>
Rule<Quantity> quantity(Dimension dimension, const QuantityRange& range) {
  const Limits limits(dimension, range);
  return {text_of(limits),
          [limits](const Spot& spot, ComplaintList& complaints) -> std::optional<Quantity> {
            const std::optional<double> value = read_bounded(spot, limits, complaints);
            if (!value) return std::nullopt;
            return Quantity{*value};
          },
          [dimension](const Quantity& value) { return "\"" + quantity_text(value.value, dimension) + "\""; }};
}

}  // namespace

Rule<Seconds> duration_rule(const QuantityRange& range) {
  return quantity<Seconds>(Dimension::duration, range);
}
Rule<Bytes> size_rule(const QuantityRange& range) {
  return quantity<Bytes>(Dimension::size, range);
}
Rule<Bandwidth> bandwidth_rule(const QuantityRange& range) {
  return quantity<Bandwidth>(Dimension::bandwidth, range);
}
Rule<Rate> rate_rule(const QuantityRange& range) {
  return quantity<Rate>(Dimension::rate, range);
}
Rule<UsdPerHour> price_rule(const QuantityRange& range) {
  return quantity<UsdPerHour>(Dimension::price, range);
}
Rule<UsdPerKilowattHour> energy_price_rule(const QuantityRange& range) {
  return quantity<UsdPerKilowattHour>(Dimension::energy_price, range);
}
Rule<UsdPerGigabyte> traffic_price_rule(const QuantityRange& range) {
  return quantity<UsdPerGigabyte>(Dimension::traffic_price, range);
}
Rule<Watts> power_rule(const QuantityRange& range) {
  return quantity<Watts>(Dimension::power, range);
}

}  // namespace saturn
