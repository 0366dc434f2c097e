#pragma once

#include "models/bounds.hpp"
#include "reports/run_report.hpp"
#include "reports/system_facts.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// What reports say of a scenario before anything is simulated.
SystemFacts facts_of(const Scenario& scenario);

/// Bound, published formula and exact mean value analysis at the scenario's own number of jobs.
std::vector<ReferencePoint> reference_points(const Scenario& scenario);

}  // namespace saturn
