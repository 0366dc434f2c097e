#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace saturn::tests {

/// A way out of a state of a chain.
struct Jump {
  std::size_t level = 0;  ///< at most one up or down
  std::size_t phase = 0;
  double per_s = 0.0;  ///< > 0
};

/// The ways out of (level, phase).
using Jumps = std::function<std::vector<Jump>(std::size_t level, std::size_t phase)>;

/// The steady state of a Markov chain in continuous time whose states are (level, phase) with levels that change by one
/// at most: birth-death processes (one phase), and quasi birth-death processes, such as queues whose servers fail.
/// Levels are folded into the one below, from the top down (Gaver, Jacobs, Latouche 1984), with diagonals that are sums
/// of what leaves (Grassmann, Taksar, Heyman 1985), so that few digits are lost. Every state has to reach level 0.
/// Cost: levels · phases³.
class LevelChain {
 public:
  /// @param phases  of each level, >= 1
  /// @param top     the last level; absent: there is no end, and as many levels are taken as hold all but 1e-15
  /// @throws std::runtime_error  where 131,072 levels do not hold it: no steady state, or nearly none
  LevelChain(std::size_t phases, const Jumps& jumps, std::optional<std::size_t> top = std::nullopt);

  using OfState = std::function<double(std::size_t level, std::size_t phase)>;
  /// The mean of a number that each state has; of a condition as 0 or 1 its chance.
  double mean(const OfState& number) const;
  double mean_level() const;
  std::size_t levels() const { return chances_.size(); }

 private:
  std::vector<std::vector<double>> chances_{};  ///< by level and phase
};

}  // namespace saturn::tests
