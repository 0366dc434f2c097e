#include <algorithm>
#include <string>
#include <vector>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/axes/swept_number.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/figures/swept/sweep_lines.hpp"
#include "reports/figures/swept/sweep_maps.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_named_words = 7;
constexpr std::size_t most_word_lines = 40;
constexpr std::size_t most_marked_points = 400;
constexpr std::size_t longest_line_word = 40;
constexpr double word_lines_width = 540.0;
constexpr double word_lines_height = 320.0;
const std::string other_words = "other words";

/// What is being drawn.
struct WordLines {
  const HeatGrids& grids;
  const HeatGrid& grid;
  PlacedAxis x{};
  PlacedAxis y{};
  std::vector<std::size_t> ys{};     ///< values of y that have a line
  std::vector<std::size_t> named{};  ///< words with a colour of their own, the commonest first
  bool every_point = false;          ///< has a mark, not only where a word begins
};

std::string shown_word(const WordLines& lines, std::size_t word) {
  const bool named = std::find(lines.named.begin(), lines.named.end(), word) != lines.named.end();
  return named ? terminal_text(lines.grids.words[word], longest_line_word) : other_words;
}

bool has_word(const HeatCell* cell) {
  return cell != nullptr && cell->kind == HeatCell::Kind::word;
}

void add_point(FigureRows& rows, const WordLines& lines, std::size_t ix, std::size_t iy, const std::string& series) {
  const HeatCell* cell = lines.grids.at(lines.grid, ix, iy);
  rows.add(placed_cell(lines.x, ix, lines.y, iy));
  rows.amend({{"series", series}});
  if (cell != nullptr) rows.amend({{"point", static_cast<double>(cell->row->number)}});
  if (!has_word(cell)) return rows.amend({{"status", why_no_value(cell)}});
  rows.amend({{"word", lines.grids.words[cell->word]},
              {"shown", shown_word(lines, cell->word)},
              {"status", std::string(cell->imprecise ? "less precise than asked" : "answered")}});
}

/// The points from `ix` on along x that answer with the same word, as one line, and its marks.
/// @returns  the place behind them
std::size_t add_run(FigureRows& rows, const WordLines& lines, std::size_t ix, std::size_t iy) {
  const std::size_t word = lines.grids.at(lines.grid, ix, iy)->word;
  std::size_t end = ix;
  while (end < lines.x.centres.size() && has_word(lines.grids.at(lines.grid, end, iy)) &&
         lines.grids.at(lines.grid, end, iy)->word == word)
    ++end;
  add_point(rows, lines, ix, iy, "run");
  rows.amend({{"x_high", lines.x.edges[end]}, {"until", lines.x.texts[end - 1]}});
  for (std::size_t point = ix; point < (lines.every_point ? end : ix + 1); ++point)
    add_point(rows, lines, point, iy, "point");
  return end;
}

TidyRows word_line_rows(const WordLines& lines) {
  std::vector<RowColumn> columns;
  for (const char* name : {"series", "cell", "x", "x_low", "x_high", "x_text", "until", "y", "y_low", "y_high",
                           "y_text", "word", "shown", "status", "point"})
    columns.push_back({.name = name});
  FigureRows rows(std::move(columns));
  for (const std::size_t iy : lines.ys) {
    for (std::size_t ix = 0; ix < lines.x.centres.size();) {
      if (has_word(lines.grids.at(lines.grid, ix, iy))) {
        ix = add_run(rows, lines, ix, iy);
      } else {
        add_point(rows, lines, ix++, iy, "missing");
      }
    }
  }
  return rows.taken();
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
    title += (said > 0 ? ", " : " ") + terminal_text(grids.words[word], longest_line_word) + " at " +
             whole_text(static_cast<double>(counts[word])) + (said > 0 ? "" : " of " + counted(cells, "point"));
    ++said;
  }
  return title;
}

std::string word_lines_caption(const WordLines& lines) {
  std::string text = "One line for each " + lines.y.name + ", along " + lines.x.name +
                     ": where it changes its colour and mark, the word changes.";
  if (!lines.every_point) text += " Marks stand where a word begins.";
  if (lines.ys.size() < lines.y.centres.size())
    text += " " + whole_text(lines.ys.size()) + " of " + whole_text(lines.y.centres.size()) +
            " lines are drawn; points.csv holds all.";
  return text;
}

std::string word_lines_spec(const WordLines& lines, const Figure& figure, const std::vector<std::string>& shown,
                            bool complete) {
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", wrapped(figure.subtitle, title_letters)},
                                  {"/layer/1/encoding/shape/scale/domain", shown},
                                  {"/encoding/color/scale/domain", shown}};
  put_axis(changes, "/encoding/x", lines.x);
  put_axis(changes, "/encoding/y", lines.y);
  if (complete) changes.push_back({.pointer = "/layer/2"});
  return with_words(filled_spec("sweep_word_lines", changes),
                    {{"x title", tooltip_title(lines.x.name)},
                     {"y title", tooltip_title(lines.y.name)},
                     {"legend title", metric_title(lines.grids.view.metric->stem)}});
}

}  // namespace

Figure sweep_word_lines_figure(const SweepTable& table, const HeatGrids& grids, const HeatGrid& grid,
                               const FigureContext& context) {
  const std::vector<std::size_t> counts = counts_of_words(grids, grid);
  WordLines lines{.grids = grids,
                  .grid = grid,
                  .x = placed_axis(map_axis(table, *grids.x, *grids.view.x), word_lines_width),
                  .y = placed_axis(map_axis(table, *grids.y, *grids.view.y), word_lines_height)};
  lines.ys = thinned_places(lines.y.centres.size(), most_word_lines);
  lines.every_point = lines.x.centres.size() * lines.ys.size() <= most_marked_points;
  std::size_t known = 0;
  std::vector<std::string> shown;
  for (std::size_t word = 0; word < counts.size(); ++word) {
    if (counts[word] == 0) continue;
    known += counts[word];
    if (lines.named.size() < most_named_words) lines.named.push_back(word);
  }
  for (const std::size_t word : lines.named) shown.push_back(shown_word(lines, word));
  if (static_cast<std::size_t>(std::count(counts.begin(), counts.end(), std::size_t{0})) + shown.size() < counts.size())
    shown.push_back(other_words);
  Figure figure{
      .name = "words_" + field_name(grids.view.metric->name),
      .title = words_title(grids, counts, grid.cells.size()),
      .subtitle = figure_subtitle(context.scenario, context.seed) + (grid.title.empty() ? "" : "; " + grid.title),
      .caption = word_lines_caption(lines),
      .rows = word_line_rows(lines)};
  if (known == 0) {
    figure.cannot = "No point has an answer yet that says " + metric_title(grids.view.metric->stem) + ".";
  } else {
    figure.spec = word_lines_spec(lines, figure, shown, known == lines.x.centres.size() * lines.y.centres.size());
  }
  return figure;
}

}  // namespace saturn
