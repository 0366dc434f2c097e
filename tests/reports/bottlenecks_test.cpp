#include "reports/bottlenecks.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/reports/report_samples.hpp"

using namespace saturn;

namespace {

/// t_ideal 100 s; one GPU of demand 1 s, so 100 jobs; a card of demand 0.24 s.
SystemFacts facts_with(double jobs) {
  SystemFacts facts;
  facts.jobs = facts.clients = jobs;
  facts.ideal_event_time_s = 100.0;
  facts.bound_event_time_s = std::max(100.0, jobs);
  facts.knees = {
      {.resource = "a/gpu", .kind = ResourceKind::gpu, .demand_s_per_event = 1.0, .jobs = 100.0},
      {.resource = "a nic in", .kind = ResourceKind::network_card, .demand_s_per_event = 0.24, .jobs = 400.0}};
  return facts;
}

}  // namespace

TEST_CASE("what binds, and what next, is said in a sentence") {
  CHECK(binding_here(facts_with(50)) ==
        "a/gpu binds at 100 jobs; next a nic in, at 400. The 50 jobs here saturate nothing.");
  CHECK(binding_here(facts_with(120)) ==
        "a/gpu binds at 100 jobs; next a nic in, at 400. The 120 jobs here are past that: more of them only wait.");
  SystemFacts alone = facts_with(1);
  alone.knees.pop_back();
  CHECK(binding_here(alone) == "a/gpu binds at 100 jobs. The 1 job here saturates nothing.");
  alone.knees.clear();
  CHECK(binding_here(alone) == "No resource is shared, so nothing ever saturates.");
}

TEST_CASE("the use by the bound is the rate times the demand, up to saturation") {
  CHECK(bound_use(facts_with(50), facts_with(50).knees[0]) == doctest::Approx(0.5));
  CHECK(bound_use(facts_with(50), facts_with(50).knees[1]) == doctest::Approx(0.12));
  CHECK(bound_use(facts_with(120), facts_with(120).knees[0]) == doctest::Approx(1.0));
  CHECK(bound_use(facts_with(120), facts_with(120).knees[1]) == doctest::Approx(0.24));
}

TEST_CASE("the table has the resources that events use, with the simulated use of each") {
  std::vector<ResourceResults> simulated(3);
  simulated[0].name = "unused";
  simulated[1].name = "a nic in";
  simulated[1].set("busy_fraction", sample_estimate(0.12, 0.0));
  simulated[2].name = "a/gpu";
  simulated[2].set("busy_fraction", sample_estimate(0.49, 0.01));
  CHECK(bottlenecks_text(facts_with(50), simulated, {}) ==
        "What saturates, first to last\n"
        "  resource  kind          demand [s/event]  busy by the bound  busy, simulated  saturates at [jobs]\n"
        "  a/gpu     gpu                       1.00               50 %     49.0 ± 1.0 %                  100  binds "
        "first\n"
        "  a nic in  network card             0.240               12 %          12.00 %                  400  binds "
        "next\n");
}
