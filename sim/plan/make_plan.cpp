#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/short_windows.hpp"
#include "sim/formula/system.hpp"
#include "sim/plan/formula_plan.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/plan/served_work.hpp"
#include "sim/plan/slowdown_crossing.hpp"

namespace saturn {

namespace {

std::uint64_t requests_per_event(const Scenario& scenario) {
  std::uint64_t most = 0;
  for (const JobPool& pool : scenario.jobs) {
    std::uint64_t requests = 0;
    for (const Stage& stage : pool.event) {
      if (const auto* infer = std::get_if<InferStage>(&stage)) requests += most_requests(*infer);
    }
    most = std::max(most, requests);
  }
  return most;
}

bool forms_batches(const Scenario& scenario) {
  return std::any_of(scenario.models.begin(), scenario.models.end(),
                     [](const auto& entry) { return joins_requests(entry.second) && batch_limit(entry.second) > 1; });
}

bool devices_slow_each_other(const Scenario& scenario) {
  return std::any_of(scenario.servers.begin(), scenario.servers.end(), [](const Server& server) {
    return server.devices.interference > 0.0 && (server.devices.count > 1 || server.devices.mig.size() > 1);
  });
}

/// What in the scenario makes requests wait although no resource is saturated.
std::string causes_of_waiting(const Scenario& scenario, const SlowdownCrossing& crossing, double bound) {
  std::vector<std::string> causes;
  if (forms_batches(scenario)) causes.emplace_back("batches are smaller than the best one");
  if (devices_slow_each_other(scenario)) causes.emplace_back("devices of a host slow each other down");
  if (!has_constant_times(scenario)) causes.emplace_back("random times round the knee");
  if (requests_per_event(scenario) > 1) causes.emplace_back("requests of different jobs interleave");
  const auto random = [](const JobPool& pool) { return pool.start == JobStart::random; };
  if (std::any_of(scenario.jobs.begin(), scenario.jobs.end(), random)) {
    causes.emplace_back("jobs start at random moments");
  }
  const auto split = [](const Server& server) { return server.nodes > 1; };
  if (scenario.servers.size() > 1 || std::any_of(scenario.servers.begin(), scenario.servers.end(), split)) {
    causes.emplace_back("each node has its own queue");
  }
  // Streams are whole: from one to the next the event time is taken to grow evenly, where the bound has its knee.
  if (bound < std::floor(crossing.clients) + 1.0)
    causes.push_back("no whole number of " + stream_word_of(scenario) + "s lies between");
  return causes.empty() ? "no cause is known" : joined(causes);
}

/// How long and how often the candidates round the crossing are simulated.
std::string what_was_simulated(const Scenario& scenario, double slowdown) {
  const Scenario simulated = as_simulated(scenario, slowdown, Care::confirmed);
  const RunControl& run = simulated.run;
  const std::string length = std::to_string(cycles_for_means(simulated)) + " event times or more";
  if (run.max_replications == 1) return "one replication of " + length + ": nothing is left to chance";
  return std::to_string(run.min_replications) + " to " + std::to_string(run.max_replications) + " replications of " +
         length + ", until " + stream_word_of(scenario) + "s are known to " + percent(scenario.run.precision) +
         " or their event time to " + percent(run.precision);
}

std::string simulation_remark(const Scenario& scenario, const SlowdownCrossing& crossing, double bound,
                              double slowdown) {
  std::string text;
  // What rounding makes of equal numbers needs no cause.
  constexpr double rounding = 1e-9;
  if (std::abs(crossing.clients / bound - 1) < rounding) {
    text = "agrees with the bound";
  } else if (crossing.high < bound) {
    text = percent(1 - crossing.clients / bound) + " below the bound: " + causes_of_waiting(scenario, crossing, bound);
  } else if (crossing.low > bound) {
    const std::string caveat = bound_caveat(scenario);
    text = percent(crossing.clients / bound - 1) + " above the bound: " +
           (caveat.empty() ? "windows of a plan are short; run tells more" : "that is " + caveat);
  } else {
    text = "agrees with the bound within its interval";
  }
  return text + "; " + what_was_simulated(scenario, slowdown);
}

/// Clients at which the throughput of the most loaded candidate would be reached without waiting, when that candidate
/// kept its first resource busy all the time: the simulation's own saturation point.
std::optional<double> simulated_saturation(const Scenario& scenario, const SimulatedPoints& points) {
  constexpr double all_the_time = 0.995;
  const auto with_same = points.with_devices(device_count(scenario));
  if (with_same.empty()) return std::nullopt;
  const Results& summary = with_same.rbegin()->second->summary;
  const bool saturated =
      std::any_of(summary.resources.begin(), summary.resources.end(),
                  [](const ResourceResults& resource) { return resource["busy_fraction"].mean >= all_the_time; });
  if (!saturated) return std::nullopt;
  return summary.all_jobs["events_per_s"].mean * summary.all_jobs["ideal_event_time_s"].mean;
}

/// @param tolerated  event time over t_ideal, less 1, at the crossing
/// @param slowdown   that the precision follows from
PlanRow simulation_row(const System& system, const SlowdownCrossing& crossing, double tolerated, double slowdown,
                       const SimulatedPoints& points) {
  const Scenario& scenario = system.scenario;
  const auto gpus = static_cast<double>(device_count(scenario));
  const double bound = clients_within(system.network, tolerated);
  std::optional<double> knee = simulated_saturation(scenario, points);
  if (knee) *knee /= gpus;
  return {.by = Method::simulation,
          .method = "simulation",
          .knee = knee,
          .streams_per_gpu = crossing.clients / gpus,
          .low = crossing.low / gpus,
          // No system carries more than the bound, whatever the noise leaves open.
          .high = (bound_caveat(scenario).empty() && crossing.clients <= bound ? std::min(bound, crossing.high)
                                                                               : crossing.high) /
                  gpus,
          .remark = simulation_remark(scenario, crossing, bound, slowdown)};
}

/// The simulation's row when the budget ended before it had found the crossing.
PlanRow cut_row(const Scenario& scenario, const SlowdownCrossing& crossing, const SimulatedPoints& points) {
  PlanRow row{.by = Method::simulation, .method = "simulation"};
  if (points.with_devices(device_count(scenario)).empty()) {
    row.remark = "no candidate was simulated before the budget ended";
    return row;
  }
  const auto gpus = static_cast<double>(device_count(scenario));
  row.low = crossing.low / gpus;
  row.high = crossing.high / gpus;
  row.remark = "cut off by the budget: the interval is what the simulated candidates and the bound leave open";
  return row;
}

/// What the plan's devices and jobs cost, and what the same events would cost without devices.
void say_costs(const SimulatedPoint& point, PlanAnswer& answer) {
  const CandidateFigures figures = figures_by_simulation(point.scenario, point.summary, {});
  for (const CandidateFigures::Entry& entry : figures.entries)
    if (entry.figure == measure("cost_per_million")) answer.cost_per_million_events_usd = entry.value.mean;
  answer.priced = priced_parts(compute_expenses(point.scenario, {}));
  answer.cpu_only_cost_per_million_events_usd = cpu_only_usd_per_million(point.scenario);
  const JobsResults& jobs = point.summary.all_jobs;
  answer.module = module_price(point.scenario, as_paid({}, point.scenario, point.summary), jobs["events_per_s"].mean,
                               jobs["event_time_s"].mean);
}

SimulatedPoints plan_points(const Evaluate& evaluate, double slowdown) {
  return {evaluate, [slowdown](Scenario one, Care care) { return as_simulated(std::move(one), slowdown, care); }};
}

/// Mean value analysis shows how far random times pull the crossing below the bound, so that the search starts there.
double first_guess(const System& system, double slowdown) {
  if (has_constant_times(system.scenario)) return std::numeric_limits<double>::infinity();
  return mva_crossing(system, slowdown).clients.value_or(std::numeric_limits<double>::infinity());
}

/// Where the crossing can still lie when nothing more is simulated: above the most clients that were within the
/// slowdown, below the fewest that were not and below the bound. In between, mean value analysis is the best guess.
SlowdownCrossing left_open(const System& system, double slowdown, const SimulatedPoints& points) {
  SlowdownCrossing crossing{.low = 0.0, .high = clients_within(system.network, slowdown)};
  for (const auto& [clients, point] : points.with_devices(device_count(system.scenario))) {
    const auto n = static_cast<double>(clients);
    if (served_slowdown(*point).mean - 1 <= slowdown)
      crossing.low = std::max(crossing.low, n);
    else
      crossing.high = std::min(crossing.high, n);
  }
  crossing.low = std::min(crossing.low, crossing.high);
  crossing.clients = std::clamp(first_guess(system, slowdown), crossing.low, crossing.high);
  return crossing;
}

/// Even the fewest jobs take longer than tolerated: the slowdown that is asked then is one of their event time.
void tolerate_beyond(const SimulatedPoint& fewest, PlanQuestion& asked, PlanAnswer& answer) {
  answer.fewest_slowdown = served_slowdown(fewest);
  answer.fewest_waits = waiting_parts(fewest.scenario, fewest.summary);
  asked.slowdown = (1 + asked.slowdown) * answer.fewest_slowdown->mean - 1;
}

/// The crossing; where even the fewest jobs take longer than tolerated, that of their own event time.
/// @param asked      gets the slowdown over t_ideal that follows then
/// @param precision  wanted half-width of the number of clients, relative [1]
SlowdownCrossing crossing_of(const System& system, PlanQuestion& asked, double precision, SimulatedPoints& points,
                             PlanAnswer& answer) {
  const double guess = first_guess(system, asked.slowdown);
  try {
    return find_crossing(system, {.slowdown = asked.slowdown, .guess = guess, .precision = precision}, points);
  } catch (const FewestTooSlow&) {
    tolerate_beyond(*points.with_devices(device_count(system.scenario)).begin()->second, asked, answer);
    return find_crossing(system, {.slowdown = asked.slowdown, .guess = guess, .precision = precision}, points);
  }
}

/// What the simulation leaves open where it finds no crossing, too.
SlowdownCrossing crossing_or_left_open(const System& system, PlanQuestion& asked, SimulatedPoints& points, Plan& plan) {
  try {
    return crossing_of(system, asked, system.scenario.run.precision, points, plan.answer);
  } catch (const OutOfBudget&) {
    plan.budget_spent = true;
    plan.confirmed = false;
  } catch (const NothingShared&) {
    throw;
  } catch (const std::domain_error&) {
    // One job saturates something, or times scatter too much: the interval says what is known.
  }
  return left_open(system, asked.slowdown, points);
}

/// Clients per device that are said beside the answer, half as precisely; nothing where simulation does not tell.
std::optional<double> clients_beside(const System& system, PlanQuestion asked, const Evaluate& evaluate) {
  const double precision = 2 * system.scenario.run.precision;
  SimulatedPoints points = plan_points(evaluate, asked.slowdown);
  PlanAnswer unused;
  try {
    double clients = crossing_of(system, asked, precision, points, unused).clients;
    if (!asked.past_saturation) clients = std::min(clients, system.knee_streams());
    return clients / static_cast<double>(device_count(system.scenario));
  } catch (const std::domain_error&) {
    return std::nullopt;
  } catch (const OutOfBudget&) {
    return std::nullopt;
  }
}

/// Whether so many clients are surely within the slowdown, because those with more of them are that were simulated.
bool carries(const SimulatedPoints& points, std::uint64_t devices, double clients, double slowdown) {
  const auto known = points.with_devices(devices);
  return std::any_of(known.begin(), known.end(), [&](const auto& entry) {
    const SimulatedPoint& point = *entry.second;
    const Estimate excess = served_slowdown(point);
    // A single replication scatters, by less than half of what it shows.
    const double at_most = point.care == Care::scout ? 2 * (excess.mean - 1) : excess.high - 1;
    return static_cast<double>(entry.first) >= clients && at_most <= slowdown;
  });
}

/// What is known where no number of devices keeps the clients within the tolerance.
void say_what_is_unsaturated(const Scenario& asked, SimulatedPoints& points, PlanAnswer& answer) {
  const std::optional<Scenario> fewest = fewest_unsaturated(asked);
  // The bound's fewest are the first that a search for devices simulates.
  if (!fewest || points.find(*fewest) == nullptr) return;
  const SimulatedPoint& point = *points.find(*fewest);
  answer.unsaturated_gpus = device_count(point.scenario);
  answer.unsaturated_slowdown = served_slowdown(point);
  answer.waits = waiting_parts(point.scenario, point.summary);
}

/// A slowdown over t_ideal: that of so many events more.
double tolerated_beyond(const Estimate& slowdown, const PlanQuestion& question) {
  return (1 + question.slowdown) * std::max(1.0, slowdown.mean) - 1;
}

/// Where nothing is steady, what happens makes jobs wait whatever the devices are: the slowdown that is tolerated is
/// one of their event time with devices to spare, over the same horizon and with the same random numbers.
PlanQuestion asked_of_devices(const Scenario& asked, const PlanQuestion& question, SimulatedPoints& points,
                              PlanAnswer& answer) {
  if (!has_no_steady_state(asked)) return question;
  const Scenario enough = with_devices_to_spare(asked, question);
  points.simulate({enough}, Care::confirmed);
  const SimulatedPoint& point = *points.find(enough);
  answer.enough_slowdown = served_slowdown(point);
  answer.enough_waits = waiting_parts(point.scenario, point.summary);
  PlanQuestion beyond = question;
  beyond.slowdown = tolerated_beyond(*answer.enough_slowdown, question);
  return beyond;
}

/// @returns whether the budget ended before they were confirmed
bool say_how_many_gpus(const Scenario& scenario, const PlanQuestion& question, SimulatedPoints& points,
                       PlanAnswer& answer) {
  const double wanted = question.clients ? static_cast<double>(*question.clients) : stream_count(scenario);
  const Scenario asked = with_streams(scenario, wanted);
  answer.clients = static_cast<std::uint64_t>(std::llround(stream_count(asked)));
  try {
    const std::uint64_t by_bound = gpus_by_bound(asked, question);
    try {
      const PlanQuestion within = asked_of_devices(asked, question, points, answer);
      const SimulatedPoint& carrying = find_gpus(asked, within, points);
      answer.gpus = device_count(carrying.scenario);
      for (std::size_t i = 0; i < scenario.servers.size(); ++i)
        if (const std::uint64_t count = carrying.scenario.servers[i].devices.count;
            count > scenario.servers[i].devices.count)
          answer.most_in_a_node = std::max(answer.most_in_a_node, count);
      answer.slowdown = served_slowdown(carrying);
      if (const Estimate* failed = carrying.summary.all_jobs.find("failed"))
        answer.failed = *failed;
      else
        answer.refused = unserved_share(carrying.scenario, carrying.summary).mean;
      answer.waits = waiting_parts(carrying.scenario, carrying.summary);
      say_costs(carrying, answer);
    } catch (const OutOfBudget& spent) {
      answer.why_no_gpus = spent.what();
      answer.gpus_by_bound = by_bound;
      say_devices_by_formula(asked, by_bound, Method::bounds, answer);
      return true;
    }
  } catch (const std::domain_error& none) {
    answer.why_no_gpus = none.what();
    say_what_is_unsaturated(asked, points, answer);
  }
  return false;
}

void check(const PlanQuestion& question) {
  if (!(question.slowdown > 0) || !std::isfinite(question.slowdown)) {
    throw std::invalid_argument("the tolerated slowdown is " + in_words(question.slowdown) + "; it must be above 0");
  }
  if (question.clients == std::uint64_t{0}) throw std::invalid_argument("GPUs are asked for 0 streams");
}

/// Whether every event time that the answer rests on is as precise as the scenario asks. What was simulated once only
/// showed where to look, unless once tells everything.
bool is_precise(const std::vector<PlanCandidate>& candidates, double precision) {
  const bool repeated = std::any_of(candidates.begin(), candidates.end(),
                                    [](const PlanCandidate& one) { return one.event_time_s.replications > 1; });
  return std::all_of(candidates.begin(), candidates.end(), [&](const PlanCandidate& one) {
    return (repeated && one.event_time_s.replications == 1) ||
           one.event_time_s.half_width() <= precision * one.event_time_s.mean;
  });
}

void say_candidates(const SimulatedPoints& points, const Scenario& scenario, double tolerated, Plan& plan) {
  for (const SimulatedPoint* point : points.all()) plan.candidates.push_back(judged(*point, tolerated));
  plan.precision_reached = !plan.budget_spent && is_precise(plan.candidates, scenario.run.precision);
}

/// Where nothing is steady formulas say what a device carries, of the time in which nothing changes. The devices for
/// the jobs are simulated, with all that happens.
Plan plan_over_a_horizon(const System& system, const PlanQuestion& question, const Evaluate& evaluate) {
  const Scenario& scenario = system.scenario;
  if (question.methods == Methods{Method::simulation})
    throw std::domain_error(
        "runs have a fixed length (/run/horizon), and what jobs meet changes in it: no simulation says what a device "
        "carries, but formulas do, of the time in which nothing changes (--method bounds or mva)");
  PlanQuestion by_formulas = question;
  by_formulas.how_many_gpus = false;
  by_formulas.methods = every_method;
  Plan plan = formula_plan(system, by_formulas);
  plan.rows = instant_rows(system, question.slowdown, question.methods);
  if (!question.how_many_gpus) return plan;
  SimulatedPoints points = plan_points(evaluate, question.slowdown);
  plan.budget_spent = say_how_many_gpus(scenario, question, points, plan.answer);
  const std::optional<Estimate>& enough = plan.answer.enough_slowdown;
  say_candidates(points, scenario, enough ? tolerated_beyond(*enough, question) : question.slowdown, plan);
  if (enough && enough->half_width() > question.slowdown / 2) plan.precision_reached = false;
  return plan;
}

}  // namespace

Plan make_plan(const System& system, const PlanQuestion& question, const Evaluate& evaluate) {
  check(question);
  if (question.methods.formulas_alone()) return formula_plan(system, question);
  if (has_no_steady_state(system.scenario)) return plan_over_a_horizon(system, question, evaluate);
  const Scenario& scenario = system.scenario;
  Plan plan{.rows = instant_rows(system, question.slowdown, question.methods), .candidates = {}, .answer = {}};
  SimulatedPoints orderly = plan_points(evaluate, question.slowdown);
  SimulatedPoints bursts = burst_points(evaluate, question.slowdown);

  PlanQuestion asked = question;
  SlowdownCrossing crossing = crossing_or_left_open(system, asked, orderly, plan);
  if (plan.confirmed) {
    const double most = asked.past_saturation ? crossing.clients : std::min(crossing.clients, system.knee_streams());
    try {
      plan.answer.starts = compare_starts(scenario, most, orderly, bursts);
    } catch (const OutOfBudget&) {
      plan.budget_spent = true;
    }
  }
  const bool after_bursts = plan.answer.starts && plan.answer.starts->differ;
  if (after_bursts) {
    asked = question;
    crossing = crossing_or_left_open(system, asked, bursts, plan);
  }
  SimulatedPoints& points = after_bursts ? bursts : orderly;
  plan.rows.push_back(plan.confirmed ? simulation_row(system, crossing, asked.slowdown, question.slowdown, points)
                                     : cut_row(scenario, crossing, points));

  PlanAnswer& answer = plan.answer;
  const auto gpus = static_cast<double>(device_count(scenario));
  answer.within_slowdown = crossing.clients / gpus;
  answer.saturates_at = system.knee_streams() / gpus;
  const double most = question.past_saturation ? std::numeric_limits<double>::infinity() : answer.saturates_at;
  answer.streams_per_gpu = static_cast<std::uint64_t>(std::floor(std::min(answer.within_slowdown, most)));
  answer.streams_per_gpu_low = std::min(crossing.low / gpus, most);
  answer.streams_per_gpu_high = std::min(crossing.high / gpus, most);
  answer.confidence = scenario.run.confidence;
  answer.prices = quoted_prices(scenario);
  if (question.how_many_gpus && say_how_many_gpus(scenario, asked, points, answer)) plan.budget_spent = true;
  if (question.also_within) {
    PlanQuestion other = question;
    other.slowdown = *question.also_within;
    // Who may wait longer still gets no further than saturation.
    const bool no_further = (other.slowdown > question.slowdown && answer.within_slowdown >= most) ||
                            carries(points, device_count(scenario), most * gpus, other.slowdown);
    answer.also_within_streams_per_gpu = no_further ? std::optional(most) : clients_beside(system, other, evaluate);
    // More tolerance never allows fewer clients, whatever the noise of the two searches says.
    if (std::optional<double>& clients = answer.also_within_streams_per_gpu) {
      const double own = std::min(answer.within_slowdown, most);
      clients = other.slowdown > question.slowdown ? std::max(*clients, own) : std::min(*clients, own);
    }
  }
  if (question.also_alone)
    if (const std::optional<Scenario> one = one_device_of(scenario))
      answer.alone_streams_per_gpu = clients_beside(*one, question, evaluate);
  say_what_binds(system, answer);
  plan.bound_curve = bound_curve_of(system, answer.saturates_at);
  plan.formula = formula_in_scope(scenario);
  say_candidates(points, scenario, asked.slowdown, plan);
  return plan;
}

}  // namespace saturn
