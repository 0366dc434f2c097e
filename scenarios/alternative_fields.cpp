#include "scenarios/node_text.hpp"
#include "scenarios/scenario_fields.hpp"

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

}  // namespace saturn
