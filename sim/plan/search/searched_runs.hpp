#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/plan/one_search.hpp"
#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/search.hpp"

namespace saturn {

/// A candidate as it was simulated.
struct SimulatedLook {
  Fidelity fidelity = Fidelity::glance;
  CandidateFigures figures{};
  std::string failure{};             ///< in words; empty: there are figures
  bool constant_times = false;       ///< no noise, but a start that is slowly forgotten
  unsigned longer = 0;               ///< of a full one: see WantedLook
  bool longest = false;              ///< a search simulates nothing longer than this
  std::uint64_t requests = 0;        ///< that it simulated
  std::vector<WaitingPart> waits{};  ///< of a full one
};

/// A candidate to simulate, and how thoroughly.
struct WantedLook {
  std::uint64_t candidate = 0;
  Fidelity fidelity = Fidelity::full;
  /// Of a full look: doubled so often since the interval of a required figure held the limit. Doubled are the
  /// replications that the first one took, or, where nothing is drawn, its cycles.
  unsigned longer = 0;

  std::uint64_t key() const { return candidate; }
  bool is_met_by(const SimulatedLook& known) const {
    return std::pair(known.fidelity, known.longer) >= std::pair(fidelity, longer);
  }
};

/// The run control with which a search simulates a scenario, at first. A glance is one replication, or three where a
/// figure is asked that one does not bound; a short run is ten, both with brief windows; a full one has the scenario's
/// own precision and replications, and resolves a fifth of a tolerated slowdown. Where nothing is drawn all are one
/// replication, of rising length.
RunControl run_control_at(const Scenario& scenario, Fidelity fidelity, const SearchQuestion& question);

/// What --set says so that a run repeats a full look.
/// @param replications  that it took
std::vector<Override> full_look_settings(const Scenario& scenario, const SearchQuestion& question, unsigned longer,
                                         std::uint64_t replications);

/// Every simulation of a search at one load. All share the scenario's seed, so that their differences are those of the
/// candidates and not of the random numbers.
class SearchedRuns {
 public:
  SearchedRuns(const SearchedSpace& space, const EvaluateEach& evaluate, const SearchControl& control)
      : space_(space), evaluate_(evaluate), control_(control) {}

  /// Simulates those that are not known as thoroughly, in calls of `side_by_side`.
  /// @returns false when the time ran out before all of them
  bool simulate(std::span<const WantedLook> wanted);

  /// As thoroughly as it has been simulated; null when it has not.
  const SimulatedLook* find(std::uint64_t candidate) const { return looks_.find(candidate); }
  /// What follows a glance: a short run, or at once a full look where that takes no more event times, as with thousands
  /// of jobs.
  Fidelity after_glance(std::uint64_t candidate) const;
  /// The next closer look at a candidate that was simulated, and not as long as can be.
  WantedLook closer(std::uint64_t candidate) const;
  const std::map<std::uint64_t, SimulatedLook>& all() const { return looks_.all(); }
  std::uint64_t simulations() const { return simulations_; }
  std::uint64_t requests() const { return requests_; }

 private:
  RunControl run_control_of(const Scenario& scenario, const WantedLook& wanted) const;
  std::vector<SimulatedLook> simulate_together(std::span<const WantedLook> wanted);

  const SearchedSpace& space_;
  const EvaluateEach& evaluate_;
  const SearchControl& control_;
  RunStore<std::uint64_t, SimulatedLook> looks_;
  std::map<std::uint64_t, std::uint64_t> full_replications_;  ///< of each one's first full look
  std::uint64_t simulations_ = 0;
  std::uint64_t requests_ = 0;
};

}  // namespace saturn
