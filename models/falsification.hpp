#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/estimate.hpp"

/// Measurements that would contradict a plan, with what the plan predicts for them.
namespace saturn {

/// Half-width of a measurement's own interval that the limits of a prediction allow for, relative [1].
inline constexpr double measurement_error = 0.01;

/// A number as it is predicted, and the limits beyond which a measured one contradicts.
struct Prediction {
  std::string quantity{};  ///< with its unit: "event_time_s", "events_per_s", "items_per_s", "latency_s", ...
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
  double clients = 0.0;         ///< their event loops
  double saturates_at = 0.0;    ///< event loops K at which the first resource saturates
  std::string binding{};        ///< that resource
  std::string next{};           ///< the one after it; empty when there is none
  double unhindered_s = 0.0;    ///< bound of the event time were the first resource not there [s]
  double faster_s = 0.0;        ///< event time were its demand smaller by the margin [s]
  double slower_s = 0.0;        ///< event time were its demand larger by the margin [s]
  double rejected_share = 0.0;  ///< of the requests, by queue policies, of the model where it is largest [1]
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

}  // namespace saturn
