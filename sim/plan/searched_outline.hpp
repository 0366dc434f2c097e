#pragma once

#include "models/plan_search.hpp"
#include "sim/plan/free_options.hpp"

namespace saturn {

/// A search of which nothing is known but what it is about.
PlanSearch outline_of(const SearchQuestion& question);

}  // namespace saturn
