#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/values/units.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/field_text.hpp"
#include "scenarios/fields/quantity_text.hpp"

/// Rules for single values. A rule knows what is allowed, in words and as JSON Schema, and how to read it, so that
/// reader, schema and reference cannot disagree.

namespace saturn {

/// A value of the document with its address.
struct Spot {
  const Node& node;
  std::string pointer;

  Spot member(const Node& child) const { return {child, pointer + "/" + escape_pointer(child.key)}; }
  Spot element(std::size_t i) const { return {node.children[i], pointer + "/" + std::to_string(i)}; }
  /// The address as sentences begin with it.
  std::string subject() const { return pointer.empty() ? "The document" : pointer; }
};

/// Refuses a value. @param wanted  the sentence behind what stands there: "; a list in square brackets is needed."
std::nullopt_t refuse_value(const Spot& spot, ComplaintList& complaints, const char* code, const std::string& wanted);

/// What a value may be and how it is read. `read` complains and returns nothing when the value is not allowed.
template <class T>
struct Rule {
  ValueText text;
  std::function<std::optional<T>(const Spot&, ComplaintList&)> read;
  std::function<std::string(const T&)> write{};  ///< a value as JSON text, for defaults; empty for lists and objects
};

/// Bounds of a quantity, written with their units.
struct QuantityRange {
  std::string low;
  std::string high;
  std::string usual;       ///< unit of the examples in complaints
  bool above_low = false;  ///< the low bound itself is not allowed
};

Rule<Seconds> duration_rule(const QuantityRange& range);
Rule<Bytes> size_rule(const QuantityRange& range);
Rule<Bandwidth> bandwidth_rule(const QuantityRange& range);
Rule<Rate> rate_rule(const QuantityRange& range);
Rule<UsdPerHour> price_rule(const QuantityRange& range);
Rule<UsdPerKilowattHour> energy_price_rule(const QuantityRange& range);
Rule<UsdPerGigabyte> traffic_price_rule(const QuantityRange& range);
Rule<Watts> power_rule(const QuantityRange& range);

/// A whole number in [low, high]. @param way_out  said when the number is outside, instead of the range
Rule<std::uint64_t> count_rule(std::uint64_t low, std::uint64_t high, const std::string& way_out = "");

/// Bounds of a pure number.
struct RatioRange {
  double low = 0.0;
  double high = 0.0;
  bool above_low = false;
};
/// A number, or a text with a per cent sign.
Rule<double> ratio_rule(const RatioRange& range);

/// A number, without a per cent sign.
Rule<double> number_rule(const RatioRange& range);
/// True or false.
Rule<bool> flag_rule();

/// A text of so many characters, none of them a control character. @param words  what it is: "name"
Rule<std::string> text_rule(std::size_t shortest_length, std::size_t longest, const std::string& words);
/// A name: 1 to 200 characters without control characters.
Rule<std::string> name_rule();
/// A line of text: up to 500 characters.
Rule<std::string> line_rule();

/// Index of the chosen option. The typed rule is `choice_rule`.
Rule<std::size_t> choice_index_rule(const std::vector<std::string>& options);

/// One of a few words, each standing for a value.
template <class T>
Rule<T> choice_rule(const std::vector<std::pair<std::string, T>>& options) {
  std::vector<std::string> words;
  for (const auto& option : options) words.push_back(option.first);
  const Rule<std::size_t> index = choice_index_rule(words);
  return {index.text,
          [index, options](const Spot& spot, ComplaintList& complaints) -> std::optional<T> {
            const std::optional<std::size_t> chosen = index.read(spot, complaints);
            if (!chosen) return std::nullopt;
            return options[*chosen].second;
          },
          [options](const T& value) {
            for (const auto& [word, meaning] : options)
              if (meaning == value) return "\"" + word + "\"";
            return std::string();
          }};
}

/// True for a list of `least` to `most` elements; complains otherwise.
bool is_list(const Spot& spot, std::size_t least, std::size_t most, ComplaintList& complaints);
ValueText list_text(const ValueText& element, std::size_t least, std::size_t most);
/// True for an object of at most `most` entries whose keys are names; complains otherwise.
bool is_map(const Spot& spot, std::size_t most, ComplaintList& complaints);
ValueText map_text(const ValueText& element, const std::string& key_words);

/// A list; elements that could not be read keep their place with default values, so that indices stay true.
template <class T>
Rule<std::vector<T>> list_of(const Rule<T>& element, std::size_t least, std::size_t most) {
  return {list_text(element.text, least, most),
          [element, least, most](const Spot& spot, ComplaintList& complaints) -> std::optional<std::vector<T>> {
            if (!is_list(spot, least, most, complaints)) return std::nullopt;
            std::vector<T> values;
            for (std::size_t i = 0; i < spot.node.children.size(); ++i)
              values.push_back(element.read(spot.element(i), complaints).value_or(T{}));
            return values;
          }};
}

/// An object whose keys are names. @param key_words  what the keys name, for the reference
template <class T>
Rule<std::map<std::string, T>> map_of(const Rule<T>& element, const std::string& key_words, std::size_t most) {
  return {map_text(element.text, key_words),
          [element, most](const Spot& spot, ComplaintList& complaints) -> std::optional<std::map<std::string, T>> {
            if (!is_map(spot, most, complaints)) return std::nullopt;
            std::map<std::string, T> values;
            for (const Node& child : spot.node.children)
              values.emplace(child.key, element.read(spot.member(child), complaints).value_or(T{}));
            return values;
          }};
}

/// What a key holds that says something about the document and nothing about the scenario.
struct Nothing {};

/// A rule whose value is checked and dropped.
template <class T>
Rule<Nothing> only_checked(const Rule<T>& rule) {
  return {rule.text, [rule](const Spot& spot, ComplaintList& complaints) -> std::optional<Nothing> {
            if (!rule.read(spot, complaints)) return std::nullopt;
            return Nothing{};
          }};
}

}  // namespace saturn
