#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/question/requirement.hpp"

/// The search over free variables: what is asked of it, what it found, and why everything else was left.

namespace saturn {

/// Simulated objectives that differ by less, relative, count as equal: a quarter of the usual precision [1].
inline constexpr double objective_resolution = 2.5e-3;

/// Why a candidate is not the answer.
enum class RejectionKind {
  invalid,        ///< the scenario with these values is refused by the reader
  bound,          ///< even unhindered, by the asymptotic bounds, a requirement is not met
  cannot_win,     ///< by the bounds its objective cannot beat what has been confirmed
  implied,        ///< like one that failed, but with fewer devices, or otherwise no better
  screened,       ///< a short simulation misses a requirement by far more than its noise
  simulated,      ///< a full simulation misses a requirement, by more than its interval
  undecided,      ///< the interval of a required figure holds the limit, however long it was simulated
  worse,          ///< meets every requirement, but is no better than the answer
  failed,         ///< its simulation failed, or exceeded its limits
  out_of_budget,  ///< the budget ended before it could be decided
};

std::string_view name_of(RejectionKind kind);

/// The typed reason, with the numbers that it rests on.
struct Rejection {
  RejectionKind kind{};
  std::optional<std::size_t> requirement{};  ///< index into PlanSearch::requirements; of the worst one missed
  double value = 0.0;                        ///< of that figure: by bound or simulated, in its unit
  std::optional<Estimate> interval{};        ///< of the same, of undecided ones
  std::string binding{};                     ///< resource that saturates first, where that is why
  std::optional<std::uint64_t> than{};       ///< the candidate that implies it, or is better
  std::string words{};                       ///< the complaint, of invalid and failed ones
};

/// How thoroughly a candidate was looked at.
enum class Fidelity { formula, mva, glance, short_run, full };
std::string_view name_of(Fidelity fidelity);

/// A candidate that was simulated, or is shown for another reason.
struct SearchedCandidate {
  std::uint64_t index = 0;            ///< in the candidate space
  std::vector<std::string> values{};  ///< (variables) as written: "4096", "iowa"
  std::vector<Override> settings{};   ///< what --set repeats it with
  CandidateFigures figures{};         ///< simulated where it was, else by formula
  Fidelity fidelity = Fidelity::formula;
  unsigned longer = 0;    ///< of a full look: it was doubled so often, until the intervals excluded the limits
  std::string binding{};  ///< saturates first, by the bounds
  double saturates_at_jobs = 0.0;
  std::string next{};  ///< and the one after it; empty when there is none
  double next_at_jobs = 0.0;
  std::vector<WaitingPart> waits{};  ///< what makes its events longer than the ideal one; of a full look
  std::optional<Rejection> rejection{};
};

/// One of the three named answers.
struct NamedAnswer {
  std::string name{};  ///< "smallest purchase", "best value", "most robust to +30 % load"
  std::optional<SearchedCandidate> candidate{};
  std::string remark{};  ///< why there is none; the largest load that one stands; that it equals another row
};

/// What would have to give for an infeasible request.
struct Relaxation {
  std::size_t requirement = 0;    ///< index
  double needed_limit = 0.0;      ///< with which one candidate meets everything, in the figure's unit
  double relative = 0.0;          ///< by so much [1]
  SearchedCandidate candidate{};  ///< that one
  bool simulated = false;         ///< else by the bounds alone
  bool nobody_waits = false;  ///< the candidate's bound says as much and nothing saturates: more devices gain nothing
  bool together = false;      ///< must give together with the others of the list
};

/// A search, whatever came of it.
struct PlanSearch {
  std::vector<FreeVariable> variables{};
  std::vector<Requirement> requirements{};
  Objective objective{};
  std::uint64_t candidates = 0;
  std::optional<SearchedCandidate> answer{};
  std::vector<NamedAnswer> named{};               ///< three, when there is an answer
  std::vector<Relaxation> relaxations{};          ///< without an answer: cheapest first
  std::vector<std::uint64_t> undecided_better{};  ///< candidates that would be the answer if they met everything
  std::vector<SearchedCandidate> looked_at{};     ///< simulated ones, and the best rejected by formula; by index
  std::vector<Rejection> rejections{};            ///< (candidates) but the answer's own, kind `worse` there
  std::map<RejectionKind, std::uint64_t> counts{};
  std::uint64_t simulations = 0;  ///< scenarios simulated, at any fidelity
  std::uint64_t simulated_requests = 0;
  bool complete = true;           ///< false: the budget ended first
  bool ways_out_complete = true;  ///< false: it ended while relaxations were simulated
  bool formulas_alone = false;    ///< nothing was simulated, since nobody asked for it
};

/// A simulated candidate, or why there is no result.
struct SearchedRun {
  Results summary{};
  std::uint64_t requests = 0;  ///< simulated, of all replications, warm-up included
  std::string failure{};       ///< in words; empty: there is a summary
  /// Each replication summarised alone, for differences between scenarios that share their random numbers; may be empty
  /// where nobody asks for these.
  std::vector<Results> replications{};
};

/// A scenario to simulate, with the settings that make it of the user's, for the command that repeats it.
struct SearchedScenario {
  Scenario scenario{};
  std::vector<Override> settings{};
};

/// Simulates scenarios side by side, with the run control that each carries. Failures of single ones are results.
/// @throws OutOfBudget  time is over before each has a result
using EvaluateEach = std::function<std::vector<SearchedRun>(std::span<const SearchedScenario>)>;

/// How a search may run.
struct SearchControl {
  std::function<bool()> out_of_time = [] { return false; };  ///< asked between simulations
  /// Called with what is known so far: after the formulas, then whenever the answer changes.
  std::function<void(const PlanSearch&)> improved{};
  /// Called between simulations with how many candidates may still be the best; many of them are decided unseen.
  std::function<void(std::uint64_t)> left{};
  std::size_t side_by_side = 2;  ///< candidates in a call of EvaluateEach; the answer does not depend on it
  bool formulas_alone = false;   ///< nothing is simulated: the answer is the best that the formulas leave
  bool answer_alone = false;     ///< without the three rows beside an answer, and without what would have to give
};

/// Finds the candidate that meets every requirement with the best objective. Formulas reject what cannot meet them or
/// cannot win; mean value analysis and the bounds rank the rest; simulation confirms in that order, first with short
/// runs that only reject what misses by far more than their noise, then in full. Same answer as simulating every
/// candidate in full, up to requirements that are met or missed within noise. How: docs/models/searching.md.
/// @param make  of the user's scenario
PlanSearch search_plan(const SearchQuestion& question, const PurchaseTerms& terms, const MakeScenario& make,
                       const EvaluateEach& evaluate, const SearchControl& control);

}  // namespace saturn
