#include <nlohmann/json.hpp>

#include <algorithm>

#include "scenarios/field_table.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/table_walk.hpp"

namespace saturn {

namespace {

// Keeps the order of the table, which is the order in which editors offer the keys.
using OrderedJson = nlohmann::ordered_json;
using Json = nlohmann::json;

std::string schema_text(const ValueText& value);

Json schemas_of(const std::vector<ValueText>& values) {
  Json schemas = Json::array();
  for (const ValueText& value : values) schemas.push_back(Json::parse(schema_text(value)));
  return schemas;
}

/// Of a list, an object or a choice, from what they are made of.
Json schema_of_parts(const ValueText& value) {
  switch (value.form) {
    case ValueForm::list:
      return {{"type", "array"},
              {"items", schemas_of(value.parts).front()},
              {"minItems", value.least},
              {"maxItems", value.most}};
    case ValueForm::map:
      return {{"type", "object"}, {"additionalProperties", schemas_of(value.parts).front()}};
    case ValueForm::either:
      return {{"anyOf", schemas_of(value.parts)}};
    default:
      break;
  }
  if (value.definition != nullptr) return {{"$ref", "#/$defs/" + identifier(value.definition->name)}};
  std::vector<ValueText> values;
  for (const FieldText& field : value.fields) values.push_back(field.value);
  const std::size_t length = values.size();
  if (value.form == ValueForm::tuple)
    return {{"type", "array"}, {"prefixItems", schemas_of(values)}, {"minItems", length}, {"maxItems", length}};
  Json schema{{"type", "object"}, {"required", Json::array()}, {"additionalProperties", false}};
  for (const FieldText& field : value.fields) {
    schema["properties"][field.key] = Json::parse(schema_text(field.value));
    if (field.required) schema["required"].push_back(field.key);
  }
  return schema;
}

std::string schema_text(const ValueText& value) {
  if (!value.schema.empty() && !value.described) return value.schema;
  Json schema = value.schema.empty() ? schema_of_parts(value) : Json::parse(value.schema);
  if (value.described) schema["description"] = value.words;
  return schema.dump();
}

OrderedJson schema_of(const FieldText& field) {
  OrderedJson schema = OrderedJson::parse(schema_text(field.value));
  // A quantity's range stands in its description; the sentence goes before it.
  const std::string range = schema.contains("description") ? schema["description"].get<std::string>() : std::string();
  std::string description = field.sentence;
  if (!range.empty()) description += " (" + range + ")";
  if (!field.absent.empty()) description += " When absent: " + field.absent + ".";
  schema["description"] = description;
  if (!field.fallback.empty()) schema["default"] = OrderedJson::parse(field.fallback);
  if (!field.example.empty()) schema["examples"] = OrderedJson::array({OrderedJson::parse(field.example)});
  return schema;
}

OrderedJson schema_of(const Definition& definition) {
  OrderedJson schema;
  schema["description"] = definition.sentence;
  if (!definition.alternatives.empty()) {
    for (const ValueText& alternative : definition.alternatives)
      schema["oneOf"].push_back(OrderedJson::parse(schema_text(alternative)));
    return schema;
  }
  schema["type"] = "object";
  for (const FieldText& field : definition.fields) {
    schema["properties"][field.key] = schema_of(field);
    if (field.required) schema["required"].push_back(field.key);
  }
  schema["additionalProperties"] = false;
  return schema;
}

}  // namespace

std::string scenario_schema() {
  const std::vector<const Definition*> definitions = all_definitions();
  OrderedJson schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "saturn scenario";
  schema["$ref"] = "#/$defs/" + identifier(definitions.front()->name);
  for (const Definition* definition : definitions)
    schema["$defs"][identifier(definition->name)] = schema_of(*definition);
  return schema.dump(2) + "\n";
}

}  // namespace saturn
