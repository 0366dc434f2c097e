#pragma once

#include "models/plan_figures.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/purchase_terms.hpp"

namespace saturn {

/// A value that has no interval.
Estimate exactly(double value);

/// Adds what needs no simulation: devices, nodes, jobs, jobs a device, rent and power.
void add_exact_figures(const Scenario& scenario, const Expenses& expenses, CandidateFigures& figures);

/// k over a value, with the interval turned round; an interval that reaches 0 or below gives one without end. @param k
/// >= 0
Estimate over(double k, const Estimate& value);

/// Adds what follows from the throughput [1/s]: campaign time, cost, energy.
/// @param traffic_usd_per_event  of one good event
void add_figures_of_throughput(const Estimate& throughput, double traffic_usd_per_event, const Expenses& expenses,
                               const PurchaseTerms& terms, CandidateFigures& figures);

}  // namespace saturn
