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

void add_calibration(PlanReport& report, const ReadScenario& read, const PlanQuestion& question,
                     const Deadline& deadline) {
  const std::vector<std::size_t> uncertain = uncertain_fits(read);
  const double fitted = instant_clients_per_gpu(read.scenario, question);
  if (uncertain.empty() || !std::isfinite(fitted)) return;
  const double clients =
      report.past_saturation ? report.within_slowdown : std::min(report.within_slowdown, report.saturates_at);
  std::vector<CalibrationShare> shares;
  for (const std::size_t number : uncertain) {
    const UsedFit& fit = read.fits[number];
    std::vector<double> moved;
    for (const DrawnScenario& drawn : drawn_scenarios(read, number, plan_draws).scenarios) {
      if (is_past(deadline)) throw OutOfBudget();
      moved.push_back(clients * (instant_clients_per_gpu(drawn.scenario, question) / fitted - 1.0));
    }
    shares.push_back({.about = fit.about,
                      .half_width = interval_factor(fit.parameters, report.confidence) * root_mean_square(moved)});
  }
  Estimate estimate{.mean = clients,
                    .low = report.clients_per_gpu_low,
                    .high = report.clients_per_gpu_high,
                    .confidence = report.confidence,
                    .replications = report.slowdown.replications};
  widen(estimate, std::move(shares));
  estimate.low = std::max(0.0, estimate.low);
  report.clients_per_gpu_low = estimate.low;
  report.clients_per_gpu_high = estimate.high;
  report.calibrated_clients_per_gpu = std::move(estimate);
}

}  // namespace saturn
