#include <stdexcept>

#include "scenarios/fitted_place.hpp"
#include "scenarios/node_text.hpp"
#include "scenarios/parse_document.hpp"
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
  for (std::size_t i = 0; i < parameters.size(); ++i)
    put_value(*node_at(parsed.root, fit.at[i]), fit.units[i], parameters[i]);
  return override_text(parsed.root);
}

}  // namespace saturn
