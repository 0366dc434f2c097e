#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reports/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// How the points of a sweep lie, which decides what is drawn of them.
struct SweepShape {
  enum class Kind {
    nothing,  ///< no metric, or a single point
    lines,    ///< one axis
    maps,     ///< a grid of two axes
    samples,  ///< points that are no grid, or too many for a map
  };
  Kind kind = Kind::nothing;
  std::size_t x_values = 1;
  std::size_t y_values = 1;
  std::optional<std::size_t> long_axis{};  ///< the one of x and y that lines go over: numbers before words, then more
  bool long_is_numeric = false;
  std::size_t short_values = 1;      ///< of the other one
  std::vector<std::size_t> along{};  ///< columns whose values follow from the drawn ones
  bool too_large = false;            ///< a grid with more cells than a page should hold
};

SweepShape shape_of(const SweepTable& table, const ResolvedView& view);

}  // namespace saturn
