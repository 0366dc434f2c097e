#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "models/bounds.hpp"
#include "scenarios/demands.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

Scenario repairman(std::uint64_t jobs, std::uint64_t devices) {
  return closed_loop(jobs, devices, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
}

const Evaluate by_mva = evaluate_by({.slowdown = mva_slowdown});

}  // namespace

TEST_CASE("where even one client takes longer than tolerated, the tolerance is one of that client's event time") {
  // 20 % above t_ideal alone, and 0.1 % of t_ideal more with every further client: 1 % of 1.2 t_ideal are 12 clients
  // more.
  const Evaluate slow_alone =
      evaluate_by({.slowdown = [](const Scenario& s) { return 1.2 + (client_count(s) - 1) / 1e3; }});
  Scenario many = repairman(8, 4);
  const Plan plan = make_plan(many, {.clients = 10}, slow_alone);
  REQUIRE(plan.answer.fewest_slowdown);
  CHECK(plan.answer.fewest_slowdown->mean == doctest::Approx(1.2));
  CHECK(plan.answer.within_slowdown == doctest::Approx(13.0 / 4).epsilon(0.01));
  CHECK(plan.answer.clients_per_gpu == 3);
  REQUIRE(plan.answer.gpus);
  CHECK(plan.answer.slowdown.mean <= 1.01 * 1.2);
  CHECK_FALSE(plan.budget_spent);
  // Without that excess the tolerance is one of the ideal event.
  CHECK_FALSE(make_plan(many, {}, by_mva).answer.fewest_slowdown);
}

TEST_CASE(
    "jobs that cannot be few enough get what mean value analysis says, up to the bound, and how many devices carry "
    "one") {
  Scenario wide = repairman(1, 1);
  wide.jobs[0].threads = 16;
  const Plan plan = make_plan(wide, {.slowdown = 0.1, .clients = {}}, evaluate_by({.slowdown = [](const Scenario& s) {
                                const Bounds bounds = asymptotic_bounds(closed_network(s));
                                return bounds.event_time_s / bounds.ideal_event_time_s;
                              }}));
  // By the bound one device carries 11 event loops of 9 s and 1 s within 10 %, saturated by 10; one job has 16.
  const auto by_mva =
      std::find_if(plan.rows.begin(), plan.rows.end(), [](const PlanRow& row) { return row.method == "exact MVA"; });
  REQUIRE(by_mva != plan.rows.end());
  CHECK(plan.answer.clients_per_gpu == static_cast<std::uint64_t>(*by_mva->clients_per_gpu));
  CHECK(plan.answer.clients_per_gpu_low == 0.0);
  CHECK(plan.answer.clients_per_gpu_high == 10.0);
  CHECK(plan.answer.clients == 16);
  CHECK(plan.answer.gpus == std::uint64_t{2});
}

TEST_CASE("where no number of devices is fast enough, the fewest that are not saturated are said with their slowdown") {
  // More than twenty clients are in each other's way whatever they call.
  const Evaluate always_slow =
      evaluate_by({.slowdown = [](const Scenario& s) { return client_count(s) > 20.0 ? 1.3 : 1.005; }});
  const PlanAnswer answer = make_plan(repairman(8, 1), {.clients = 30}, always_slow).answer;
  CHECK_FALSE(answer.gpus);
  CHECK(answer.why_no_gpus ==
        "no number of devices carries 30 clients within 1 %: simulated events stay slower with any number of them "
        "in a node; more nodes of few may carry them (/servers/0/nodes, or --gpus with --node-sizes)");
  CHECK(answer.unsaturated_gpus == std::uint64_t{3});  // 10 clients saturate one
  CHECK(answer.unsaturated_slowdown.mean == doctest::Approx(1.3));
}

TEST_CASE("a plan answers another tolerance beside its own, and for one device alone beside several") {
  const Scenario four = protodune(268, 4);
  const Evaluate rounded = evaluate_by({.slowdown = rounded_bound});
  const PlanAnswer strict =
      make_plan(four, {.slowdown = 0.01, .clients = {}, .also_within = 0.05, .also_alone = true}, rounded).answer;
  const double knee = asymptotic_bounds(closed_network(four)).knees.front().clients / 4;
  const auto crossing = [&](double slowdown) { return knee * std::pow(std::pow(1 + slowdown, 8) - 1, 1.0 / 8); };
  CHECK(strict.within_slowdown == doctest::Approx(crossing(0.01)).epsilon(2e-3));
  REQUIRE(strict.also_within_clients_per_gpu);
  CHECK(*strict.also_within_clients_per_gpu == doctest::Approx(crossing(0.05)).epsilon(2e-3));
  REQUIRE(strict.alone_clients_per_gpu);
  CHECK(*strict.alone_clients_per_gpu == doctest::Approx(crossing(0.01)).epsilon(5e-3));
  // Of one device there is nothing else to say, and past saturation nobody plans unasked.
  const PlanAnswer lax =
      make_plan(protodune(68, 1), {.slowdown = 0.01, .clients = {}, .also_within = 0.5, .also_alone = true}, rounded)
          .answer;
  CHECK_FALSE(lax.alone_clients_per_gpu);
  CHECK(lax.also_within_clients_per_gpu.value() == doctest::Approx(lax.saturates_at));
}

TEST_CASE("a scenario without contention has no largest number of clients") {
  const Scenario idle = closed_loop(3, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{0}});
  CHECK_THROWS_WITH_AS(
      make_plan(idle, {}, by_mva),
      "any number of clients runs without waiting: no device, link or network card does any work for an event",
      std::domain_error);
}

TEST_CASE("more devices are no plan when the network card binds, and the rest of the plan stands") {
  // The card of 4 GB/s passes 4/0.507 events a second: 7.9 events a second for 121.2 s are 956 clients.
  const Evaluate rounded = evaluate_by({.slowdown = rounded_bound});
  const PlanAnswer slow = make_plan(protodune(268, 4), {.slowdown = 0.2, .clients = 1500}, rounded).answer;
  CHECK(slow.clients_per_gpu == 68);
  CHECK_FALSE(slow.gpus);
  CHECK(slow.why_no_gpus ==
        "no number of devices carries 1500 clients: \"gke nic in\" saturates at 956.3 clients and alone makes an event "
        "take 190.1 s, 56.9 % above t_ideal");
  const PlanAnswer saturated = make_plan(protodune(268, 4), {.slowdown = 0.2, .clients = 1000}, rounded).answer;
  CHECK(saturated.why_no_gpus ==
        "no number of devices carries 1000 clients: \"gke nic in\" saturates at 956.3 clients; past saturation they "
        "would only wait, 4.57 % above t_ideal, within the tolerated 20 %");
}

TEST_CASE("questions without sense are refused") {
  CHECK_THROWS_WITH_AS(make_plan(repairman(8, 1), {.slowdown = 0, .clients = {}}, by_mva),
                       "the tolerated slowdown is 0; it must be above 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(make_plan(repairman(8, 1), {.slowdown = 0.01, .clients = 0}, by_mva),
                       "GPUs are asked for 0 clients", std::invalid_argument);
}
