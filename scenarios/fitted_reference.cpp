#include "scenarios/fitted_reference.hpp"

#include <map>

#include "scenarios/definitions.hpp"

namespace saturn {

namespace {

std::map<std::string, FittedPlace> places_by_key() {
  std::map<std::string, FittedPlace> places;
  for (const Definition* definition : all_definitions()) {
    if (definition == &fitted_definition()) continue;
    for (const FieldText& field : definition->fields) {
      const std::string& words = field.value.words;
      if (words.starts_with("bandwidth,"))
        places.emplace(field.key, FittedPlace{FitKind::bandwidth, true});
      else if (words.starts_with("duration,"))
        places.emplace(field.key, FittedPlace{FitKind::time, true});
      else if (words.starts_with("[time]"))
        places[field.key] = {FitKind::time, false};
    }
  }
  return places;
}

}  // namespace

const Definition& fitted_definition() {
  static const Definition definition{
      "fitted",
      "A fitted parameter file (`saturn calibrate FILES... --out fitted.json`) in the place of a duration, a time, a "
      "bandwidth or a service law. The fit's value is what is simulated; `run` and `plan` also draw its parameters "
      "from their covariance, so that intervals hold what the measurements leave open.",
      {{"fitted",
        {"file name", R"({"type":"string","minLength":1})"},
        true,
        R"("fitted.json")",
        "",
        "",
        "The file, relative to the scenario file."},
       {"fit",
        {"name of a fit", R"({"type":"string","minLength":1})"},
        false,
        "",
        "",
        "the only fit of the wanted kind; for a service law, a fit named like the model comes first",
        "Which of the file's fits."}},
      {}};
  return definition;
}

std::optional<FittedPlace> fitted_place(const std::string& pointer) {
  static const std::map<std::string, FittedPlace> places = places_by_key();
  const std::vector<std::string> keys = split_pointer(pointer);
  if (keys.size() == 4 && keys[0] == "models" && keys[2] == "service") return FittedPlace{FitKind::service_law, false};
  if (keys.empty()) return std::nullopt;
  const auto found = places.find(keys.back());
  return found == places.end() ? std::nullopt : std::optional<FittedPlace>(found->second);
}

}  // namespace saturn
