#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "sim/plan/question/requirement.hpp"
#include "sim/plan/search/candidate_space.hpp"

/// What the options of a search say: free variables, requirements, an objective.

namespace saturn {

/// Most candidates that a search enumerates.
inline constexpr std::uint64_t most_candidates = 1'000'000;

/// The options as they were written.
struct SearchOptions {
  std::vector<std::string>
      free{};  ///< "/models/*/max_batch_size=1:1024:x2", "/servers/0/site=fnal,iowa", "/jobs/0/count"
  std::vector<std::string> gpus{};         ///< "1:32" or "gke=1:32": devices of a server, in nodes of node_sizes
  std::vector<std::string> node_sizes{};   ///< "1,4,8"; empty: the scenario's own devices a node
  std::vector<std::string> require{};      ///< "latency_p99:emtrk <= 50 ms"
  std::optional<std::string> slowdown{};   ///< "1 %"
  std::optional<std::string> objective{};  ///< "fewest-gpus"
  std::optional<std::string> events{};     ///< of a campaign: "1e9"
};

/// The same, understood.
struct SearchQuestion {
  CandidateSpace space{{}};
  std::vector<Requirement> requirements{};
  Objective objective{};
  std::optional<double> campaign_events{};
};

/// Understands the options for a scenario; every complaint at once, each about one option ("--free /jobs/0/cuont").
/// A pointer's "*" stands for every element or key: all of them take the same value. Without a range a field has the
/// one that docs/models/searching.md lists for it. Requirements: those of `require`, and slowdown: 1 %, unless one of
/// them says how fast events or requests have to be; where events arrive from outside, lost_share <= 0.1 % instead.
/// @throws InputError  free.unknown_pointer, free.not_numeric, free.no_range, free.empty_range, free.bad_range,
/// free.not_allowed
///                     (a value that the field never takes), free.twice, free.too_many, gpus.*, require.unknown_figure,
///                     require.no_limit, require.wrong_unit, require.contradictory, objective.missing,
///                     objective.unknown, events.needed (campaign_time without a number of events), events.not_a_number
SearchQuestion understand(const SearchOptions& options, const ReadScenario& read);

/// "fewest-gpus, cost, energy, throughput, campaign-time, jobs-per-gpu": the objectives by their names.
std::span<const Objective> objectives();

}  // namespace saturn
