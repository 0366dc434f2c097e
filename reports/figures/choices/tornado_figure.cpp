#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_bars = 12;
// Of the answer: an axis for less would show its rounding.
constexpr double least_width = 1e-3;
constexpr double tornado_width = 380.0;

const std::string& short_name(const SensitivityInput& input) {
  return input.words.empty() ? input.pointer : input.words;
}

double width_of(const SensitivityRow& row) {
  const double width = std::max(row.when_low, row.when_high) - std::min(row.when_low, row.when_high);
  return std::isfinite(width) ? width : -1.0;
}

std::vector<SensitivityRow> widest_rows(const Sensitivity& sensitivity) {
  std::vector<SensitivityRow> rows;
  std::copy_if(sensitivity.rows.begin(), sensitivity.rows.end(), std::back_inserter(rows),
               [](const SensitivityRow& row) { return width_of(row) > 0.0; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SensitivityRow& a, const SensitivityRow& b) { return width_of(a) > width_of(b); });
  if (rows.size() > most_bars) rows.resize(most_bars);
  return rows;
}

// Two inputs of one name would share a bar.
std::vector<std::string> bar_names(const std::vector<SensitivityRow>& rows) {
  std::map<std::string, std::size_t> times;
  for (const SensitivityRow& row : rows) ++times[short_name(row.input)];
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const SensitivityRow& row : rows) {
    const std::string& name = short_name(row.input);
    const std::string shown = shortened(times[name] > 1 ? row.input.pointer : name, 44);
    const std::string value = ": " + shortened(row.input.value, 16) + " ± " + percent_text(row.input.uncertainty);
    std::string bar = shown + value;
    for (int number = 2; !taken.insert(bar).second; ++number) bar = shown + " (" + std::to_string(number) + ")" + value;
    names.push_back(bar);
  }
  return names;
}

FigureRows bar_rows(const std::vector<SensitivityRow>& rows, double value, double factor) {
  FigureRows found({{.name = "series"},
                    {.name = "input"},
                    {.name = "pointer"},
                    {.name = "value"},
                    {.name = "uncertainty", .unit = "percent"},
                    {.name = "uncertainty_from"},
                    {.name = "answer"},
                    {.name = "from"},
                    {.name = "elasticity"},
                    {.name = "variance_share", .unit = "percent"}});
  const std::vector<std::string> names = bar_names(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SensitivityRow& row = rows[i];
    for (const bool lower : {true, false})
      found.add({{"series", std::string(lower ? "input lower" : "input higher")},
                 {"input", names[i]},
                 {"pointer", row.input.pointer},
                 {"value", row.input.value},
                 {"uncertainty_percent", row.input.uncertainty * 100.0},
                 {"uncertainty_from", uncertainty_from(row.input)},
                 {"answer", (lower ? row.when_low : row.when_high) * factor},
                 {"from", value * factor},
                 {"elasticity", row.elasticity.mean},
                 {"variance_share_percent", row.variance_share * 100.0}});
  }
  return found;
}

std::string tornado_title(const Sensitivity& sensitivity, const SensitivityRow& widest) {
  return "What moves " + (sensitivity.answer.empty() ? "the answer" : sensitivity.answer) +
         " most: " + short_name(widest.input);
}

std::string tornado_caption(const Sensitivity& sensitivity, std::size_t shown) {
  std::string text =
      "Each bar is the answer with one input lower and higher by its uncertainty, all others as they are; the line is "
      "the answer with all of them as they are.";
  const std::size_t all = sensitivity.rows.size() + sensitivity.without_effect.size();
  if (all > shown) text += " Of " + std::to_string(all) + " inputs the " + std::to_string(shown) + " widest are shown.";
  if (!sensitivity.next_measurement.empty()) text += " " + sensitivity.next_measurement;
  return text;
}

}  // namespace

Figure tornado_figure(const Sensitivity& sensitivity, const FigureContext& context) {
  Figure figure{.name = "tornado",
                .title = "How much each input moves the answer",
                .subtitle = figure_subtitle(context.scenario, context.seed)};
  const std::vector<SensitivityRow> bars = widest_rows(sensitivity);
  const bool moves = !bars.empty() && width_of(bars.front()) > least_width * std::abs(sensitivity.value);
  if (!moves || !std::isfinite(sensitivity.value)) {
    figure.cannot = bars.empty() ? "No input moves the answer."
                                 : "No input moves the answer by more than " + percent_text(least_width) + ".";
    figure.rows = bar_rows(bars, sensitivity.value, 1.0).taken();
    return figure;
  }
  std::vector<double> ends{sensitivity.value};
  for (const SensitivityRow& row : bars) {
    ends.push_back(row.when_low);
    ends.push_back(row.when_high);
  }
  const ShownUnit unit = handiest_unit(ends, sensitivity.unit, 3);
  for (double& end : ends) end *= unit.factor;
  figure.title = tornado_title(sensitivity, bars.front());
  figure.caption = tornado_caption(sensitivity, bars.size());
  const std::string answer = name_with_unit(sensitivity.answer, unit.name);
  const std::string now = figure.subtitle + ": " + sensitivity.answer + " " +
                          with_unit(number_text(sensitivity.value * unit.factor), unit.name);
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", std::vector<std::string>{now}},
                                  {"/layer/0/encoding/x/axis/title", answer},
                                  {"/layer/0/encoding/tooltip/4/title", tooltip_title(answer)}};
  put_scale(changes, "/layer/0/encoding/x", scale_of(ends, {.pixels = tornado_width, .never_log = true}));
  figure.spec = filled_spec("tornado", changes);
  figure.rows = bar_rows(bars, sensitivity.value, unit.factor).taken();
  return figure;
}

}  // namespace saturn
