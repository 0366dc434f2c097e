#include "reports/sweep/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "models/statistics/intervals.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/tables/text_table.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Combination = std::vector<std::size_t>;

std::vector<ShownAxis> split_axes(const SweepTable& table, const ResolvedView& view) {
  std::vector<ShownAxis> axes;
  for (const std::size_t column : view.split) axes.push_back(shown_axis(table, view.rows, column));
  return axes;
}

Combination combination_of(const SweepRow& row, const ResolvedView& view, const std::vector<ShownAxis>& axes) {
  Combination combination;
  for (std::size_t i = 0; i < axes.size(); ++i) combination.push_back(axes[i].place_of(row.cells.at(view.split[i])));
  return combination;
}

std::string title_of(const Combination& combination, const std::vector<ShownAxis>& axes) {
  std::string title;
  for (std::size_t i = 0; i < axes.size(); ++i) append_part(title, axes[i].equation(combination[i]));
  return title;
}

/// The words of the rows, the commonest first, equally common ones by the alphabet.
std::vector<std::string> words_by_frequency(const ResolvedView& view) {
  std::map<std::string, std::size_t> counts;
  for (const SweepRow* row : view.rows)
    if (const std::string* word = word_at(*row, *view.metric)) ++counts[*word];
  std::vector<std::string> words;
  for (const auto& [word, count] : counts) words.push_back(word);
  std::stable_sort(words.begin(), words.end(),
                   [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
  return words;
}

HeatCell cell_of(const SweepRow& row, const ShownMetric& metric,
                 const std::unordered_map<std::string, std::size_t>& words) {
  HeatCell cell{.row = &row};
  if (row.result.status == PointStatus::missing) return cell;
  cell.kind = HeatCell::Kind::failed;
  if (row.result.status == PointStatus::failed) return cell;
  cell.kind = HeatCell::Kind::nothing;
  cell.imprecise = row.result.status == PointStatus::imprecise;
  if (const SweepMetric* number = metric_at(row, metric)) {
    cell.kind = HeatCell::Kind::number;
    cell.metric = number;
  } else if (const std::string* word = word_at(row, metric)) {
    cell.kind = HeatCell::Kind::word;
    cell.word = words.at(*word);
  }
  return cell;
}

std::uint64_t place_in(const HeatGrids& grids, std::size_t x, std::size_t y) {
  return static_cast<std::uint64_t>(y) * (grids.x ? grids.x->values.size() : 1U) + x;
}

}  // namespace

const HeatCell* HeatGrids::at(const HeatGrid& grid, std::size_t x_value, std::size_t y_value) const {
  const auto found = grid.cells.find(place_in(*this, x_value, y_value));
  return found == grid.cells.end() ? nullptr : &found->second;
}

std::vector<double> HeatGrids::numbers() const {
  std::vector<double> means;
  for (const HeatGrid& grid : grids)
    for (const auto& [place, cell] : grid.cells)
      if (cell.metric != nullptr) means.push_back(cell.metric->mean);
  return means;
}

bool HeatGrids::alike() const {
  std::vector<Estimate> estimates;
  for (const HeatGrid& grid : grids)
    for (const auto& [place, cell] : grid.cells)
      if (cell.metric != nullptr) estimates.push_back(cell.metric->estimate());
  return may_all_be_equal(estimates);
}

HeatGrids heat_grids(const SweepTable& table, const SweepView& view) {
  HeatGrids result;
  result.view = resolved_view(table, view);
  const ResolvedView& resolved = result.view;
  if (!resolved.metric) return result;
  if (resolved.x) result.x = shown_axis(table, resolved.rows, *resolved.x);
  if (resolved.y) result.y = shown_axis(table, resolved.rows, *resolved.y);
  result.words = words_by_frequency(resolved);
  std::unordered_map<std::string, std::size_t> word_places;
  for (std::size_t i = 0; i < result.words.size(); ++i) word_places[result.words[i]] = i;

  const std::vector<ShownAxis> axes = split_axes(table, resolved);
  std::map<Combination, std::vector<const SweepRow*>> rows;
  for (const SweepRow* row : resolved.rows) rows[combination_of(*row, resolved, axes)].push_back(row);
  result.combinations = rows.size();
  for (const auto& [combination, members] : rows) {
    if (result.grids.size() == most_heat_maps) break;
    HeatGrid grid{.title = title_of(combination, axes)};
    for (const SweepRow* row : members) {
      const std::size_t x = result.x ? result.x->place_of(row->cells.at(*resolved.x)) : 0U;
      const std::size_t y = result.y ? result.y->place_of(row->cells.at(*resolved.y)) : 0U;
      grid.cells.emplace(place_in(result, x, y), cell_of(*row, *resolved.metric, word_places));
    }
    result.grids.push_back(std::move(grid));
  }
  return result;
}

namespace {

constexpr std::array<const char*, 4> blocks{"░", "▒", "▓", "█"};
// Colours of the 256 of terminals next to viridis, dark to light.
// Source  viridis: S. van der Walt and N. Smith, https://bids.github.io/colormap (CC0)
constexpr std::array<int, 9> viridis{53, 54, 24, 30, 36, 72, 77, 148, 220};
constexpr std::size_t first_light_shade = 4;
// Next to the eight colours of Okabe and Ito that colour-blind readers tell apart, black replaced by grey.
// Source  M. Okabe and K. Ito, "Color Universal Design", https://jfly.uni-koeln.de/color
constexpr std::array<int, 8> categories{214, 74, 36, 227, 25, 166, 175, 250};
constexpr std::size_t dark_category = 4;
constexpr std::size_t letters_of_alphabet = 26;
constexpr std::size_t colour_strip = 27;
constexpr int fewest_digits_of_bounds = 3;
constexpr int most_digits_of_bounds = 10;

std::string coloured(const std::string& text, int background, bool light) {
  const std::string foreground = light ? "16" : "231";
  return "\033[38;5;" + foreground + ";48;5;" + std::to_string(background) + "m" + text + "\033[0m";
}

/// The numbers at which shades begin, and the highest, with as many digits as tell them apart.
std::vector<std::string> bounds_of(const ValueScale& scale, double factor, std::size_t shades) {
  std::vector<std::string> bounds;
  for (int digits = fewest_digits_of_bounds; digits <= most_digits_of_bounds; ++digits) {
    bounds.clear();
    for (std::size_t shade = 0; shade < shades; ++shade)
      bounds.push_back(compact_number(scale.begin_of(shade, shades) * factor, digits));
    bounds.push_back(compact_number(scale.high() * factor, digits));
    if (std::adjacent_find(bounds.begin(), bounds.end()) == bounds.end()) break;
  }
  return bounds;
}

}  // namespace

std::size_t shades_of(TextStyle style) {
  return style.colour ? viridis.size() : blocks.size();
}

std::string on_shade(const std::string& text, std::size_t shade, TextStyle style) {
  return style.colour ? coloured(text, viridis.at(shade), shade >= first_light_shade) : text;
}

std::string shade_text(std::size_t shade, std::size_t characters, TextStyle style) {
  return style.colour ? on_shade(std::string(characters, ' '), shade, style) : repeated(blocks.at(shade), characters);
}

std::string word_letter(std::size_t word) {
  if (word < letters_of_alphabet) return std::string(1, static_cast<char>('A' + word));
  if (word < most_letters) return std::string(1, static_cast<char>('a' + word - letters_of_alphabet));
  return "?";
}

std::string shown_letter(std::size_t word, TextStyle style) {
  if (!style.colour || word >= categories.size()) return word_letter(word);
  return coloured(word_letter(word), categories.at(word), word != dark_category);
}

std::string shade_legend(const ValueScale& scale, const std::string& unit, double factor, TextStyle style) {
  const std::string end = unit.empty() ? "" : " " + unit;
  if (scale.constant() && scale.high() > scale.low()) {
    const std::vector<std::string> bounds = bounds_of(scale, factor, 1);
    return "  one shade for " + bounds.front() + " to " + bounds.back() + end +
           ": they differ by no more than chance\n";
  }
  if (scale.constant()) return "  every value is " + compact_number(scale.low() * factor, 4) + end + "\n";
  const std::size_t shades = shades_of(style);
  const std::vector<std::string> bounds = bounds_of(scale, factor, style.colour ? 1 : shades);
  const std::string logarithmic = scale.logarithmic() ? "(logarithmic scale)" : "";
  if (style.colour) {
    std::string strip;
    for (std::size_t shade = 0; shade < shades; ++shade) strip += shade_text(shade, colour_strip / shades, style);
    return "  " + bounds.front() + " " + strip + " " + bounds.back() + end + "  " + logarithmic + "\n";
  }
  const std::string tail = " to " + bounds.back() + end;
  std::string text;
  std::string line = " ";
  for (std::size_t shade = 0; shade < shades; ++shade) {
    const std::string entry = " " + repeated(blocks.at(shade), 2) + (shade == 0 ? " from " : " ") + bounds[shade] +
                              (shade + 1 == shades ? tail : "");
    // Numbers of a dozen digits need a second line.
    if (width_of(line + entry) > picture_width) text += std::exchange(line, " ") + "\n";
    line += entry;
  }
  return text + line + "\n" + (logarithmic.empty() ? "" : "     " + logarithmic + "\n");
}

namespace {

constexpr std::size_t most_lines = 60;
constexpr std::size_t widest_letter_column = 8;
constexpr int most_digits = 4;
constexpr int fewest_digits = 2;

/// 0, k, 2k, ... below n, with the smallest k that leaves at most so many.
std::vector<std::size_t> thinned(std::size_t n, std::size_t most) {
  const std::size_t step = std::max<std::size_t>(1, (n + most - 1) / most);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; i += step) kept.push_back(i);
  return kept;
}

std::size_t widest_label(const std::vector<std::string>& labels) {
  std::size_t widest = 0;
  for (const std::string& label : labels) widest = std::max(widest, width_of(label));
  return widest;
}

/// Characters of the widest number; 0 where there are none.
std::size_t widest_number(const HeatGrids& grids, const ShownUnit& unit, int digits) {
  std::size_t widest = 0;
  for (const HeatGrid& grid : grids.grids) {
    for (const auto& [place, cell] : grid.cells) {
      if (cell.metric == nullptr) continue;
      widest = std::max(widest, width_of(cell_number(*cell.metric, unit, digits)));
    }
  }
  return widest;
}

/// Tries numbers in the cells; false where no two digits fit.
bool fit_numbers(const HeatGrids& grids, const ShownUnit& unit, HeatMapLayout& layout) {
  const std::size_t room = picture_width - layout.left;
  const std::size_t columns = grids.x->values.size();
  // The narrowest column is a shade, one digit and a gap.
  if (columns * 3 > room) return false;
  std::array<std::size_t, most_digits + 1> numbers{};
  for (int digits = fewest_digits; digits <= most_digits; ++digits)
    numbers[static_cast<std::size_t>(digits)] = widest_number(grids, unit, digits);
  for (const bool all_labels : {true, false}) {
    for (int digits = most_digits; digits >= fewest_digits; --digits) {
      for (const std::size_t shade : {2U, 1U}) {
        // A blank, or the mark of what is imprecise, stands between shade and number.
        std::size_t column = shade + 1 + std::max<std::size_t>(1, numbers[static_cast<std::size_t>(digits)]);
        if (all_labels) column = std::max(column, widest_label(grids.x->labels));
        if (columns * (column + 1) > room) continue;
        layout.digits = digits;
        layout.shade = shade;
        layout.column = column + 1;
        return true;
      }
    }
  }
  return false;
}

void fit_shades(const HeatGrids& grids, HeatMapLayout& layout) {
  const std::size_t room = picture_width - layout.left;
  const std::size_t columns = grids.x->values.size();
  const std::size_t labelled = std::min(widest_letter_column, widest_label(grids.x->labels) + 1);
  layout.column = 1;
  for (const std::size_t width : {std::size_t{2}, labelled})
    if (columns * width <= room) layout.column = std::max(layout.column, width);
  layout.shade = grids.view.metric->is_word ? 1 : layout.column;
}

struct PlacedLabels {
  std::string labels;
  std::string ticks;
  std::size_t left_out = 0;
};

PlacedLabels place_labels(const HeatMapLayout& layout, const std::vector<std::string>& labels) {
  PlacedLabels placed;
  placed.labels = std::string(layout.left, ' ');
  placed.ticks = placed.labels;
  // Labels may stand in the margin that the axis' own labels leave.
  std::size_t used = layout.digits > 0 ? 0 : layout.left;
  std::size_t written = layout.left;
  for (std::size_t i = 0; i < layout.xs.size(); ++i) {
    const std::string& label = labels[layout.xs[i]];
    const std::size_t width = width_of(label);
    const std::size_t begin = layout.left + i * layout.column;
    const std::size_t end = begin + layout.column - 1;
    const std::size_t from = layout.digits > 0 ? (end > width ? end - width : 0) : begin;
    if (from < used || from + width > picture_width) {
      ++placed.left_out;
      continue;
    }
    if (from < written) placed.labels.resize(from);
    placed.labels += std::string(from - std::min(from, written), ' ') + label;
    placed.ticks += std::string(begin + 1 - std::min(begin + 1, width_of(placed.ticks) + 1), ' ') + "╵";
    written = from + width;
    used = written + 1;
  }
  return placed;
}

}  // namespace

std::string cell_number(const SweepMetric& metric, const ShownUnit& unit, int digits) {
  const double value = metric.mean * unit.factor;
  if (!metric.low || !metric.high) return compact_number(value, digits);
  const double half = (*metric.high - *metric.low) / 2 * unit.factor;
  if (!std::isfinite(half) || half <= std::abs(value) * 1e-7) return compact_number(value, digits);
  if (value == 0.0) return "0";
  const int meaningful = static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(half))) + 1;
  std::string text = number_text(value, std::clamp(meaningful, 1, digits));
  std::erase(text, ',');
  return text;
}

HeatMapLayout heat_map_layout(const HeatGrids& grids, const ShownUnit& unit) {
  HeatMapLayout layout;
  layout.left = 2 + widest_label(grids.y->labels) + 2;
  layout.ys = thinned(grids.y->values.size(), most_lines);
  if (grids.view.metric->is_word || !fit_numbers(grids, unit, layout)) fit_shades(grids, layout);
  layout.xs = thinned(grids.x->values.size(), (picture_width - layout.left) / layout.column);
  return layout;
}

std::string x_label_line(const HeatMapLayout& layout, const std::vector<std::string>& labels) {
  return place_labels(layout, labels).labels;
}

std::string x_tick_line(const HeatMapLayout& layout, const std::vector<std::string>& labels) {
  const PlacedLabels placed = place_labels(layout, labels);
  return layout.digits > 0 || placed.left_out == 0 ? "" : placed.ticks;
}

}  // namespace saturn
