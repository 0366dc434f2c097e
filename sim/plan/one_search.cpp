#include "sim/plan/one_search.hpp"

#include <algorithm>
#include <cmath>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/starvation.hpp"
#include "sim/plan/served_work.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t least_replications = 3;
constexpr std::uint64_t settling_replications = 5;  // half as wide as of three: few points need a second look then

std::pair<std::uint64_t, std::uint64_t> key_of(const Scenario& scenario) {
  return {device_count(scenario), whole_clients(scenario)};
}

/// How carefully that was simulated: once tells everything where nothing is drawn, and few replications may be as
/// precise as is asked of many.
Care reached(const Scenario& confirmed, Care care, const Results& summary) {
  if (is_deterministic(confirmed)) return Care::confirmed;
  const Estimate& time = summary.all_jobs["event_time_s"];
  const bool precise = care == Care::settled && time.half_width() <= confirmed.run.precision * time.mean;
  return precise ? Care::confirmed : care;
}

/// A scenario to be simulated.
struct WantedPoint {
  const Scenario& scenario;
  Care care = Care::scout;

  std::pair<std::uint64_t, std::uint64_t> key() const { return key_of(scenario); }
  bool is_met_by(const SimulatedPoint& known) const { return known.care >= care; }
};

std::string verdict(const Estimate& slowdown, double tolerated) {
  const double excess = slowdown.mean - 1;
  if (excess > tolerated) {
    return percent(excess) + " slower than t_ideal, " + percent(excess - tolerated) + " more than tolerated";
  }
  std::string text = "within " + percent(tolerated);
  if (slowdown.high - 1 > tolerated) text += ", though its interval reaches " + percent(slowdown.high - 1);
  return text;
}

}  // namespace

std::uint64_t whole_clients(const Scenario& scenario) {
  return static_cast<std::uint64_t>(std::llround(stream_count(scenario)));
}

double noise_of_one(const Estimate& repeated) {
  return repeated.half_width() * std::sqrt(repeated.replications);
}

Scenario as_simulated(Scenario scenario, double slowdown, Care care) {
  RunControl& run = scenario.run;
  const double confirmed = slowdown / 5;
  run.precision = care == Care::settled ? std::max(confirmed, std::min(slowdown, run.precision)) : confirmed;
  const bool once = care == Care::scout || is_deterministic(scenario);
  run.min_replications = once ? 1 : care == Care::settled ? settling_replications : least_replications;
  run.max_replications = once ? 1 : std::max(run.min_replications, run.max_replications);
  return scenario;
}

Estimate served_slowdown(const SimulatedPoint& point) {
  return served_slowdown(point.scenario, point.summary);
}

PlanCandidate judged(const SimulatedPoint& point, double tolerated) {
  const double unserved = unserved_share(point.scenario, point.summary).mean;
  const std::string what =
      point.summary.all_jobs.find("failed") != nullptr ? " of the calls fail" : " of the requests are rejected";
  const Estimate slowdown = served_slowdown(point);
  return {.clients = whole_clients(point.scenario),
          .gpus = device_count(point.scenario),
          .bound_event_time_s = System(point.scenario).bounds.event_time_s,
          .event_time_s = point.summary.all_jobs["event_time_s"],
          .slowdown = slowdown,
          .accepted = slowdown.mean - 1 <= tolerated,
          .reason = verdict(slowdown, tolerated) + (unserved > 0.0 ? "; " + percent(unserved) + what : "")};
}

void SimulatedPoints::simulate(const std::vector<Scenario>& scenarios, Care care) {
  std::vector<WantedPoint> wanted;
  for (const Scenario& scenario : scenarios) wanted.push_back({scenario, care});
  store_.simulate(std::span<const WantedPoint>(wanted), wanted.size(), [&](std::span<const WantedPoint> unknown) {
    std::vector<Scenario> prepared;
    for (const WantedPoint& one : unknown) prepared.push_back(prepare_(one.scenario, care));
    std::vector<SimulatedPoint> points;
    for (Results& summary : evaluate_(prepared)) {
      const Scenario& scenario = unknown[points.size()].scenario;
      const Care care_reached = reached(prepare_(scenario, Care::confirmed), care, summary);
      points.push_back({scenario, care_reached, std::move(summary)});
    }
    return points;
  });
}

const SimulatedPoint* SimulatedPoints::find(const Scenario& scenario) const {
  return store_.find(key_of(scenario));
}

std::map<std::uint64_t, const SimulatedPoint*> SimulatedPoints::with_devices(std::uint64_t devices) const {
  std::map<std::uint64_t, const SimulatedPoint*> by_clients;
  for (const auto& [key, point] : store_.all()) {
    if (key.first == devices) by_clients.emplace(key.second, &point);
  }
  return by_clients;
}

std::vector<const SimulatedPoint*> SimulatedPoints::all() const {
  std::vector<const SimulatedPoint*> points;
  for (const auto& [key, point] : store_.all()) points.push_back(&point);
  return points;
}

SimulatedPoints burst_points(const Evaluate& evaluate, double slowdown) {
  return {evaluate, [slowdown](Scenario one, Care care) {
            // Which regime a replication ends in is a matter of chance, however many there are.
            constexpr std::uint64_t enough_replications = 8;
            one.run.max_replications = std::min(one.run.max_replications, enough_replications);
            return as_simulated(after_burst(std::move(one)), slowdown, care);
          }};
}

std::optional<StartsCompared> compare_starts(const Scenario& scenario, double clients, SimulatedPoints& orderly,
                                             SimulatedPoints& bursts) {
  const Scenario recommended = with_streams(scenario, std::max(1.0, std::floor(clients)));
  if (starving_queues(recommended).empty()) return std::nullopt;
  StartsCompared starts;
  starts.clients = whole_clients(recommended);
  for (const auto& [points, time] : {std::pair(&orderly, &starts.orderly_s), {&bursts, &starts.burst_s}}) {
    points->simulate({recommended}, Care::settled);
    *time = points->find(recommended)->summary.all_jobs["event_time_s"];
  }
  starts.differ = starts.burst_s.low > starts.orderly_s.high;
  return starts;
}

}  // namespace saturn
