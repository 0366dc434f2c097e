#include <optional>
#include <utility>

#include "reports/figures/figures.hpp"
#include "reports/number_text.hpp"
#include "reports/page/page_tables.hpp"
#include "reports/page/scenario_sections.hpp"

namespace saturn {

namespace {

constexpr int elasticity_digits = 2;

PageTable sensitivity_table(const Sensitivity& sensitivity) {
  PageTable table = page_table("How the answer, " + number_text(sensitivity.value, 4) + " " + sensitivity.answer +
                                   (sensitivity.unit.empty() ? "" : " " + sensitivity.unit) + ", moves",
                               {{"input"},
                                {"value", true},
                                {"off by", true},
                                {"from"},
                                {"elasticity", true},
                                {"answer if lower", true},
                                {"answer if higher", true},
                                {"share of the variance", true}});
  for (const SensitivityRow& row : sensitivity.rows)
    table.rows.push_back({row.input.pointer, row.input.value, percent_text(row.input.uncertainty),
                          uncertainty_from(row.input), number_text(row.elasticity.mean, elasticity_digits),
                          number_text(row.when_low, 4), number_text(row.when_high, 4),
                          percent_text(row.variance_share)});
  return table;
}

/// A value in the unit of its quantity's tables.
std::string shown_value(const MeasuredQuantity& quantity, double value) {
  return number_text(value * quantity.shown_factor, 4);
}

PageTable case_table(const ValidationCase& validation) {
  PageTable table =
      page_table(validation.about.title,
                 {{"point"}, {"quantity"}, {"measured", true}, {"simulated", true}, {"error", true}, {"remark"}});
  for (const ValidationRow& row : validation.rows) {
    for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
      const MeasuredValue& value = row.measured.values[i];
      const MeasuredQuantity& quantity = *value.quantity;
      const std::string unit = quantity.unit.empty() ? "" : " [" + std::string(quantity.unit) + "]";
      std::string remark = row.unscored();
      if (remark.empty() && !value.scored) remark = "not counted";
      table.rows.push_back({row.measured.label, std::string(quantity.heading) + unit,
                            shown_value(quantity, value.value), estimate_text(row.simulated[i], quantity.shown_factor),
                            signed_percent_text(row.error(i)), remark});
    }
  }
  return table;
}

PageTable scores_table(const ValidationCase& validation) {
  PageTable table = page_table(validation.about.title + ": errors of the simulation", {{"quantity"},
                                                                                       {"rows", true},
                                                                                       {"median", true},
                                                                                       {"worst", true},
                                                                                       {"where"},
                                                                                       {"bias", true},
                                                                                       {"trend with load"},
                                                                                       {"band asked for"},
                                                                                       {"kept"}});
  const auto said = [](const std::string& text) { return text.empty() ? no_value : text; };
  for (const Score& score : scores(validation)) {
    const VerdictWords words = verdict_words(score);
    const bool any = score.rows > 0;
    const std::optional<bool> kept = score.within();
    table.rows.push_back({std::string(score.quantity->heading), std::to_string(score.rows), said(words.median),
                          any ? signed_percent_text(score.worst_error) : no_value, any ? score.worst_at : no_value,
                          any ? signed_percent_text(score.mean_error) : no_value, said(words.trend_in_short),
                          said(words.band),
                          kept                 ? (*kept ? "yes" : "NO")
                          : words.band.empty() ? no_value
                                               : "NO"});
  }
  return table;
}

}  // namespace

PageSection inputs_section(const ScenarioStudies& studies) {
  PageSection section{.id = "inputs", .heading = "What the answer rests on"};
  if (!studies.sensitivity) {
    if (!studies.sensitivity.why_not.empty()) section.paragraphs.push_back(studies.sensitivity.why_not);
    return section;
  }
  const Sensitivity& sensitivity = *studies.sensitivity;
  section.figures.push_back(tornado_figure(sensitivity, {.scenario = studies.name, .seed = studies.provenance.seed}));
  section.tables.push_back(sensitivity_table(sensitivity));
  if (!sensitivity.without_effect.empty()) {
    std::string without = "Without effect:";
    for (const std::string& pointer : sensitivity.without_effect)
      without += (pointer == sensitivity.without_effect.front() ? " " : ", ") + pointer;
    section.paragraphs.push_back(without + ".");
  }
  for (const std::string& note : sensitivity.notes) section.paragraphs.push_back("Note: " + note);
  return section;
}

PageSection measured_section(const ScenarioStudies& studies) {
  PageSection section{.id = "measured", .heading = "Measured beside simulated"};
  if (!studies.measured) {
    if (!studies.measured.why_not.empty()) section.paragraphs.push_back(studies.measured.why_not);
    return section;
  }
  const bool several = studies.measured->cases.size() > 1;
  for (const ValidationCase& validation : studies.measured->cases) {
    Figure figure = validation_figure(validation, {.scenario = studies.name, .seed = studies.provenance.seed});
    if (several) figure.name += "_" + validation.about.id;
    section.figures.push_back(std::move(figure));
    section.paragraphs.push_back(validation.about.title + ". Source: " + validation.about.source +
                                 ". Again: saturn validate " + validation.about.id);
    section.tables.push_back(scores_table(validation));
    section.tables.push_back(case_table(validation));
  }
  return section;
}

}  // namespace saturn
