#include "scenarios/fields/field_table.hpp"

#include <algorithm>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

std::string anchor(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

/// What to write in the place of a key that a definition does not have.
std::string key_instead(const std::string& unknown, const Definition& definition) {
  std::vector<std::string> known;
  for (const FieldText& field : definition.fields) {
    if (field.former == unknown) return "; it is called \"" + field.key + "\" now.";
    known.push_back(field.key);
  }
  return "; " + name_meant(unknown, known, "did you mean", "it may have");
}

void refuse_unknown_keys(const Spot& spot, const Definition& definition, ComplaintList& complaints) {
  for (const Node& child : spot.node.children) {
    if (complaints.full()) return;
    const auto is_child = [&](const FieldText& field) { return field.key == child.key; };
    if (std::any_of(definition.fields.begin(), definition.fields.end(), is_child)) continue;
    complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.unknown_key",
                      spot.subject() + " has the key " + shown(child.key) + ", which " + with_article(definition.name) +
                          " does not have" + key_instead(child.key, definition));
  }
}

}  // namespace

std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

bool check_keys(const Spot& spot, const Definition& definition, ComplaintList& complaints) {
  if (spot.node.kind != NodeKind::object) {
    refuse_value(spot, complaints, "scenario.wrong_type",
                 "; " + with_article(definition.name) + " in braces is needed.");
    return false;
  }
  refuse_unknown_keys(spot, definition, complaints);
  for (const FieldText& field : definition.fields)
    if (field.required && spot.node.find(field.key) == nullptr)
      complaints.refuse(spot.node.place, spot.pointer + "/" + escape_pointer(field.key), "scenario.missing_key",
                        spot.subject() + " lacks \"" + field.key + "\", which " + with_article(definition.name) +
                            " needs, for example \"" + field.key + "\": " + field.example + ".");
  return true;
}

ValueText reference_to(const Definition& definition) {
  return {.words = "[" + definition.name + "](#" + anchor(definition.name) + ")",
          .form = ValueForm::object,
          .definition = &definition};
}

std::optional<std::size_t> chosen_key(const Spot& spot, const std::vector<std::string>& keys, const std::string& noun,
                                      ComplaintList& complaints) {
  std::vector<std::size_t> present;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (spot.node.find(keys[i]) != nullptr) present.push_back(i);
  if (present.size() == 1) return present.front();

  std::string nearest;
  for (const Node& child : spot.node.children) {
    if (!present.empty() || complaints.full()) break;
    nearest = nearest_name(child.key, keys);
    if (!nearest.empty()) {
      nearest = " Did you mean \"" + nearest + "\" instead of " + shown(child.key) + "?";
      break;
    }
  }
  const std::string found =
      present.empty() ? "no key " + listed(keys) : "both \"" + keys[present[0]] + "\" and \"" + keys[present[1]] + "\"";
  complaints.refuse(spot.node.place, spot.pointer, "scenario.not_one_of",
                    spot.subject() + " has " + found + "; " + noun + " has exactly one of them." + nearest);
  return std::nullopt;
}

ValueText kind_text(const std::vector<FieldText>& fields) {
  std::string keys;
  std::string words;
  for (const FieldText& field : fields) {
    keys += (keys.empty() ? "\"" : ", \"") + field.key + "\": ...";
    append_part(words, field.value.words, ", and ");
  }
  return {.words = "`{ " + keys + " }` with " + words, .form = ValueForm::object, .fields = fields};
}

std::optional<std::size_t> chosen_kind(const Spot& spot, const Definition& definition, const KindWords& words,
                                       ComplaintList& complaints) {
  std::vector<std::string> names;
  std::vector<std::size_t> alternatives;
  for (std::size_t i = 0; i < definition.alternatives.size(); ++i) {
    if (definition.alternatives[i].fields.empty()) continue;
    names.push_back(definition.alternatives[i].fields.front().key);
    alternatives.push_back(i);
  }
  const std::optional<std::size_t> chosen = chosen_key(spot, names, words.noun, complaints);
  if (!chosen) return std::nullopt;
  const std::vector<FieldText>& known = definition.alternatives[alternatives[*chosen]].fields;
  for (const Node& child : spot.node.children)
    if (std::none_of(known.begin(), known.end(), [&](const FieldText& field) { return field.key == child.key; }))
      complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.unknown_key",
                        spot.subject() + " has the key " + shown(child.key) + " beside \"" + names[*chosen] + "\"; " +
                            words.alone + ", and its parameters stand inside.");
  return alternatives[*chosen];
}

}  // namespace saturn
