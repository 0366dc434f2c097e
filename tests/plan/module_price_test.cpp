#include <doctest/doctest.h>

#include "sim/plan/purchase_terms.hpp"
#include "tests/plan/plan_scenarios.hpp"

namespace saturn::tests {

namespace {

constexpr double million_hours = 1e6 / 3600;  ///< USD per million events of 1 USD/h for 1 s

Scenario with_core_price() {
  Scenario scenario = protodune(268, 4);
  scenario.costs.core = UsdPerHour{0.05};
  return scenario;
}

}  // namespace

TEST_CASE("the ProtoDUNE module costs 220 s of a core, or 12 s of a core and a share of four T4") {
  // An event of 122.5 s: 110 s beside the module, 12.5 s with it; 268 jobs end 268/122.5 events a second.
  const double events_per_s = 268 / 122.5;
  const ModulePrice price = module_price(with_core_price(), {}, events_per_s, 122.5);
  CHECK(price.why_not.empty());
  CHECK(price.cpu_only_s == doctest::Approx(220.0));
  CHECK(price.as_a_service_s == doctest::Approx(12.5));
  CHECK(*price.cpu_only_usd_per_million == doctest::Approx(0.05 * 220 * million_hours));
  CHECK(*price.as_a_service_usd_per_million == doctest::Approx((0.05 * 12.5 + 1.4 / events_per_s) * million_hours));
}

TEST_CASE("a service's price holds hosts, reserve, electricity and traffic") {
  Scenario scenario = with_core_price();
  scenario.servers[0].host_price = UsdPerHour{0.76};
  scenario.costs.core_power = Watts{10};
  scenario.costs.electricity = UsdPerKilowattHour{0.2};
  scenario.sites["iowa"].egress = UsdPerGigabyte{0.12};
  const ModulePrice price = module_price(scenario, {.spare_nodes = 1}, 2.0, 122.0);
  const double servers = 8 * 0.35 + 2 * 0.76 + 8 * 0.070 * 0.2;
  const double core = 0.05 + 0.010 * 0.2;
  CHECK(*price.cpu_only_usd_per_million == doctest::Approx(core * 220 * million_hours));
  CHECK(*price.as_a_service_usd_per_million ==
        doctest::Approx((core * 12 + servers / 2.0) * million_hours + 55000 * 16 * 0.12 / 1e9 * 1e6));
}

TEST_CASE("a job with two threads for one event loop pays both while it waits and while it computes") {
  Scenario scenario = with_core_price();
  scenario.jobs[0].threads = 2;
  scenario.jobs[0].concurrent_events = 1;
  const ModulePrice price = module_price(scenario, {}, 2.0, 122.0);
  CHECK(*price.cpu_only_usd_per_million == doctest::Approx(2 * 0.05 * 220 * million_hours));
  CHECK(*price.as_a_service_usd_per_million == doctest::Approx((2 * 0.05 * 12 + 1.4 / 2.0) * million_hours));
}

TEST_CASE("a module without a price says why") {
  CHECK(module_price(protodune(268, 4), {}, 2.0, 122.0).why_not == "cores have no price (/costs/core)");

  Scenario scenario = with_core_price();
  std::get<InferStage>(scenario.jobs[0].event[2]).cpu_alternative.reset();
  scenario.devices["t4"].price.reset();
  const ModulePrice neither = module_price(scenario, {}, 2.0, 122.0);
  CHECK(neither.why_not == "the stage EmTrkMichelId lacks \"cpu_alternative\"; a device has no price");
  CHECK_FALSE(neither.cpu_only_usd_per_million);
  CHECK_FALSE(neither.as_a_service_usd_per_million);

  Scenario open = with_core_price();
  open.jobs[0].arrivals = PoissonArrivals{Rate{1.0}};
  const ModulePrice half = module_price(open, {}, 1.0, 122.0);
  CHECK(half.cpu_only_usd_per_million);
  CHECK(half.why_not == "events arrive from outside, so cores also wait for events");
  CHECK(module_price(with_core_price(), {}, 0.0, 122.0).why_not == "no event ends");
}

}  // namespace saturn::tests
