#include "scenarios/scenario_places.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/overrides.hpp"
#include "scenarios/parse_document.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_fields.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

using Json = nlohmann::json;
/// What a value may be: one of several schemas.
using Schemas = std::vector<const Json*>;

const Json& whole_schema() {
  static const Json schema = Json::parse(scenario_schema());
  return schema;
}

bool has_required_keys(const Json& schema, const Node& node) {
  const auto required = schema.find("required");
  return required == schema.end() || std::all_of(required->begin(), required->end(), [&](const Json& key) {
           return node.find(key.get_ref<const std::string&>()) != nullptr;
         });
}

/// False where the value that stands there is of another kind of list or object.
bool suits(const Json& schema, const Node* node) {
  const std::string type = schema.value("type", "");
  if (node == nullptr) return true;
  if (type == "object") return node->kind == NodeKind::object && has_required_keys(schema, *node);
  return type != "array" || node->kind == NodeKind::list;
}

/// Adds what a schema allows beside the value that stands there, references and alternatives resolved.
void expand(const Json& schema, const Node* node, Schemas& found) {
  if (const auto reference = schema.find("$ref"); reference != schema.end()) {
    const std::string& pointer = reference->get_ref<const std::string&>();
    expand(whole_schema().at(Json::json_pointer(pointer.substr(1))), node, found);
    return;
  }
  for (const char* key : {"oneOf", "anyOf"}) {
    const auto alternatives = schema.find(key);
    if (alternatives == schema.end()) continue;
    for (const Json& alternative : *alternatives) expand(alternative, node, found);
    return;
  }
  if (suits(schema, node)) found.push_back(&schema);
}

Schemas child_schemas(const Schemas& parents, const std::string& key, const Node* child) {
  Schemas found;
  for (const Json* parent : parents) {
    if (const auto fields = parent->find("properties"); fields != parent->end() && fields->contains(key))
      expand(fields->at(key), child, found);
    else if (const auto others = parent->find("additionalProperties"); others != parent->end() && others->is_object())
      expand(*others, child, found);
    else if (const auto elements = parent->find("items"); elements != parent->end())
      expand(*elements, child, found);
  }
  return found;
}

/// True where all children are of one kind, by index or by name.
bool has_equal_children(const Schemas& schemas) {
  return std::any_of(schemas.begin(), schemas.end(), [](const Json* schema) {
    const auto others = schema->find("additionalProperties");
    return schema->contains("items") || (others != schema->end() && others->is_object());
  });
}

std::vector<std::string> keys_of_all(const Schemas& schemas) {
  std::vector<std::string> names;
  for (const Json* schema : schemas)
    if (const auto fields = schema->find("properties"); fields != schema->end())
      for (const auto& field : fields->items()) names.push_back(field.key());
  return names;
}

std::optional<Dimension> dimension_of(const std::string& pattern) {
  for (const Unit& unit : units())
    if (pattern == quantity_pattern(unit.dimension)) return unit.dimension;
  return std::nullopt;
}

PlaceType type_of(const Schemas& schemas) {
  PlaceType best;
  for (const Json* schema : schemas) {
    const std::string type = schema->value("type", "");
    if (schema->contains("enum")) return {PlaceKind::choice, {}, schema->at("enum").get<std::vector<std::string>>()};
    if (type == "integer") return {PlaceKind::whole, {}, {}};
    if (type == "boolean") return {PlaceKind::flag, {}, {}};
    if (type == "number" && best.kind != PlaceKind::ratio) best.kind = PlaceKind::number;
    if (type != "string") continue;
    const std::optional<Dimension> dimension = dimension_of(schema->value("pattern", ""));
    if (!dimension) {
      best.kind = PlaceKind::text;
    } else {
      best.kind = *dimension == Dimension::ratio ? PlaceKind::ratio : PlaceKind::quantity;
      best.dimension = *dimension;
    }
  }
  return best;
}

/// One step of a pointer: the value there, where there is one, and what it may be.
struct Step {
  const Node* node = nullptr;
  Schemas schemas{};
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
    return owner + " has fields of different kinds; name one of them: " + listed(keys_of_all(parent.schemas)) + ".";
  std::vector<std::string> names = keys_of_all(parent.schemas);
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
    Step step{&root, {}, ""};
    expand(whole_schema(), &root, step.schemas);
    visit(step, 0);
    if (!found_.places.empty())
      found_.fault.clear();
    else if (found_.fault.empty())
      found_.fault = "It names nothing: a list or an object on its way is empty.";
    return found_;
  }

 private:
  void visit(const Step& step, std::size_t depth) {
    if (depth == keys_.size()) {
      found_.places.push_back({step.pointer, type_of(step.schemas), step.node != nullptr});
      return;
    }
    const std::string& key = keys_[depth];
    if (key == "*" && step.node != nullptr && has_equal_children(step.schemas)) {
      for (std::size_t i = 0; i < step.node->children.size(); ++i) {
        const Node& child = step.node->children[i];
        const std::string name = step.node->kind == NodeKind::list ? std::to_string(i) : child.key;
        visit(child_step(step, name, &child), depth + 1);
      }
      return;
    }
    const Step next = child_step(step, key, step.node == nullptr ? nullptr : child_of(*step.node, key));
    const bool may_be_added = depth + 1 == keys_.size() && step.node != nullptr &&
                              step.node->kind == NodeKind::object && !has_equal_children(step.schemas);
    const bool is_there = next.node != nullptr || may_be_added || may_be_made(step) ||
                          (step.node != nullptr && !has_equal_children(step.schemas));
    if (next.schemas.empty() || !is_there)
      fail(step, key);
    else
      visit(next, depth + 1);
  }

  // A setting makes the object that it stands in, where nothing else has to be in it: "run", "costs".
  static bool may_be_made(const Step& step) {
    const bool at_the_root = step.pointer.rfind('/') == 0;
    return step.node == nullptr && at_the_root &&
           std::any_of(step.schemas.begin(), step.schemas.end(), [](const Json* schema) {
             return schema->contains("properties") && !schema->contains("required");
           });
  }

  static Step child_step(const Step& parent, const std::string& key, const Node* child) {
    return {child, child_schemas(parent.schemas, key, child), parent.pointer + "/" + escape_pointer(key)};
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

void collect_patterns(const Node* node, const Schemas& schemas, const std::string& pattern,
                      std::set<std::string>& found) {
  if (type_of(schemas).kind != PlaceKind::structure) {
    found.insert(pattern);
    return;
  }
  if (node == nullptr) return;
  if (has_equal_children(schemas)) {
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      const Node& child = node->children[i];
      const std::string key = node->kind == NodeKind::list ? std::to_string(i) : child.key;
      collect_patterns(&child, child_schemas(schemas, key, &child), pattern + "/*", found);
    }
    return;
  }
  for (const std::string& key : keys_of_all(schemas)) {
    const Node* child = node->find(key);
    collect_patterns(child, child_schemas(schemas, key, child), pattern + "/" + escape_pointer(key), found);
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
  Schemas schemas;
  expand(whole_schema(), &document_.root, schemas);
  std::set<std::string> found;
  collect_patterns(&document_.root, schemas, "", found);
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
