#pragma once

#include "sim/plan/free_options.hpp"
#include "sim/plan/plan_search.hpp"
#include "sim/plan/purchase_terms.hpp"

namespace saturn {

/// A search of which nothing is known but what it is about.
PlanSearch outline_of(const SearchQuestion& question);

/// The terms of the purchase with the question's campaign.
PurchaseTerms terms_of(const SearchQuestion& question, PurchaseTerms terms);

}  // namespace saturn
