#include <string>

#include "scenarios/parse_document.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/table_walk.hpp"

namespace saturn {

namespace {

std::string in_table(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
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

}  // namespace saturn
