#include "scenarios/ideal_event.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace saturn {

namespace {

/// Follows an event from stage to stage.
class EventPath {
 public:
  EventPath(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands, double slowness)
      : pool_(pool), demands_(demands), slowness_(slowness) {
    event_.stages.resize(pool.event.size());
    ends_.resize(pool.event.size());
  }

  IdealEvent followed() {
    for (std::size_t s = 0; s < pool_.event.size(); ++s) {
      for (const std::size_t needed : needed_stages(pool_.event, s)) join(needed);
      if (const auto* cpu = std::get_if<CpuStage>(&pool_.event[s])) {
        compute(s, slowness_ * mean(cpu->time).value);
      } else {
        call(s, std::get<InferStage>(pool_.event[s]).asynchronous);
      }
    }
    for (std::size_t s = 0; s < pool_.event.size(); ++s) join(s);
    const double events = static_cast<double>(events_per_loop(pool_));
    if (events > 0.0) event_.set_up_s = slowness_ * pool_.job_setup.value / events;
    event_.core_s += event_.set_up_s;
    event_.event_s = now_;
    return std::move(event_);
  }

 private:
  void compute(std::size_t s, double seconds) {
    event_.stages[s].cpu_s += seconds;
    event_.core_s += seconds;
    now_ += seconds;
  }

  void call(std::size_t s, bool asynchronous) {
    const double duration = stage_duration_s(*demands_[s], slowness_);
    if (!asynchronous) {
      wait(s, duration, slowness_ * demands_[s]->serialisation.value);
      event_.core_s += duration;
      return;
    }
    ends_[s] = now_ + duration;
    const double sending = loop_serialisation_s(*demands_[s], slowness_);
    event_.stages[s].serialisation_s += sending;
    event_.core_s += sending;
    now_ += sending;
  }

  void join(std::size_t s) {
    if (ends_[s] <= now_) return;
    const double sent = loop_serialisation_s(*demands_[s], slowness_);
    wait(s, ends_[s] - now_, std::max(0.0, slowness_ * demands_[s]->serialisation.value - sent));
  }

  /// Calls that overlap take less time than one by one; each of their parts keeps its share of it.
  void wait(std::size_t s, double seconds, double serialisation_s) {
    const StageDemand& demand = *demands_[s];
    const double one_by_one = (demand.travel + demand.bandwidth + demand.device).value + serialisation_s;
    const double share = one_by_one > 0.0 ? seconds / one_by_one : 0.0;
    IdealStage& stage = event_.stages[s];
    stage.serialisation_s += share * serialisation_s;
    stage.bandwidth_s += share * demand.bandwidth.value;
    stage.travel_s += share * demand.travel.value;
    stage.device_s += share * demand.device.value;
    now_ += seconds;
  }

  const JobPool& pool_;
  const std::vector<std::optional<StageDemand>>& demands_;
  double slowness_;
  IdealEvent event_;
  std::vector<double> ends_;  // of asynchronous stages; 0 of the others
  double now_ = 0.0;
};

void add(IdealStage& sum, const IdealStage& stage, double weight) {
  sum.cpu_s += weight * stage.cpu_s;
  sum.serialisation_s += weight * stage.serialisation_s;
  sum.bandwidth_s += weight * stage.bandwidth_s;
  sum.travel_s += weight * stage.travel_s;
  sum.device_s += weight * stage.device_s;
}

}  // namespace

std::vector<std::size_t> needed_stages(const std::vector<Stage>& event, std::size_t stage) {
  std::vector<std::size_t> needed;
  for (const std::string& label : needs_of(event[stage])) {
    std::size_t found = 0;
    for (; found < stage; ++found) {
      const auto* infer = std::get_if<InferStage>(&event[found]);
      if (infer != nullptr && infer->asynchronous && infer->label == label) break;
    }
    if (found == stage) throw std::invalid_argument("needed_stages: no earlier asynchronous stage is called " + label);
    needed.push_back(found);
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

std::vector<std::optional<StageDemand>> stage_demands(const Scenario& scenario, const RoutedResources& routed,
                                                      const JobPool& pool) {
  std::vector<std::optional<StageDemand>> demands;
  for (const Stage& stage : pool.event) {
    const auto* infer = std::get_if<InferStage>(&stage);
    demands.push_back(infer == nullptr ? std::nullopt
                                       : std::optional(stage_demand(scenario, routed, pool.site, *infer)));
  }
  return demands;
}

IdealEvent ideal_event(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands, double slowness) {
  return EventPath(pool, demands, slowness).followed();
}

IdealEvent mean_ideal_event(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands) {
  const std::vector<SpeedClass> classes = speed_classes(pool.speed, pool.count);
  if (classes.size() == 1) return ideal_event(pool, demands, 1.0 / classes.front().speed);
  IdealEvent mean;
  mean.stages.resize(pool.event.size());
  double rates = 0.0;
  double core_rates = 0.0;
  for (const SpeedClass& one : classes) {
    const IdealEvent event = ideal_event(pool, demands, 1.0 / one.speed);
    const double cycle_s = event.event_s + event.set_up_s;
    // Events that take no time at all have no rate; who asks for the mean complains of them.
    const double rate = cycle_s > 0.0 ? static_cast<double>(one.jobs) / cycle_s : 1.0;
    rates += rate;
    core_rates +=
        event.core_s > 0.0 ? static_cast<double>(one.jobs) / event.core_s : std::numeric_limits<double>::infinity();
    mean.event_s += rate * event.event_s;
    mean.set_up_s += rate * event.set_up_s;
    for (std::size_t s = 0; s < mean.stages.size(); ++s) add(mean.stages[s], event.stages[s], rate);
  }
  mean.event_s /= rates;
  mean.set_up_s /= rates;
  mean.core_s = static_cast<double>(pool.count) / core_rates;
  for (IdealStage& stage : mean.stages) {
    IdealStage scaled;
    add(scaled, stage, 1.0 / rates);
    stage = scaled;
  }
  return mean;
}

}  // namespace saturn
