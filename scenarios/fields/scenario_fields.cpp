#include "scenarios/fields/scenario_fields.hpp"

#include <nlohmann/json.hpp>

#include <string>

#include "models/words/texts.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/fields/field_table.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_settings = 1000;

// The row that every comparison has, made from the scenario's cpu_alternative.
const std::string reserved_name = "CPU only";

/// A value that is looked at only once it stands in its place.
const ValueText& any_value() {
  static const ValueText text{.words = "any value", .schema = "{}", .form = ValueForm::any};
  return text;
}

void check_pointer(const Node& setting, const Spot& spot, ComplaintList& complaints) {
  const bool of_alternatives = setting.key == "/alternatives" || setting.key.starts_with("/alternatives/");
  if (setting.key.starts_with('/') && !of_alternatives) return;
  complaints.refuse(setting.key_place, spot.member(setting).pointer, "scenario.not_a_pointer",
                    spot.subject() + " has the key " + shown(setting.key) + "; " +
                        (of_alternatives ? "an alternative cannot change the list of alternatives."
                                         : "a JSON pointer into the scenario is needed, for example "
                                           "\"/servers/0/site\"."));
}

Rule<std::vector<Override>> settings_rule() {
  return {map_text(any_value(), "JSON pointer"),
          [](const Spot& spot, ComplaintList& complaints) -> std::optional<std::vector<Override>> {
            if (!is_map(spot, most_settings, complaints)) return std::nullopt;
            std::vector<Override> settings;
            for (const Node& child : spot.node.children) {
              check_pointer(child, spot, complaints);
              settings.push_back({.pointer = child.key, .value = override_text(child)});
            }
            return settings;
          }};
}

}  // namespace

const Shape<ScenarioAlternative>& alternative_shape() {
  static const Shape<ScenarioAlternative> shape =
      Shape<ScenarioAlternative>("alternative", "Another way to do the same, as changes of the scenario.")
          .required("name", name_rule(), &ScenarioAlternative::name, "\"service on site\"",
                    "Unique among the alternatives, and not \"CPU only\".")
          .unchosen()
          .required("set", settings_rule(), &ScenarioAlternative::set, "{ \"/servers/0/site\": \"fnal\" }",
                    "Values by JSON pointer, as `--set` takes them, in their order; `{}` is the scenario as it stands.")
          .finish([](ScenarioAlternative& alternative, const Spot& spot, ComplaintList& complaints) {
            if (alternative.name != reserved_name) return;
            complaints.refuse(spot.node.find("name")->place, spot.pointer + "/name", "scenario.reserved_name",
                              spot.pointer +
                                  "/name is \"CPU only\", the row that every comparison has; it follows "
                                  "from the \"cpu_alternative\" of the stages. Choose another name.");
          });
  return shape;
}

namespace {

constexpr std::size_t most_axes = 100;
constexpr std::size_t most_conditions = 100;
constexpr std::size_t longest_axis = 100'000;

}  // namespace

const Shape<SweepText>& sweep_shape() {
  static const Shape<SweepText> shape =
      Shape<SweepText>("sweep",
                       "The points that `saturn sweep` computes when no `--axis` is given; nothing else heeds it.")
          .required("axes", list_of(text_rule(1, longest_axis, "axis"), 1, most_axes), &SweepText::axes,
                    R"(["/jobs/0/count=1:512:x2"])",
                    "Fields by JSON pointer with the values they take, as `--axis` takes them; they are crossed, the "
                    "last one running fastest.")
          .optional("where", list_of(line_rule(), 0, most_conditions), &SweepText::where,
                    "all combinations of the values",
                    "Conditions between the axes, as `--where` takes them; all of them hold at every point.")
          .optional("sample", count_rule(1, most_points), &SweepText::sample, "every point",
                    "So many points are drawn in place of all.")
          .defaulted(
              "sampling",
              choice_rule<Sampling>({{"latin_hypercube", Sampling::latin_hypercube}, {"random", Sampling::random}}),
              &SweepText::sampling,
              "How they are drawn: with the values of every axis spread evenly over the sample, or each point "
              "on its own.");
  return shape;
}

namespace {

std::string in_table(const std::string& text) {
  return replaced_all(text, "|", "\\|");
}

std::string default_of(const FieldText& field) {
  if (field.required) return "required";
  return field.fallback.empty() ? field.absent : "`" + field.fallback + "`";
}

std::string table_of(const Definition& definition) {
  std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const FieldText& field : definition.fields) {
    text += "| `" + field.key + "` | " + in_table(field.value.words) + " | " + in_table(default_of(field)) + " | " +
            in_table(field.sentence);
    if (!field.example.empty()) text += " Example: `" + in_table(field.example) + "`";
    text += " |\n";
  }
  return text;
}

std::string section_of(const Definition& definition) {
  std::string text = "\n## " + definition.name + "\n\n" + definition.sentence + "\n\n";
  if (definition.alternatives.empty()) return text + table_of(definition);
  text += "Exactly one of:\n\n";
  for (const ValueText& alternative : definition.alternatives) text += "- " + alternative.words + "\n";
  return text;
}

std::string units_section() {
  std::string text =
      "\n## units\n\nA quantity is a text: a number, a space if you like, and a unit, for example `\"11.8 ms\"`. A "
      "bare "
      "number is refused where a unit belongs. Counts are bare whole numbers; ratios are bare numbers or "
      "percentages.\n\n"
      "| quantity | units |\n|---|---|\n";
  for (const Dimension dimension :
       {Dimension::duration, Dimension::size, Dimension::bandwidth, Dimension::rate, Dimension::price,
        Dimension::energy_price, Dimension::traffic_price, Dimension::power, Dimension::ratio}) {
    std::string names;
    for (const Unit& unit : units())
      if (unit.dimension == dimension) names += (names.empty() ? "`" : ", `") + std::string(unit.name) + "`";
    text += "| " + std::string(name_of(dimension)) + " | " + names + " |\n";
  }
  return text +
         "\n`b` is a bit, `B` a byte of 8 bits; `k`, `M`, `G`, `T` are powers of 1000, `Ki`, `Mi`, `Gi` of 1024.\n";
}

}  // namespace

std::string scenario_reference() {
  std::string text =
      "# Scenario reference\n\n"
      "Generated from the field table of the reader (`cmake --build <folder> --target scenario_reference`); a test "
      "keeps "
      "the two equal. The same table makes the JSON Schema (`saturn schema`).\n\n"
      "A scenario is a JSON document in UTF-8 of at most 16 MiB, at most " +
      std::to_string(deepest_nesting) +
      " levels deep. Comments (`// ...` and `/* ... */`) are allowed. Unknown keys, and keys given twice, are errors. "
      "Every complaint names the place, the value found, what is allowed and the way out.\n";
  for (const Definition* definition : all_definitions()) text += section_of(*definition);
  return text + units_section();
}

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
