#include "reports/figures/sweep_word_map.hpp"

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/spec_words.hpp"
#include "reports/figures/sweep_maps.hpp"
#include "reports/figures/swept_number.hpp"
#include "reports/number_text.hpp"
#include "reports/terminal_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_named_words = 7;
constexpr std::size_t most_lettered_cells = 400;
constexpr std::size_t longest_map_word = 40;

std::string map_letter(std::size_t word) {
  return word < most_named_words ? std::string(1, static_cast<char>('A' + word)) : "?";
}

std::string legend_label(const HeatGrids& grids, std::size_t word) {
  if (word >= most_named_words) return "? other words";
  return map_letter(word) + "  " + terminal_text(grids.words[word], longest_map_word);
}

std::vector<RowCell> word_row(const HeatGrids& grids, const HeatCell* cell, std::size_t x, std::size_t y) {
  std::vector<RowCell> row{grids.x->labels[x], grids.y->labels[y], static_cast<double>(x), static_cast<double>(y)};
  if (cell != nullptr && cell->kind == HeatCell::Kind::word) {
    row.insert(row.end(), {grids.words[cell->word], map_letter(cell->word), legend_label(grids, cell->word),
                           std::string(cell->imprecise ? "less precise than asked" : "answered")});
  } else {
    row.insert(row.end(), {RowCell(), RowCell(), RowCell(), why_no_value(cell)});
  }
  row.push_back(cell == nullptr ? RowCell() : RowCell(static_cast<double>(cell->row->number)));
  return row;
}

TidyRows word_rows(const HeatGrids& grids, const HeatGrid& grid) {
  TidyRows rows{.columns = {{.name = field_name(grids.x->name), .unit = field_name(grids.x->unit)},
                            {.name = field_name(grids.y->name), .unit = field_name(grids.y->unit)},
                            {.name = "x_place"},
                            {.name = "y_place"},
                            {.name = "word"},
                            {.name = "letter"},
                            {.name = "shown"},
                            {.name = "status"},
                            {.name = "point"}}};
  make_heads_distinct(rows.columns, 2);
  for (std::size_t y = 0; y < grids.y->values.size(); ++y)
    for (std::size_t x = 0; x < grids.x->values.size(); ++x)
      rows.rows.push_back(word_row(grids, grids.at(grid, x, y), x, y));
  return rows;
}

std::vector<std::size_t> counts_of_words(const HeatGrids& grids, const HeatGrid& grid) {
  std::vector<std::size_t> counts(grids.words.size(), 0);
  for (const auto& [place, cell] : grid.cells)
    if (cell.kind == HeatCell::Kind::word) ++counts[cell.word];
  return counts;
}

/// "What binds first: gke/t4 at 60 of 96 points, network fnal-iowa at 36"
std::string words_title(const HeatGrids& grids, const std::vector<std::size_t>& counts, std::size_t cells) {
  constexpr std::size_t most_in_title = 2;
  std::string title = capitalised(metric_title(grids.view.metric->stem)) + ":";
  std::size_t said = 0;
  for (std::size_t word = 0; word < counts.size() && said < most_in_title; ++word) {
    if (counts[word] == 0) continue;
    title += (said > 0 ? ", " : " ") + terminal_text(grids.words[word], longest_map_word) + " at " +
             whole_text(static_cast<double>(counts[word])) + (said > 0 ? "" : " of " + counted(cells, "point"));
    ++said;
  }
  return title;
}

std::string words_spec(const HeatGrids& grids, const Figure& figure, bool complete) {
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  if (figure.rows.rows.size() > most_lettered_cells) changes.push_back({.pointer = "/layer/2"});
  if (complete) changes.push_back({.pointer = "/layer/1"});
  return with_words(filled_spec("sweep_word_map", changes),
                    {{"x", figure.rows.columns[0].head()},
                     {"y", figure.rows.columns[1].head()},
                     {"x title", name_with_unit(axis_title(grids.x->name), grids.x->unit)},
                     {"y title", name_with_unit(axis_title(grids.y->name), grids.y->unit)},
                     {"legend title", metric_title(grids.view.metric->stem)}});
}

}  // namespace

Figure sweep_word_map_figure(const HeatGrids& grids, const HeatGrid& grid, const FigureContext& context) {
  const std::vector<std::size_t> counts = counts_of_words(grids, grid);
  std::size_t known = 0;
  for (const std::size_t count : counts) known += count;
  Figure figure{
      .name = "words_" + field_name(grids.view.metric->name),
      .title = words_title(grids, counts, grid.cells.size()),
      .subtitle = figure_subtitle(context.scenario, context.seed) + (grid.title.empty() ? "" : "; " + grid.title),
      .caption = "Every cell is a point of the sweep, its letter and colour a word; grey cells have none.",
      .rows = word_rows(grids, grid)};
  if (known == 0) {
    figure.cannot = "No point has an answer yet that says " + metric_title(grids.view.metric->stem) + ".";
  } else {
    figure.spec = words_spec(grids, figure, known == figure.rows.rows.size());
  }
  return figure;
}

}  // namespace saturn
