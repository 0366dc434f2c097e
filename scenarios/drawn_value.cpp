#include <stdexcept>

#include "scenarios/node_text.hpp"
#include "scenarios/parse_document.hpp"
#include "scenarios/quantity_text.hpp"
#include "scenarios/used_fit.hpp"

namespace saturn {

namespace {

Node* node_at(Node& root, const std::string& pointer) {
  Node* node = &root;
  for (const std::string& key : split_pointer(pointer)) {
    const Node* next = child_of(*node, key);
    if (next == nullptr) throw std::logic_error("a fit's value has lost its parameter " + pointer);
    node = &node->children[static_cast<std::size_t>(next - node->children.data())];
  }
  return node;
}

}  // namespace

std::string value_with(const UsedFit& fit, const std::vector<double>& parameters) {
  ParsedText parsed = parse_document(fit.value, 0);
  if (!parsed.complete) {
    parsed.root = {};
    parsed.root.kind = NodeKind::text;
    parsed.root.text = fit.value;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Node& place = *node_at(parsed.root, fit.at[i]);
    // One per second is a hertz; the file's other units are the scenario's.
    const std::string unit = fit.units[i] == "1/s" ? "Hz" : fit.units[i];
    place.kind = unit.empty() ? NodeKind::number : NodeKind::text;
    place.text = shortest(parameters[i]) + (unit.empty() ? "" : " " + unit);
  }
  return override_text(parsed.root);
}

}  // namespace saturn
