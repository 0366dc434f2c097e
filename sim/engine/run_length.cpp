#include "sim/engine/run_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "models/queueing/open_capacity.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/ideal_event.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

namespace {

// Below four fifths of the least measured (docs/performance.md; a node: 2.9 kB or more): whatever can end is begun.
constexpr double least_request_s = 1e-7;
constexpr double least_client_bytes = 150.0;
constexpr double least_node_bytes = 2300.0;

/// Requests of an event, or itself if it sends none.
double dates_of_event(const JobPool& pool) {
  double requests = 0.0;
  for (const Stage& stage : pool.event)
    if (const auto* infer = std::get_if<InferStage>(&stage)) requests += mean_requests(*infer);
  return std::max(1.0, requests);
}

}  // namespace

RunSize run_size(const System& system, const RunLength& length) {
  const auto& [scenario, network, bounds] = system;
  // All pools are as much slower than unhindered as the mix of them is.
  const double slower =
      std::max(1.0, (bounds.mixed_event_time_s + bounds.set_up_s) / (bounds.ideal_event_time_s + bounds.set_up_s));
  RunSize size{.clients = bounds.clients};
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobClass& jobs = network.classes[j];
    const double unhindered = jobs.clients / (jobs.ideal_event_time + jobs.set_up).value;
    const double events_per_s = jobs.arrivals ? jobs.arrivals->value : unhindered / slower;
    size.requests += events_per_s * dates_of_event(scenario.jobs[j]) * end_of_run_s(length);
  }
  size.least_time_s = least_request_s * size.requests;
  size.least_bytes = least_client_bytes * size.clients;
  for (const Server& server : scenario.servers)
    size.least_bytes += least_node_bytes * static_cast<double>(server.nodes);
  return size;
}

namespace {

/// Calls visit(law, things) for all that breaks by itself: a law, and how many alike things it is of.
template <class Visit>
void each_failure_law(const Scenario& scenario, const Visit& visit) {
  const auto with = [&](const std::optional<FailureLaw>& law, double things) {
    if (law) visit(*law, things);
  };
  for (const Server& server : scenario.servers) {
    const auto nodes = static_cast<double>(server.nodes);
    with(server.failures, nodes);
    with(server.devices.failures, nodes * static_cast<double>(server.devices.count));
  }
  for (const Link& link : scenario.links) with(link.failures, 1.0);
}

/// Length of a window that holds many failures of everything that breaks [s].
double window_of_failures_s(const Scenario& scenario) {
  constexpr double many = 40.0;
  double window_s = 0.0;
  each_failure_law(scenario, [&](const FailureLaw& law, double things) {
    window_s = std::max(window_s, many * (mean(law.every) + mean(law.repair)).value / things);
  });
  return window_s;
}

/// How long it takes until as much is broken as ever: all is whole at first, which is forgotten in
/// every·repair/(every + repair) [s].
double settling_of_failures_s(const Scenario& scenario) {
  constexpr double many = 5.0;
  double settled_s = 0.0;
  each_failure_law(scenario, [&](const FailureLaw& law, double /*things*/) {
    const double every_s = mean(law.every).value;
    const double repair_s = mean(law.repair).value;
    if (every_s + repair_s > 0.0) settled_s = std::max(settled_s, many * every_s * repair_s / (every_s + repair_s));
  });
  return settled_s;
}

constexpr std::uint32_t window_slices = 400;
constexpr std::uint32_t reading_slices = 8;
constexpr double least_warm_up_cycles = 2.0;
// A queue forgets in about τ = 1/(C·(1 − √load)²); source: Abate & Whitt, Queueing Systems 2 (1987) 41, for M/M/1.
constexpr double window_relaxations = 50.0;
constexpr double warm_up_relaxations = 3.0;
constexpr double filling_margin = 1.2;
constexpr double most_load = 0.99;  // τ has no bound above it
constexpr double most_simulated_requests = 5e6;

/// Requests, or events where those send none, that arrivals cause [1/s].
double requests_per_s(const Scenario& scenario) {
  double rate = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    if (!pool.arrivals) continue;
    double requests = 0.0;
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage)) requests += mean_requests(*infer);
    rate += mean_rate(*pool.arrivals).value * std::max(1.0, requests);
  }
  return rate;
}

constexpr std::string_view because_asked = "/run/window asks for it";
constexpr std::string_view because_of_failures = "many failures of all that fails";

std::string_view because_of_cycles(const Scenario& scenario) {
  return scenario.run.cycles ? "/run/cycles asks for it"
                             : "events enough for the precision asked, at least a few of each job";
}

/// A window that something asks for, and what.
struct WindowWish {
  double seconds = 0.0;
  std::string_view because{};
};

struct Wanted {
  double window_s = 0.0;
  double warm_up_s = 0.0;
  double filling_s = 0.0;  // warm-up without which event times were those of a system that still fills
  double period_s = 0.0;   // longest after which arrivals begin again
  bool settles = true;
};

Wanted wanted_by_pools(const System& system, double least_events) {
  const auto& [scenario, network, bounds] = system;
  Wanted wanted;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const auto& arrivals = scenario.jobs[p].arrivals;
    if (!arrivals) continue;
    const OpenCapacity capacity = open_capacity(network, p);
    wanted.window_s = std::max(wanted.window_s, least_events / capacity.offered_per_s);
    wanted.period_s = std::max(wanted.period_s, repetition(*arrivals).value);
    const bool overloaded = !(capacity.load() <= 1.0);
    if (varies(*arrivals) || overloaded) wanted.settles = false;
    if (overloaded) {
      // Losses are steady once everything is full, which a little more than the excess takes. Event times are once
      // those have left who came then, and have all others before them.
      if (!scenario.jobs[p].buffer) continue;
      const double places = static_cast<double>(*scenario.jobs[p].buffer) + network.classes[p].clients;
      const double full_s = filling_margin * places / (capacity.offered_per_s - capacity.capacity_per_s);
      const double stay_s = filling_margin * places / capacity.capacity_per_s;
      if (std::isfinite(stay_s)) wanted.filling_s = std::max(wanted.filling_s, full_s + stay_s);
      wanted.window_s = std::max(wanted.window_s, full_s);
      continue;
    }
    const double load = std::min(capacity.load(), most_load);
    const double burstiness = std::max(1.0, (1.0 + dispersion(*arrivals)) / 2.0);
    const double relaxation_s = burstiness / (capacity.capacity_per_s * std::pow(1.0 - std::sqrt(load), 2));
    wanted.window_s = std::max(wanted.window_s, window_relaxations * relaxation_s);
    wanted.warm_up_s = std::max(wanted.warm_up_s, warm_up_relaxations * relaxation_s);
  }
  return wanted;
}

std::uint32_t whole_readings(double slices) {
  return static_cast<std::uint32_t>(std::ceil(std::max(1.0, slices / reading_slices))) * reading_slices;
}

}  // namespace

/// The length of a run in which events arrive from outside: see docs/models/open-loop.md.
/// @param cycle_s  event time that the bounds expect of the closed pools, or of an open one that waits for nobody [s]
/// @param least_events  that the window should hold [1]
RunLength open_run_length(const System& system, double cycle_s, double least_events) {
  const Scenario& scenario = system.scenario;
  const Wanted wanted = wanted_by_pools(system, least_events);
  const double affordable_s = most_simulated_requests / requests_per_s(scenario);
  const double failures_s = window_of_failures_s(scenario);
  const auto cycles = static_cast<double>(least_cycles(system));
  const double longer = cycles / static_cast<double>(usual_cycles);
  const auto [least_s, because] =
      std::max<WindowWish>({{std::min(longer * wanted.window_s, std::max(1.0, longer) * affordable_s),
                             "many arrivals, over many times what the queue remembers"},
                            {cycles * cycle_s, because_of_cycles(scenario)},
                            {scenario.run.window.value, because_asked},
                            {std::min(failures_s, affordable_s), because_of_failures}},
                           [](const WindowWish& a, const WindowWish& b) { return a.seconds < b.seconds; });
  double window_s = least_s;
  if (wanted.period_s > 0.0) {
    const double periods = std::ceil(window_s / wanted.period_s);
    if (periods == 1.0 ? wanted.period_s <= affordable_s : periods * wanted.period_s <= 2.0 * window_s)
      window_s = periods * wanted.period_s;
  }
  const double warm_up_s = std::max({least_warm_up_cycles * cycle_s, std::min(wanted.warm_up_s, window_s),
                                     wanted.filling_s, std::min(settling_of_failures_s(scenario), affordable_s)});
  // Calls that fail take no time: a beginning within a failure looks like one that still fills, and must not be cut.
  const bool breaks = failures_s > 0.0;
  const double slice_s = window_s / window_slices;
  const std::uint32_t warm_up = whole_readings(warm_up_s / slice_s);
  return {.slice = Seconds{slice_s},
          .slices = warm_up + window_slices,
          .aligned_slices = reading_slices,
          .least_warm_up = warm_up,
          .settles = wanted.settles && !breaks,
          .because = because};
}

namespace {

constexpr std::uint32_t slices_per_cycle = 8;
constexpr double least_random_events = 4000.0;
constexpr double least_arrivals = 20000.0;  // growth shows beyond chance only in many of them
constexpr std::uint64_t most_readings = 48;
constexpr std::uint64_t constant_times_factor = 4;
constexpr double brief_share = 0.1;  // of what good numbers need
constexpr double most_sorting_requests = 5e6;
constexpr double batches_per_window = 500.0;
constexpr double job_ends_per_window = 200.0;
constexpr double most_job_cycles = 2e5;
constexpr double most_start_cycles = 1000.0;
constexpr std::uint64_t most_sliced_cycles = 20'000;

double requests_per_event(const Scenario& scenario) {
  double most = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    double requests = 0.0;
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage)) requests += mean_requests(*infer);
    most = std::max(most, requests);
  }
  return most;
}

/// Longest time that the batchers can hold back the requests of one event [s].
double delay_per_event_s(const Scenario& scenario) {
  double longest = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    double delay = 0.0;
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      const auto rounds = std::ceil(mean_requests(*infer) / static_cast<double>(infer->in_flight));
      for (const std::string& step : model_steps(scenario.models, infer->model))
        delay += rounds * scenario.models.at(step).max_queue_delay.value;
    }
    longest = std::max(longest, delay);
  }
  return longest;
}

/// Events that may end together because their last requests share a batch.
double events_per_batch(const Scenario& scenario) {
  double most = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      for (const std::string& step : model_steps(scenario.models, infer->model)) {
        const Model& model = scenario.models.at(step);
        if (!joins_requests(model)) continue;
        double instances = 0.0;
        for (const std::size_t s : servers_of(scenario, infer->model))
          instances += static_cast<double>(scenario.servers[s].nodes * scenario.servers[s].devices.count *
                                           std::max<std::size_t>(1, scenario.servers[s].devices.mig.size()) *
                                           batches_at_once(model));
        const std::uint64_t largest = batch_limit(model);
        const double requests =
            std::floor(static_cast<double>(largest) / static_cast<double>(std::min(largest, infer->request_batch)));
        most = std::max(most, instances * requests / std::max(1.0, mean_requests(*infer)));
      }
    }
  }
  return most;
}

/// How many times as long as alone a call stays at servers while a link or card binds, before which those that wait
/// stand; infinite where none does. Batches grow until they are served as fast as they come: to T(1)/(1 - u) at least,
/// where u is the use of the busiest server by the fullest batches. A call stays for the one that it finds and its own.
double stay_beside_full_link(const System& system) {
  const auto of_network = [&](const Knee& knee) {
    const ResourceKind kind = system.network.resources[knee.resource].kind;
    return kind == ResourceKind::link || kind == ResourceKind::uplink || kind == ResourceKind::network_card;
  };
  const std::vector<Knee>& knees = system.bounds.knees;
  if (knees.empty() || !of_network(knees.front())) return std::numeric_limits<double>::infinity();
  double most_s = 0.0;
  for (const Knee& knee : knees)
    if (!of_network(knee)) most_s = std::max(most_s, knee.demand_s);
  return 2.0 / (1.0 - most_s / knees.front().demand_s);
}

/// Clients whose requests may be in one batch, when events take as long as the bound expects: those that neither
/// compute nor are on their way, nor wait for the network. They count all the same where the same clients come back
/// together because their computing times scatter less than the way takes.
double clients_at_servers(const System& system) {
  const Scenario& scenario = system.scenario;
  const RoutedResources routed = routed_resources(scenario);
  const double event_time_s = system.bounds.mixed_event_time_s;
  double clients = 1.0;
  for (const JobPool& pool : scenario.jobs) {
    double computing_s = 0.0;
    double scatter_s2 = 0.0;
    for (const Stage& stage : pool.event) {
      const auto* cpu = std::get_if<CpuStage>(&stage);
      if (cpu == nullptr) continue;
      computing_s += mean(cpu->time).value;
      scatter_s2 += variance(cpu->time);
    }
    double way_s = 0.0;
    for (const EventPart& part : ideal_event_parts(scenario, routed, pool))
      if (part.part == StagePart::travel || part.part == StagePart::bandwidth) way_s += part.seconds;
    double stay_s = event_time_s - computing_s;
    if (scatter_s2 > 0.0 && way_s * way_s <= scatter_s2) {
      stay_s -= way_s;
      double alone_s = 0.0;
      for (const auto& demand : stage_demands(scenario, routed, pool))
        if (demand) alone_s += demand->device.value;
      // Of several pools the others may be those that wait.
      if (scenario.jobs.size() == 1 && alone_s > 0.0)
        stay_s = std::min(stay_s, alone_s * stay_beside_full_link(system));
    }
    clients += static_cast<double>(stream_count(pool)) * std::max(0.0, stay_s / event_time_s);
  }
  return clients;
}

/// Most events that a stream runs for one job; 0 where no jobs end.
double longest_job_events(const Scenario& scenario) {
  std::uint64_t most = 0;
  for (const JobPool& pool : scenario.jobs) most = std::max(most, events_per_stream(pool));
  return static_cast<double>(most);
}

/// Longest period over which jobs are asked to begin [s].
double start_over_s(const Scenario& scenario) {
  double longest = 0.0;
  for (const JobPool& pool : scenario.jobs) longest = std::max(longest, pool.start_over.value_or(Seconds{}).value);
  return longest;
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

/// The event time that the bounds expect of the slowest jobs, with their set-up and what their requests may be held
/// back [s].
double cycle_s(const System& system) {
  const auto& [scenario, network, bounds] = system;
  double slowest = 0.0;
  for (const JobClass& job_class : network.classes)
    slowest = std::max(slowest, (job_class.ideal_event_time + job_class.set_up).value);
  const double hindered =
      slowest * (bounds.mixed_event_time_s + bounds.set_up_s) / (bounds.ideal_event_time_s + bounds.set_up_s);
  return std::max(slowest, hindered) + delay_per_event_s(scenario);
}

/// How many times as many events a mean of times with a long tail needs to be as nearly normal as one of exponential
/// times: E[T²]/(2·E[T]²), at least 1.
double tail(const Scenario& scenario) {
  constexpr double longest = 20.0;
  double most = 1.0;
  for (const JobPool& pool : scenario.jobs) {
    const double scatter = relative_scatter(scenario, pool);
    most = std::max(most, (1.0 + scatter * scatter) / 2.0);
  }
  return std::min(most, longest);
}

/// How much of what good numbers need is to be simulated.
double thoroughness(const Scenario& scenario) {
  return scenario.run.brief ? brief_share : 1.0;
}

RunLength length_with_arrivals(const System& system) {
  const Scenario& scenario = system.scenario;
  double cycle = 0.0;
  for (const JobClass& job_class : system.network.classes)
    if (job_class.arrivals) cycle = std::max(cycle, job_class.ideal_event_time.value);
  cycle += delay_per_event_s(scenario);
  Scenario closed = scenario;
  std::erase_if(closed.jobs, [](const JobPool& pool) { return pool.arrivals.has_value(); });
  if (!closed.jobs.empty()) cycle = std::max(cycle, cycle_s(std::move(closed)));
  const double together = std::min(events_per_batch(scenario), stream_count(scenario));
  const double arrivals = std::max(least_arrivals, batches_per_window * together);
  return open_run_length(system, cycle, thoroughness(scenario) * arrivals);
}

}  // namespace

double slice_end_s(const RunLength& length, std::uint32_t slice) {
  // With constant times events end on a lattice of dates. Slices that end on the same lattice would count an event by
  // its rounding errors; an irrational shift keeps them apart. Counted from zero each time, so that no error adds up.
  constexpr double golden_section = 0.38196601125010515;
  // A run of a fixed length is read at even dates, the last of which is its end.
  if (length.whole) return (static_cast<double>(slice) + 1.0) * length.slice.value;
  return (static_cast<double>(slice) + golden_section) * length.slice.value;
}

double end_of_run_s(const RunLength& length) {
  return length.slices == 0 ? 0.0 : slice_end_s(length, length.slices - 1);
}

namespace {

/// A run of a fixed length, in so many slices that what changes over time shows.
RunLength length_of_horizon(Seconds horizon) {
  constexpr std::uint32_t slices = 120;
  return {.slice = horizon / static_cast<double>(slices),
          .slices = slices,
          .settles = false,
          .whole = true,
          .because = "/run/horizon asks for it"};
}

}  // namespace

RunLength run_length_for(const System& system) {
  const auto& [scenario, network, bounds] = system;
  if (scenario.run.horizon) return length_of_horizon(*scenario.run.horizon);
  if (any_open(scenario)) return length_with_arrivals(system);
  double cycle = cycle_s(system);

  std::uint64_t cycles = least_cycles(system);
  std::string_view because = because_of_cycles(scenario);
  const auto raise = [&](double wanted, std::string_view why) {
    const auto whole = static_cast<std::uint64_t>(std::ceil(wanted));
    if (whole <= cycles) return;
    cycles = whole;
    because = why;
  };
  std::uint64_t period = 1;
  const double thorough = thoroughness(scenario);
  const double requests_per_cycle = std::max(1.0, requests_per_event(scenario) * stream_count(scenario));
  if (has_constant_times(scenario)) {
    // Requests that interleave sort themselves out over some hundred events when no time varies: a slow warm-up.
    // Large systems average over many jobs instead, and would take long.
    const double affordable = std::floor(most_sorting_requests / requests_per_cycle);
    if (!scenario.run.brief)
      raise(std::min(affordable, static_cast<double>(constant_times_factor * cycles)),
            "constant times, in which the order of requests settles slowly");
    // With constant times a saturated pool of G devices serves N jobs with a period of G/gcd(N, G) cycles; only over
    // whole periods is the mean event time exactly N/G·t_GPU.
    const std::uint64_t devices = device_count(scenario);
    const auto clients = static_cast<std::uint64_t>(stream_count(scenario));
    const std::uint64_t whole = devices / std::gcd(devices, clients);
    if (whole > 0 && whole <= cycles) period = whole;
  } else {
    const double events = thorough * least_random_events * tail(scenario);
    raise(events / stream_count(scenario), "events enough for a sound interval of times that vary");
  }
  const double affordable_s = cycle * most_sorting_requests / requests_per_cycle;
  raise(scenario.run.window.value / cycle, because_asked);
  raise(std::min(thorough * window_of_failures_s(scenario), affordable_s) / cycle, because_of_failures);
  // A window begins and ends somewhere among the events of a batch that end together: there have to be many batches.
  const double together = std::min(events_per_batch(scenario), clients_at_servers(system));
  const double wanted = std::min(thorough * batches_per_window * together / stream_count(scenario),
                                 most_sorting_requests / requests_per_cycle);
  raise(wanted, "many batches, whose events end together");
  // Jobs end at every moment alike, but only many ends tell how many; each stream's repeat with its jobs.
  const double affordable_cycles = std::min(most_job_cycles, most_sorting_requests / requests_per_cycle);
  const double job_cycles = longest_job_events(scenario);
  if (job_cycles > 0.0) {
    const double many =
        std::max(thorough * job_cycles, thorough * job_ends_per_window * job_cycles / stream_count(scenario));
    raise(std::min(many, affordable_cycles), "many jobs that end and begin again");
    if (has_constant_times(scenario) && job_cycles <= static_cast<double>(cycles))
      period = static_cast<std::uint64_t>(job_cycles);
  }
  // Jobs that begin over thousands of events are followed in coarser steps.
  const double coarser = std::ceil(start_over_s(scenario) / cycle / most_start_cycles);
  if (coarser > 1.0) {
    cycle *= coarser;
    cycles = std::max(least_cycles(system), static_cast<std::uint64_t>(static_cast<double>(cycles) / coarser));
  }
  // A series of slices that tells the warm-up needs no more of them in a longer window.
  const std::uint64_t merged = (cycles + most_sliced_cycles - 1) / most_sliced_cycles;
  if (merged > 1) {
    cycle *= static_cast<double>(merged);
    cycles = (cycles + merged - 1) / merged;
  }
  // Meters are read once a period, and memory for readings is bounded.
  period *= std::max<std::uint64_t>(1, (cycles + brief_warm_up_cycles) / (period * most_readings));
  const bool settles_at_once = has_constant_times(scenario) || scenario.run.brief;
  const std::uint64_t settling = settles_at_once ? brief_warm_up_cycles : drawn_warm_up_cycles;
  const std::uint64_t warm_up = settling + static_cast<std::uint64_t>(std::ceil(start_over_s(scenario) / cycle));
  const std::uint64_t total = round_up(warm_up, period) + round_up(cycles, period);
  return {.slice = Seconds{cycle / slices_per_cycle},
          .slices = static_cast<std::uint32_t>(total * slices_per_cycle),
          .aligned_slices = static_cast<std::uint32_t>(period * slices_per_cycle),
          .least_warm_up = static_cast<std::uint32_t>(warm_up * slices_per_cycle),
          .because = because};
}

}  // namespace saturn
