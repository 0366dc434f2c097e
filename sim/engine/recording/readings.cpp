#include "sim/engine/recording/readings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "models/laws/worker_nodes.hpp"
#include "models/results/run_checks.hpp"
#include "models/statistics/warm_up.hpp"

namespace saturn {

ResourceMeters::ResourceMeters(const Scenario& scenario, const ClosedNetwork& network, const Platform& platform,
                               const InferenceService& service, const std::vector<PoolMeter>& pools)
    : scenario_(scenario), network_(network), service_(service), pools_(pools) {
  RoutedResources routed = routed_resources(scenario);
  servers_ = std::move(routed.servers);
  cores_ = std::move(routed.cores);
  match_channels(platform.channels());
}

std::vector<StationMeter> ResourceMeters::read(double now) const {
  std::vector<StationMeter> resources(network_.resources.size());
  for (std::size_t s = 0; s < scenario_.servers.size(); ++s) {
    const ServerResources& places = servers_[s];
    for (const auto& node : service_.nodes(s)) {
      resources[places.devices] += node->meter(now);
      if (places.host) resources[*places.host] += node->host_meter(now);
      if (places.batch_workers) resources[*places.batch_workers] += node->batch_workers_meter(now);
      for (const auto& [model, place] : places.instances)
        resources[place].busy_area += node->busy_instances_area(service_.model_number(model), now);
      for (const auto& [model, place] : places.slots)
        resources[place] += node->slots_meter(service_.model_number(model), now);
    }
  }
  for (std::size_t p = 0; p < pools_.size(); ++p)
    if (cores_[p]) resources[*cores_[p]] = pools_[p].cores.read(now);
  for (const InferenceService::DirectedLeg& leg : service_.legs()) {
    for (const std::size_t channel : leg.channels) {
      const std::size_t r = resource_of_channel_[channel];
      resources[r].present_area += leg.leg->transfers_area(now);
      resources[r].busy_area += leg.leg->carried_bytes(now) / unit_rate_[r];
    }
  }
  return resources;
}

void ResourceMeters::match_channels(const std::vector<Channel>& channels) {
  std::map<std::string, std::size_t> places;
  for (std::size_t r = 0; r < network_.resources.size(); ++r) places[network_.resources[r].name] = r;
  unit_rate_.resize(network_.resources.size());
  for (const Channel& channel : channels) {
    const auto place = places.find(channel.resource);
    // What no route crosses is no resource.
    resource_of_channel_.push_back(place == places.end() ? unlisted : place->second);
    if (place != places.end()) unit_rate_[place->second] += channel.bandwidth / network_.resources[place->second].units;
  }
  for (const InferenceService::DirectedLeg& leg : service_.legs())
    for (const std::size_t channel : leg.channels)
      if (resource_of_channel_[channel] == unlisted)
        throw std::logic_error("a route crosses the unlisted resource " + channels[channel].resource);
}

namespace {

/// What a pool's meters say of a window; times are sums over the events that ended in it, or over all streams [s].
struct CountedStreams {
  CountedStreams(const Reading& from, const Reading& to, std::size_t pool)
      : before(from.pools[pool]),
        after(to.pools[pool]),
        window_s(to.date - from.date),
        events(static_cast<double>(after.event_times.count - before.event_times.count)),
        event_times_s(after.event_times.sum_s - before.event_times.sum_s),
        surplus_s(after.surplus_sum - before.surplus_sum),
        slowness((after.slowness_sum - before.slowness_sum) / events),
        between_s(after.paused_time(to.date) - before.paused_time(from.date)),
        age_before_s(before.open_age(from.date)),
        age_after_s(after.open_age(to.date)) {}

  const PoolReading& before;
  const PoolReading& after;
  double window_s;
  double events;
  double event_times_s;
  double surplus_s;
  double slowness;  // mean
  double between_s;
  double age_before_s;
  double age_after_s;
};

/// Known mean time that each stage of an event computes [s]; of events of that mean slowness.
std::vector<double> computing_s(const JobPool& pool, double slowness) {
  std::vector<double> times;
  for (const Stage& stage : pool.event) {
    const auto* cpu = std::get_if<CpuStage>(&stage);
    times.push_back(cpu == nullptr ? 0.0 : mean(cpu->time).value * slowness);
  }
  return times;
}

/// Standard deviation of what an event computes, on the slowest node [s].
double computing_spread_s(const JobPool& pool) {
  double drawn = 0.0;
  for (const Stage& stage : pool.event)
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) drawn += variance(cpu->time);
  double slowness = 0.0;
  for (const SpeedClass& one : speed_classes(pool.speed, pool.count)) slowness = std::max(slowness, 1.0 / one.speed);
  return std::sqrt(drawn) * slowness;
}

/// What a stage took on average, without what was drawn beyond the known mean [s]; 0 where none was passed.
double mean_stage_s(const CountedStreams& counted, std::size_t stage) {
  const auto passes = static_cast<double>(counted.after.stage_passes[stage] - counted.before.stage_passes[stage]);
  const double sum = counted.after.stage_sums[stage] - counted.before.stage_sums[stage];
  const double surplus = counted.after.stage_surplus[stage] - counted.before.stage_surplus[stage];
  return passes > 0.0 ? (sum - surplus) / passes : 0.0;
}

/// What each stage that computes took on average [s].
std::vector<double> measured_computing_s(const JobPool& pool, const CountedStreams& counted) {
  std::vector<double> times(pool.event.size());
  for (std::size_t s = 0; s < pool.event.size(); ++s)
    if (std::holds_alternative<CpuStage>(pool.event[s])) times[s] = mean_stage_s(counted, s);
  return times;
}

/// @param known_s    what each stage computes on average, see computing_s() and measured_computing_s()
/// @param stretched  by which the rest of every stage is multiplied
std::vector<StageOutcome> stage_outcomes(const JobPool& pool, const CountedStreams& counted,
                                         const std::vector<double>& known_s, double stretched) {
  std::vector<StageOutcome> stages;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const std::string label = std::visit([](const auto& stage) { return stage.label; }, pool.event[s]);
    stages.push_back({label, known_s[s] + (mean_stage_s(counted, s) - known_s[s]) * stretched});
  }
  return stages;
}

/// Stages that add up to an event time which is not the counted one: what events wait for is longer or shorter.
/// @param known_s       what each stage computes on average
/// @param counted_s     the sum of the stages as they were counted
/// @param event_time_s  what they are to add up to
std::vector<StageOutcome> stretched_stages(const JobPool& pool, const CountedStreams& counted,
                                           const std::vector<double>& known_s, double counted_s, double event_time_s) {
  double all_known_s = 0.0;
  for (const double one : known_s) all_known_s += one;
  const double rest_s = counted_s - all_known_s;
  const bool waits = rest_s > 1e-9 * counted_s;
  return stage_outcomes(pool, counted, known_s, waits ? (event_time_s - all_known_s) / rest_s : 1.0);
}

}  // namespace

LoopTimes loop_times(const JobPool& description, const JobClass& job_class, const Reading& from, const Reading& to,
                     std::size_t pool) {
  const CountedStreams counted(from, to, pool);
  const double clients = job_class.clients;
  const double between_s = counted.between_s / counted.events;
  const double plain_s = counted.event_times_s / counted.events;
  const double by_rate_s = clients * counted.window_s / counted.events - between_s;
  const double longest_s = counted.after.event_times.max_s;
  // Events that never get their turn are under way at the end and in no mean: only then do so many add up to so much.
  // The time that the rate tells has them.
  const bool some_never_end = std::abs(counted.age_after_s - counted.age_before_s) > clients * longest_s;
  const bool drawn = counted.slowness > 0.0;

  LoopTimes times{
      .event_time_s = plain_s, .events_per_s = counted.events / counted.window_s, .stages = {}, .check = {}};
  const double by_rest_s = plain_s - counted.surplus_s / counted.events;
  if (some_never_end) {
    times.event_time_s = by_rate_s;
    times.stages =
        stretched_stages(description, counted, measured_computing_s(description, counted), by_rest_s, by_rate_s);
  } else if (drawn) {
    times.event_time_s = response_time_s({.clients = clients,
                                          .ideal_s = job_class.ideal_event_time.value,
                                          .by_rest_s = by_rest_s,
                                          .by_rate_s = by_rate_s});
    times.events_per_s = clients / (times.event_time_s + between_s);
    times.stages = stretched_stages(description, counted, computing_s(description, counted.slowness), by_rest_s,
                                    times.event_time_s);
  } else {
    times.stages = stage_outcomes(description, counted, std::vector<double>(description.event.size()), 1.0);
  }
  times.check = check_whole_loop({.name = description.name,
                                  .clients = clients,
                                  .window_s = counted.window_s,
                                  .events = counted.events,
                                  .event_time_s = times.event_time_s,
                                  .between_s = counted.between_s,
                                  .at_edges_s = counted.age_before_s + counted.age_after_s,
                                  .spread_s = drawn ? computing_spread_s(description) : 0.0,
                                  .longest_s = longest_s});
  return times;
}

namespace {

/// Areas are differences of large numbers: what is just below none or above all is that.
double without_rounding(double mean, bool is_queue) {
  constexpr double rounding = 1e-9;
  if (mean < rounding && mean > -rounding) return 0.0;
  return !is_queue && mean > 1.0 && mean < 1.0 + rounding ? 1.0 : mean;
}

}  // namespace

TraceTimeline::TraceTimeline(Calendar& calendar, const ResourceMeters& resources, const RunTracer& tracer,
                             std::size_t samples)
    : calendar_(calendar),
      resources_(resources),
      tracer_(tracer),
      samples_(tracer.until_s() > tracer.from_s() ? samples : 0),
      source_(calendar.add(*this)) {
  if (samples_ > 0) calendar_.reschedule(source_, date(0));
}

double TraceTimeline::date(std::size_t boundary) const {
  if (boundary >= samples_) return tracer_.until_s();
  const double share = static_cast<double>(boundary) / static_cast<double>(samples_);
  return tracer_.from_s() + share * (tracer_.until_s() - tracer_.from_s());
}

void TraceTimeline::fire(double now) {
  ++handled_;
  sample(now);
  calendar_.reschedule(source_, dates_.size() <= samples_ ? std::max(now, date(dates_.size())) : Calendar::never);
}

void TraceTimeline::sample(double now) {
  std::vector<double> areas;
  for (const StationMeter& meter : resources_.read(now)) areas.push_back(meter.busy_area);
  const std::vector<double> waiting = tracer_.waiting_areas(now);
  areas.insert(areas.end(), waiting.begin(), waiting.end());
  dates_.push_back(now);
  areas_.push_back(std::move(areas));
}

void TraceTimeline::end(double now) {
  // What stops the run comes before a sample of the same date.
  if (samples_ > 0 && dates_.size() == samples_) sample(now);
}

void TraceTimeline::add_to(RunTrace& trace, const Scenario& scenario) const {
  if (samples_ == 0) return;
  const std::vector<Resource>& resources = resources_.network().resources;
  trace.sample_ends_s.assign(dates_.begin() + 1, dates_.end());
  const auto add = [&](const std::string& name, bool is_queue, std::size_t place, double units) {
    TimelineSeries series{.name = name, .is_queue = is_queue, .values = {}};
    for (std::size_t i = 1; i < dates_.size(); ++i) {
      const double elapsed = dates_[i] - dates_[i - 1];
      const double area = areas_[i][place] - areas_[i - 1][place];
      series.values.push_back(elapsed > 0.0 ? without_rounding(area / units / elapsed, is_queue) : 0.0);
    }
    trace.series.push_back(std::move(series));
  };
  for (std::size_t r = 0; r < resources.size(); ++r) add(resources[r].name, false, r, resources[r].units);
  std::size_t place = resources.size();
  for (const auto& [name, model] : scenario.models) add(name, true, place++, 1.0);
}

}  // namespace saturn
