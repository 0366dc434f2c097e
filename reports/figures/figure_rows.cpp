#include "reports/figures/figure_rows.hpp"

#include <algorithm>
#include <stdexcept>

namespace saturn {

RowCell cell_of(const std::optional<double>& number) {
  if (!number) return {};
  return *number;
}

std::vector<double> numbers_in(const TidyRows& rows, std::size_t first, std::size_t last) {
  std::vector<double> numbers;
  for (const std::vector<RowCell>& row : rows.rows)
    for (std::size_t i = first; i <= last; ++i)
      if (const double* number = std::get_if<double>(&row[i])) numbers.push_back(*number);
  return numbers;
}

FigureRows::FigureRows(std::vector<RowColumn> columns) {
  for (const RowColumn& column : columns) heads_.push_back(column.head());
  rows_.columns = std::move(columns);
}

void FigureRows::add(NamedCells cells) {
  rows_.rows.emplace_back(heads_.size());
  amend(std::move(cells));
}

void FigureRows::amend(NamedCells cells) {
  std::vector<RowCell>& row = rows_.rows.back();
  for (auto& named : cells) {
    const auto found = std::find(heads_.begin(), heads_.end(), named.first);
    if (found == heads_.end()) throw std::logic_error("the figure has no column " + std::string(named.first));
    row[static_cast<std::size_t>(found - heads_.begin())] = std::move(named.second);
  }
}

std::size_t FigureRows::count(std::string_view first) const {
  return static_cast<std::size_t>(
      std::count_if(rows_.rows.begin(), rows_.rows.end(), [&](const std::vector<RowCell>& row) {
        const std::string* word = row.empty() ? nullptr : std::get_if<std::string>(&row.front());
        return word != nullptr && *word == first;
      }));
}

TidyRows FigureRows::taken() {
  return std::move(rows_);
}

}  // namespace saturn
