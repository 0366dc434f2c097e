#include "sim/cli/plan_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/calibrated_results.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/plan/instant_answer.hpp"

namespace saturn {

namespace {

constexpr std::size_t plan_draws = 200;

}  // namespace

void add_calibration(Plan& plan, const ReadScenario& read, const PlanQuestion& question, const Deadline& deadline) {
  const std::vector<std::size_t> uncertain = uncertain_fits(read);
  const double fitted = instant_clients_per_gpu(read.scenario, question);
  if (uncertain.empty() || !std::isfinite(fitted)) return;
  PlanAnswer& answer = plan.answer;
  const double clients = unrounded_clients_per_gpu(answer, question);
  std::vector<CalibrationShare> shares;
  for (const std::size_t number : uncertain) {
    const UsedFit& fit = read.fits[number];
    std::vector<double> moved;
    for (const DrawnScenario& drawn : drawn_scenarios(read, number, plan_draws).scenarios) {
      if (is_past(deadline)) throw OutOfBudget();
      moved.push_back(clients * (instant_clients_per_gpu(drawn.scenario, question) / fitted - 1.0));
    }
    shares.push_back({.about = fit.about,
                      .half_width = interval_factor(fit.parameters, answer.confidence) * root_mean_square(moved)});
  }
  Estimate estimate{.mean = clients,
                    .low = answer.clients_per_gpu_low,
                    .high = answer.clients_per_gpu_high,
                    .confidence = answer.confidence,
                    .replications = answer.slowdown.replications};
  widen(estimate, std::move(shares));
  estimate.low = std::max(0.0, estimate.low);
  answer.clients_per_gpu_low = estimate.low;
  answer.clients_per_gpu_high = estimate.high;
  answer.calibrated_clients_per_gpu = std::move(estimate);
}

}  // namespace saturn
