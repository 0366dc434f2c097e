#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/document/complaints.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/question/requirement.hpp"

/// What the options of a search say, free variables, requirements, an objective; and the candidates that follow.

namespace saturn {

/// One value that a free variable may take, with what it sets in the scenario.
struct FreeValue {
  std::string text{};                ///< as written: "4096", "0.5 ms", "iowa", "2 nodes of 4"
  std::vector<Override> settings{};  ///< one for each place that the variable stands for
  std::uint64_t nodes = 0;           ///< of a number of devices: so many nodes
  std::uint64_t node_size = 0;       ///< of so many devices each; 0: no number of devices
};

/// Something of the scenario that the planner may choose.
struct FreeVariable {
  std::string name{};  ///< as asked: "/models/*/max_batch_size", "gpus of gke"
  std::vector<FreeValue> values{};
  /// More of it never makes an event slower, whatever else is chosen (devices, nodes, with everything else alike);
  /// values are then in rising order. What fails with more fails with less.
  bool more_is_faster = false;
};

/// Makes a scenario with values changed. Throws InputError where the reader refuses it.
using MakeScenario = std::function<Scenario(std::span<const Override>)>;

/// All combinations of the variables' values. A candidate is a number below size(); the last variable changes fastest.
class CandidateSpace {
 public:
  explicit CandidateSpace(std::vector<FreeVariable> variables) : variables_(std::move(variables)) {}

  const std::vector<FreeVariable>& variables() const { return variables_; }
  /// @returns 1 without variables; the most that 64 bits hold where there are more
  std::uint64_t size() const;
  /// (variables) which value of each.
  std::vector<std::size_t> coordinates(std::uint64_t candidate) const;
  std::uint64_t candidate_at(std::span<const std::size_t> coordinates) const;
  std::vector<Override> settings(std::uint64_t candidate) const;

 private:
  std::vector<FreeVariable> variables_;
};

/// The order of candidates along the variables of which more is faster: what fails with more fails with less.
class MoreIsFasterOrder {
 public:
  explicit MoreIsFasterOrder(const CandidateSpace& space);

  /// The variables, as indices into CandidateSpace::variables().
  const std::vector<std::size_t>& variables() const { return variables_; }

  /// The candidate with the least of all of them: the same for all that differ by them alone.
  std::uint64_t line_of(std::uint64_t candidate) const;

  /// One step more of one of them; nothing when there is no more.
  std::optional<std::uint64_t> one_more(std::uint64_t candidate, std::size_t variable) const;

  /// Calls for every other candidate with at most as much of each.
  void each_with_less(std::uint64_t candidate, const std::function<void(std::uint64_t)>& call) const;

 private:
  const CandidateSpace& space_;
  std::vector<std::size_t> variables_;
};

/// Most candidates that a search enumerates.
inline constexpr std::uint64_t most_candidates = 1'000'000;

/// The options as they were written.
struct SearchOptions {
  std::vector<std::string>
      free{};  ///< "/models/*/max_batch_size=1:1024:x2", "/servers/0/site=fnal,iowa", "/jobs/0/count"
  std::vector<std::string> gpus{};         ///< "1:32" or "gke=1:32": devices of a server, in nodes of node_sizes
  std::vector<std::string> node_sizes{};   ///< "1,4,8"; empty: the scenario's own devices a node
  std::vector<std::string> require{};      ///< "latency_p99(emtrk) <= 50 ms"
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
/// The objective is that of usual_objective() where none is named.
/// @throws InputError  free.unknown_pointer, free.not_numeric, free.no_range, free.empty_range, free.bad_range,
/// free.not_allowed
///                     (a value that the field never takes), free.twice, free.too_many, gpus.*, require.unknown_figure,
///                     require.no_limit, require.wrong_unit, require.contradictory, objective.missing,
///                     objective.unknown, events.needed (campaign_time without a number of events), events.not_a_number
SearchQuestion understand(const SearchOptions& options, const ReadScenario& read);

/// "fewest-gpus, cost, energy, throughput, campaign-time, jobs-per-gpu": the objectives by their names.
std::span<const Objective> objectives();

}  // namespace saturn
