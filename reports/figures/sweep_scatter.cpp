#include "reports/figures/sweep_scatter.hpp"

#include <algorithm>

#include "models/words/texts.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figure_scale.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/spec_words.hpp"
#include "reports/figures/swept_number.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double scatter_width = 560.0;
constexpr double scatter_height = 280.0;

TidyRows scatter_rows(const std::vector<const SweepRow*>& answered, const ShownMetric& metric, std::size_t column,
                      const SweptNumber& x, const SweptNumber& y) {
  TidyRows rows{.columns = {x.column, y.column, y.low, y.high, {.name = "point"}}};
  make_heads_distinct(rows.columns, 4);
  for (const std::size_t place : thinned_places(answered.size(), most_scattered)) {
    const SweepRow& row = *answered[place];
    const SweepMetric& value = *metric_at(row, metric);
    const auto scaled = [&](const std::optional<double>& bound) {
      return bound ? RowCell(y.shown(*bound)) : RowCell();
    };
    rows.rows.push_back({x.shown(*row.cells.at(column).number), y.shown(value.mean), scaled(value.low),
                         scaled(value.high), static_cast<double>(row.number)});
  }
  return rows;
}

std::string scatter_spec(const Figure& figure, const SweptNumber& x, const SweptNumber& y) {
  const std::vector<double> values = numbers_in(figure.rows, 1, 3);
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  const std::vector<double> xs = numbers_in(figure.rows, 0, 0);
  put_scale(changes, "/encoding/x", scale_of(xs, {.pixels = scatter_width}));
  if (all_whole(xs)) changes.push_back({"/encoding/x/axis/tickMinStep", 1.0});
  // From 0 where that does not press the values together.
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  put_scale(changes, "/layer/1/encoding/y",
            scale_of(values, {.pixels = scatter_height, .from_zero = *least < *most / 2}));
  const std::string low = figure.rows.columns[2].head();
  const std::string high = figure.rows.columns[3].head();
  changes.push_back({"/layer/0/transform/0/filter", "isValid(datum." + low + ") && isValid(datum." + high + ")"});
  if (numbers_in(figure.rows, 2, 3).empty()) changes.push_back({.pointer = "/layer/0"});
  return with_words(filled_spec("sweep_scatter", changes), {{"x", figure.rows.columns[0].head()},
                                                            {"value", figure.rows.columns[1].head()},
                                                            {"low", low},
                                                            {"high", high},
                                                            {"x title", x.title},
                                                            {"value title", y.title}});
}

}  // namespace

std::vector<std::size_t> thinned_places(std::size_t n, std::size_t most) {
  const std::size_t step = n <= most ? 1 : (n + most - 1) / most;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < n; place += step) places.push_back(place);
  return places;
}

Figure sweep_scatter_figure(const SweepTable& table, const ResolvedView& view, std::size_t column,
                            const FigureContext& context) {
  const SweptNumber y = swept_metric(*view.metric, view.rows);
  const SweptNumber x = swept_axis(table, shown_axis(table, view.rows, column), column);
  std::vector<const SweepRow*> answered;
  for (const SweepRow* row : view.rows)
    if (metric_at(*row, *view.metric) != nullptr) answered.push_back(row);
  Figure figure{.name = "samples_" + x.column.name + "_" + y.column.head(),
                .title = capitalised(y.words) + " at " + whole_text(answered.size()) + " points against " + x.words,
                .subtitle = figure_subtitle(context.scenario, context.seed),
                .caption = "Each point is one of the sweep; the other axes differ from point to point as well.",
                .rows = scatter_rows(answered, *view.metric, column, x, y)};
  if (figure.rows.rows.size() < answered.size())
    figure.caption += " " + whole_text(figure.rows.rows.size()) + " of " + whole_text(answered.size()) +
                      " points are drawn; points.csv holds all.";
  if (figure.rows.rows.empty()) {
    figure.cannot = "No point has a " + y.words + ".";
  } else {
    figure.spec = scatter_spec(figure, x, y);
  }
  return figure;
}

}  // namespace saturn
