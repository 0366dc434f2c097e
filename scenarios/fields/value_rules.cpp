#include "scenarios/fields/value_rules.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/inputs/fitted_files.hpp"

namespace saturn {

namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_line = 500;

void refuse(const Spot& spot, ComplaintList& complaints, const char* code, const std::string& wanted) {
  complaints.refuse(spot.node.place, spot.pointer, code, spot.subject() + " is " + shown(spot.node) + "; " + wanted);
}

bool all_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

bool holds(const RatioRange& range, double value) {
  return (range.above_low ? value > range.low : value >= range.low) && value <= range.high;
}

std::string words_of(const RatioRange& range) {
  return (range.above_low ? "above " + shortest(range.low) + ", at most " : shortest(range.low) + " to ") +
         shortest(range.high);
}

Json schema_of(const RatioRange& range) {
  return {{"type", "number"}, {range.above_low ? "exclusiveMinimum" : "minimum", range.low}, {"maximum", range.high}};
}

}  // namespace

Rule<std::uint64_t> count_rule(std::uint64_t low, std::uint64_t high, const std::string& way_out) {
  const std::string range = low == high ? with_commas(low) : with_commas(low) + " to " + with_commas(high);
  const Json schema{{"type", "integer"}, {"minimum", low}, {"maximum", high}};
  return {{"whole number, " + range, schema.dump(), ValueForm::single, {PlaceKind::whole}},
          [=](const Spot& spot, ComplaintList& complaints) -> std::optional<std::uint64_t> {
            const std::string& text = spot.node.text;
            if (spot.node.kind != NodeKind::number) {
              const bool quoted = spot.node.kind == NodeKind::text && all_digits(text);
              refuse(spot, complaints, "scenario.wrong_type",
                     quoted ? "counts stand without quotes: write " + text.substr(0, 20) + "."
                            : "a whole number is needed, " + range + ".");
              return std::nullopt;
            }
            const double value = number_in(spot.node).value_or(-1.0);
            if (value != std::floor(value)) {
              const bool near = value >= static_cast<double>(low) && value < static_cast<double>(high);
              const auto whole = near ? static_cast<std::uint64_t>(value) : low;
              refuse(spot, complaints, "scenario.not_whole",
                     "a whole number is needed, for example " + std::to_string(whole) + ".");
              return std::nullopt;
            }
            // Exact for every bound of ours; the comparison comes first because the conversion would overflow.
            if (value >= static_cast<double>(low) && value <= static_cast<double>(high))
              return static_cast<std::uint64_t>(value);
            refuse(spot, complaints, "scenario.out_of_range", way_out.empty() ? "allowed is " + range + "." : way_out);
            return std::nullopt;
          },
          [](const std::uint64_t& value) { return std::to_string(value); }};
}

Rule<double> ratio_rule(const RatioRange& range) {
  const std::string words = words_of(range);
  const Json number = schema_of(range);
  const Json percent{{"type", "string"}, {"pattern", quantity_pattern(Dimension::ratio)}};
  const Json schema{{"anyOf", {number, percent}}};
  return {{"number or \"%\", " + words, schema.dump(), ValueForm::single, {PlaceKind::ratio, Dimension::ratio}},
          [=](const Spot& spot, ComplaintList& complaints) -> std::optional<double> {
            std::optional<double> value;
            if (spot.node.kind == NodeKind::number) {
              value = number_in(spot.node);
            } else if (spot.node.kind == NodeKind::text) {
              const ReadQuantity read = read_quantity(spot.node.text, Dimension::ratio);
              if (read.reading == QuantityReading::good) value = read.value;
              if (read.reading == QuantityReading::no_unit) {
                refuse(spot, complaints, "scenario.missing_unit",
                       "write " + read.number.substr(0, 20) + " without quotes, or a percentage such as \"1 %\".");
                return std::nullopt;
              }
            }
            if (!value)
              refuse(spot, complaints, "scenario.wrong_type",
                     "a number or a percentage is needed, for example 0.01 or \"1 %\".");
            else if (!holds(range, *value))
              refuse(spot, complaints, "scenario.out_of_range", "allowed is " + words + ".");
            else
              return value;
            return std::nullopt;
          },
          [](const double& value) { return shortest(value); }};
}

Rule<double> number_rule(const RatioRange& range) {
  const std::string words = words_of(range);
  return {{"number, " + words, schema_of(range).dump(), ValueForm::single, {PlaceKind::number}},
          [=](const Spot& spot, ComplaintList& complaints) -> std::optional<double> {
            const std::optional<double> value = number_in(spot.node);
            if (spot.node.kind != NodeKind::number)
              refuse(spot, complaints, "scenario.wrong_type", "a number without quotes is needed, " + words + ".");
            else if (!value || !holds(range, *value))
              refuse(spot, complaints, "scenario.out_of_range", "allowed is " + words + ".");
            else
              return value;
            return std::nullopt;
          },
          [](const double& value) { return shortest(value); }};
}

Rule<bool> flag_rule() {
  return {{"true or false", R"({"type":"boolean"})", ValueForm::single, {PlaceKind::flag}},
          [](const Spot& spot, ComplaintList& complaints) -> std::optional<bool> {
            if (spot.node.kind == NodeKind::boolean) return spot.node.text == "true";
            refuse(spot, complaints, "scenario.wrong_type", "write true or false, without quotes.");
            return std::nullopt;
          },
          [](const bool& value) { return std::string(value ? "true" : "false"); }};
}

Rule<std::string> text_rule(std::size_t shortest_length, std::size_t longest, const std::string& words) {
  const Json schema{{"type", "string"}, {"minLength", shortest_length}, {"maxLength", longest}};
  return {{words, schema.dump(), ValueForm::single, {PlaceKind::text}},
          [=](const Spot& spot, ComplaintList& complaints) -> std::optional<std::string> {
            const std::string& text = spot.node.text;
            const auto characters = static_cast<std::size_t>(std::count_if(
                text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
            if (spot.node.kind != NodeKind::text)
              refuse(spot, complaints, "scenario.wrong_type", "a text in double quotes is needed.");
            else if (characters < shortest_length || characters > longest || has_control_character(text))
              refuse(spot, complaints, "scenario.out_of_range",
                     "allowed are " + std::to_string(shortest_length) + " to " + std::to_string(longest) +
                         " characters on one line.");
            else
              return text;
            return std::nullopt;
          },
          [](const std::string& value) { return Json(value).dump(); }};
}

Rule<std::string> name_rule() {
  return text_rule(1, longest_name, "name");
}
Rule<std::string> line_rule() {
  return text_rule(0, longest_line, "text");
}

Rule<std::size_t> choice_index_rule(const std::vector<std::string>& options) {
  return {{options.size() == 1 ? "always " + listed(options) : listed(options),
           Json{{"enum", options}}.dump(),
           ValueForm::single,
           {PlaceKind::choice, {}, options}},
          [options](const Spot& spot, ComplaintList& complaints) -> std::optional<std::size_t> {
            const auto found = std::find(options.begin(), options.end(), spot.node.text);
            if (spot.node.kind == NodeKind::text && found != options.end())
              return static_cast<std::size_t>(found - options.begin());
            const std::string nearest =
                spot.node.kind == NodeKind::text ? nearest_name(spot.node.text, options) : std::string();
            refuse(spot, complaints, "scenario.not_a_choice",
                   "allowed is " + listed(options) + (nearest.empty() ? "." : ". Did you mean \"" + nearest + "\"?"));
            return std::nullopt;
          }};
}

bool is_list(const Spot& spot, std::size_t least, std::size_t most, ComplaintList& complaints) {
  const std::size_t length = spot.node.children.size();
  if (spot.node.kind != NodeKind::list) {
    refuse(spot, complaints, "scenario.wrong_type", "a list in square brackets is needed.");
    return false;
  }
  if (length >= least && length <= most) return true;
  const std::string allowed = least == most ? with_commas(least) : with_commas(least) + " to " + with_commas(most);
  complaints.refuse(
      spot.node.place, spot.pointer, "scenario.out_of_range",
      spot.subject() + " has " + counted_with_commas(length, "element") + "; " + allowed + " are needed.");
  return false;
}

ValueText list_text(const ValueText& element, std::size_t least, std::size_t most) {
  const std::string length = least == most ? with_commas(least) : with_commas(least) + " to " + with_commas(most);
  return {.words = "list of " + length + ": " + element.words,
          .schema = {},
          .form = ValueForm::list,
          .least = least,
          .most = most,
          .parts = {element}};
}

bool is_map(const Spot& spot, std::size_t most, ComplaintList& complaints) {
  if (spot.node.kind != NodeKind::object) {
    refuse(spot, complaints, "scenario.wrong_type", "an object in braces is needed, with names as keys.");
    return false;
  }
  if (spot.node.children.size() > most) {
    complaints.refuse(spot.node.place, spot.pointer, "scenario.out_of_range",
                      spot.subject() + " has " + with_commas(spot.node.children.size()) + " entries; at most " +
                          with_commas(most) + " are allowed.");
    return false;
  }
  for (const Node& child : spot.node.children)
    if (child.key.empty() || child.key.size() > longest_name || has_control_character(child.key))
      complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.out_of_range",
                        shown(child.key) + " is no name; names have 1 to " + std::to_string(longest_name) +
                            " characters on one line.");
  return true;
}

ValueText map_text(const ValueText& element, const std::string& key_words) {
  return {.words = "object, " + key_words + " to " + element.words,
          .schema = {},
          .form = ValueForm::map,
          .parts = {element}};
}

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
