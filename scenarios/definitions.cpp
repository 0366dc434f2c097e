#include "scenarios/definitions.hpp"

#include <algorithm>

#include "scenarios/scenario_fields.hpp"

namespace saturn {

namespace {

void collect(const Definition* definition, std::vector<const Definition*>& found) {
  if (std::find(found.begin(), found.end(), definition) != found.end()) return;
  found.push_back(definition);
  for (const FieldText& field : definition->fields)
    for (const Definition* used : field.value.definitions) collect(used, found);
  for (const ValueText& alternative : definition->alternatives)
    for (const Definition* used : alternative.definitions) collect(used, found);
}

}  // namespace

std::vector<const Definition*> all_definitions() {
  std::vector<const Definition*> found;
  collect(&scenario_shape().definition(), found);
  return found;
}

}  // namespace saturn
