#include "sim/plan/instant_answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

namespace {

// Beyond either of them the answer would no longer come at once.
constexpr double most_mva_clients = 200000;
constexpr double most_products = 1e8;

}  // namespace

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

MvaCrossing mva_crossing(const Scenario& scenario, double slowdown) {
  if (std::string why_not = why_no_mva(scenario); !why_not.empty()) return {.clients = {}, .why_not = why_not};
  const ClosedNetwork network = closed_network(scenario);
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

double instant_streams_per_gpu(const Scenario& scenario, const PlanQuestion& question) {
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  if (bounds.knees.empty()) return std::numeric_limits<double>::infinity();
  std::optional<double> clients;
  if (!has_constant_times(scenario)) clients = mva_crossing(scenario, question.slowdown).clients;
  double within = clients.value_or(clients_within(network, question.slowdown));
  if (!question.past_saturation) within = std::min(within, bounds.knees.front().clients);
  return within / static_cast<double>(device_count(scenario));
}

namespace {

PlanRow formula_row(const Scenario& scenario, double slowdown) {
  PlanRow row{.method = "published formula"};
  const PublishedFormula published = published_formula(scenario);
  if (!published.why_not.empty()) {
    row.remark = "does not apply: " + published.why_not;
    return row;
  }
  row.knee = published.formula.streams_per_gpu();
  row.streams_per_gpu = (1 + slowdown) * *row.knee;
  row.remark = "t_SONIC as printed: the GPU alone saturates, and no event ever waits below the knee";
  return row;
}

PlanRow bound_row(const Scenario& scenario, const ClosedNetwork& network, double slowdown, double gpus) {
  PlanRow row{.method = "bound"};
  const Bounds bounds = asymptotic_bounds(network);
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

PlanRow mva_row(const Scenario& scenario, const ClosedNetwork& network, double slowdown, double gpus) {
  const std::vector<std::string>& violations = network.product_form_violations;
  PlanRow row{.method = violations.empty() ? "exact MVA" : "approximate MVA"};
  const MvaCrossing crossing = mva_crossing(scenario, slowdown);
  if (!crossing.clients) {
    row.remark = crossing.why_not;
    return row;
  }
  row.streams_per_gpu = *crossing.clients / gpus;
  row.remark = "exact for exponential service, which makes requests wait already below the knee";
  if (!violations.empty()) row.remark += "; here";
  for (std::size_t i = 0; i < violations.size(); ++i) {
    row.remark += " (" + std::to_string(i + 1) + ") " + violations[i];
  }
  return row;
}

}  // namespace

std::vector<PlanRow> instant_rows(const Scenario& scenario, const PlanQuestion& question) {
  const ClosedNetwork network = closed_network(scenario);
  const auto gpus = static_cast<double>(device_count(scenario));
  return {formula_row(scenario, question.slowdown), bound_row(scenario, network, question.slowdown, gpus),
          mva_row(scenario, network, question.slowdown, gpus)};
}

}  // namespace saturn
