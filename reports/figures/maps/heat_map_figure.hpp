#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Fields over two axes.

namespace saturn {

/// One axis of a map.
struct MapAxis {
  std::string title{};  ///< "round-trip time"
  std::string unit{};   ///< base unit of `values`: "s", "items"; the figure shows ms, us where that reads better
  std::vector<double> values{};      ///< ascending
  std::vector<std::string> words{};  ///< in place of values: an axis of words
  std::optional<double> present{};   ///< the scenario's own value

  std::size_t size() const { return words.empty() ? values.size() : words.size(); }
};

/// A part of an event's or a request's time.
struct NamedTime {
  std::string name{};
  double seconds = 0.0;
};

/// A point of the curve that belongs to a cell.
struct CurveSample {
  double x = 0.0;
  std::optional<double> y{};  ///< absent: the curve breaks there
  std::optional<double> low{};
  std::optional<double> high{};
};

/// One cell. What a click on it shows is here as well.
struct MapCell {
  std::optional<double> value{};  ///< absent: see why_not
  std::optional<double> low{};
  std::optional<double> high{};
  std::string why_not{};
  std::vector<CurveSample> curve{};
  std::vector<NamedTime> breakdown{};
};

/// A number over two axes.
struct FieldMap {
  std::string title{};        ///< what is seen
  std::string value_title{};  ///< "jobs per GPU"
  std::string value_unit{};
  std::string method{};  ///< "by the bounds", "simulated": goes into the caption
  MapAxis x{};
  MapAxis y{};
  std::vector<MapCell> cells{};  ///< (y, x)
  std::string curve_x_title{};   ///< axes of the cells' curves; empty: they have none
  std::string curve_y_title{};
  std::string curve_x_unit{};
  std::string curve_y_unit{};

  const MapCell& at(std::size_t iy, std::size_t ix) const { return cells[iy * x.size() + ix]; }
};

/// One cell of a map of winners.
struct WinnerCell {
  std::optional<std::size_t> winner{};          ///< index into WinnerMap::alternatives
  std::vector<std::optional<double>> values{};  ///< (alternatives): what was compared
  bool close = false;                           ///< the second is within the tolerance
};

/// The cell whose least value wins. Of values that differ by rounding alone the first wins, so that a tie goes to the
/// same alternative in every cell. Values that are absent cannot win; without any there is no winner.
/// @param close_within  relative
WinnerCell winner_cell(std::vector<std::optional<double>> values, double close_within);

/// Which alternative is best over two axes.
struct WinnerMap {
  std::string value_title{};  ///< "event time": the least wins
  std::string value_unit{};
  std::string method{};
  std::vector<std::string> alternatives{};
  MapAxis x{};
  MapAxis y{};
  std::vector<WinnerCell> cells{};  ///< (y, x)
  double close_within = 0.01;       ///< relative
  std::string note{};               ///< what is held and what grows along the axes, a sentence; for the caption
};

}  // namespace saturn
