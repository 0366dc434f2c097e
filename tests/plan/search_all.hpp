#pragma once

#include "sim/plan/search/search.hpp"

namespace saturn {

/// The oracle of search_plan(), by brute force: every candidate simulated in full.
PlanSearch search_all(const SearchQuestion& question, const PurchaseTerms& terms, const MakeScenario& make,
                      const EvaluateEach& evaluate);

}  // namespace saturn
