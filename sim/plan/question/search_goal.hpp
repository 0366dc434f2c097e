#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/question/requirement.hpp"

namespace saturn {

/// What every part of a search needs of the question.
struct SearchedSpace {
  const SearchQuestion& question;
  const PurchaseTerms& terms;
  const MakeScenario& make;
  double load = 1.0;      ///< jobs, or arrivals, times this
  bool simulated = true;  ///< false: formulas answer, and chance is not allowed for
};

/// A candidate's scenario at the space's load, with what sets it. @throws InputError  the reader refuses it
struct CandidateScenario {
  Scenario scenario{};
  std::vector<Override> settings{};
};
CandidateScenario candidate_scenario(const SearchedSpace& space, std::uint64_t candidate);

/// A figure, of one model, link or server or of all.
struct FigureOf {
  MeasureId figure{};
  std::string of{};
  bool operator==(const FigureOf&) const = default;
};

/// What is to be best among candidates that meet the requirements. A score is least where the goal is reached best.
struct SearchGoal {
  FigureOf wanted{};
  bool least = true;
  bool per_gpu = false;                  ///< the figure over the devices bought
  std::optional<std::size_t> without{};  ///< index of a requirement that need not be met
  /// Requirements with which more room decides between equal purchases; empty: it does not.
  std::span<const Requirement> room_of{};
};

/// @param value  of the wanted figure
/// @param gpus   devices bought
double score_of(const SearchGoal& goal, double value, double gpus);

/// The score rounded to nine digits: what differs by less is equal.
double rounded_score(double score);

/// All figures that the goals and the requirements speak of, and devices and rent, each once.
std::vector<FigureOf> figures_asked(std::span<const SearchGoal> goals, std::span<const Requirement> requirements);

/// The objective of its name. Complains (objective.unknown).
std::optional<Objective> read_objective(const std::string& name, OptionComplaints& complaints);

/// What is best where nobody says it: the least rent where the devices of all candidates have prices, else the fewest
/// devices. Complains where these are not what is free (objective.missing).
/// @param of_devices  their numbers are free
std::optional<Objective> usual_objective(const CandidateSpace& space, const ReadScenario& read, bool of_devices,
                                         OptionComplaints& complaints);

/// Complains where an objective or a requirement needs what the scenario does not say: prices of devices, their power
/// (objective.no_price, objective.no_power, require.no_price, require.no_power), or the number of events
/// (events.needed).
/// @param option  "--objective cost", "--require rent <= 5 USD/h"
void refuse_unknowable(const std::string& option, MeasureId figure, const CandidateSpace& space,
                       const ReadScenario& read, bool has_events, OptionComplaints& complaints);

}  // namespace saturn
