#include "scenarios/fitted_reference.hpp"

#include <algorithm>

#include "scenarios/scenario_fields.hpp"
#include "scenarios/table_walk.hpp"

namespace saturn {

const Definition& fitted_definition() {
  static const Definition definition{
      "fitted",
      "A fitted parameter file (`saturn calibrate FILES... --out fitted.json`) in the place of a duration, a time, a "
      "bandwidth or a service law. The fit's value is what is simulated; `run` and `plan` also draw its parameters "
      "from their covariance, so that intervals hold what the measurements leave open.",
      {{"fitted",
        {"file name", R"({"type":"string","minLength":1})", ValueForm::single, {PlaceKind::text}},
        true,
        R"("fitted.json")",
        "",
        "",
        "The file, relative to the scenario file."},
       {"fit",
        {"name of a fit", R"({"type":"string","minLength":1})", ValueForm::single, {PlaceKind::text}},
        false,
        "",
        "",
        "the only fit of the wanted kind; for a service law, a fit named like the model comes first",
        "Which of the file's fits."}},
      {}};
  return definition;
}

std::optional<FittedPlace> fitted_place(const std::string& pointer) {
  const std::vector<TablePlace> places = places_along(pointer);
  if (places.empty() || places.size() != split_pointer(pointer).size()) return std::nullopt;
  const TablePlace& place = places.back();
  const auto may_be = [&](const Definition& definition) {
    return std::any_of(place.values.begin(), place.values.end(),
                       [&](const ValueText* value) { return value->definition == &definition; });
  };
  if (may_be(service_law_shape().definition())) return FittedPlace{"service law", false};
  // Elements of lists and the plain value of a distribution stand in their fit's place as a whole.
  if (place.owner == nullptr || !may_be(fitted_definition())) return std::nullopt;
  const bool plain = place.values.size() == 2;
  return FittedPlace{type_of(place).dimension == Dimension::bandwidth ? "bandwidth" : "time", plain};
}

}  // namespace saturn
