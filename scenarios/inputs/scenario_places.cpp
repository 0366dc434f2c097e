#include "scenarios/inputs/scenario_places.hpp"

#include <algorithm>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/scenario_text.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

namespace {

/// One step of a pointer: the value there, where there is one, and what it may be.
struct Step {
  const Node* node = nullptr;
  TablePlace place{};
  std::string pointer{};
};

std::string nothing_at(const Step& parent, const std::string& key) {
  const std::string owner = parent.pointer.empty() ? "The scenario" : parent.pointer;
  if (parent.node == nullptr) return owner + " is not there yet; give it in the scenario, or with --set, first.";
  if (parent.node->kind == NodeKind::list) {
    const std::size_t length = parent.node->children.size();
    if (length == 0) return owner + " is an empty list.";
    return owner + " is a list of " + with_commas(length) +
           (length == 1 ? "; its only element is 0" : "; its elements are 0 to " + std::to_string(length - 1)) +
           ", and \"*\" stands for all of them.";
  }
  if (parent.node->kind != NodeKind::object) return owner + " is " + shown(*parent.node) + " and has nothing inside.";
  if (key == "*")
    return owner + " has fields of different kinds; name one of them: " + listed(keys_of_all(parent.place)) + ".";
  std::vector<std::string> names = keys_of_all(parent.place);
  if (names.empty())
    for (const Node& child : parent.node->children) names.push_back(child.key);
  const std::string nearest = nearest_name(key, names);
  if (nearest.empty()) return owner + " has no " + shown(key) + "; it may have " + listed(names) + ".";
  return owner + " has no " + shown(key) + "; did you mean " + parent.pointer + "/" + escape_pointer(nearest) + "?";
}

class Walk {
 public:
  explicit Walk(std::vector<std::string> keys) : keys_(std::move(keys)) {}

  NamedPlaces from(const Node& root) {
    visit({&root, whole_table(&root), ""}, 0);
    if (!found_.places.empty())
      found_.fault.clear();
    else if (found_.fault.empty())
      found_.fault = "It names nothing: a list or an object on its way is empty.";
    return found_;
  }

 private:
  void visit(const Step& step, std::size_t depth) {
    if (depth == keys_.size()) {
      found_.places.push_back(
          {.pointer = step.pointer,
           .type = type_of(step.place),
           .present = step.node != nullptr,
           .text = step.node != nullptr ? step.node->text : std::string(),
           .input = step.place.input,
           .search = step.place.field == nullptr ? SearchStart::nothing : step.place.field->search});
      return;
    }
    const std::string& key = keys_[depth];
    if (key == "*" && step.node != nullptr && has_equal_children(step.place)) {
      for (std::size_t i = 0; i < step.node->children.size(); ++i) {
        const Node& child = step.node->children[i];
        const std::string name = step.node->kind == NodeKind::list ? std::to_string(i) : child.key;
        visit(child_step(step, name, &child), depth + 1);
      }
      return;
    }
    const Step next = child_step(step, key, step.node == nullptr ? nullptr : child_of(*step.node, key));
    const bool may_be_added = depth + 1 == keys_.size() && step.node != nullptr &&
                              step.node->kind == NodeKind::object && !has_equal_children(step.place);
    const bool is_there = next.node != nullptr || may_be_added || may_be_made(step) ||
                          (step.node != nullptr && !has_equal_children(step.place));
    if (next.place.values.empty() || !is_there)
      fail(step, key);
    else
      visit(next, depth + 1);
  }

  // A setting makes the object that it stands in, where nothing else has to be in it: "run", "costs".
  static bool may_be_made(const Step& step) {
    const bool at_the_root = step.pointer.rfind('/') == 0;
    return step.node == nullptr && at_the_root &&
           std::any_of(step.place.values.begin(), step.place.values.end(), [](const ValueText* value) {
             const std::vector<FieldText>& fields = fields_of(*value);
             return value->form == ValueForm::object &&
                    std::none_of(fields.begin(), fields.end(), [](const FieldText& field) { return field.required; });
           });
  }

  static Step child_step(const Step& parent, const std::string& key, const Node* child) {
    return {child, place_in(parent.place, key, child), parent.pointer + "/" + escape_pointer(key)};
  }

  // Elements of a list mostly have the same fault; one that knows what was meant is the best.
  void fail(const Step& step, const std::string& key) {
    const std::string fault = nothing_at(step, key);
    const auto guesses = [](const std::string& text) { return text.find("did you mean") != std::string::npos; };
    if (found_.fault.empty() || (guesses(fault) && !guesses(found_.fault))) found_.fault = fault;
  }

  std::vector<std::string> keys_;
  NamedPlaces found_;
};

void collect_patterns(const Node* node, const TablePlace& place, const std::string& pattern,
                      std::set<std::string>& found) {
  if (type_of(place).kind != PlaceKind::structure) {
    found.insert(pattern);
    return;
  }
  if (node == nullptr) return;
  if (has_equal_children(place)) {
    for (const Node& child : node->children)
      collect_patterns(&child, place_in(place, "*", &child), pattern + "/*", found);
    return;
  }
  for (const std::string& key : keys_of_all(place)) {
    const Node* child = node->find(key);
    collect_patterns(child, place_in(place, key, child), pattern + "/" + escape_pointer(key), found);
  }
}

}  // namespace

ScenarioPlaces::ScenarioPlaces(const std::string& resolved) {
  document_.sources.push_back({"scenario", resolved, true});
  document_.root = parse_document(resolved, 0).root;
}

NamedPlaces ScenarioPlaces::named(const std::string& pattern) const {
  return Walk(split_pointer(pattern)).from(document_.root);
}

std::vector<std::string> ScenarioPlaces::patterns() const {
  std::set<std::string> found;
  collect_patterns(&document_.root, whole_table(&document_.root), "", found);
  return {found.begin(), found.end()};
}

TriedSettings ScenarioPlaces::tried(std::span<const Override> settings) const {
  Document changed = document_;
  ComplaintList complaints;
  apply_overrides(changed, settings, complaints);
  TriedSettings tried{.scenario = scenario_shape().read({changed.root, ""}, complaints)};
  for (Complaint& complaint : complaints.complaints(changed))
    if (complaint.source.starts_with("--set ")) tried.complaints.push_back(std::move(complaint.text));
  return tried;
}

}  // namespace saturn
