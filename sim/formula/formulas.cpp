#include "sim/formula/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "models/queueing/open_capacity.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

// Beyond either of them the answer would no longer come at once.
constexpr double most_mva_clients = 200000;
constexpr double most_products = 1e8;
constexpr std::uint64_t most_instant_clients = 20000;

}  // namespace

std::vector<Method> Methods::all() const {
  std::vector<Method> found;
  for (std::size_t i = 0; i < has_.size(); ++i)
    if (has_[i]) found.push_back(static_cast<Method>(i));
  return found;
}

std::string Methods::text() const {
  std::string words;
  for (const Method one : all()) append_part(words, std::string(name_of(one)), ",");
  return words;
}

std::string why_no_mva(const Scenario& scenario) {
  if (scenario.jobs.size() != 1) {
    return "does not apply: the scenario has " + std::to_string(scenario.jobs.size()) + " kinds of jobs";
  }
  if (shares_cores(scenario.jobs.front())) {
    return "does not apply: streams wait for the cores of their own job, of which more jobs bring more";
  }
  for (const Stage& stage : scenario.jobs.front().event) {
    const auto* infer = std::get_if<InferStage>(&stage);
    if (infer && infer->in_flight > 1) {
      return "does not apply: calls are in flight together; mean value analysis takes them one at a time";
    }
    if (infer && infer->asynchronous) {
      return "does not apply: events go on during asynchronous calls; mean value analysis takes one stage at a time";
    }
  }
  return "";
}

MvaCrossing mva_crossing(const System& system, double slowdown) {
  const auto& [scenario, network, bounds] = system;
  if (std::string why_not = why_no_mva(scenario); !why_not.empty()) return {.clients = {}, .why_not = why_not};
  const double most = clients_within(network, slowdown);
  if (std::isinf(most)) return {.clients = {}, .why_not = "nothing saturates"};
  if (most > most_mva_clients) {
    return {.clients = {},
            .why_not = "left out: more than " + in_words(most_mva_clients) + " " + stream_word_of(scenario) +
                       "s take it too long"};
  }
  const std::vector<MvaStation> stations = mva_stations(network);
  if (mva_products(stations, most) > most_products) {
    return {.clients = {},
            .why_not = "left out: " + counted_in_words(std::floor(most), stream_word_of(scenario)) +
                       " and as many units take it too long"};
  }
  // R(N) of mean value analysis is not below the bound, so the crossing lies not above the bound's.
  const auto largest = static_cast<std::size_t>(std::floor(most)) + 1;
  const std::vector<double> events_per_s = mva_throughputs(stations, network.classes.front().think_time.value, largest);
  // Mean value analysis knows cycles only; a job's set-up is no part of an event.
  const double set_up_s = network.classes.front().set_up.value;
  const double alone_s = 1 / events_per_s.front() - set_up_s;
  const double limit = (1 + slowdown) * alone_s;
  double before = alone_s;
  for (std::size_t n = 2; n <= largest; ++n) {
    const double now = static_cast<double>(n) / events_per_s[n - 1] - set_up_s;
    if (now > limit) return {.clients = static_cast<double>(n - 1) + (limit - before) / (now - before), .why_not = ""};
    before = now;
  }
  return {.clients = most, .why_not = ""};
}

FormulaStreams streams_within(const System& system, double slowdown, const Methods& methods) {
  const bool by_bound = methods.has(Method::bounds);
  FormulaStreams within{.by = Method::mva};
  if (methods.has(Method::mva) && !(by_bound && has_constant_times(system.scenario))) {
    MvaCrossing crossing = mva_crossing(system, slowdown);
    within.streams = crossing.clients;
    within.why_not = std::move(crossing.why_not);
  }
  if (within.streams || !by_bound) return within;
  return {.by = Method::bounds, .streams = clients_within(system.network, slowdown)};
}

double instant_streams_per_gpu(const System& system, double slowdown, bool past_saturation) {
  if (system.bounds.knees.empty()) return std::numeric_limits<double>::infinity();
  double within = *streams_within(system, slowdown, every_method).streams;
  if (!past_saturation) within = std::min(within, system.knee_streams());
  return within / static_cast<double>(device_count(system.scenario));
}

namespace {

PlanRow formula_row(const System& system, double slowdown) {
  PlanRow row{.method = "published formula"};
  const PublishedFormula published = published_formula(system.scenario);
  if (!published.why_not.empty()) {
    row.remark = "does not apply: " + published.why_not;
    return row;
  }
  row.knee = published.formula.streams_per_gpu();
  row.streams_per_gpu = (1 + slowdown) * *row.knee;
  row.remark = "t_SONIC as printed: the GPU alone saturates, and no event ever waits below the knee";
  return row;
}

PlanRow bound_row(const System& system, double slowdown) {
  const auto& [scenario, network, bounds] = system;
  const auto gpus = static_cast<double>(device_count(scenario));
  PlanRow row{.method = "bound"};
  if (bounds.knees.empty()) {
    row.remark = "no device, link or network card does any work for an event, so nothing saturates";
    return row;
  }
  const Knee& first = bounds.knees.front();
  row.knee = first.clients / gpus;
  row.streams_per_gpu = clients_within(network, slowdown) / gpus;
  const std::string caveat = bound_caveat(scenario);
  const std::string word = stream_word_of(scenario);
  row.remark = (caveat.empty() ? "no system can carry more" : "an average, " + caveat) + "; \"" +
               network.resources[first.resource].name + "\" binds at " + counted_in_words(first.clients, word);
  if (bounds.knees.size() > 1) {
    const Knee& next = bounds.knees[1];
    row.remark +=
        ", then \"" + network.resources[next.resource].name + "\" would at " + counted_in_words(next.clients, word);
  }
  return row;
}

PlanRow mva_row(const System& system, double slowdown) {
  const std::vector<std::string>& violations = system.network.product_form_violations;
  PlanRow row{.by = Method::mva, .method = violations.empty() ? "exact MVA" : "approximate MVA"};
  const MvaCrossing crossing = mva_crossing(system, slowdown);
  if (!crossing.clients) {
    row.remark = crossing.why_not;
    return row;
  }
  row.streams_per_gpu = *crossing.clients / static_cast<double>(device_count(system.scenario));
  row.remark = "exact for exponential service, which makes requests wait already below the knee";
  if (!violations.empty()) row.remark += "; here";
  for (std::size_t i = 0; i < violations.size(); ++i) {
    row.remark += " (" + std::to_string(i + 1) + ") " + violations[i];
  }
  return row;
}

}  // namespace

std::vector<PlanRow> instant_rows(const System& system, double slowdown, const Methods& methods) {
  std::vector<PlanRow> rows;
  if (methods.has(Method::bounds)) rows = {formula_row(system, slowdown), bound_row(system, slowdown)};
  if (methods.has(Method::mva)) rows.push_back(mva_row(system, slowdown));
  return rows;
}

namespace {

ReferencePoint formula_point(const System& system) {
  const PublishedFormula published = published_formula(system.scenario);
  ReferencePoint point{.method = "published formula", .remark = published.why_not};
  if (published.why_not.empty()) {
    point.event_time_s = published.formula.event_time_s();
    point.events_per_s = published.formula.clients / *point.event_time_s;
  }
  return point;
}

ReferencePoint mva_point(const System& system) {
  const auto& [scenario, network, bounds] = system;
  const double clients = bounds.clients;
  const bool exact = network.product_form_violations.empty();
  ReferencePoint point{.by = Method::mva, .method = exact ? "exact MVA" : "approximate MVA"};
  if (network.classes.size() != 1) {
    point.remark = "does not apply: several pools of jobs";
    return point;
  }
  if (const std::string why_not = why_no_mva(scenario); !why_not.empty()) {
    point.remark = why_not;
    return point;
  }
  if (clients > static_cast<double>(most_instant_clients)) {
    point.remark = "not computed above " + with_commas(most_instant_clients) + " jobs";
    return point;
  }
  const std::vector<MvaStation> stations = mva_stations(network);
  if (mva_products(stations, clients) * static_cast<double>(stations.size()) > most_products) {
    point.remark = "not computed for so many jobs and units";
    return point;
  }
  const MvaPoint mva = exact_mva(stations, network.classes.front().think_time.value, static_cast<std::size_t>(clients));
  point.event_time_s = mva.event_time_s - network.classes.front().set_up.value;
  point.events_per_s = mva.events_per_s;
  if (exact) {
    point.remark = "one kind of blocking jobs and exponential service: the expectation of what is simulated";
  } else {
    point.remark = "exact for exponential service; here ";
    point.remark += joined(network.product_form_violations, "; ");
  }
  return point;
}

/// What the bound says of events that arrive: they take t_ideal at least, and no more come out than arrive or fit.
ReferencePoint arrivals_bound(const System& system) {
  const ClosedNetwork& network = system.network;
  double served = 0.0;
  for (std::size_t p = 0; p < network.classes.size(); ++p) {
    const OpenCapacity capacity = open_capacity(network, p);
    served += std::min(capacity.offered_per_s, capacity.capacity_per_s);
  }
  return {.method = "bound",
          .event_time_s = system.bounds.least_event_time_s,
          .events_per_s = served,
          .remark =
              "no event takes less than t_ideal on average, and no more end than arrive or than the first "
              "resource, or the streams, can serve"};
}

std::string what_bound_says(const ClosedNetwork& network) {
  std::string text = "no event can be faster on average: max(t_ideal, N·D)";
  if (!network.free_calls.empty())
    text = "no event can be faster on average, to whichever servers the balancer sends its requests";
  if (network.classes.size() > 1) text += ", in whatever mix the pools' events end";
  return text;
}

ReferencePoint bound_point(const System& system) {
  const std::string caveat = bound_caveat(system.scenario);
  return {.method = caveat.empty() ? "bound" : "bound of the average",
          .event_time_s = system.bounds.event_time_s,
          .events_per_s = system.bounds.events_per_s,
          .remark = caveat.empty() ? what_bound_says(system.network) : caveat};
}

ReferencePoint open_network_point(const System& system) {
  const ClosedNetwork& network = system.network;
  ReferencePoint point{.by = Method::mva, .method = "open network"};
  point.event_time_s = open_event_time_s(network);
  if (!point.event_time_s) {
    point.remark = network.classes.size() > 1
                       ? "not computed for several pools"
                       : "does not apply: a resource, or the streams, would be busy more than all the time";
    return point;
  }
  point.events_per_s = network.classes.front().arrivals->value;
  point.remark = "exact for Poisson arrivals, exponential service and streams that are never short; here ";
  point.remark += joined(network.product_form_violations, "; ");
  return point;
}

}  // namespace

ReferencePoint reference_point(const System& system, Method method) {
  const bool open = all_open(system.scenario);
  if (method == Method::bounds) return open ? arrivals_bound(system) : bound_point(system);
  return open ? open_network_point(system) : mva_point(system);
}

std::vector<ReferencePoint> reference_points(const System& system, const Methods& methods) {
  std::vector<ReferencePoint> points;
  if (methods.has(Method::bounds)) points = {reference_point(system, Method::bounds), formula_point(system)};
  if (methods.has(Method::mva)) points.push_back(reference_point(system, Method::mva));
  return points;
}

}  // namespace saturn
