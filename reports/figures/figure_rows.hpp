#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/figures/figure.hpp"

namespace saturn {

/// An empty cell where there is no number.
RowCell cell_of(const std::optional<double>& number);

/// The numbers in the columns from `first` to `last`, row by row.
std::vector<double> numbers_in(const TidyRows& rows, std::size_t first, std::size_t last);

/// Cells under the heads of their columns.
using NamedCells = std::vector<std::pair<std::string_view, RowCell>>;

/// Tidy rows that are written cell by cell under their columns' heads; cells that are not named stay empty.
class FigureRows {
 public:
  explicit FigureRows(std::vector<RowColumn> columns);

  /// @throws std::logic_error  there is no such column: our bug
  void add(NamedCells cells);
  /// Fills cells of the last row.
  void amend(NamedCells cells);
  /// How many rows have this word in their first column.
  std::size_t count(std::string_view first) const;
  /// The rows; nothing stays behind.
  TidyRows taken();

 private:
  std::vector<std::string> heads_{};
  TidyRows rows_{};
};

}  // namespace saturn
