#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/shown_axis.hpp"
#include "reports/sweep_view.hpp"

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

}  // namespace saturn
