#include <algorithm>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/sweep/sweep_bars.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr int digits_that_choose_units = 3;
constexpr std::size_t longest_title = 60;

/// What all maps of a view share.
struct SweepPicture {
  const HeatGrids& grids;
  ValueScale scale;
  ShownUnit unit;
  TextStyle style;
};

std::string mark_of(const HeatCell& cell) {
  if (cell.kind == HeatCell::Kind::missing) return missing_mark;
  return cell.kind == HeatCell::Kind::failed ? failed_mark : no_value;
}

/// One column of one line, its gap included.
std::string number_in_column(const HeatCell* cell, const HeatMapLayout& layout, const SweepPicture& picture) {
  const std::size_t room = layout.column - layout.shade - 1;
  const bool has_number = cell != nullptr && cell->metric != nullptr;
  std::string number = cell == nullptr ? "" : has_number ? "" : mark_of(*cell);
  if (has_number)
    number = (cell->imprecise ? imprecise_mark : "") + cell_number(*cell->metric, picture.unit, layout.digits);
  const std::string aligned = right_aligned(number, room) + " ";
  if (!has_number) return std::string(layout.shade, ' ') + aligned;
  const std::size_t shade = picture.scale.level(cell->metric->mean, shades_of(picture.style));
  if (picture.style.colour) return on_shade(std::string(layout.shade, ' ') + aligned, shade, picture.style);
  return shade_text(shade, layout.shade, picture.style) + aligned;
}

/// One column that is a shade, a letter or a mark.
std::string narrow_column(const HeatCell* cell, const HeatMapLayout& layout, const SweepPicture& picture) {
  const std::string rest(layout.column - 1, ' ');
  if (cell == nullptr) return " " + rest;
  const bool marks = cell->imprecise && layout.column > 1;
  if (cell->kind == HeatCell::Kind::word) {
    const std::string after = marks ? imprecise_mark + std::string(layout.column - 2, ' ') : rest;
    return shown_letter(cell->word, picture.style) + after;
  }
  if (cell->metric == nullptr) return mark_of(*cell) + rest;
  const std::size_t shade = picture.scale.level(cell->metric->mean, shades_of(picture.style));
  const std::size_t shaded = layout.shade - (marks ? 1U : 0U);
  const std::string mark = marks ? on_shade(imprecise_mark, shade, picture.style) : "";
  return shade_text(shade, shaded, picture.style) + mark + std::string(layout.column - layout.shade, ' ');
}

/// Lines below a map: labels of the columns, and what they are.
std::string x_axis_lines(const HeatMapLayout& layout, const ShownAxis& axis) {
  const std::string ticks = x_tick_line(layout, axis.labels);
  const std::string labels = x_label_line(layout, axis.labels);
  std::string text = ticks.empty() ? "" : std::string(trimmed_end(ticks)) + "\n";
  if (width_of(labels) + 2 + width_of(axis.heading) <= picture_width)
    return text + std::string(trimmed_end(labels + "  " + axis.heading)) + "\n";
  const std::size_t indent = std::min(layout.left, picture_width - std::min(picture_width, width_of(axis.heading)));
  return text + std::string(trimmed_end(labels)) + "\n" + std::string(indent, ' ') + axis.heading + "\n";
}

std::string map_text(const SweepPicture& picture, const HeatGrid& grid, const HeatMapLayout& layout) {
  const HeatGrids& grids = picture.grids;
  std::string text = "  " + grids.y->heading + "\n";
  for (auto y = layout.ys.rbegin(); y != layout.ys.rend(); ++y) {
    const std::string& label = grids.y->labels[*y];
    std::string line = right_aligned(label, layout.left - 2) + "  ";
    for (const std::size_t x : layout.xs) {
      const HeatCell* cell = grids.at(grid, x, *y);
      line += layout.digits > 0 ? number_in_column(cell, layout, picture) : narrow_column(cell, layout, picture);
    }
    text += std::string(trimmed_end(line)) + "\n";
  }
  return text + x_axis_lines(layout, *grids.x);
}

std::string wrapped_sentence(const std::string& text) {
  return text.empty() ? "" : wrapped_text(text, picture_width, "  ", "  ");
}

std::string letter_legend(const SweepPicture& picture) {
  const std::vector<std::string>& words = picture.grids.words;
  std::vector<std::size_t> counts(words.size(), 0);
  for (const HeatGrid& grid : picture.grids.grids)
    for (const auto& [place, cell] : grid.cells)
      if (cell.kind == HeatCell::Kind::word) ++counts[cell.word];
  std::string text;
  std::size_t others = 0;
  for (std::size_t word = 0; word < words.size(); ++word) {
    if (counts[word] == 0) continue;
    if (word >= most_letters) {
      others += counts[word];
    } else {
      text += "  " + shown_letter(word, picture.style) + " " + terminal_text(words[word], longest_title) + " (" +
              counted(counts[word], "point") + ")\n";
    }
  }
  return others == 0 ? text : text + "  ? another word (" + counted(others, "point") + ")\n";
}

/// What the marks mean that appear.
std::string mark_legend(const SweepPicture& picture) {
  std::string text;
  const auto add = [&](const std::string& mark, const std::string& meaning, std::size_t points) {
    if (points > 0) text += "  " + mark + " " + meaning + " (" + counted(points, "point") + ")\n";
  };
  using Kind = HeatCell::Kind;
  const auto of_kind = [&](Kind kind) {
    return picture.grids.count([&](const HeatCell& cell) { return cell.kind == kind; });
  };
  add(failed_mark, "failed", of_kind(Kind::failed));
  add(missing_mark, "not computed yet", of_kind(Kind::missing));
  add(no_value, "answered without this metric", of_kind(Kind::nothing));
  add(imprecise_mark, "less precise than asked",
      picture.grids.count([](const HeatCell& cell) { return cell.imprecise; }));
  return text;
}

/// "event_time [s] at slowdown = 1 %"
std::string picture_title(const SweepTable& table, const SweepPicture& picture) {
  const HeatGrids& grids = picture.grids;
  const ShownMetric& metric = *grids.view.metric;
  std::string title = name_with_unit(terminal_text(metric.stem, longest_title), picture.unit.name);
  std::string at;
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const bool is_shown = grids.view.x == c || grids.view.y == c;
    const ShownAxis axis = shown_axis(table, grids.view.rows, c);
    if (!is_shown && axis.values.size() == 1) at += (at.empty() ? ", at " : ", ") + axis.equation(0);
  }
  return title + at;
}

std::string along_sentence(const SweepTable& table, const HeatGrids& grids) {
  if (grids.view.along.empty()) return "";
  const auto name_of = [&](std::size_t axis) { return terminal_text(table.axes[axis].name, longest_title); };
  return joined_and(texts_of(grids.view.along, name_of)) + (grids.view.along.size() == 1 ? " runs" : " run") +
         " along with the axes shown.";
}

std::string left_out_sentence(const SweepTable& table, const HeatGrids& grids) {
  if (grids.grids.size() >= grids.combinations) return "";
  const std::string axis = terminal_text(table.axes[grids.view.split.front()].name, longest_title);
  return "These are " + std::to_string(grids.grids.size()) + " of " + whole_text(grids.combinations) +
         " maps, one for each combination of the other axes. " + "Hold an axis, for example with --at " + axis +
         "=VALUE, or choose others with --x and --y.";
}

/// A single combination of values: nothing to draw.
std::string single_value(const SweepPicture& picture) {
  const HeatGrid& grid = picture.grids.grids.front();
  return "  " + cell_text(picture.grids, grid.cells.begin()->second, picture.unit.factor) + "\n";
}

std::string bars_text(const SweepTable& table, const SweepPicture& picture) {
  std::string text;
  const std::string& axis_unit = table.axes[*picture.grids.view.x].unit;
  for (const HeatGrid& grid : picture.grids.grids) {
    if (!grid.title.empty()) text += "\n" + wrapped_sentence(grid.title);
    text += sweep_bars(picture.grids, grid, picture.scale, picture.unit, picture.style);
    text += sweep_curve(picture.grids, grid, axis_unit, picture.unit, picture.style);
  }
  std::string remarks = mark_legend(picture);
  if (picture.scale.logarithmic())
    remarks += wrapped_sentence("The bars are on a logarithmic scale: the largest value is " +
                                number_text(picture.scale.high() / picture.scale.low(), 2) + " times the smallest.");
  remarks += wrapped_sentence(thinned_bars_sentence(*picture.grids.x));
  return text + (remarks.empty() ? "" : "\n") + remarks;
}

std::string maps_text(const SweepPicture& picture) {
  const HeatGrids& grids = picture.grids;
  const HeatMapLayout layout = heat_map_layout(grids, picture.unit);
  std::string text;
  for (const HeatGrid& grid : grids.grids) {
    if (!grid.title.empty()) text += "\n" + wrapped_sentence(grid.title);
    text += map_text(picture, grid, layout);
  }
  text += "\n";
  if (!grids.view.metric->is_word && !grids.numbers().empty())
    text += shade_legend(picture.scale, picture.unit.name, picture.unit.factor, picture.style);
  text += letter_legend(picture) + mark_legend(picture);
  const bool unmarked = layout.digits == 0 && layout.column == 1;
  if (unmarked && grids.count([](const HeatCell& cell) { return cell.imprecise; }) > 0)
    text += "    (there is no room to mark these)\n";
  const std::string thinned_x = thinned_sentence(*grids.x, layout.xs.size());
  const std::string thinned_y = thinned_sentence(*grids.y, layout.ys.size());
  return text + wrapped_sentence(thinned_x + (thinned_x.empty() ? "" : " ") + thinned_y);
}

}  // namespace

std::string heat_map_text(const SweepTable& table, const SweepView& view, TextStyle style) {
  const HeatGrids grids = heat_grids(table, view);
  if (!grids.view.metric) return "No point has an answer yet, so there is nothing to draw.\n";
  if (grids.grids.empty()) return "No point of the sweep has these values together.\n";
  const std::vector<double> numbers = grids.numbers();
  const ValueScale scale = grids.y ? ValueScale(numbers, ValueScale::Use::shades, grids.alike())
                                   : ValueScale(numbers, ValueScale::Use::bars);
  const SweepPicture picture{grids, scale, handiest_unit(numbers, grids.view.metric->unit, digits_that_choose_units),
                             style};
  std::string title = wrapped_text(picture_title(table, picture), picture_width, "", "  ");
  title.pop_back();
  std::string text = heading(title, style);
  text += !grids.x ? single_value(picture) : grids.y ? maps_text(picture) : bars_text(table, picture);
  text += wrapped_sentence(along_sentence(table, grids)) + wrapped_sentence(left_out_sentence(table, grids));
  return text;
}

}  // namespace saturn
