#include "sim/formula/expenses.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <stdexcept>

#include "models/laws/worker_nodes.hpp"
#include "scenarios/demands/demands.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

TEST_CASE("a node grows by devices, several nodes grow by nodes, several servers keep their proportions") {
  const DeviceFleet one_node(protodune(10, 4));
  CHECK(one_node.present_steps() == 4);
  CHECK(one_node.with_steps(7).servers[0].devices.count == 7);
  CHECK(one_node.with_steps(7).servers[0].nodes == 1);

  Scenario nodes = protodune(10, 2);
  nodes.servers[0].nodes = 5;
  const DeviceFleet by_nodes(nodes);
  CHECK(by_nodes.present_steps() == 5);
  CHECK(by_nodes.with_steps(3).servers[0].nodes == 3);
  CHECK(by_nodes.with_steps(3).servers[0].devices.count == 2);

  Scenario mixed = protodune(10, 4);
  mixed.servers.push_back(mixed.servers[0]);
  mixed.servers[1].nodes = 6;
  const DeviceFleet proportional(mixed);
  CHECK(proportional.present_steps() == 2);
  const Scenario grown = proportional.with_steps(5);
  CHECK(grown.servers[0].devices.count == 10);
  CHECK(grown.servers[1].nodes == 15);
  CHECK(device_count(proportional.with_steps(2)) == device_count(mixed));
}

namespace saturn::tests {

namespace {

/// ProtoDUNE with every price: two nodes of four T4, cores at 0.05 USD/h and 5 W, electricity at 0.2 USD/kWh, hosts at
/// 0.76 USD/h, 0.12 USD a GB that leaves Iowa and 0.01 that leaves Fermilab.
Scenario priced() {
  Scenario scenario = protodune(268, 4);
  scenario.servers[0].nodes = 2;
  scenario.servers[0].host_price = UsdPerHour{0.76};
  scenario.costs = {.core = UsdPerHour{0.05}, .core_power = Watts{5}, .electricity = UsdPerKilowattHour{0.2}};
  scenario.sites["iowa"].egress = UsdPerGigabyte{0.12};
  scenario.sites["fnal"].egress = UsdPerGigabyte{0.01};
  return scenario;
}

/// Probability that at least `working` of so many nodes are up, term by term.
double by_force(std::uint64_t working, std::uint64_t nodes, double up) {
  double sum = 0.0;
  for (std::uint64_t k = working; k <= nodes; ++k) {
    const auto n = static_cast<double>(nodes);
    const auto x = static_cast<double>(k);
    const double ways = std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1);
    sum += std::exp(ways + x * std::log(up) + (n - x) * std::log1p(-up));
  }
  return sum;
}

}  // namespace

TEST_CASE("expenses are those of all that is bought, part by part") {
  const Expenses none = compute_expenses(priced(), {});
  CHECK(none.devices_working == 8);
  CHECK(none.devices_bought == 8);
  CHECK(*none.devices_usd_per_h == doctest::Approx(8 * 0.35));
  CHECK(*none.nodes_usd_per_h == doctest::Approx(2 * 0.76));
  CHECK(*none.cores_usd_per_h == doctest::Approx(268 * 0.05));
  CHECK(*none.power_w == doctest::Approx(8 * 70 + 268 * 5));
  CHECK(*none.electricity_usd_per_h == doctest::Approx(1.9 * 0.2));
  CHECK(*none.rent_usd_per_h() == doctest::Approx(2.8 + 1.52 + 13.4 + 0.38));
  // 55,000 items: 9,216 B each from Fermilab to Iowa, 16 B back.
  CHECK(none.traffic_usd_per_event == doctest::Approx(55000 * (9216 * 0.01 + 16 * 0.12) / 1e9));

  const Expenses spare = compute_expenses(priced(), {.spare_nodes = 1});
  CHECK(spare.devices_working == 8);
  CHECK(spare.devices_bought == 12);
  CHECK(spare.nodes_bought == 3);
  CHECK(*spare.power_w == doctest::Approx(12 * 70 + 268 * 5));
  CHECK(*spare.rent_usd_per_h() == doctest::Approx(4.2 + 2.28 + 13.4 + (0.84 + 1.34) * 0.2));
}

TEST_CASE("an availability buys the spare nodes that all servers together need") {
  Scenario scenario = protodune(268, 4);
  scenario.servers[0].nodes = 10;
  // Of 11 nodes with 99 %, 10 are up with 0.99^11 + 11·0.01·0.99^10 = 99.48 %; of 12 with 99.98 %.
  CHECK(compute_expenses(scenario, {.availability = 0.99}).nodes_bought == 11);
  CHECK(compute_expenses(scenario, {.availability = 0.999}).nodes_bought == 12);
  // Two such servers at 99 % need 99.5 % each, which 11 nodes just miss.
  scenario.servers.push_back(scenario.servers[0]);
  scenario.servers[1].name = "other";
  CHECK(compute_expenses(scenario, {.availability = 0.99}).nodes_bought == 24);
}

TEST_CASE("what has no price is left out, and devices without one leave no rent") {
  Scenario scenario = protodune(268, 4);
  CHECK(*compute_expenses(scenario, {}).rent_usd_per_h() == doctest::Approx(1.4));
  CHECK(priced_parts(compute_expenses(scenario, {})) == std::vector{PricedPart::devices});
  CHECK(priced_parts(compute_expenses(priced(), {})) == std::vector{PricedPart::devices, PricedPart::hosts,
                                                                    PricedPart::cores, PricedPart::electricity,
                                                                    PricedPart::traffic});

  scenario.devices["t4"].price.reset();
  scenario.costs.core = UsdPerHour{0.05};
  CHECK_FALSE(compute_expenses(scenario, {}).rent_usd_per_h());
  CHECK(priced_parts(compute_expenses(scenario, {})) == std::vector{PricedPart::cores});

  Scenario cpu = closed_loop(3, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{1}});
  cpu.servers.clear();
  cpu.models.clear();
  cpu.jobs[0].event.pop_back();
  CHECK_FALSE(compute_expenses(cpu, {}).rent_usd_per_h());
  cpu.costs.core = UsdPerHour{0.05};
  CHECK(*compute_expenses(cpu, {}).rent_usd_per_h() == doctest::Approx(0.15));
}

TEST_CASE("traffic within a site costs nothing") {
  Scenario scenario = priced();
  scenario.servers[0].site = "fnal";
  scenario.links[0].site_b = "fnal";
  CHECK(compute_expenses(scenario, {}).traffic_usd_per_event == 0.0);
}

TEST_CASE("spare nodes are the fewest with which enough nodes are up, by force") {
  CHECK(rc::check("fewest", [] {
    const auto working = *rc::gen::inRange<std::uint64_t>(1, 60);
    const double up = *rc::gen::element(0.5, 0.9, 0.97, 0.99, 0.999);
    const double asked = *rc::gen::element(0.3, 0.9, 0.99, 0.999, 0.99999);
    const std::uint64_t spare = spare_nodes_for(working, up, asked);
    RC_ASSERT(by_force(working, working + spare, up) >= asked * (1 - 1e-9));
    if (spare > 0) RC_ASSERT(by_force(working, working + spare - 1, up) < asked * (1 + 1e-9));
  }));
}

TEST_CASE("spare nodes refuse what is no availability") {
  CHECK(spare_nodes_for(5, 1.0, 0.9999) == 0);
  CHECK_THROWS_AS(spare_nodes_for(5, 0.99, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(spare_nodes_for(5, 0.99, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(spare_nodes_for(5, 0.0, 0.9), std::invalid_argument);
  CHECK_THROWS_AS(spare_nodes_for(0, 0.99, 0.9), std::invalid_argument);
  CHECK_THROWS_AS(spare_nodes_for(100000, 1e-12, 0.9), std::domain_error);
}

namespace {

constexpr double million_hours = 1e6 / 3600;  ///< USD per million events of 1 USD/h for 1 s

Scenario with_core_price() {
  Scenario scenario = protodune(268, 4);
  scenario.costs.core = UsdPerHour{0.05};
  return scenario;
}

}  // namespace

TEST_CASE("a node is up for the share of time that its failures leave, and 99 % without any") {
  Server server;
  CHECK(node_availability(server) == 0.99);
  server.failures = FailureLaw{.every = ExponentialTime{Seconds{360000.0}}, .repair = ConstantTime{Seconds{3000.0}}};
  server.start_up = ConstantTime{Seconds{600.0}};
  CHECK(node_availability(server) == doctest::Approx(100.0 / 101.0));

  // Of five nodes, each down 1 h of 101, all are up for 95.1 % of the time; of six at least five for 99.86 %.
  Scenario scenario = protodune(10, 2);
  scenario.servers[0].nodes = 5;
  scenario.servers[0].failures = server.failures;
  scenario.servers[0].start_up = server.start_up;
  CHECK(spare_nodes_of(scenario, {.availability = 0.95}).front() == 0);
  CHECK(spare_nodes_of(scenario, {.availability = 0.997}).front() == 1);
  CHECK(spare_nodes_of(scenario, {.availability = 0.95, .node_availability = 0.9}).front() == 2);
}

TEST_CASE("where servers scale, money and power count the nodes that are paid for, and spare ones in full") {
  Scenario scenario = protodune(10, 4);
  scenario.servers[0].nodes = 8;
  scenario.servers[0].host_price = UsdPerHour{0.76};
  scenario.servers[0].autoscaler = Autoscaler{.least = 2, .most = 8, .metric = ScalingMetric::in_flight, .target = 4.0};
  const Expenses all = compute_expenses(scenario, {.spare_nodes = 1});
  const Expenses paid = compute_expenses(scenario, {.spare_nodes = 1, .nodes_paid = {3.5}});
  REQUIRE((all.devices_usd_per_h && all.nodes_usd_per_h));
  CHECK(*paid.devices_usd_per_h == doctest::Approx(*all.devices_usd_per_h * 4.5 / 9.0));
  CHECK(*paid.nodes_usd_per_h == doctest::Approx(*all.nodes_usd_per_h * 4.5 / 9.0));
  CHECK(paid.devices_paid == doctest::Approx(4.5 * 4.0));
  CHECK(paid.devices_bought == all.devices_bought);
  // A simulation that says nothing of nodes had all of them.
  CHECK(as_paid({}, scenario, {}).nodes_paid == std::vector{8.0});
}

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

TEST_CASE("a job with two threads for one stream pays both while it waits and while it computes") {
  Scenario scenario = with_core_price();
  scenario.jobs[0].threads = 2;
  scenario.jobs[0].streams = 1;
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
  CHECK(neither.why_not == "the stage emtrk lacks \"cpu_alternative\"; a device has no price");
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
