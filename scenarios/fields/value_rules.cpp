#include "scenarios/fields/value_rules.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/inputs/fitted_files.hpp"

namespace saturn {

std::nullopt_t refuse_value(const Spot& spot, ComplaintList& complaints, const char* code, const std::string& wanted) {
  complaints.refuse(spot.node.place, spot.pointer, code, spot.subject() + " is " + shown(spot.node) + wanted);
  return std::nullopt;
}

namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_line = 500;

bool all_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

std::string range_words(const std::string& low, const std::string& high, bool above_low) {
  return (above_low ? "above " + low + ", at most " : low + " to ") + high;
}
std::string words_of(const RatioRange& range) {
  return range_words(shortest(range.low), shortest(range.high), range.above_low);
}

Json schema_of(const RatioRange& range) {
  return {{"type", "number"}, {range.above_low ? "exclusiveMinimum" : "minimum", range.low}, {"maximum", range.high}};
}

/// A rule for numbers within bounds.
/// @param read  the number that stands there, of any size; complains when there is none
/// @param way_out  said when it is out of bounds
template <class T, class Read>
Rule<T> bounded_rule(const ValueText& text, const RatioRange& range, const std::string& way_out, const Read& read,
                     const std::function<std::string(const T&)>& write) {
  return {text,
          [=](const Spot& spot, ComplaintList& complaints) -> std::optional<T> {
            const std::optional<double> value = read(spot, complaints);
            if (!value) return std::nullopt;
            if ((range.above_low ? *value > range.low : *value >= range.low) && *value <= range.high) {
              if constexpr (std::is_arithmetic_v<T>)
                return static_cast<T>(*value);
              else
                return T{*value};
            }
            return refuse_value(spot, complaints, "scenario.out_of_range", "; " + way_out);
          },
          write};
}

}  // namespace

Rule<std::uint64_t> count_rule(std::uint64_t low, std::uint64_t high, const std::string& way_out) {
  const std::string words = low == high ? with_commas(low) : with_commas(low) + " to " + with_commas(high);
  const Json schema{{"type", "integer"}, {"minimum", low}, {"maximum", high}};
  // Exact for every bound of ours.
  const RatioRange range{.low = static_cast<double>(low), .high = static_cast<double>(high)};
  return bounded_rule<std::uint64_t>(
      {"whole number, " + words, schema.dump(), ValueForm::single, {PlaceKind::whole}}, range,
      way_out.empty() ? "allowed is " + words + "." : way_out,
      [=](const Spot& spot, ComplaintList& complaints) -> std::optional<double> {
        const std::string& text = spot.node.text;
        if (spot.node.kind != NodeKind::number) {
          const bool quoted = spot.node.kind == NodeKind::text && all_digits(text);
          return refuse_value(spot, complaints, "scenario.wrong_type",
                              quoted ? "; counts stand without quotes: write " + text.substr(0, 20) + "."
                                     : "; a whole number is needed, " + words + ".");
        }
        const double value = number_in(spot.node).value_or(-1.0);
        if (value == std::floor(value)) return value;
        const bool near = value >= range.low && value < range.high;
        return refuse_value(spot, complaints, "scenario.not_whole",
                            "; a whole number is needed, for example " +
                                std::to_string(near ? static_cast<std::uint64_t>(value) : low) + ".");
      },
      [](const std::uint64_t& value) { return std::to_string(value); });
}

Rule<double> ratio_rule(const RatioRange& range) {
  const std::string words = words_of(range);
  const Json percent{{"type", "string"}, {"pattern", quantity_pattern(Dimension::ratio)}};
  const Json schema{{"anyOf", {schema_of(range), percent}}};
  return bounded_rule<double>(
      {"number or \"%\", " + words, schema.dump(), ValueForm::single, {PlaceKind::ratio, Dimension::ratio}}, range,
      "allowed is " + words + ".",
      [](const Spot& spot, ComplaintList& complaints) -> std::optional<double> {
        if (spot.node.kind == NodeKind::number)
          if (const std::optional<double> value = number_in(spot.node)) return value;
        if (spot.node.kind == NodeKind::text) {
          const ReadQuantity read = read_quantity(spot.node.text, Dimension::ratio);
          if (read.reading == QuantityReading::good) return read.value;
          if (read.reading == QuantityReading::no_unit)
            return refuse_value(
                spot, complaints, "scenario.missing_unit",
                "; write " + read.number.substr(0, 20) + " without quotes, or a percentage such as \"1 %\".");
        }
        return refuse_value(spot, complaints, "scenario.wrong_type",
                            "; a number or a percentage is needed, for example 0.01 or \"1 %\".");
      },
      [](const double& value) { return shortest(value); });
}

Rule<double> number_rule(const RatioRange& range) {
  const std::string words = words_of(range);
  return bounded_rule<double>(
      {"number, " + words, schema_of(range).dump(), ValueForm::single, {PlaceKind::number}}, range,
      "allowed is " + words + ".",
      [words](const Spot& spot, ComplaintList& complaints) -> std::optional<double> {
        if (spot.node.kind == NodeKind::number) return number_in(spot.node).value_or(HUGE_VAL);
        return refuse_value(spot, complaints, "scenario.wrong_type",
                            "; a number without quotes is needed, " + words + ".");
      },
      [](const double& value) { return shortest(value); });
}

Rule<bool> flag_rule() {
  return {{"true or false", R"({"type":"boolean"})", ValueForm::single, {PlaceKind::flag}},
          [](const Spot& spot, ComplaintList& complaints) -> std::optional<bool> {
            if (spot.node.kind == NodeKind::boolean) return spot.node.text == "true";
            return refuse_value(spot, complaints, "scenario.wrong_type", "; write true or false, without quotes.");
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
              return refuse_value(spot, complaints, "scenario.wrong_type", "; a text in double quotes is needed.");
            if (characters < shortest_length || characters > longest || has_control_character(text))
              return refuse_value(spot, complaints, "scenario.out_of_range",
                                  "; allowed are " + std::to_string(shortest_length) + " to " +
                                      std::to_string(longest) + " characters on one line.");
            return text;
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
            const std::string written = spot.node.kind == NodeKind::text ? spot.node.text : "";
            return refuse_value(spot, complaints, "scenario.not_a_choice", "; " + allowed_names(written, options));
          }};
}

bool is_list(const Spot& spot, std::size_t least, std::size_t most, ComplaintList& complaints) {
  const std::size_t length = spot.node.children.size();
  if (spot.node.kind != NodeKind::list) {
    refuse_value(spot, complaints, "scenario.wrong_type", "; a list in square brackets is needed.");
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
          .form = ValueForm::list,
          .least = least,
          .most = most,
          .parts = {element}};
}

bool is_map(const Spot& spot, std::size_t most, ComplaintList& complaints) {
  if (spot.node.kind != NodeKind::object) {
    refuse_value(spot, complaints, "scenario.wrong_type", "; an object in braces is needed, with names as keys.");
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
  return {.words = "object, " + key_words + " to " + element.words, .form = ValueForm::map, .parts = {element}};
}

namespace {

std::string noun_of_quantity(Dimension dimension) {
  return "a " + std::string(name_of(dimension));
}

std::string unknown_unit(const std::string& unit, Dimension dimension) {
  std::vector<std::string> known;
  for (const Unit& one : units())
    if (one.dimension == dimension) known.emplace_back(one.name);
  // The name that is nearest, in bits, is an eighth of what bytes mean.
  const bool in_bytes = dimension == Dimension::bandwidth && unit.ends_with("Bps");
  std::string written = in_bytes ? unit.substr(0, unit.size() - 2) + "/s" : unit;
  if (const std::size_t byte = unit.find("byte"); byte != std::string::npos)
    written = std::string(unit).replace(byte, unit.substr(byte).starts_with("bytes") ? 5 : 4, "B");
  // The nearest name does not tell bits from bytes.
  const bool meant = std::find(known.begin(), known.end(), written) != known.end();
  return "; " + shown(unit) + " is no unit of " + noun_of_quantity(dimension) + ": " +
         (meant ? "did you mean \"" + written + "\"?" : name_meant(written, known, "did you mean", "use"));
}

/// A quantity of any size.
/// @param unit  of the examples in complaints
std::optional<double> quantity_at(const Spot& spot, Dimension dimension, const std::string& unit,
                                  ComplaintList& complaints) {
  const std::string noun = noun_of_quantity(dimension);
  const auto example = [&](const std::string& number) {
    // Where 0 is out of range, its example would be refused as well.
    const bool none = number.find_first_of("123456789") == std::string::npos;
    return ", for example \"" + (none ? "1" : number) + " " + unit + "\".";
  };
  if (spot.node.kind == NodeKind::number)
    return refuse_value(spot, complaints, "scenario.missing_unit",
                        "; " + noun + " needs its unit" + example(shown(spot.node)));
  if (spot.node.kind != NodeKind::text)
    return refuse_value(spot, complaints, "scenario.wrong_type", "; " + noun + " in quotes is needed" + example("1"));
  const ReadQuantity read = read_quantity(spot.node.text, dimension);
  switch (read.reading) {
    case QuantityReading::no_number:
      return refuse_value(spot, complaints, "scenario.not_a_quantity",
                          "; " + noun + " is a number and a unit" + example("1"));
    case QuantityReading::no_unit:
      return refuse_value(spot, complaints, "scenario.missing_unit",
                          "; " + noun + " needs its unit" + example(read.number));
    case QuantityReading::unknown_unit:
      return refuse_value(spot, complaints, "scenario.unknown_unit", unknown_unit(read.unit, dimension));
    case QuantityReading::other_dimension:
      return refuse_value(
          spot, complaints, "scenario.wrong_unit",
          ", which is " + noun_of_quantity(read.found) + "; " + noun + " is needed" + example(read.number));
    case QuantityReading::too_large:
      return HUGE_VAL;
    case QuantityReading::good:
      break;
  }
  return read.value;
}

/// Durations and bandwidths are what fitted parameter files hold.
ValueText quantity_words(Dimension dimension, const std::string& range) {
  const std::string words = std::string(name_of(dimension)) + ", " + range;
  const nlohmann::json schema{{"type", "string"}, {"pattern", quantity_pattern(dimension)}};
  ValueText quantity{words, schema.dump(), ValueForm::single, {PlaceKind::quantity, dimension}};
  quantity.described = true;
  if (dimension != Dimension::duration && dimension != Dimension::bandwidth) return quantity;
  quantity.described = false;
  return {.words = words,
          .form = ValueForm::either,
          .described = true,
          .parts = {quantity, reference_to(fitted_definition())}};
}

template <class Quantity>
Rule<Quantity> quantity(Dimension dimension, const QuantityRange& range) {
  const RatioRange limits{.low = read_quantity(range.low, dimension).value,
                          .high = read_quantity(range.high, dimension).value,
                          .above_low = range.above_low};
  const std::string words = range_words(range.low, range.high, range.above_low);
  return bounded_rule<Quantity>(
      quantity_words(dimension, words), limits, "allowed is " + words + ".",
      [dimension, unit = range.usual](const Spot& spot, ComplaintList& complaints) {
        return quantity_at(spot, dimension, unit, complaints);
      },
      [dimension](const Quantity& value) { return "\"" + quantity_text(value.value, dimension) + "\""; });
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
