#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/words/quantities.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/tables/text_table.hpp"

namespace saturn {

/// What a map shows of a point.
struct HeatCell {
  enum class Kind { missing, failed, nothing, number, word };
  Kind kind = Kind::missing;
  const SweepMetric* metric = nullptr;  ///< of a number
  std::size_t word = 0;                 ///< place in HeatGrids::words
  bool imprecise = false;
  const SweepRow* row = nullptr;
};

/// One map: a combination of the axes that are neither x nor y.
struct HeatGrid {
  std::string title{};  ///< "queue_delay = 0.5 ms"; empty where there is one map
  std::unordered_map<std::uint64_t, HeatCell> cells{};
};

/// A metric over one or two axes, not yet drawn.
struct HeatGrids {
  ResolvedView view{};
  std::optional<ShownAxis> x{};
  std::optional<ShownAxis> y{};
  std::vector<std::string> words{};  ///< the commonest first
  std::vector<HeatGrid> grids{};     ///< in order of the axes' values
  std::size_t combinations = 0;      ///< of which `grids` are the first

  /// Nothing where the sweep has no such point.
  const HeatCell* at(const HeatGrid& grid, std::size_t x_value, std::size_t y_value) const;
  /// Finite means of all maps.
  std::vector<double> numbers() const;
  /// Whether they differ by no more than chance, by their intervals.
  bool alike() const;
  /// Cells of all maps for which something holds.
  template <class Condition>
  std::size_t count(Condition condition) const {
    std::size_t counted = 0;
    for (const HeatGrid& grid : grids)
      for (const auto& [place, cell] : grid.cells) counted += condition(cell) ? 1U : 0U;
    return counted;
  }
};

/// Most maps that are drawn of one view.
inline constexpr std::size_t most_heat_maps = 12;

/// @throws std::invalid_argument  as resolved_view
HeatGrids heat_grids(const SweepTable& table, const SweepView& view);

// Shades of heat maps: block characters, or colours on a terminal that has them.

/// What stands for values, words and for points that have none.
inline const std::string failed_mark = "×";
inline const std::string missing_mark = "·";
inline const std::string imprecise_mark = "~";

/// How many shades there are in a style.
std::size_t shades_of(TextStyle style);

/// A text on the colour of a shade, or, where there are no colours, the text alone.
std::string on_shade(const std::string& text, std::size_t shade, TextStyle style);

/// So many characters of a shade.
std::string shade_text(std::size_t shade, std::size_t characters, TextStyle style);

/// A letter for a word, by its place among them: "A", "B", ... "z", then "?" for all others.
std::string word_letter(std::size_t word);
inline constexpr std::size_t most_letters = 52;

/// The letter, on a colour of its own for the first eight.
std::string shown_letter(std::size_t word, TextStyle style);

/// What the shades mean, indented, at most 80 characters wide.
/// @param unit  of the numbers: "ms"; @param factor  to it
std::string shade_legend(const ValueScale& scale, const std::string& unit, double factor, TextStyle style);

/// Most characters of a line of a picture.
inline constexpr std::size_t picture_width = 80;

/// How much room each part of a heat map has.
struct HeatMapLayout {
  std::size_t left = 0;           ///< characters before the first column
  std::size_t column = 1;         ///< characters of a column, its gap included
  std::size_t shade = 1;          ///< characters of a column's shade or letter
  int digits = 0;                 ///< significant ones of the numbers; 0: no numbers
  std::vector<std::size_t> xs{};  ///< values of x that have a column
  std::vector<std::size_t> ys{};  ///< values of y that have a line, from the bottom upwards
};

/// The number of a cell: not more digits than its interval makes sense of.
/// @param digits  at most so many significant ones
std::string cell_number(const SweepMetric& metric, const ShownUnit& unit, int digits);

/// The most that fits into the width of a picture: numbers with as many digits as possible, else shades alone, else
/// every k-th column. Lines beyond some 60 are thinned as well.
HeatMapLayout heat_map_layout(const HeatGrids& grids, const ShownUnit& unit);

/// One line with the labels of columns, each ending (numbers) or beginning (shades) where its column does; those for
/// which there is no room are left out.
std::string x_label_line(const HeatMapLayout& layout, const std::vector<std::string>& labels);

/// Marks below the columns whose labels stand in the line below; empty where all columns have theirs.
std::string x_tick_line(const HeatMapLayout& layout, const std::vector<std::string>& labels);

}  // namespace saturn
