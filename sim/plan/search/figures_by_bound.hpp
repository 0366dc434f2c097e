#pragma once

#include <cstdint>
#include <optional>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/question/requirement.hpp"

namespace saturn {

/// The longest round trip between jobs and servers [s]; nothing where they need no link.
std::optional<double> round_trip_of(const Scenario& scenario);

/// All links between jobs and servers made longer in proportion, so that the longest round trip takes so long; links of
/// no length share it evenly.
/// @param seconds  >= 0 [s]
Scenario with_round_trip(const Scenario& scenario, double seconds);

/// Adds what needs no simulation: devices, nodes, jobs, jobs a device, rent and power.
void add_exact_figures(const Scenario& scenario, const Expenses& expenses, CandidateFigures& figures);

/// Adds what follows from the throughput [1/s]: campaign time, cost, energy.
/// @param traffic_usd_per_event  of one good event
void add_figures_of_throughput(const Estimate& throughput, double traffic_usd_per_event, const Expenses& expenses,
                               const PurchaseTerms& terms, CandidateFigures& figures);

/// Whether bounds are to hold for every simulation, which chance may make better than what it estimates.
enum class BoundOf : std::uint8_t { simulations, expectations };

/// The best that a candidate's figures can be, by the asymptotic bounds. Of simulations: none of it with its own run
/// control is better, for which a few tenths of a per cent, or three standard errors, are allowed. Of expectations:
/// nothing is, so that they are what `run` calls the bound. Entries that nothing bounds are absent; devices, nodes,
/// jobs, rent and power are exact. Cost: tens to hundreds of microseconds
CandidateFigures figures_by_bound(const System& system, const PurchaseTerms& terms, BoundOf of = BoundOf::simulations);

/// Its figures as simulated.
CandidateFigures figures_by_simulation(const System& system, const Results& summary, const PurchaseTerms& terms);

}  // namespace saturn
