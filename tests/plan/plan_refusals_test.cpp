#include <doctest/doctest.h>

#include <stdexcept>

#include "scenarios/demands.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

Scenario repairman(std::uint64_t jobs, std::uint64_t devices) {
  return closed_loop(jobs, devices, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
}

const Evaluate by_mva = evaluate_by({.slowdown = mva_slowdown});

}  // namespace

TEST_CASE("a slowdown that even the fewest clients exceed is refused with the numbers") {
  const Evaluate always_slow = evaluate_by({.slowdown = [](const Scenario& s) { return 1.2 + client_count(s) / 1e3; }});
  CHECK_THROWS_WITH_AS(make_plan(repairman(8, 1), {}, always_slow),
                       "no number of clients stays within 1 %: already 1 client, the fewest that the jobs allow, takes "
                       "12.01 s an event, 20.1 % above t_ideal",
                       std::domain_error);
}

TEST_CASE("where a batcher's delay makes every event late the refusal says so") {
  Scenario delayed = repairman(8, 1);
  delayed.models["model"].dynamic_batching = true;
  delayed.models["model"].max_queue_delay = Seconds{2.0};
  const Evaluate always_slow = evaluate_by({.slowdown = [](const Scenario&) { return 1.2; }});
  CHECK_THROWS_WITH_AS(make_plan(delayed, {}, always_slow),
                       "no number of clients stays within 1 %: already 1 client, the fewest that the jobs allow, takes "
                       "12 s an event, 20 % above t_ideal; max_queue_delay holds back requests of \"model\" for up to "
                       "2000 ms even when nobody else is there: allow for it with --slowdown, or shorten it",
                       std::domain_error);
}

TEST_CASE("jobs that cannot be few enough are refused before anything is simulated") {
  Scenario wide = repairman(1, 1);
  wide.jobs[0].threads = 16;
  const Evaluate never = [](std::span<const Scenario>) -> std::vector<RunSummary> {
    throw std::logic_error("nothing should be simulated");
  };
  CHECK_THROWS_WITH_AS(
      make_plan(wide, {}, never),
      "no number of clients stays within 1 %: the jobs need at least 16 clients, one job of each kind, "
      "and only 10.1 can meet it by the bound",
      std::domain_error);
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
