#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results.hpp"
#include "sim/plan/search.hpp"

namespace saturn {

/// Replications of a simulation whose inputs are varied: as many for each, so that they pair.
inline constexpr std::uint64_t paired_replications = 8;

/// A scenario that is simulated as often as all others that it is compared with.
Scenario as_paired(Scenario scenario);

/// A number of a simulation.
using Reading = std::function<double(const Results&)>;

/// By how much a number differs between two simulations, by replication [unit of the number].
struct PairedValues {
  std::vector<double> low{};   ///< (n) n >= 1, by replication
  std::vector<double> high{};  ///< (n)
};

/// Pairs replication i of the one with replication i of the other; where replications are not known, the two means.
PairedValues paired_values(const SearchedRun& low, const SearchedRun& high, const Reading& read);

/// The scenarios' simulations, in one call.
/// @throws std::logic_error  not as many results as scenarios
std::vector<SearchedRun> simulated_each(const EvaluateEach& evaluate, std::span<const SearchedScenario> scenarios);

}  // namespace saturn
