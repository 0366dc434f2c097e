#pragma once

#include <string>
#include <vector>

#include "models/falsification.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

/// Which measurements would most sharply contradict a plan. How they are chosen: docs/models/planning.md.
namespace saturn {

/// How well a plan knows its number of clients per device: half of the widest of its intervals over the number [1].
double relative_half_width(const Plan& plan);

/// By how much a resource may be slower or faster than predicted so that the measurement shows it in full: 10 %, or
/// twice the relative half-width, at most 50 % [1].
/// @param half_width  of the predicted clients per device, relative [1]
double falsifying_margin(double half_width);

/// A prediction with its limits: the simulation's interval and the other errors in quadrature.
/// @param other_errors  half-width of the measurement's own interval and what else there is [unit of the estimate]
Prediction prediction_of(std::string quantity, const Estimate& predicted, double other_errors);

/// A measurement that is chosen, but not predicted yet.
template <class Test>
struct ChosenTest {
  Test test{};
  Scenario scenario{};               ///< to be simulated
  std::vector<Override> settings{};  ///< what makes it of the user's scenario; empty where no settings do
};

/// The jobs that would show the first resource, or why none do.
struct ChosenJobs {
  ChosenTest<JobsTest> chosen{};  ///< without jobs where there is a reason why not
  std::string why_not{};
};

/// The fewest whole jobs N* >= K/(1 − margin), K event loops saturating the first resource: one that is faster by up to
/// the margin saturates with them too, so that it shows in proportion, as a slower one does.
/// @returns no jobs, and in `why_not` the reason, when nothing saturates or it takes more than 2,000,000 event loops
ChosenJobs choose_jobs(const Scenario& scenario, double margin);

/// Why nothing contradicts where there is no plan: nothing saturates, or nothing is predicted.
std::string why_not_falsified(const Scenario& scenario);

/// Fills in what the simulation of the chosen jobs predicts.
/// @param fitted_half_width  by which fitted parameters leave the prediction open, relative; 0: all are exact [1]
JobsTest predicted(const ChosenTest<JobsTest>& chosen, const Results& summary, double margin, double fitted_half_width);

/// perf_analyzer for every model that jobs call, in the order of the first calls.
std::vector<ChosenTest<ModelTest>> choose_models(const Scenario& scenario, double margin);

/// Fills in what the simulation of a chosen model predicts.
/// @param fitted_half_width  as above
ModelTest predicted(const ChosenTest<ModelTest>& chosen, const Results& summary, double fitted_half_width);

}  // namespace saturn
