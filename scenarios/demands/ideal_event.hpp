#pragma once

#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/topology/routes.hpp"

/// The unloaded event time: how long it takes along its longest chain of stages.

namespace saturn {

/// What an event spends in one of its stages. An asynchronous stage counts only as long as its event does nothing but
/// wait for it; what goes on beside other stages is hidden and counts nowhere.
struct IdealStage {
  std::array<double, 5> seconds{};  ///< by StagePart [s]

  double& of(StagePart part) { return seconds[static_cast<std::size_t>(part)]; }
  double total_s() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
  /// Adds another one's times, each multiplied by the weight.
  void add(const IdealStage& other, double weight) {
    for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] += weight * other.seconds[i];
  }
};

struct IdealEvent {
  double event_s = 0.0;            ///< t_ideal: the sum over the stages [s]
  double core_s = 0.0;             ///< of it, and of set-ups, while the event holds a core of its job [s]
  double set_up_s = 0.0;           ///< of jobs that end, per event; no part of the event [s]
  std::vector<IdealStage> stages;  ///< in the order of the event
};

/// What the stages of a pool's event ask; nothing for those that compute.
std::vector<std::optional<StageDemand>> stage_demands(const Scenario& scenario, const RoutedResources& routed,
                                                      const JobPool& pool);

/// The event of a job. Its stages follow one another; an asynchronous one lasts on while later ones run, up to a stage
/// that needs it or the end of the event.
/// @param slowness  1 over the job's speed, by which CPU times are multiplied
/// @throws std::invalid_argument  a stage that needs what is no earlier asynchronous stage
IdealEvent ideal_event(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands, double slowness);

/// The mean over the pool's events when nobody waits: each job's event in proportion to the rate of its events. core_s
/// is such that count · threads / core_s is the rate at which all cores are busy, job by job.
IdealEvent mean_ideal_event(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands);

/// Places of the asynchronous stages that a stage needs, in the order of the event.
/// @throws std::invalid_argument  a label that no earlier asynchronous stage of the event has
std::vector<std::size_t> needed_stages(const std::vector<Stage>& event, std::size_t stage);

}  // namespace saturn
