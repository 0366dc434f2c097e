#include "reports/figures/spec_template.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <stdexcept>

#include "scenarios/embedded_file.hpp"

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
  return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string vega_literal(const std::string& word) {
  return Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string tooltip_title(const std::string& word) {
  std::string title;
  for (const char letter : word) {
    if (letter == '\\') title += '\\';
    title += static_cast<unsigned char>(letter) < 0x20U ? ' ' : letter;
  }
  return title;
}

}  // namespace saturn
