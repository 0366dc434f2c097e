#include "sim/engine/open_recording.hpp"

#include <algorithm>

#include "models/open_capacity.hpp"
#include "models/run_checks.hpp"
#include "scenarios/demands.hpp"

namespace saturn {

OpenOutcome open_outcome(const Scenario& scenario, const ClosedNetwork& network, std::size_t pool,
                         std::span<const Reading> readings) {
  const JobPool& description = scenario.jobs[pool];
  const ArrivalMeter& before = readings.front().pools[pool].arrivals;
  const ArrivalMeter& after = readings.back().pools[pool].arrivals;
  const double window = readings.back().date - readings.front().date;
  const OpenCapacity capacity = open_capacity(network, pool);
  OpenOutcome open{.rate_per_s = capacity.offered_per_s,
                   .capacity_per_s = capacity.capacity_per_s,
                   .limit = capacity.limit,
                   .buffer = description.buffer,
                   .repeats_after_s = repetition(*description.arrivals).value,
                   .recorded = std::holds_alternative<TraceArrivals>(*description.arrivals),
                   .arrived = after.arrived - before.arrived,
                   .lost = after.lost - before.lost,
                   .waiting_mean = (after.waiting_area - before.waiting_area) / window,
                   .present_mean = (after.present_area - before.present_area) / window};
  OpenEvidence evidence{.offered_per_s = open.rate_per_s,
                        .capacity_per_s = open.capacity_per_s,
                        .dispersion = dispersion(*description.arrivals),
                        .varies = varies(*description.arrivals),
                        .window_s = window,
                        .arrivals = static_cast<double>(open.arrived),
                        .lost = static_cast<double>(open.lost),
                        .present = {},
                        .waiting_mean = open.waiting_mean};
  if (open.buffer) evidence.buffer = static_cast<double>(*open.buffer);
  for (std::size_t i = 1; i < readings.size(); ++i) {
    const ArrivalMeter& then = readings[i].pools[pool].arrivals;
    open.waiting_max = std::max(open.waiting_max, static_cast<double>(then.most_waiting));
    const double area = then.present_area - readings[i - 1].pools[pool].arrivals.present_area;
    evidence.present.push_back(area / (readings[i].date - readings[i - 1].date));
  }
  if (evidence.present.size() >= 3) {
    const BacklogGrowth growth = backlog_growth(evidence);
    open.growth_per_s = growth.per_s;
    open.verdict = verdict_of(evidence);
    open.times_grow = open.verdict == OpenVerdict::overloaded && (!open.buffer || growth.beyond_chance);
  }
  return open;
}

std::vector<Check> check_open_pool(const Scenario& scenario, const ClosedNetwork& network, std::size_t pool,
                                   const Reading& from, const Reading& to, bool bounded) {
  const PoolMeter& before = from.pools[pool];
  const PoolMeter& after = to.pools[pool];
  const std::uint64_t ended = after.event_times.count() - before.event_times.count();
  StationCounts events{.name = scenario.jobs[pool].name,
                       .present_area = after.arrivals.present_area - before.arrivals.present_area,
                       .sojourn_sum_s = after.event_times.sum_s() - before.event_times.sum_s(),
                       .age_before_s = before.open_age(from.date),
                       .age_after_s = after.open_age(to.date),
                       .present_before = before.open,
                       .present_after = after.open,
                       .arrivals = after.arrivals.arrived - before.arrivals.arrived,
                       .departures = ended + after.arrivals.lost - before.arrivals.lost};
  events.clock_error_s = clock_error(events, to.date);
  std::vector<Check> checks{check_conservation(events), check_little(events)};
  if (!bounded) return checks;
  const double within = events.sojourn_sum_s + events.age_after_s - events.age_before_s;
  const double window = to.date - from.date;
  checks.push_back(check_open_bounds({.name = scenario.jobs[pool].name,
                                      .loops = network.classes[pool].clients,
                                      .event_time_s = within / static_cast<double>(ended),
                                      .ideal_event_time_s = least_event_time(network.classes[pool]).value,
                                      .events = static_cast<double>(ended),
                                      .capacity_events = own_capacity_per_s(network, pool) * window,
                                      .relative_scatter = relative_scatter(scenario, scenario.jobs[pool])}));
  return checks;
}

}  // namespace saturn
