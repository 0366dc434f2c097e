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

const char* name_of(FitKind kind) {
  switch (kind) {
    case FitKind::service_law:
      return "service law";
    case FitKind::time:
      return "time";
    case FitKind::bandwidth:
      return "bandwidth";
    case FitKind::count:
      return "count";
    case FitKind::closed_loop:
      return "closed loop";
  }
  throw std::logic_error("name_of: no such kind of fit");
}

std::optional<FitKind> find_fit_kind(std::string_view name) {
  for (const FitKind kind :
       {FitKind::service_law, FitKind::time, FitKind::bandwidth, FitKind::count, FitKind::closed_loop})
    if (name == name_of(kind)) return kind;
  return std::nullopt;
}

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
