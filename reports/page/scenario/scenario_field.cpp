#include <algorithm>
#include <cmath>
#include <limits>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/page/scenario/scenario_page.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// Errors of formulas that are as good as none, that deserve a word, and with which a map would mislead.
constexpr double negligible_field_error = 0.0005;
constexpr double trusted_field_error = 0.05;
constexpr double most_field_error = 0.1;
constexpr double field_rounding = 1e-9;
/// A map whose values differ by less shows nothing but its colours.
constexpr double least_field_spread = 0.01;

Table checks_table(const FieldStudy& study) {
  Table table = page_table("Cells of the map, simulated: " + study.map.value_title, {{study.map.x.title},
                                                                                     {study.map.y.title},
                                                                                     {"by the bounds [s]", true},
                                                                                     {"simulated [s]", true},
                                                                                     {"the bounds are off by", true},
                                                                                     {"why not"}});
  for (const FieldCheck& check : study.checks)
    table.rows.push_back({check.x, check.y, optional_text(check.formula, 4),
                          check.simulated ? estimate_text(*check.simulated) : no_value,
                          check.error() ? signed_percent_text(*check.error()) : no_value, check.why_not});
  return table;
}

/// How far the map can be trusted.
std::string trust_sentence(const FieldStudy& study) {
  const FieldCheck* worst = study.worst();
  if (worst == nullptr) return "By the formulas; no cell was simulated.";
  const double error = *worst->error();
  const auto simulated = std::count_if(study.checks.begin(), study.checks.end(),
                                       [](const FieldCheck& check) { return check.error().has_value(); });
  std::string text =
      "By the formulas; where cells were simulated (" + std::to_string(simulated) +
      ", in the table below), the formulas " +
      (std::abs(error) < negligible_field_error ? "agree."
                                                : "are off by at most " + percent_text(std::abs(error)) + ".");
  if (error < -trusted_field_error)
    text += " The bounds know no waiting by chance, nor batches that are not the best ones: simulate what you choose.";
  return text;
}

std::string share_without_value(const FieldStudy& study) {
  const auto void_cells =
      std::count_if(study.map.cells.begin(), study.map.cells.end(), [](const MapCell& cell) { return !cell.value; });
  if (2 * void_cells < std::ssize(study.map.cells)) return "";
  const auto first =
      std::find_if(study.map.cells.begin(), study.map.cells.end(), [](const MapCell& cell) { return !cell.value; });
  return std::to_string(void_cells) + " of its " + std::to_string(study.map.cells.size()) +
         " cells have no value, such as: " + first->why_not;
}

}  // namespace

std::optional<double> FieldCheck::error() const {
  if (!formula || !simulated || !(simulated->mean > 0.0)) return std::nullopt;
  return *formula / simulated->mean - 1.0;
}

const FieldCheck* FieldStudy::worst() const {
  const FieldCheck* worst = nullptr;
  for (const FieldCheck& check : checks)
    if (check.error() && (worst == nullptr || std::abs(*check.error()) > std::abs(*worst->error()))) worst = &check;
  return worst;
}

std::string FieldStudy::why_no_map() const {
  const std::string map_words =
      "No map of the " + map.value_title + " over " + map.x.title + " and " + map.y.title + " is drawn: ";
  const FieldCheck* furthest = worst();
  if (furthest != nullptr && std::abs(*furthest->error()) > (1.0 + field_rounding) * most_field_error)
    return map_words + "at " + furthest->x + " and " + furthest->y + " the formulas say " +
           time_text(*furthest->formula) + ", the simulation " + time_text(furthest->simulated->mean) +
           ", and a map is not to miss by more than " + percent_text(most_field_error) + ".";
  if (const std::string missing = share_without_value(*this); !missing.empty()) return map_words + missing + ".";
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const MapCell& cell : map.cells) {
    if (!cell.value) continue;
    least = std::min(least, *cell.value);
    most = std::max(most, *cell.value);
  }
  if (most - least > least_field_spread * most) return "";
  return map_words + "with these jobs it stays " +
         (time_text(least) == time_text(most) ? "at " : "between " + time_text(least) + " and ") + time_text(most) +
         ", whatever they are.";
}

PageSection field_section(const ScenarioStudies& studies) {
  PageSection section{.id = "field", .heading = "Batch size and distance"};
  if (!studies.field) {
    add_paragraph(section, studies.field.why_not);
    return section;
  }
  const FieldStudy& study = *studies.field;
  section.heading = "Other " + (study.map.x.title.starts_with("speed") ? std::string("devices") : "batches") +
                    (study.map.y.title == "devices" ? ", more devices" : ", other distances");
  const std::string why_no_map = study.why_no_map();
  add_paragraph(section, why_no_map.empty() ? trust_sentence(study) : why_no_map);
  if (!study.checks.empty()) section.tables.push_back(checks_table(study));
  add_paragraph(section, study.unchecked);
  return section;
}

}  // namespace saturn
