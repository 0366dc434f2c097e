#include "scenarios/fields/table_walk.hpp"

#include <algorithm>

#include "scenarios/fields/field_table.hpp"
#include "scenarios/fields/scenario_fields.hpp"

namespace saturn {

namespace {

bool has_required_keys(const ValueText& object, const Node& node) {
  const std::vector<FieldText>& fields = fields_of(object);
  return std::all_of(fields.begin(), fields.end(),
                     [&](const FieldText& field) { return !field.required || node.find(field.key) != nullptr; });
}

/// False where the value that stands there is of another kind of list or object.
bool suits(const ValueText& value, const Node* node) {
  if (node == nullptr) return true;
  switch (value.form) {
    case ValueForm::object:
      return node->kind == NodeKind::object && has_required_keys(value, *node);
    case ValueForm::map:
      return node->kind == NodeKind::object;
    case ValueForm::list:
    case ValueForm::tuple:
      return node->kind == NodeKind::list;
    default:
      return true;
  }
}

/// Adds what a value may be, references and alternatives resolved.
void expand(const ValueText& value, std::vector<const ValueText*>& found) {
  const bool is_choice = value.definition != nullptr && !value.definition->alternatives.empty();
  if (!is_choice && value.form != ValueForm::either) {
    found.push_back(&value);
    return;
  }
  for (const ValueText& part : is_choice ? value.definition->alternatives : value.parts) expand(part, found);
}

/// A document that was not read may suit nothing; then it may be anything.
void keep_what_suits(std::vector<const ValueText*>& values, const Node* node) {
  std::vector<const ValueText*> suiting = values;
  std::erase_if(suiting, [&](const ValueText* value) { return !suits(*value, node); });
  if (!suiting.empty()) values = std::move(suiting);
}

/// The first of several fields that alternatives have under one key says what the key is.
void step_to(const FieldText& field, TablePlace& place) {
  expand(field.value, place.values);
  if (place.field != nullptr) return;
  place.field = &field;
  if (field.input != InputRole::inherited) place.input = field.input;
}

void collect(const Definition* definition, std::vector<const Definition*>& found);

void collect(const ValueText& value, std::vector<const Definition*>& found) {
  if (value.definition != nullptr) collect(value.definition, found);
  for (const ValueText& part : value.parts) collect(part, found);
  for (const FieldText& field : value.fields) collect(field.value, found);
}

void collect(const Definition* definition, std::vector<const Definition*>& found) {
  if (std::find(found.begin(), found.end(), definition) != found.end()) return;
  found.push_back(definition);
  for (const FieldText& field : definition->fields) collect(field.value, found);
  for (const ValueText& alternative : definition->alternatives) collect(alternative, found);
}

const ValueText& whole_document() {
  static const ValueText document = reference_to(scenario_shape().definition());
  return document;
}

}  // namespace

const std::vector<FieldText>& fields_of(const ValueText& object) {
  return object.definition != nullptr ? object.definition->fields : object.fields;
}

TablePlace whole_table(const Node* node) {
  TablePlace whole;
  expand(whole_document(), whole.values);
  keep_what_suits(whole.values, node);
  return whole;
}

TablePlace part_of_tuple(const TablePlace& tuple, std::size_t element, const Node* node) {
  TablePlace place{.input = tuple.input};
  for (const ValueText* value : tuple.values)
    if (value->form == ValueForm::tuple && element < value->fields.size()) step_to(value->fields[element], place);
  keep_what_suits(place.values, node);
  return place;
}

TablePlace place_in(const TablePlace& parent, const std::string& key, const Node* node) {
  TablePlace place{.input = parent.input};
  for (const ValueText* value : parent.values) {
    if (value->form == ValueForm::list || value->form == ValueForm::map) expand(value->parts.front(), place.values);
    if (value->form != ValueForm::object) continue;
    for (const FieldText& field : fields_of(*value)) {
      if (field.key != key) continue;
      if (place.field == nullptr) place.owner = value->definition;
      step_to(field, place);
    }
  }
  keep_what_suits(place.values, node);
  return place;
}

std::vector<TablePlace> places_along(const std::string& pointer) {
  std::vector<TablePlace> places;
  TablePlace place = whole_table(nullptr);
  for (const std::string& key : split_pointer(pointer)) {
    place = place_in(place, key, nullptr);
    if (place.values.empty()) break;
    places.push_back(place);
  }
  return places;
}

PlaceType type_of(const TablePlace& place) {
  PlaceType best;
  for (const ValueText* value : place.values) {
    switch (value->type.kind) {
      case PlaceKind::choice:
      case PlaceKind::whole:
      case PlaceKind::flag:
        return value->type;
      case PlaceKind::number:
        if (best.kind != PlaceKind::ratio) best.kind = PlaceKind::number;
        break;
      case PlaceKind::structure:
        break;
      default:
        best = value->type;
    }
  }
  return best;
}

bool has_equal_children(const TablePlace& place) {
  return std::any_of(place.values.begin(), place.values.end(), [](const ValueText* value) {
    return value->form == ValueForm::list || value->form == ValueForm::map;
  });
}

std::vector<std::string> keys_of_all(const TablePlace& place) {
  std::vector<std::string> all;
  for (const ValueText* value : place.values) {
    if (value->form != ValueForm::object) continue;
    std::vector<std::string> keys;
    for (const FieldText& field : fields_of(*value)) keys.push_back(field.key);
    std::sort(keys.begin(), keys.end());
    all.insert(all.end(), keys.begin(), keys.end());
  }
  return all;
}

std::vector<const Definition*> all_definitions() {
  std::vector<const Definition*> found;
  collect(whole_document(), found);
  return found;
}

}  // namespace saturn
