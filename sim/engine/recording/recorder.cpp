#include "sim/engine/recording/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/closed_network.hpp"
#include "models/queueing/open_capacity.hpp"
#include "models/results/run_checks.hpp"
#include "models/results/run_outcome.hpp"
#include "models/statistics/histogram.hpp"
#include "models/statistics/intervals.hpp"
#include "models/statistics/warm_up.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/known_power.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/engine/living/autoscaling.hpp"
#include "sim/engine/recording/living_readings.hpp"
#include "sim/engine/recording/readings.hpp"
#include "sim/engine/recording/window_times.hpp"

namespace saturn {

namespace {

/// A drift that moves the mean by so little of the precision that is asked for asks for no longer window.
constexpr double harmless_drift = 0.1;

}  // namespace

// What a run says of a pool that events reach from outside.

/// Its arrivals, losses, backlog and verdict.
/// @param readings  (n) those of the window, both of its edges included, n >= 2
OpenOutcome open_outcome(const Scenario& scenario, const ClosedNetwork& network, std::size_t pool,
                         std::span<const Reading> readings);

/// Conservation (arrived = ended + lost + present) and Little's law of the events present, both exact in every window,
/// and the bounds where they apply.
std::vector<Check> check_open_pool(const Scenario& scenario, const ClosedNetwork& network, std::size_t pool,
                                   const Reading& from, const Reading& to, bool bounded);

namespace {

/// Of any of the pool's jobs, on the slowest node.
Seconds longest_set_up(const JobPool& pool) {
  if (!pool.events_per_job) return {};
  double slowest = std::numeric_limits<double>::infinity();
  for (const SpeedClass& one : speed_classes(pool.speed, pool.count)) slowest = std::min(slowest, one.speed);
  return pool.job_setup / slowest;
}

/// False where the shares of several servers hold on average only, or by chance.
bool has_certain_shares(const Scenario& scenario, const JobPool& pool) {
  return std::all_of(pool.event.begin(), pool.event.end(), [&](const Stage& stage) {
    const auto* infer = std::get_if<InferStage>(&stage);
    return infer == nullptr || servers_of(scenario, infer->model).size() == 1 ||
           load_chooses_server(scenario, infer->model);
  });
}

}  // namespace

Recorder::Recorder(Calendar& calendar, const Timers& timers, const DelayedSends& delayed, const Scenario& scenario,
                   const ResourceMeters& resources, const InferenceService& service, std::vector<PoolMeter>& pools,
                   const LivingParts& living, const RunLength& length)
    : calendar_(calendar),
      timers_(timers),
      delayed_(delayed),
      scenario_(scenario),
      resources_(resources),
      network_(resources.network()),
      service_(service),
      living_(living),
      pools_(pools),
      length_(length),
      source_(calendar.add(*this)),
      event_times_(pools.size()),
      latencies_(service.models().size()) {
  series_.reserve(length.slices);
  ended_.reserve(length.slices);
  readings_.push_back(read(0.0));
  calendar_.reschedule(source_, slice_end_s(length_, 0));
}

void Recorder::fire(double now) {
  double time = 0.0;
  std::uint64_t ended = 0;
  for (const PoolMeter& pool : pools_) {
    time += pool.event_times.sum_s() - pool.surplus_sum;
    ended += pool.event_times.count();
  }
  const std::uint64_t events = ended - seen_events_;
  const double sum = time - seen_time_;
  seen_events_ = ended;
  seen_time_ = time;
  if (events > 0) {
    series_.push_back(sum / static_cast<double>(events));
  } else if (!series_.empty()) {
    series_.push_back(series_.back());
  }
  if (!series_.empty()) ended_.push_back(static_cast<double>(events));
  ++slice_;
  if (slice_ % length_.aligned_slices == 0) readings_.push_back(read(now));
  if (slice_ == length_.slices) {
    calendar_.stop();
    return;
  }
  const bool under_way = std::any_of(service_.models().begin(), service_.models().end(), [](const ModelMeter& model) {
    return model.sent > model.answered + model.refused + model.lost;
  });
  const bool campaign =
      std::any_of(scenario_.jobs.begin(), scenario_.jobs.end(), [](const JobPool& pool) { return !pool.replaced; });
  if (!campaign && living_.idle() && timers_.empty() && delayed_.empty() && !under_way && !any_open(scenario_))
    throw std::logic_error("deadlock: no stream computes and no request is under way");
  calendar_.reschedule(source_, slice_end_s(length_, slice_));
}

Reading Recorder::read(double now) {
  Reading reading;
  reading.date = now;
  for (PoolMeter& pool : pools_) pool.arrivals.count_to(now, pool.open);
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    PoolMeter& pool = pools_[p];
    const PoolCounts& counts = pool;
    reading.pools.push_back({counts, pool.event_times.totals()});
    event_times_[p].keep(pool.event_times);
    pool.arrivals.most_waiting = pool.arrivals.waiting;
  }
  for (std::size_t m = 0; m < service_.models().size(); ++m) {
    const ModelMeter& model = service_.models()[m];
    reading.models.push_back(model);
    latencies_[m].keep(model.latency);
  }
  reading.resources = resources_.read(now);
  for (const InferenceService::DirectedLeg& leg : service_.legs()) reading.legs.push_back(leg.meter(now));
  if (living_.fleet) reading.fleets = living_.fleet->meters(now);
  return reading;
}

RunOutcome Recorder::outcome() const {
  const Transient transient = all_open(scenario_) ? Transient::from_below : Transient::either;
  const WarmUpCut found = length_.settles ? mser5_cut(series_, transient) : WarmUpCut{};
  // The series may start late, when the first slices are without events; cut from its end, which is the run's.
  const std::size_t late = length_.slices - series_.size();
  const auto in_periods = [this](std::size_t slices) {
    return (slices + length_.aligned_slices - 1) / length_.aligned_slices;
  };
  const std::size_t periods = readings_.size() - 1;
  const std::size_t found_periods = in_periods(found.cut + (found.cut > 0 ? late : 0));
  // Jobs may begin over more than half of the run.
  const std::size_t cut_periods =
      std::max(std::min(found_periods, std::max<std::size_t>(1, periods / 2)),
               std::max<std::size_t>(length_.whole ? 0 : 1, in_periods(length_.least_warm_up)));
  const std::size_t cut = cut_periods * length_.aligned_slices;
  const Reading& from = readings_[cut_periods];
  const Reading& to = readings_.back();

  RunOutcome outcome;
  // A cut that takes the larger part of the asked window leaves too little behind it.
  const bool enough = 2 * (length_.slices - cut) >= length_.slices - length_.least_warm_up;
  const bool steady = found.steady || std::abs(found.drift) <= harmless_drift * scenario_.run.precision;
  outcome.warm_up = {from.date, to.date - from.date, !length_.settles || (steady && enough)};
  double events = 0.0;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    outcome.jobs.push_back(jobs(p, cut_periods, periods));
    events += static_cast<double>(outcome.jobs.back().event_time.count);
  }
  if (pools_.size() > 1) outcome.event_time_of_all = times_between(event_times_, cut_periods, periods);
  // What grows for ever is never steady, and longer windows would not make it so.
  for (const JobsOutcome& pool : outcome.jobs)
    if (pool.open && pool.open->verdict == OpenVerdict::overloaded) outcome.warm_up.steady = true;
  std::size_t number = 0;
  for (const auto& [name, model] : scenario_.models)
    outcome.models.push_back(this->model(number++, name, cut_periods, periods));
  for (std::size_t r = 0; r < network_.resources.size(); ++r)
    outcome.resources.push_back(resource(r, from, to, events));
  outcome.checks = checks(from, to);
  const std::size_t first = std::max(cut, late) - late;
  outcome.event_times = in_batches(std::span(series_).subspan(first), std::span(ended_).subspan(first));
  if (length_.whole)
    for (std::size_t i = 1; i < readings_.size(); ++i)
      outcome.over_time.push_back(moment_between(scenario_, resources_.servers(), readings_[i - 1], readings_[i]));
  std::vector<double> nodes;
  for (std::size_t s = 0; s < scenario_.servers.size(); ++s) {
    const std::optional<FleetOutcome>& fleet = outcome.resources[resources_.servers()[s].devices].fleet;
    nodes.push_back(fleet ? fleet->paid : static_cast<double>(scenario_.servers[s].nodes));
  }
  outcome.power_w = known_power(scenario_, nodes).all_w;
  for (const ModelCounts& model : to.models) outcome.requests += model.answered;
  outcome.simulated_events = calendar_.handled();
  return outcome;
}

JobsOutcome Recorder::jobs(std::size_t pool, std::size_t first, std::size_t last) const {
  const Reading& from = readings_[first];
  const Reading& to = readings_[last];
  const JobPool& description = scenario_.jobs[pool];
  JobsOutcome jobs;
  jobs.name = description.name;
  jobs.clients = network_.classes[pool].clients;
  jobs.ideal_event_time_s = network_.classes[pool].ideal_event_time.value;
  jobs.event_time = times_between(std::span(event_times_).subspan(pool, 1), first, last);
  if (jobs.event_time.count == 0)
    throw NoAnswer("no event of the jobs \"" + jobs.name + "\" ended within " + std::to_string(to.date - from.date) +
                   " s; raise " + (length_.whole ? "/run/horizon" : "/run/cycles") +
                   ", or see whether requests of a higher priority leave them no turn");
  const auto events = static_cast<double>(jobs.event_time.count);
  jobs.events_per_s = events / (to.date - from.date);
  jobs.set_up_s = (to.pools[pool].set_up_sum - from.pools[pool].set_up_sum) / events;
  jobs.jobs_per_s = static_cast<double>(to.pools[pool].streams_ended - from.pools[pool].streams_ended) /
                    static_cast<double>(streams_per_job(description)) / (to.date - from.date);
  if (description.arrivals) {
    jobs.open = open_outcome(scenario_, network_, pool, std::span(readings_).subspan(first, last - first + 1));
    const ArrivalMeter& before = from.pools[pool].arrivals;
    const ArrivalMeter& after = to.pools[pool].arrivals;
    const double begun = static_cast<double>(after.begun - before.begun);
    jobs.stages.push_back({"buffer", begun > 0.0 ? (after.wait_sum - before.wait_sum) / begun : 0.0});
  }
  const LoopTimes times = loop_times(description, network_.classes[pool], from, to, pool);
  jobs.stages.insert(jobs.stages.end(), times.stages.begin(), times.stages.end());
  jobs.events_failed = static_cast<double>(to.pools[pool].events_failed - from.pools[pool].events_failed);
  jobs.cores = core_hours_between(description, pool, resources_.cores()[pool], from, to);
  const std::size_t buffer = jobs.stages.size() - times.stages.size();
  for (std::size_t s = 0; s < to.pools[pool].calls.size(); ++s) {
    if (!std::holds_alternative<InferStage>(description.event[s])) continue;
    jobs.stages[buffer + s].calls = calls_between(from.pools[pool].calls[s], to.pools[pool].calls[s]);
    (jobs.calls ? *jobs.calls : jobs.calls.emplace()) += *jobs.stages[buffer + s].calls;
  }
  if (description.arrivals) return jobs;
  jobs.event_time.mean_s = times.event_time_s;
  jobs.events_per_s = times.events_per_s;
  return jobs;
}

std::size_t Recorder::middle(std::size_t first, std::size_t last) const {
  // Halves of a lattice may lie on different points of it, which tells nothing of the whole.
  // Of what changes over time the halves are not alike.
  return has_constant_times(scenario_) || length_.whole ? last : (first + last) / 2;
}

TimeStatistics Recorder::times_between(std::span<const HistogramHistory> histories, std::size_t first,
                                       std::size_t last) const {
  return window_times(histories, {.first = first, .middle = middle(first, last), .last = last});
}

ModelOutcome Recorder::model(std::size_t model, const std::string& name, std::size_t first, std::size_t last) const {
  const ModelCounts& before = readings_[first].models[model];
  const ModelCounts& after = readings_[last].models[model];
  const double window = readings_[last].date - readings_[first].date;
  ModelOutcome outcome;
  outcome.name = name;
  outcome.requests_per_s = static_cast<double>(after.served - before.served) / window;
  outcome.items_per_s = static_cast<double>(after.items - before.items) / window;
  outcome.ingress_bytes_per_s =
      static_cast<double>(after.sent_items - before.sent_items) * scenario_.models.at(name).input.value / window;
  const auto served = static_cast<double>(after.served - before.served);
  const auto mean_of = [&](double ModelCounts::*sum) {
    return served > 0.0 ? (after.*sum - before.*sum) / served : 0.0;
  };
  outcome.rejected_per_s = static_cast<double>(after.rejected - before.rejected) / window;
  outcome.send_s = mean_of(&ModelCounts::send_sum);
  outcome.host_s = mean_of(&ModelCounts::host_sum);
  outcome.queue_s = mean_of(&ModelCounts::queue_sum);
  outcome.fill_s = mean_of(&ModelCounts::fill_sum);
  outcome.compute_s = mean_of(&ModelCounts::compute_sum);
  outcome.device_wait_s = mean_of(&ModelCounts::device_wait_sum);
  outcome.receive_s = mean_of(&ModelCounts::receive_sum);
  outcome.latency = times_between(std::span(latencies_).subspan(model, 1), first, last);
  outcome.batches = after.batches.since(before.batches);
  for (std::size_t reason = 0; reason < send_reasons; ++reason)
    outcome.sent_because[reason] = after.sent_because[reason] - before.sent_because[reason];
  return outcome;
}

ResourceOutcome Recorder::resource(std::size_t resource, const Reading& from, const Reading& to, double events) const {
  const Resource& description = network_.resources[resource];
  const double window = to.date - from.date;
  const double busy = (to.resources[resource].busy_area - from.resources[resource].busy_area) / description.units;
  return {.name = description.name,
          .kind = description.kind,
          .units = description.units,
          .busy_fraction = busy / window,
          .demand_s_per_event = busy / events,
          .mean_in_use = (to.resources[resource].present_area - from.resources[resource].present_area) / window,
          .fleet = fleet_between(scenario_, resources_.servers(), resource, from, to)};
}

std::vector<Check> Recorder::checks(const Reading& from, const Reading& to) const {
  std::vector<Check> checks;
  const double window = to.date - from.date;
  std::uint64_t present = 0;
  const auto check_station = [&](std::size_t r) {
    StationCounts counts = counts_between(from.resources[r], to.resources[r], network_.resources[r].name);
    counts.clock_error_s = clock_error(counts, to.date);
    checks.push_back(check_conservation(counts));
    checks.push_back(check_little(counts));
    checks.push_back(check_utilisation(counts));
    checks.push_back(check_work_conserving(counts));
    return to.resources[r].present;
  };
  for (const ServerResources& server : resources_.servers()) {
    present += check_station(server.devices);
    if (server.host) present += check_station(*server.host);
    // Their batches are present at the devices already.
    if (server.batch_workers) check_station(*server.batch_workers);
  }
  for (const auto& cores : resources_.cores())
    if (cores) check_station(*cores);
  std::map<std::string, StationCounts> transfers;
  for (std::size_t l = 0; l < service_.legs().size(); ++l) {
    const std::vector<std::size_t>& channels = service_.legs()[l].channels;
    const std::string name = channels.empty()
                                 ? "transfers without contention"
                                 : network_.resources[resources_.resource_of_channel(channels.front())].name;
    StationCounts counts = counts_between(from.legs[l], to.legs[l], name);
    counts.clock_error_s = clock_error(counts, to.date);
    const auto [place, added] = transfers.try_emplace(name, counts);
    if (!added) place->second += counts;
    present += to.legs[l].present;
  }
  for (const auto& [name, counts] : transfers) {
    checks.push_back(check_conservation(counts));
    checks.push_back(check_little(counts));
  }
  for (std::size_t r = 0; r < network_.resources.size(); ++r) {
    const double busy = to.resources[r].busy_area - from.resources[r].busy_area;
    checks.push_back(check_capacity(network_.resources[r].name, busy, network_.resources[r].units, window));
  }
  StationCounts requests{.name = "requests"};
  std::uint64_t refused = 0;
  for (const ModelCounts& model : to.models) {
    requests.arrivals += model.sent;
    requests.departures += model.answered + model.refused + model.lost;
    refused += model.refused + model.lost;
  }
  // Tries that were given up leave their clients sooner than any answer would.
  for (const PoolReading& pool : to.pools)
    for (const CallMeter& calls : pool.calls) refused += calls.late + calls.failed + calls.fell_back;
  requests.present_after = present + service_.returning();
  checks.push_back(check_conservation(requests));
  const Bounds bounds = asymptotic_bounds(network_);
  for (std::size_t p = 0; p < pools_.size(); ++p) check_pool(p, from, to, bounds, refused > 0, checks);
  return checks;
}

void Recorder::check_pool(std::size_t pool, const Reading& from, const Reading& to, const Bounds& bounds, bool refuses,
                          std::vector<Check>& checks) const {
  const JobPool& description = scenario_.jobs[pool];
  const JobClass& job_class = network_.classes[pool];
  const PoolReading& before = from.pools[pool];
  const PoolReading& after = to.pools[pool];
  // Requests that a server refuses take less than any bound.
  const bool bounded = !refuses && has_certain_shares(scenario_, description);
  if (description.arrivals) {
    const std::vector<Check> of_pool = check_open_pool(scenario_, network_, pool, from, to, bounded);
    checks.insert(checks.end(), of_pool.begin(), of_pool.end());
    return;
  }
  const double window = to.date - from.date;
  const double in_events =
      after.event_times.sum_s + after.open_age(to.date) - (before.event_times.sum_s + before.open_age(from.date));
  const double between = after.paused_time(to.date) - before.paused_time(from.date);
  checks.push_back(check_response_time(description.name, job_class.clients, window, in_events + between));
  checks.push_back(loop_times(description, job_class, from, to, pool).check);
  if (!bounded) return;
  const auto events = static_cast<double>(after.event_times.count - before.event_times.count);
  const Seconds least_cycle = least_event_time(job_class) + job_class.set_up;
  const bool alone = pools_.size() == 1;
  checks.push_back(
      check_bounds({.name = description.name,
                    .clients = job_class.clients,
                    // Where some requests are put off for ever, the events that end are the quick ones.
                    .event_time_s = (in_events + between) / events,
                    .events_per_s = events / window,
                    .events = events,
                    .least_event_time_s = alone ? bounds.event_time_s + bounds.set_up_s : least_cycle.value,
                    .relative_scatter = relative_scatter(scenario_, description),
                    .edge_events = 1.0 + longest_set_up(description) / least_cycle}));
}

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
  const PoolReading& before = from.pools[pool];
  const PoolReading& after = to.pools[pool];
  const std::uint64_t ended = after.event_times.count - before.event_times.count;
  StationCounts events{
      .name = scenario.jobs[pool].name,
      .present_area = after.arrivals.present_area - before.arrivals.present_area,
      .sojourn_sum_s = after.event_times.sum_s - before.event_times.sum_s + after.failed_sum - before.failed_sum,
      .age_before_s = before.open_age(from.date),
      .age_after_s = after.open_age(to.date),
      .present_before = before.open,
      .present_after = after.open,
      .arrivals = after.arrivals.arrived - before.arrivals.arrived,
      .departures = ended + after.arrivals.lost - before.arrivals.lost + after.events_failed - before.events_failed};
  events.clock_error_s = clock_error(events, to.date);
  std::vector<Check> checks{check_conservation(events), check_little(events)};
  if (!bounded) return checks;
  const double within = events.sojourn_sum_s + events.age_after_s - events.age_before_s;
  const double window = to.date - from.date;
  checks.push_back(check_open_bounds({.name = scenario.jobs[pool].name,
                                      .streams = network.classes[pool].clients,
                                      .event_time_s = within / static_cast<double>(ended),
                                      .ideal_event_time_s = least_event_time(network.classes[pool]).value,
                                      .events = static_cast<double>(ended),
                                      .capacity_events = own_capacity_per_s(network, pool) * window,
                                      .relative_scatter = relative_scatter(scenario, scenario.jobs[pool])}));
  return checks;
}

}  // namespace saturn
