#include "sim/engine/loop_times.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "models/response_time.hpp"
#include "models/run_checks.hpp"
#include "models/worker_speed.hpp"

namespace saturn {

namespace {

/// What a pool's meters say of a window; times are sums over the events that ended in it, or over all loops [s].
struct CountedLoops {
  CountedLoops(const Reading& from, const Reading& to, std::size_t pool)
      : before(from.pools[pool]),
        after(to.pools[pool]),
        window_s(to.date - from.date),
        events(static_cast<double>(after.event_times.count() - before.event_times.count())),
        event_times_s(after.event_times.sum_s() - before.event_times.sum_s()),
        surplus_s(after.surplus_sum - before.surplus_sum),
        slowness((after.slowness_sum - before.slowness_sum) / events),
        between_s(after.paused_time(to.date) - before.paused_time(from.date)),
        age_before_s(before.open_age(from.date)),
        age_after_s(after.open_age(to.date)) {}

  const PoolMeter& before;
  const PoolMeter& after;
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

/// @param known_s    what each stage computes on average, see computing_s()
/// @param stretched  by which the rest of every stage is multiplied
std::vector<StageOutcome> stage_outcomes(const JobPool& pool, const CountedLoops& counted,
                                         const std::vector<double>& known_s, double stretched) {
  std::vector<StageOutcome> stages;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const std::string label = std::visit([](const auto& stage) { return stage.label; }, pool.event[s]);
    const auto passes = static_cast<double>(counted.after.stage_passes[s] - counted.before.stage_passes[s]);
    const double sum = counted.after.stage_sums[s] - counted.before.stage_sums[s];
    const double surplus = counted.after.stage_surplus[s] - counted.before.stage_surplus[s];
    const double mean_s = passes > 0.0 ? (sum - surplus) / passes : 0.0;
    stages.push_back({label, known_s[s] + (mean_s - known_s[s]) * stretched});
  }
  return stages;
}

}  // namespace

LoopTimes loop_times(const JobPool& description, const JobClass& job_class, const Reading& from, const Reading& to,
                     std::size_t pool) {
  const CountedLoops counted(from, to, pool);
  const double clients = job_class.clients;
  const double between_s = counted.between_s / counted.events;
  const double plain_s = counted.event_times_s / counted.events;
  const double by_rate_s = clients * counted.window_s / counted.events - between_s;
  const double longest_s = counted.after.event_times.max_s();
  // Events that never get their turn are under way at the end and in no mean: only then do so many add up to so much.
  const bool some_never_end = std::abs(counted.age_after_s - counted.age_before_s) > clients * longest_s;
  const bool drawn = counted.slowness > 0.0;

  LoopTimes times{
      .event_time_s = plain_s, .events_per_s = counted.events / counted.window_s, .stages = {}, .check = {}};
  if (drawn && !some_never_end) {
    const double by_rest_s = plain_s - counted.surplus_s / counted.events;
    times.event_time_s = response_time_s({.clients = clients,
                                          .ideal_s = job_class.ideal_event_time.value,
                                          .by_rest_s = by_rest_s,
                                          .by_rate_s = by_rate_s});
    times.events_per_s = clients / (times.event_time_s + between_s);
    const std::vector<double> known_s = computing_s(description, counted.slowness);
    double all_known_s = 0.0;
    for (const double one : known_s) all_known_s += one;
    const double rest_s = by_rest_s - all_known_s;
    const bool waits = rest_s > 1e-9 * plain_s;
    times.stages =
        stage_outcomes(description, counted, known_s, waits ? (times.event_time_s - all_known_s) / rest_s : 1.0);
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

}  // namespace saturn
