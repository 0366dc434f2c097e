#include "sim/plan/instant_answer.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "models/bounds.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/determinism.hpp"
#include "sim/plan/mva_crossing.hpp"

namespace saturn {

double instant_clients_per_gpu(const Scenario& scenario, const PlanQuestion& question) {
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  if (bounds.knees.empty()) return std::numeric_limits<double>::infinity();
  std::optional<double> clients;
  if (!has_constant_times(scenario)) clients = mva_crossing(scenario, question.slowdown).clients;
  double within = clients.value_or(clients_within(network, question.slowdown));
  if (!question.past_saturation) within = std::min(within, bounds.knees.front().clients);
  return within / static_cast<double>(device_count(scenario));
}

}  // namespace saturn
