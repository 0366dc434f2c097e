#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/results/estimate.hpp"
#include "models/results/farm_outcome.hpp"
#include "models/results/measures.hpp"
#include "models/results/run_outcome.hpp"

/// Results of all replications of a scenario together: every number with its interval.

namespace saturn {

/// The numbers of one subject, by their keys: `model["queue_s"].mean`.
template <Subject of_subject>
class Numbers {
 public:
  static constexpr Subject subject = of_subject;

  /// All are 0 but those that not every subject has.
  Numbers() {
    std::size_t slot = 0;
    for (const Measure& measure : measures::table) {
      if (measure.subject != subject) continue;
      if (measure.where == nullptr && measure.average != Average::ratio) estimates_[slot].emplace();
      ++slot;
    }
  }

  /// @throws std::logic_error  this subject has no such number
  const Estimate& operator[](Key<subject> key) const {
    const std::optional<Estimate>& estimate = estimates_[key.slot()];
    if (!estimate) throw std::logic_error("a number is asked of a subject that has none");
    return *estimate;
  }
  Estimate& operator[](Key<subject> key) { return const_cast<Estimate&>(std::as_const(*this)[key]); }
  /// Null where this subject has no such number.
  const Estimate* find(Key<subject> key) const {
    const std::optional<Estimate>& estimate = estimates_[key.slot()];
    return estimate ? &*estimate : nullptr;
  }
  void set(Key<subject> key, const Estimate& estimate) { estimates_[key.slot()] = estimate; }
  void clear(Key<subject> key) { estimates_[key.slot()].reset(); }

  /// Calls visit(measure, estimate) with every number that there is, in the order of the table.
  template <class Visit>
  void each(const Visit& visit) const {
    std::size_t slot = 0;
    for (const Measure& measure : measures::table) {
      if (measure.subject != subject) continue;
      const std::optional<Estimate>& estimate = estimates_[slot++];
      if (estimate) visit(measure, *estimate);
    }
  }
  /// The same with those that there are not: visit(measure, optional), which may change them.
  template <class Visit>
  void each_slot(const Visit& visit) {
    std::size_t slot = 0;
    for (const Measure& measure : measures::table)
      if (measure.subject == subject) visit(measure, estimates_[slot++]);
  }

 private:
  std::array<std::optional<Estimate>, number_of_measures(subject)> estimates_{};
};

struct StageResults : Numbers<Subject::stage> {
  std::string label{};
};

/// What is no number of a pool that events reach from outside.
struct ArrivalResults {
  std::string limit{};                    ///< what sets the capacity
  std::optional<std::uint64_t> buffer{};  ///< events that may wait for a stream; absent: no limit
  double repeats_after_s = 0.0;           ///< 0: arrivals do not begin again [s]
  bool recorded = false;                  ///< they come from a trace
  /// What most replications have; of equally many the worse.
  OpenVerdict verdict = OpenVerdict::stable;
};

struct JobsResults : Numbers<Subject::jobs> {
  std::string name{};
  std::vector<StageResults> stages{};
  std::optional<ArrivalResults> open{};  ///< of a pool that events reach from outside
  /// Event times depend on how long was simulated, and are not to be shown: an overloaded pool is among the jobs whose
  /// buffer has no limit, or was not full yet.
  bool times_grow = false;
};

/// One model. send, host, queue, compute and receive add up to the mean latency; fill and instance_wait to queue;
/// device_wait and execute to compute.
struct ModelResults : Numbers<Subject::model> {
  std::string name{};
  std::map<std::uint32_t, std::uint64_t> batches{};        ///< by items, all replications together
  std::array<std::uint64_t, send_reasons> sent_because{};  ///< batches by SendReason, all replications together
};

/// Share of the requests to a model that queue policies refuse [1].
inline Estimate refused_share(const ModelResults& model) {
  const double served = model["requests_per_s"].mean;
  return mapped(model["rejected_per_s"],
                [&](double refused) { return refused > 0.0 ? refused / (refused + served) : 0.0; });
}

struct ResourceResults : Numbers<Subject::resource> {
  std::string name{};
  ResourceKind kind = ResourceKind::gpu;
};

/// A Moment over replications.
struct MomentResults {
  double until_s = 0.0;
  Estimate events_per_s{};
  Estimate event_time_s{};
  Estimate tries_per_s{};
  Estimate late{};
  Estimate calls_per_s{};
  Estimate unserved{};
  Estimate present{};
  Estimate nodes_in_service{};
  Estimate nodes_paid{};
  Estimate nodes_least{};
};

struct Results {
  std::vector<JobsResults> jobs{};
  /// The pools together: summed clients and rates, times of all their events, no stages, named "all jobs"; equals
  /// jobs[0] when there is one pool.
  JobsResults all_jobs{};
  Numbers<Subject::run> run{};
  std::vector<ModelResults> models{};
  std::vector<ResourceResults> resources{};
  std::vector<MomentResults> over_time{};  ///< of runs whose length is fixed
  std::vector<Check> checks{};     ///< by name, failed if it failed in any replication (the first failure's detail)
  double warm_up_removed_s = 0.0;  ///< the longest of the replications [s]
  double window_s = 0.0;           ///< mean of the replications [s]
  /// Replications whose event time still drifted at the cut: their window is too short for the scenario's memory.
  std::uint32_t unsteady_replications = 0;
  std::uint32_t replications = 0;
  std::uint64_t requests = 0;
  /// Half-width of the mean event time's interval over the mean [1]: what the asked precision is compared with. Where
  /// event times only grow, that of the rate of events.
  double relative_half_width = 0.0;
  std::optional<AnsweringCell> cell{};  ///< present: the scenario is a large farm, of which this was simulated

  /// Calls visit(measure, optional estimate), which it may change, with every number of every subject.
  template <class Visit>
  void each_slot(const Visit& visit) {
    all_jobs.each_slot(visit);
    for (StageResults& stage : all_jobs.stages) stage.each_slot(visit);
    for (JobsResults& pool : jobs) {
      pool.each_slot(visit);
      for (StageResults& stage : pool.stages) stage.each_slot(visit);
    }
    run.each_slot(visit);
    for (ModelResults& model : models) model.each_slot(visit);
    for (ResourceResults& resource : resources) resource.each_slot(visit);
  }
};

/// What ended the replications: a number that was fixed beforehand, an interval that had become narrow enough, or that
/// nothing is drawn, so that a second one would be the same run.
enum class Stopping { by_number, by_width, nothing_drawn };

/// The pools of one replication as one, without stages, named "all jobs"; a single pool as it is. Means of the whole
/// are weighted with the pools' events, its quantiles those of all events; there are none where the run does not say
/// them.
JobsOutcome together(const RunOutcome& run);

/// Student-t intervals over replications. With one replication there are batch means of its series for the event time,
/// and for rates of events and slowdowns, which follow it; what else is drawn has the whole line for its interval, for
/// nothing bounds it. Where nothing is drawn, every number has the relative width of the event time; where event times
/// only grow, that tells nothing, and numbers are not stationary. No interval of what cannot be negative reaches below
/// 0: those of quantiles are of their logarithm's scale, others end there. A quantile beyond which a replication has
/// fewer than 5 events on average is withheld. The interval of the rate of a closed pool holds clients over event time,
/// too, which differs from it by what the window's edges cut.
/// @param outcomes    (n) replications of one scenario, n >= 1, all with the same jobs, models, resources
/// @param confidence  in (0, 1)
/// @param stopping    by_width takes the factor of stopped_confidence(), so that the intervals hold what they say
/// @throws std::invalid_argument  no outcomes, outcomes of different shape, or a confidence outside (0, 1)
Results summarise(std::span<const RunOutcome> outcomes, double confidence, Stopping stopping = Stopping::by_number);

/// When, after an outage, about as few requests are at the servers as before it, no call is late and none goes without
/// its servers [s]; absent: not before the run ends.
/// @param moments  of a run, of equal lengths
/// @param from_s   when the outage began [s]
/// @param end_s    when it ended [s]
std::optional<double> recovered_at(const std::vector<MomentResults>& moments, double from_s, double end_s);

}  // namespace saturn
