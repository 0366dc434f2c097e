#include <doctest/doctest.h>

#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

TEST_CASE("formula and bound give ProtoDUNE's 68 clients per GPU, and the bound names what binds") {
  // By hand from the slides' inputs.
  const double gpu_s = 55000 * 32.2e-6;
  const double ideal_s = 110 + 7 + gpu_s + 32 * 11.8e-3 + 55000.0 * (9216 + 16) / 0.25e9;
  const double knee = ideal_s / gpu_s;
  CHECK(knee == doctest::Approx(68.4).epsilon(0.001));

  for (const std::uint64_t gpus : {1u, 4u}) {
    const std::vector<PlanRow> rows = instant_rows(protodune(268, gpus), {.slowdown = 0.01, .clients = {}});
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].method == "published formula");
    CHECK(rows[1].method == "bound");
    CHECK(rows[2].method == "approximate MVA");
    for (const PlanRow& row : {rows[0], rows[1]}) {
      REQUIRE(row.knee);
      CHECK(*row.knee == doctest::Approx(knee).epsilon(1e-9));
      CHECK(*row.clients_per_gpu == doctest::Approx(1.01 * knee).epsilon(1e-9));
    }
    REQUIRE(rows[2].clients_per_gpu);
    CHECK(*rows[2].clients_per_gpu < *rows[1].clients_per_gpu);
    CHECK(*rows[2].clients_per_gpu > 0.4 * *rows[1].clients_per_gpu);
    CHECK(rows[2].remark.find("; here (1) ") != std::string::npos);
  }
  CHECK(instant_rows(protodune(268, 4), {})[1].remark ==
        "no system can carry more; \"gke/t4\" binds at 273.7 clients, then \"gke nic in\" would at 956.3 clients");
}

TEST_CASE("a row that does not apply says why instead of giving a number") {
  Scenario two_kinds = closed_loop(5, 1, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
  two_kinds.jobs.push_back(two_kinds.jobs.front());
  two_kinds.jobs.back().name = "other";
  const std::vector<PlanRow> rows = instant_rows(two_kinds, {});
  CHECK_FALSE(rows[0].clients_per_gpu);
  CHECK(rows[0].remark == "does not apply: the published formula knows one kind of job");
  CHECK(rows[1].clients_per_gpu);
  CHECK_FALSE(rows[2].clients_per_gpu);
  CHECK(rows[2].remark == "does not apply: the scenario has 2 kinds of jobs");

  Scenario overlapping = closed_loop(5, 1, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
  auto& call = std::get<InferStage>(overlapping.jobs.front().event.back());
  call.items = 8;
  call.in_flight = 4;
  overlapping.servers.front().devices.count = 4;
  CHECK(instant_rows(overlapping, {})[2].remark ==
        "does not apply: calls are in flight together; mean value analysis takes them one at a time");
}
