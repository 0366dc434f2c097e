#include "scenarios/node_text.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace saturn {

namespace {

nlohmann::json as_json(const Node& node) {
  switch (node.kind) {
    case NodeKind::null:
      return nullptr;
    case NodeKind::text:
      return node.text;
    case NodeKind::boolean:
    case NodeKind::number:
      return nlohmann::json::parse(node.text);
    case NodeKind::list: {
      nlohmann::json list = nlohmann::json::array();
      for (const Node& child : node.children) list.push_back(as_json(child));
      return list;
    }
    case NodeKind::object:
      break;
  }
  nlohmann::json object = nlohmann::json::object();
  for (const Node& child : node.children) object[child.key] = as_json(child);
  return object;
}

}  // namespace

std::optional<double> number_in(const Node& node) {
  double value = 0.0;
  const char* end = node.text.data() + node.text.size();
  if (node.kind != NodeKind::number) return std::nullopt;
  const auto [stop, error] = std::from_chars(node.text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string json_text(const Node& node, int indent) {
  return as_json(node).dump(indent);
}

std::string override_text(const Node& node) {
  if (node.kind == NodeKind::text && !nlohmann::json::accept(node.text, true)) return node.text;
  return json_text(node, -1);
}

}  // namespace saturn
