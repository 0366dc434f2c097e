#include "tests/oracles/level_chain.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace saturn::tests {

namespace {

using Row = std::vector<double>;
using Block = std::vector<Row>;

/// Rates from the phases of a level to those of the level below, its own, and that above.
struct LevelRates {
  Block down, within, up;
};

LevelRates rates_of(std::size_t level, std::size_t phases, const Jumps& jumps) {
  const Block none(phases, Row(phases, 0.0));
  LevelRates rates{.down = none, .within = none, .up = none};
  for (std::size_t phase = 0; phase < phases; ++phase) {
    for (const Jump& jump : jumps(level, phase)) {
      if (jump.level + 1 < level || jump.level > level + 1 || jump.phase >= phases)
        throw std::logic_error("LevelChain: a jump leaves its neighbourhood");
      Block& block = jump.level < level ? rates.down : jump.level > level ? rates.up : rates.within;
      if (jump.level != level || jump.phase != phase) block[phase][jump.phase] += jump.per_s;
    }
  }
  return rates;
}

double sum_of(const Row& row) {
  return std::accumulate(row.begin(), row.end(), 0.0);
}

/// What a row of weights makes of a block's rows.
Row product(const Row& weights, const Block& block) {
  Row result(block.front().size(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t j = 0; j < result.size(); ++j) result[j] += weights[i] * block[i][j];
  return result;
}

/// For each row b of `right` the x with x·S = b, where S has the rates `within` and `down` out of each phase on its
/// diagonal and −within beside it. Elimination without pivots: no diagonal of S is smaller than the rest of its row.
Block divided(Block right, const Block& within, const Block& down) {
  const std::size_t phases = within.size();
  Block s(phases, Row(phases));
  for (std::size_t i = 0; i < phases; ++i)
    for (std::size_t j = 0; j < phases; ++j) s[i][j] = i == j ? sum_of(within[i]) + sum_of(down[i]) : -within[i][j];
  for (std::size_t k = 0; k < phases; ++k) {
    for (std::size_t j = k + 1; j < phases; ++j) {
      const double factor = s[k][j] / s[k][k];
      for (std::size_t i = k; i < phases; ++i) s[i][j] -= factor * s[i][k];
      for (Row& b : right) b[j] -= factor * b[k];
    }
  }
  for (Row& b : right) {
    for (std::size_t k = phases; k-- > 0;) {
      b[k] /= s[k][k];
      for (std::size_t j = 0; j < k; ++j) b[j] -= b[k] * s[k][j];
    }
  }
  return right;
}

/// Chances of the phases of a chain of one level, up to a factor.
Row stationary(Block rates) {
  const std::size_t phases = rates.size();
  for (std::size_t last = phases; last-- > 1;) {
    const double out =
        std::accumulate(rates[last].begin(), rates[last].begin() + static_cast<std::ptrdiff_t>(last), 0.0);
    for (std::size_t from = 0; from < last; ++from) {
      rates[from][last] /= out;
      for (std::size_t to = 0; to < last; ++to) rates[from][to] += rates[from][last] * rates[last][to];
    }
  }
  Row chances{1.0};
  for (std::size_t phase = 1; phase < phases; ++phase) {
    double chance = 0.0;
    for (std::size_t from = 0; from < phase; ++from) chance += chances[from] * rates[from][phase];
    chances.push_back(chance);
  }
  return chances;
}

/// Chances by level and phase of the levels 0 to top.
Block solved(std::size_t phases, const Jumps& jumps, std::size_t top) {
  std::vector<Block> steps(top + 1);  // from the chances of level n - 1 to those of level n
  LevelRates here = rates_of(top, phases, jumps);
  for (std::size_t level = top; level > 0; --level) {
    LevelRates below = rates_of(level - 1, phases, jumps);
    steps[level] = divided(below.up, here.within, here.down);
    // The level below, watched alone: whoever goes up comes back somewhere.
    for (std::size_t phase = 0; phase < phases; ++phase) {
      const Row back = product(steps[level][phase], here.down);
      for (std::size_t to = 0; to < phases; ++to)
        if (to != phase) below.within[phase][to] += back[to];
    }
    here = std::move(below);
  }
  Block chances{stationary(here.within)};
  double sum = sum_of(chances.front());
  for (std::size_t level = 1; level <= top; ++level) {
    chances.push_back(product(chances.back(), steps[level]));
    sum += sum_of(chances.back());
    constexpr double huge = 1e200;
    if (sum > huge) {
      for (Row& row : chances)
        for (double& chance : row) chance /= sum;
      sum = 1.0;
    }
  }
  for (Row& row : chances)
    for (double& chance : row) chance /= sum;
  return chances;
}

}  // namespace

LevelChain::LevelChain(std::size_t phases, const Jumps& jumps, std::optional<std::size_t> top) {
  if (top) {
    chances_ = solved(phases, jumps, *top);
    return;
  }
  constexpr std::size_t first = 64;
  constexpr std::size_t most = 131'072;
  constexpr double left_over = 1e-15;
  for (std::size_t last = first; last <= most; last *= 2) {
    chances_ = solved(phases, jumps, last);
    // The upper half holds more than is beyond it where chances fall geometrically.
    double upper = 0.0;
    for (std::size_t level = last / 2; level <= last; ++level) upper += sum_of(chances_[level]);
    if (upper < left_over) return;
  }
  throw std::runtime_error("LevelChain: no steady state within 131,072 levels");
}

double LevelChain::mean(const OfState& number) const {
  double sum = 0.0;
  for (std::size_t level = chances_.size(); level-- > 0;)
    for (std::size_t phase = 0; phase < chances_[level].size(); ++phase)
      sum += chances_[level][phase] * number(level, phase);
  return sum;
}

double LevelChain::mean_level() const {
  return mean([](std::size_t level, std::size_t) { return static_cast<double>(level); });
}

}  // namespace saturn::tests
