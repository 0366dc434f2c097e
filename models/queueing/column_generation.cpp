#include "models/queueing/column_generation.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <limits>
#include <optional>

namespace saturn {

namespace {

// Of numbers that the caller has scaled to about one.
constexpr double negligible_price = 1e-12;
constexpr double negligible_pivot = 1e-11;
constexpr std::size_t steps_a_row = 60;

class Simplex {
 public:
  explicit Simplex(const std::vector<double>& limits)
      : rows_(static_cast<Eigen::Index>(limits.size())),
        inverse_(Matrix::Identity(rows_, rows_)),
        amounts_(Eigen::Map<const Eigen::VectorXd>(limits.data(), rows_)),
        basis_(limits.size()) {}

  /// @param prices  of the rows, by the present basis
  LinearOptimum solve(const std::function<Activity(const std::vector<double>&)>& best) {
    LinearOptimum optimum;
    const std::size_t most_steps = steps_a_row * (basis_.size() + 4);
    for (std::size_t step = 0; step < most_steps; ++step) {
      const Eigen::VectorXd prices = prices_of_rows();
      Eigen::Index cheapest = 0;
      if (rows_ > 0 && prices.minCoeff(&cheapest) < -negligible_price) {
        if (!enter(inverse_.col(cheapest), std::nullopt)) break;
        continue;
      }
      optimum.prices.assign(prices.data(), prices.data() + rows_);
      for (double& price : optimum.prices) price = std::max(0.0, price);
      const Activity activity = best(optimum.prices);
      Eigen::VectorXd column = Eigen::VectorXd::Zero(rows_);
      for (const auto& [row, taken] : activity.takes) column(static_cast<Eigen::Index>(row)) += taken;
      if (activity.profit - prices.dot(column) <= negligible_price * (1.0 + std::abs(activity.profit))) break;
      if (!enter(inverse_ * column, activity)) {
        optimum.bounded = false;
        return optimum;
      }
    }
    for (Eigen::Index row = 0; row < rows_; ++row) {
      const std::optional<Activity>& activity = basis_[static_cast<std::size_t>(row)];
      if (!activity || !(amounts_(row) > 0.0)) continue;
      optimum.profit += activity->profit * amounts_(row);
      optimum.chosen.push_back(*activity);
      optimum.amounts.push_back(amounts_(row));
    }
    return optimum;
  }

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Eigen::VectorXd prices_of_rows() const {
    Eigen::VectorXd prices = Eigen::VectorXd::Zero(rows_);
    for (Eigen::Index row = 0; row < rows_; ++row)
      if (const auto& activity = basis_[static_cast<std::size_t>(row)])
        prices += activity->profit * inverse_.row(row).transpose();
    return prices;
  }

  /// True when row a of the inverse with its amount, each over its pivot, comes before row b's in lexicographic order.
  bool leaves_before(Eigen::Index a, Eigen::Index b, const Eigen::VectorXd& direction) const {
    const double of_a = amounts_(a) / direction(a);
    const double of_b = amounts_(b) / direction(b);
    if (of_a != of_b) return of_a < of_b;
    for (Eigen::Index column = 0; column < rows_; ++column) {
      const double in_a = inverse_(a, column) / direction(a);
      const double in_b = inverse_(b, column) / direction(b);
      if (in_a != in_b) return in_a < in_b;
    }
    return false;
  }

  /// @returns false when nothing limits its amount
  bool enter(const Eigen::VectorXd& direction, const std::optional<Activity>& activity) {
    const double pivot_floor = negligible_pivot * std::max(1.0, direction.cwiseAbs().maxCoeff());
    Eigen::Index leaving = -1;
    for (Eigen::Index row = 0; row < rows_; ++row)
      if (direction(row) > pivot_floor && (leaving < 0 || leaves_before(row, leaving, direction))) leaving = row;
    if (leaving < 0) return false;
    const double pivot = direction(leaving);
    amounts_(leaving) /= pivot;
    inverse_.row(leaving) /= pivot;
    for (Eigen::Index row = 0; row < rows_; ++row) {
      if (row == leaving || direction(row) == 0.0) continue;
      amounts_(row) = std::max(0.0, amounts_(row) - direction(row) * amounts_(leaving));
      inverse_.row(row) -= direction(row) * inverse_.row(leaving);
    }
    basis_[static_cast<std::size_t>(leaving)] = activity;
    return true;
  }

  Eigen::Index rows_;
  Matrix inverse_;
  Eigen::VectorXd amounts_;
  std::vector<std::optional<Activity>> basis_;  // by row; nothing: the row's slack, or another's that came back
};

}  // namespace

LinearOptimum most_profit(const std::vector<double>& limits,
                          const std::function<Activity(const std::vector<double>& prices)>& best) {
  return Simplex(limits).solve(best);
}

}  // namespace saturn
