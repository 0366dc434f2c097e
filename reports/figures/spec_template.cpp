#include "reports/figures/spec_template.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <stdexcept>

#include "reports/tables/json_parts.hpp"
#include "scenarios/document/text_files.hpp"

namespace saturn {

std::span<const EmbeddedFile> spec_templates();

namespace {

using Json = nlohmann::ordered_json;

Json parsed_template(const std::string& file) {
  for (const EmbeddedFile& one : spec_templates()) {
    if (one.name == file) return Json::parse(one.text);
  }
  throw std::logic_error("there is no template " + file);
}

Json json_value(const SpecValue& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return Json();
        } else {
          return Json(held);
        }
      },
      value);
}

void apply(Json& spec, const SpecChange& change) {
  const Json::json_pointer pointer(change.pointer);
  if (!spec.contains(pointer.parent_pointer())) throw std::logic_error("the template has no " + change.pointer);
  Json& parent = spec[pointer.parent_pointer()];
  if (!std::holds_alternative<std::monostate>(change.value)) {
    spec[pointer] = json_value(change.value);
  } else if (parent.is_array()) {
    parent.erase(static_cast<Json::size_type>(std::stoul(pointer.back())));
  } else {
    parent.erase(pointer.back());
  }
}

}  // namespace

std::string filled_spec(std::string_view name, const std::vector<SpecChange>& changes) {
  Json spec = parsed_template(std::string(name) + ".vl.json");
  spec["config"] = parsed_template("theme.json");
  for (const SpecChange& change : changes) apply(spec, change);
  return json_line(spec);
}

std::string vega_literal(const std::string& word) {
  return json_line(Json(word));
}

std::string tooltip_title(const std::string& word) {
  std::string title;
  for (const char letter : word) {
    if (letter == '\\') title += '\\';
    title += static_cast<unsigned char>(letter) < 0x20U ? ' ' : letter;
  }
  return title;
}

namespace {

void replace_words(nlohmann::ordered_json& place, const std::map<std::string, std::string>& words) {
  if (!place.is_structured()) return;
  for (auto entry = place.begin(); entry != place.end(); ++entry) {
    nlohmann::ordered_json& inner = entry.value();
    const bool may_change =
        place.is_object() && inner.is_string() && (entry.key() == "field" || entry.key() == "title");
    const auto found = may_change ? words.find(inner.get<std::string>()) : words.end();
    if (found != words.end()) inner = found->second;
    replace_words(inner, words);
  }
}

}  // namespace

std::string with_words(const std::string& spec, const std::map<std::string, std::string>& words) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(spec);
  replace_words(json, words);
  return json_line(json);
}

void take_away(std::vector<SpecChange>& changes, const std::vector<std::string>& lists,
               const std::vector<std::size_t>& places) {
  for (const std::string& list : lists) {
    for (std::size_t i = places.size(); i-- > 0;)
      changes.push_back({.pointer = list + "/" + std::to_string(places[i])});
  }
}

void make_logarithmic(std::vector<SpecChange>& changes, const std::string& channel) {
  changes.push_back({.pointer = channel + "/scale/type", .value = "log"});
  changes.push_back({.pointer = channel + "/scale/zero"});
}

}  // namespace saturn
