#include "sim/run/paired_replications.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scenarios/determinism.hpp"

namespace saturn {

namespace {

/// One of the two scenarios and what has come of it.
struct Side {
  Scenario scenario;
  const std::string* command = nullptr;
  std::vector<RunOutcome>* outcomes = nullptr;
  bool once = false;
};

/// Adds replications to each side. @returns the first failure
std::optional<RunFailure> add(std::vector<Side*>& sides, std::uint64_t have, std::uint64_t want, RunOptions options,
                              bool& out_of_time) {
  std::vector<Scenario> scenarios;
  for (Side* side : sides) {
    side->scenario.run.min_replications = side->scenario.run.max_replications = want - have;
    scenarios.push_back(side->scenario);
  }
  options.command.clear();
  options.first_replica = static_cast<std::uint32_t>(have);
  // Windows are the same in all rounds, whatever the later ones drift.
  if (have > 0) options.most_extensions = 0;
  auto answers = replicate(scenarios, options);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (auto* failure = std::get_if<RunFailure>(&answers[i])) {
      failure->command = *sides[i]->command + failure->command;
      return *failure;
    }
    auto& result = std::get<Replicated>(answers[i]);
    out_of_time |= result.out_of_time;
    sides[i]->scenario.run.cycles = result.cycles;
    std::move(result.outcomes.begin(), result.outcomes.end(), std::back_inserter(*sides[i]->outcomes));
  }
  return std::nullopt;
}

}  // namespace

std::variant<PairedRuns, RunFailure> replicate_pairs(const PairedScenario& a, const PairedScenario& b,
                                                     const PairsWanted& wanted, const RunOptions& options) {
  PairedRuns runs;
  std::vector<Side> both = {{a.scenario, &a.command, &runs.a, is_deterministic(a.scenario)},
                            {b.scenario, &b.command, &runs.b, is_deterministic(b.scenario)}};
  for (std::uint64_t want = wanted(runs); want > runs.pairs && !runs.out_of_time; want = wanted(runs)) {
    std::vector<Side*> sides;
    for (Side& side : both)
      if (runs.pairs == 0 || !side.once) sides.push_back(&side);
    if (sides.empty()) break;
    if (auto failure = add(sides, runs.pairs, want, options, runs.out_of_time)) return *failure;
    // A round that ran out of time may have more of one than of the other.
    std::size_t pairs = both[0].once && both[1].once ? 1 : static_cast<std::size_t>(want);
    for (const Side& side : both)
      if (!side.once) pairs = std::min(pairs, side.outcomes->size());
    for (const Side& side : both)
      if (!side.once) side.outcomes->resize(pairs);
    runs.pairs = pairs;
  }
  return runs;
}

}  // namespace saturn
