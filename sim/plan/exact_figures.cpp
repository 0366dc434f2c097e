#include "sim/plan/exact_figures.hpp"

#include <limits>

#include "models/units.hpp"
#include "scenarios/demands.hpp"

namespace saturn {

namespace {

constexpr double joules_per_kilowatt_hour = 3.6e6;

void add_exact(CandidateFigures& figures, MeasureId figure, double value) {
  figures.entries.push_back({.figure = figure, .of = "", .value = exactly(value)});
}

}  // namespace

Estimate exactly(double value) {
  return {.mean = value, .low = value, .high = value};
}

Estimate over(double k, const Estimate& value) {
  const auto one = [k](double x) { return x > 0.0 ? k / x : std::numeric_limits<double>::infinity(); };
  return {.mean = one(value.mean),
          .low = one(value.high),
          .high = one(value.low),
          .confidence = value.confidence,
          .replications = value.replications};
}

void add_exact_figures(const Scenario& scenario, const Expenses& expenses, CandidateFigures& figures) {
  const double jobs = job_count(scenario);
  add_exact(figures, measure("gpus"), static_cast<double>(expenses.devices_bought));
  add_exact(figures, measure("nodes"), static_cast<double>(expenses.nodes_bought));
  add_exact(figures, measure("jobs"), jobs);
  if (expenses.devices_working > 0)
    add_exact(figures, measure("jobs_per_gpu"), jobs / static_cast<double>(expenses.devices_working));
  if (const auto rent = expenses.rent_usd_per_h()) add_exact(figures, measure("rent"), *rent);
  if (expenses.power_w) add_exact(figures, measure("power"), *expenses.power_w);
}

void add_figures_of_throughput(const Estimate& throughput, double traffic_usd_per_event, const Expenses& expenses,
                               const PurchaseTerms& terms, CandidateFigures& figures) {
  const auto add = [&](MeasureId figure, const Estimate& value) {
    figures.entries.push_back({.figure = figure, .of = "", .value = value});
  };
  if (terms.campaign_events) add(measure("campaign_time"), over(*terms.campaign_events, throughput));
  if (const auto rent = expenses.rent_usd_per_h()) {
    Estimate cost = over(*rent / seconds_per_hour * million, throughput);
    const double traffic = traffic_usd_per_event * million;
    cost.mean += traffic;
    cost.low += traffic;
    cost.high += traffic;
    add(measure("cost_per_million"), cost);
  }
  if (expenses.power_w)
    add(measure("energy_per_million"), over(*expenses.power_w * million / joules_per_kilowatt_hour, throughput));
}

}  // namespace saturn
