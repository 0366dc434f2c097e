#include <cmath>
#include <utility>

#include "reports/figures/field_map.hpp"

namespace saturn {

WinnerCell winner_cell(std::vector<std::optional<double>> values, double close_within) {
  constexpr double rounding = 1e-9;
  WinnerCell cell;
  std::optional<double> least;
  for (const std::optional<double>& value : values)
    if (value && (!least || *value < *least)) least = value;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    if (!cell.winner && *values[i] <= *least + rounding * std::abs(*least))
      cell.winner = i;
    else if (*values[i] <= *least + close_within * std::abs(*least))
      cell.close = true;
  }
  cell.values = std::move(values);
  return cell;
}

}  // namespace saturn
