#include "sim/plan/instant_answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/make_plan.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

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
