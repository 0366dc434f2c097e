#include <nlohmann/json.hpp>

#include <algorithm>

#include "scenarios/definitions.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

namespace {

// Keeps the order of the table, which is the order in which editors offer the keys.
using OrderedJson = nlohmann::ordered_json;

OrderedJson schema_of(const FieldText& field) {
  OrderedJson schema = OrderedJson::parse(field.value.schema);
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
      schema["oneOf"].push_back(OrderedJson::parse(alternative.schema));
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
