#include "sim/plan/mva_crossing.hpp"

#include <cmath>
#include <vector>

#include "models/bounds.hpp"
#include "models/mva.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands.hpp"

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
    return "does not apply: event loops wait for the cores of their own job, of which more jobs bring more";
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
            .why_not = "left out: more than " + in_words(most_mva_clients) + " clients take it too long"};
  }
  const std::vector<MvaStation> stations = mva_stations(network);
  if (mva_products(stations, most) > most_products) {
    return {
        .clients = {},
        .why_not = "left out: " + counted_in_words(std::floor(most), "client") + " and as many units take it too long"};
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

}  // namespace saturn
