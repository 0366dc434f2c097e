#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

/// Which measurements would most sharply contradict a plan. How they are chosen: docs/models/planning.md.

namespace saturn {

/// Half-width of a measurement's own interval that the limits of a prediction allow for, relative [1].
inline constexpr double measurement_error = 0.01;

/// A number that is measured and predicted.
enum class PredictedNumber { event_time, events_per_s, items_per_s, latency, queue, compute };

/// With its unit: "event_time_s", "events_per_s", "items_per_s", "latency_s", "queue_s", "compute_s".
std::string name_of(PredictedNumber number);

/// A number as it is predicted, and the limits beyond which a measured one contradicts.
struct Prediction {
  PredictedNumber quantity = PredictedNumber::event_time;
  Estimate predicted{};
  std::optional<double> contradicts_below{};  ///< absent: no value is too small
  std::optional<double> contradicts_above{};  ///< absent: the simulation gives no interval
};

/// Jobs of one pool.
struct PoolJobs {
  std::string pool{};
  std::uint64_t jobs = 0;
};

/// So many jobs at once that the resource which binds shows how fast it is.
struct JobsTest {
  std::vector<PoolJobs> pools{};
  std::uint64_t jobs = 0;       ///< of all pools
  double clients = 0.0;         ///< their streams
  double saturates_at = 0.0;    ///< streams K at which the first resource saturates
  std::string binding{};        ///< that resource
  std::string next{};           ///< the one after it; empty when there is none
  double unhindered_s = 0.0;    ///< bound of the event time were the first resource not there [s]
  double faster_s = 0.0;        ///< event time were its demand smaller by the margin [s]
  double slower_s = 0.0;        ///< event time were its demand larger by the margin [s]
  double unserved_share = 0.0;  ///< see unserved_share() [1]
  Prediction event_time{};      ///< mean [s]
  Prediction events_per_s{};    ///< of all jobs together
  std::string again{};          ///< command that repeats the prediction
};

/// perf_analyzer with one model alone.
struct ModelTest {
  std::string model{};
  std::uint64_t request_batch = 1;     ///< items a request carries, -b
  std::uint64_t concurrency = 1;       ///< requests in flight
  std::uint64_t requests = 1;          ///< that a window counts at least
  double window_s = 0.0;               ///< what they take as predicted [s]
  std::string binding{};               ///< what saturates first in this measurement
  std::vector<std::string> command{};  ///< word by word, not quoted for a shell
  std::vector<Prediction> predictions{};
  std::vector<std::string> notes{};
  std::string again{};    ///< command that repeats the prediction; empty where none does
  std::string why_not{};  ///< no measurement of this model is proposed, for this reason; empty: one is
};

/// What would most sharply contradict a plan.
struct Falsification {
  double margin = 0.1;             ///< by so much slower or faster a resource shows in full [1]
  double fitted_half_width = 0.0;  ///< by which fitted parameters leave predictions open, relative; 0: exact [1]
  std::optional<JobsTest> jobs{};
  std::string why_no_jobs{};  ///< the reason when there is none
  std::vector<ModelTest> models{};
};

/// How well a plan knows its number of clients per device: half of the widest of its intervals over the number [1].
double relative_half_width(const Plan& plan);

/// By how much a resource may be slower or faster than predicted so that the measurement shows it in full: 10 %, or
/// twice the relative half-width, at most 50 % [1].
/// @param half_width  of the predicted clients per device, relative [1]
double falsifying_margin(double half_width);

/// A prediction with its limits: the simulation's interval and the other errors in quadrature.
/// @param other_errors  half-width of the measurement's own interval and what else there is [unit of the estimate]
Prediction prediction_of(PredictedNumber quantity, const Estimate& predicted, double other_errors);

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

/// The fewest whole jobs N* >= K/(1 − margin), K streams saturating the first resource: one that is faster by up to
/// the margin saturates with them too, so that it shows in proportion, as a slower one does.
/// @returns no jobs, and in `why_not` the reason, when nothing saturates or it takes more than 2,000,000 streams
ChosenJobs choose_jobs(const System& system, double margin);

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
