#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace saturn {

/// A table of numbers (i, j) that headers can hold without a library of linear algebra.
class Matrix {
 public:
  Matrix() = default;
  /// All 0.
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
  /// Row by row, each as long as the first.
  Matrix(std::initializer_list<std::initializer_list<double>> rows)
      : Matrix(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
    auto to = values_.begin();
    for (const auto& row : rows) to = std::copy_n(row.begin(), columns_, to);
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  double& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> values_{};
};

}  // namespace saturn
