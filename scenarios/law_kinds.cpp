#include "scenarios/law_kinds.hpp"

namespace saturn {

ValueText law_text(const std::string& key, const ValueText& value) {
  return {.words = "`{ \"" + key + "\": ... }` with " + value.words,
          .schema = {},
          .form = ValueForm::object,
          .fields = {{.key = key, .value = value, .required = true}}};
}

std::optional<std::size_t> chosen_law(const Spot& spot, const std::vector<std::string>& keys,
                                      ComplaintList& complaints) {
  const std::optional<std::size_t> chosen = chosen_key(spot, keys, "a distribution", complaints);
  if (!chosen) return std::nullopt;
  for (const Node& child : spot.node.children)
    if (child.key != keys[*chosen])
      complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.unknown_key",
                        spot.subject() + " has the key " + shown(child.key) + " beside \"" + keys[*chosen] +
                            "\"; a distribution has one key, and its parameters stand inside.");
  return chosen;
}

}  // namespace saturn
