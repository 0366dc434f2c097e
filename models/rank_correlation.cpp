#include "models/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "models/quantiles.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_counted_values = 9;

std::vector<double> centred_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  const double middle = static_cast<double>(values.size() - 1) / 2;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t i = first; i <= last; ++i) ranks[order[i]] = static_cast<double>(first + last) / 2 - middle;
    first = last + 1;
  }
  return ranks;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double counted_p_value(const std::vector<double>& x, std::vector<double> y) {
  // Products of ranks are multiples of 1/4, so half of that tells equal from smaller.
  const double seen = std::abs(product(x, y)) - 0.125;
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> shuffled(y.size());
  std::uint64_t extreme = 0;
  std::uint64_t all = 0;
  do {
    std::transform(order.begin(), order.end(), shuffled.begin(), [&](std::size_t i) { return y[i]; });
    if (std::abs(product(x, shuffled)) > seen) ++extreme;
    ++all;
  } while (std::next_permutation(order.begin(), order.end()));
  return static_cast<double>(extreme) / static_cast<double>(all);
}

double student_p_value(double rho, std::size_t n) {
  const double freedom = static_cast<double>(n) - 2;
  if (std::abs(rho) >= 1.0) return 0.0;
  const double t = std::abs(rho) * std::sqrt(freedom / (1.0 - rho * rho));
  return 2.0 * student_above(freedom, t);
}

}  // namespace

std::optional<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw std::invalid_argument("a rank correlation needs two series of the same length");
  if (x.size() < 3) return std::nullopt;
  const std::vector<double> ranks_x = centred_ranks(x);
  const std::vector<double> ranks_y = centred_ranks(y);
  const double scale = std::sqrt(product(ranks_x, ranks_x) * product(ranks_y, ranks_y));
  if (!(scale > 0.0)) return std::nullopt;
  const double rho = std::clamp(product(ranks_x, ranks_y) / scale, -1.0, 1.0);
  return RankCorrelation{
      .rho = rho,
      .p_value = x.size() <= most_counted_values ? counted_p_value(ranks_x, ranks_y) : student_p_value(rho, x.size())};
}

}  // namespace saturn
