#include "tests/oracles/failing_servers.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <vector>

#include "tests/oracles/level_chain.hpp"
#include "tests/oracles/rounded.hpp"

using namespace saturn::tests;

namespace {

/// λ, c servers of rate 1 that fail every 50 s for 10 s.
FailingServers servers(double arrivals_per_s, std::size_t count) {
  return {.arrivals_per_s = arrivals_per_s, .failures_per_s = 0.02, .repairs_per_s = 0.1, .servers = count};
}

}  // namespace

TEST_CASE("queues with breakdowns have the means that were computed apart from this code") {
  const QueueMeans one = mm1_with_breakdowns(servers(0.6, 1));
  CHECK(rounded(one.present, 6) == 6.142857);
  CHECK(rounded(one.response_s, 6) == 10.238095);
  CHECK(rounded(one.empty, 6) == 0.233333);
  const QueueMeans two = mmc_with_breakdowns(servers(1.2, 2));
  CHECK(rounded(two.present, 6) == 5.553464);
  CHECK(rounded(two.empty, 6) == 0.162191);
  CHECK(rounded(mmc_with_breakdowns(servers(2.8, 4)).present, 6) == 11.620509);
}

TEST_CASE("a server that fails only while it serves is M/G/1 with completion times") {
  const Moments completion = completion_time({.mean = 1.0, .square = 2.0}, 0.02, 0.1);
  CHECK(rounded(completion.mean, 6) == 1.2);
  CHECK(rounded(completion.square, 6) == 6.88);
  CHECK(rounded(mg1(0.6, completion).present, 6) == 5.142857);
  CHECK(rounded(repeated_completion_s(1.0, 0.02, 0.1), 6) == 1.212080);
}

TEST_CASE("the formula of White and Christie is what the chain says, at any rates") {
  CHECK(rc::check([] {
    const auto rate = [] { return std::pow(10.0, *rc::gen::inRange(-15, 11) / 10.0); };
    FailingServers queue{.failures_per_s = rate(), .repairs_per_s = rate()};
    queue.arrivals_per_s = queue.availability() * *rc::gen::inRange(5, 80) / 100.0;
    const QueueMeans formula = mm1_with_breakdowns(queue);
    RC_ASSERT(agree(mmc_with_breakdowns(queue).present, formula.present, 1e-8));
    RC_ASSERT(formula.empty > 0.0);
  }));
}

TEST_CASE("failures while busy are what a chain of idle, serving and in repair says") {
  // Phase 1: the server is in repair with a request before it.
  const FailingServers queue = servers(0.6, 1);
  const LevelChain chain(2, [&](std::size_t n, std::size_t repair) {
    std::vector<Jump> jumps{{.level = n + 1, .phase = repair, .per_s = queue.arrivals_per_s}};
    if (repair == 1) jumps.push_back({.level = n, .phase = 0, .per_s = queue.repairs_per_s});
    if (repair == 0 && n > 0) {
      jumps.push_back({.level = n - 1, .phase = 0, .per_s = queue.services_per_s});
      jumps.push_back({.level = n, .phase = 1, .per_s = queue.failures_per_s});
    }
    return jumps;
  });
  const Moments completion = completion_time({.mean = 1.0, .square = 2.0}, queue.failures_per_s, queue.repairs_per_s);
  CHECK(agree(chain.mean_level(), mg1(queue.arrivals_per_s, completion).present));
}

TEST_CASE("eight of ten machines are up as often as the binomial law says, less often with one crew") {
  const std::vector<double> independent = machines_down(10, 10, 1.0 / 990.0, 0.1);
  CHECK(rounded(at_least_up(8, independent), 6) == 0.999886);
  double binomial = 0.0;
  for (int j = 8; j <= 10; ++j)
    binomial +=
        std::tgamma(11.0) / std::tgamma(j + 1.0) / std::tgamma(11.0 - j) * std::pow(0.99, j) * std::pow(0.01, 10 - j);
  CHECK(agree(at_least_up(8, independent), binomial));
  const std::vector<double> one_crew = machines_down(10, 1, 1.0 / 990.0, 0.1);
  CHECK(rounded(at_least_up(8, one_crew), 6) == 0.999282);
  double mean = 0.0;
  for (std::size_t j = 0; j < one_crew.size(); ++j) mean += static_cast<double>(j) * one_crew[j];
  CHECK(rounded(mean, 6) == 0.109658);
  CHECK(agree(at_least_up(0, one_crew), 1.0));
}
