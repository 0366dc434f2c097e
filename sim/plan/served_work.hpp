#pragma once

#include <span>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"

/// What of the work that jobs ask for somebody does. Events whose calls fail, or whose requests a queue policy refuses,
/// end early and are worth nothing: plans, searches and comparisons count them as work that is not done.

namespace saturn {

/// Share of the requests that queue policies refuse, of the model where it is largest [1].
Estimate rejected_share(const Results& results);

/// Share of the events of some pools that are worth nothing [1]: where calls are followed that of those that fail,
/// since what is refused may be tried again; else of the requests that are refused, of the model where it is largest,
/// unless the job's own core does their work.
/// @param jobs   the measured numbers of these pools together
/// @param pools  whose events are asked about
Estimate unserved_share(const Scenario& scenario, const Results& results, const JobsResults& jobs,
                        std::span<const JobPool> pools);
/// Of all pools together.
Estimate unserved_share(const Scenario& scenario, const Results& results);

/// What is left of the events [1]; never 0, so that what is divided by it stays finite.
/// @param unserved  see unserved_share() [1]
Estimate served_share(const Estimate& unserved);

/// A slowdown [1] where the events that are served take the time of all.
/// @param unserved  see unserved_share() [1]
Estimate served_slowdown(const Estimate& slowdown, const Estimate& unserved);

/// Slowdown of a simulation as a plan counts it, of all pools together.
Estimate served_slowdown(const Scenario& scenario, const Results& results);

}  // namespace saturn
