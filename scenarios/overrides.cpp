#include "scenarios/overrides.hpp"

#include <algorithm>

#include "scenarios/near_name.hpp"
#include "scenarios/parse_document.hpp"
#include "scenarios/scenario_fields.hpp"

namespace saturn {

namespace {

Node value_of(const std::string& text, std::size_t source, const std::string& pointer, ComplaintList& complaints) {
  ParsedText parsed = parse_document(text, source);
  if (!parsed.complete) {
    Node node;
    node.kind = NodeKind::text;
    node.text = text;
    node.place = {source, 0};
    return node;
  }
  for (const SyntaxFault& fault : parsed.faults)
    complaints.refuse({source, 0}, pointer, fault.code,
                      fault.pointer + " is given twice in the value; keep one of the two.");
  return std::move(parsed.root);
}

std::vector<std::string> names_in(const Node& node) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < node.children.size() && i < 1000; ++i)
    names.push_back(node.kind == NodeKind::object ? escape_pointer(node.children[i].key) : std::to_string(i));
  return names;
}

std::string nothing_there(const Node& parent, const std::string& parent_pointer, const std::string& key) {
  const std::string owner = parent_pointer.empty() ? "The document" : parent_pointer;
  if (parent.kind == NodeKind::list) {
    const std::size_t length = parent.children.size();
    return owner + " is a list of " + with_commas(length) + "; " +
           (length == 0 ? "" : "its elements are 0 to " + std::to_string(length - 1) + ", and ") + "\"-\" adds one.";
  }
  if (parent.kind != NodeKind::object) return owner + " is " + shown(parent) + " and has nothing inside.";
  const std::vector<std::string> names = names_in(parent);
  const std::string nearest = nearest_name(escape_pointer(key), names);
  if (!nearest.empty())
    return owner + " has no " + shown(key) + "; did you mean " + parent_pointer + "/" + nearest + "?";
  return owner + " has no " + shown(key) + "; it has " + (names.empty() ? "no keys" : listed(names)) + ".";
}

bool is_optional_object(const std::string& key) {
  for (const FieldText& field : scenario_shape().definition().fields)
    if (field.key == key)
      return !field.required && (field.value.definition != nullptr ||
                                 (!field.value.parts.empty() && field.value.parts.front().definition != nullptr));
  return false;
}

Node& add_key(Node& object, const std::string& key, std::size_t source) {
  Node& child = object.children.emplace_back();
  child.key = key;
  child.key_place = child.place = {source, 0};
  return child;
}

Node* mutable_child(Node& parent, const std::string& key) {
  const Node* child = child_of(parent, key);
  return child == nullptr ? nullptr : &parent.children[static_cast<std::size_t>(child - parent.children.data())];
}

// The value that a pointer names, made if it may be; nullptr after a complaint.
Node* target_of(Document& document, const std::vector<std::string>& keys, std::size_t source,
                ComplaintList& complaints) {
  Node* node = &document.root;
  std::string pointer;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool last = i + 1 == keys.size();
    Node* child = mutable_child(*node, keys[i]);
    if (child == nullptr && node->kind == NodeKind::list && keys[i] == "-") {
      child = &node->children.emplace_back();
      child->kind = last ? NodeKind::null : NodeKind::object;
      child->place = {source, 0};
    } else if (child == nullptr && node->kind == NodeKind::object &&
               (last || (i == 0 && is_optional_object(keys[i])))) {
      child = &add_key(*node, keys[i], source);
      child->kind = NodeKind::object;
    }
    if (child == nullptr) {
      complaints.refuse({source, 0}, pointer + "/" + escape_pointer(keys[i]), "set.unknown_pointer",
                        nothing_there(*node, pointer, keys[i]));
      return nullptr;
    }
    pointer += "/" + escape_pointer(keys[i]);
    node = child;
  }
  return node;
}

// True when the pointer names a key of an object, which is then gone; elements of lists have to stay where they are.
bool remove_key(Node& root, const std::vector<std::string>& keys) {
  Node* parent = &root;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) parent = mutable_child(*parent, keys[i]);
  if (parent->kind != NodeKind::object) return false;
  std::erase_if(parent->children, [&](const Node& child) { return child.key == keys.back(); });
  return true;
}

}  // namespace

void apply_overrides(Document& document, std::span<const Override> overrides, ComplaintList& complaints) {
  for (const Override& change : overrides) {
    const std::size_t source = document.sources.size();
    const std::string value = change.value.substr(0, 200);
    document.sources.push_back({"--set " + change.pointer + "=" + value, "", false});
    if (first_invalid_utf8(change.pointer) != std::string::npos ||
        first_invalid_utf8(change.value) != std::string::npos) {
      complaints.refuse({source, 0}, "", "scenario.not_utf8", "The option is not valid UTF-8 text.");
      continue;
    }
    if (change.pointer.empty() || change.pointer.front() != '/') {
      complaints.refuse({source, 0}, "", "set.not_an_override",
                        shown(change.pointer) + " is no JSON pointer; write --set /jobs/0/count=100.");
      continue;
    }
    Node* target = target_of(document, split_pointer(change.pointer), source, complaints);
    if (target == nullptr) continue;
    Node node = value_of(change.value, source, change.pointer, complaints);
    if (node.kind == NodeKind::null && remove_key(document.root, split_pointer(change.pointer))) continue;
    node.key = std::move(target->key);
    node.key_place = {source, 0};
    *target = std::move(node);
  }
}

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (!text.starts_with('/') || equals == std::string::npos)
    throw InputError({{.source = "--set " + text,
                       .code = "set.not_an_override",
                       .text = shown(text) + " is no override; write --set /json/pointer=value, for example --set "
                                             "/jobs/0/count=100."}});
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace saturn
