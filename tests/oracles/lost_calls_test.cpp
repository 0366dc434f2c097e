#include "tests/oracles/lost_calls.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "models/queueing/closed_formulas.hpp"
#include "tests/oracles/level_chain.hpp"
#include "tests/oracles/rounded.hpp"

using namespace saturn::tests;
using saturn::Purpose;
using saturn::RandomStream;

namespace {

using Law = RetrialQueue::Law;

double exponential(RandomStream& stream, double per_s) {
  return -std::log(stream.uniform()) / per_s;
}

/// The share of Poisson arrivals that find more work ahead than the deadline, arrival by arrival.
double simulated_loss(double arrivals_per_s, double deadline_s, const std::function<double(RandomStream&)>& service) {
  RandomStream arrivals(1, 0, 0, Purpose::arrival);
  RandomStream services(1, 0, 0, Purpose::service);
  constexpr int count = 400'000;
  double work_s = 0.0;
  int lost = 0;
  for (int i = 0; i < count; ++i) {
    work_s = std::max(0.0, work_s - exponential(arrivals, arrivals_per_s));
    if (work_s > deadline_s) {
      ++lost;
    } else {
      work_s += service(services);
    }
  }
  return static_cast<double>(lost) / count;
}

}  // namespace

TEST_CASE("Erlang's losses and their overflow have the numbers that were computed apart from this code") {
  CHECK(rounded(erlang_b(10, 10.0), 6) == 0.214582);
  const Overflow lost = overflow(10, 10.0);
  CHECK(rounded(lost.mean, 6) == 2.145823);
  CHECK(rounded(lost.variance, 6) == 4.362447);
  CHECK(rounded(lost.equivalent_load, 6) == 10.662664);
  CHECK(rounded(lost.equivalent_servers, 6) == 10.871126);
  // C = cB/(c − a(1 − B)), with Erlang's C from elsewhere.
  const double b = erlang_b(10, 8.0);
  CHECK(agree(10.0 * b / (10.0 - 8.0 * (1.0 - b)),
              saturn::erlang_c({.arrivals_per_s = 8.0, .service_s = 1.0, .servers = 10})));
}

TEST_CASE("what overflows keeps as many servers of an endless group busy as Wilkinson says") {
  // Level: the endless group; phase: the ten servers.
  const LevelChain chain(11, [](std::size_t beyond, std::size_t busy) {
    std::vector<Jump> jumps;
    jumps.push_back(busy < 10 ? Jump{.level = beyond, .phase = busy + 1, .per_s = 10.0}
                              : Jump{.level = beyond + 1, .phase = busy, .per_s = 10.0});
    if (busy > 0) jumps.push_back({.level = beyond, .phase = busy - 1, .per_s = static_cast<double>(busy)});
    if (beyond > 0) jumps.push_back({.level = beyond - 1, .phase = busy, .per_s = static_cast<double>(beyond)});
    return jumps;
  });
  const Overflow lost = overflow(10, 10.0);
  const double mean = chain.mean_level();
  CHECK(agree(mean, lost.mean));
  const double square = chain.mean([](std::size_t n, std::size_t) { return static_cast<double>(n * n); });
  CHECK(agree(square - mean * mean, lost.variance));
}

TEST_CASE("Erlang A has the numbers that were computed apart from this code") {
  const ErlangA below = erlang_a({.arrivals_per_s = 9.5, .give_ups_per_s = 0.5, .servers = 10});
  CHECK(rounded(below.abandoned, 6) == 0.084452);
  CHECK(rounded(below.wait_s, 6) == 0.168904);
  CHECK(rounded(below.served_wait_s, 6) == 0.160269);
  CHECK(rounded(below.waits, 6) == 0.545722);
  CHECK(rounded(erlang_a({.arrivals_per_s = 12.0, .give_ups_per_s = 0.5, .servers = 10}).abandoned, 6) == 0.195656);
}

TEST_CASE("Erlang A is what its chain says, and in the limits of patience Erlang B and C") {
  CHECK(rc::check([] {
    const ImpatientQueue queue{.arrivals_per_s = *rc::gen::inRange(1, 400) / 10.0,
                               .give_ups_per_s = *rc::gen::inRange(5, 300) / 100.0,
                               .servers = *rc::gen::inRange<std::size_t>(1, 30)};
    const ErlangA formula = erlang_a(queue);
    const LevelChain chain(1, [&](std::size_t n, std::size_t) {
      std::vector<Jump> jumps{{.level = n + 1, .per_s = queue.arrivals_per_s}};
      const auto served = static_cast<double>(std::min(n, queue.servers));
      const double waiting = static_cast<double>(n) - served;
      if (n > 0) jumps.push_back({.level = n - 1, .per_s = served + waiting * queue.give_ups_per_s});
      return jumps;
    });
    const auto busy = [&](std::size_t n, std::size_t) { return static_cast<double>(std::min(n, queue.servers)); };
    RC_ASSERT(agree(chain.mean(busy), formula.busy));
    RC_ASSERT(agree(chain.mean_level() - chain.mean(busy), formula.waiting, 1e-8));
    // Who does not give up is served: λ(1 − P_ab) = μ·busy.
    RC_ASSERT(agree(queue.arrivals_per_s * (1.0 - formula.abandoned), formula.busy, 1e-8));
  }));
  const double c = saturn::erlang_c({.arrivals_per_s = 8.0, .service_s = 1.0, .servers = 10});
  const ErlangA patient = erlang_a({.arrivals_per_s = 8.0, .give_ups_per_s = 1e-9, .servers = 10});
  CHECK(agree(patient.waits, c, 1e-6));
  CHECK(agree(patient.served_wait_s, c / 2.0, 1e-6));
  const ErlangA hasty = erlang_a({.arrivals_per_s = 8.0, .give_ups_per_s = 1e9, .servers = 10});
  CHECK(agree(hasty.abandoned, erlang_b(10, 8.0), 1e-6));
}

TEST_CASE("queues with retrials have the numbers that were computed apart from this code") {
  const Orbit constant = mm1_retrials({.arrivals_per_s = 0.5, .retries_per_s = 2.0, .law = Law::constant});
  CHECK(rounded(constant.mean, 6) == 1.166667);
  CHECK(rounded(constant.idle, 6) == 0.375);
  const Orbit linear = mm1_retrials({.arrivals_per_s = 0.7, .retries_per_s = 0.2});
  CHECK(rounded(linear.mean, 6) == 9.8);
  CHECK(rounded(linear.variance, 6) == 33.81);
  CHECK(rounded(linear.idle, 9) == 0.004436553);
  const Orbit two = retrials({.arrivals_per_s = 1.4, .retries_per_s = 0.2, .servers = 2});
  CHECK(rounded(two.mean, 6) == 9.062226);
  CHECK(rounded(two.all_busy, 6) == 0.526889);
  CHECK(rounded(retrials({.arrivals_per_s = 3.0, .retries_per_s = 0.2, .servers = 4}).mean, 6) == 11.505662);
  const RetrialQueue shared{.arrivals_per_s = 1.2, .retries_per_s = 2.0, .law = Law::constant, .servers = 2};
  CHECK(rounded(retrials(shared).mean, 6) == 2.399581);
}

TEST_CASE("the formulas of one server with retrials are what the chain says") {
  CHECK(rc::check([] {
    const Law law = *rc::gen::element(Law::constant, Law::linear);
    RetrialQueue queue{.retries_per_s = *rc::gen::inRange(5, 300) / 100.0, .law = law};
    const double most =
        law == Law::linear ? 1.0 : (std::sqrt(1.0 + 4.0 / queue.retries_per_s) - 1.0) * queue.retries_per_s / 2.0;
    queue.arrivals_per_s = most * *rc::gen::inRange(5, 85) / 100.0;
    const Orbit formula = mm1_retrials(queue);
    const Orbit chain = retrials(queue);
    RC_ASSERT(agree(chain.mean, formula.mean, 1e-8));
    RC_ASSERT(agree(chain.all_busy, formula.all_busy));
    RC_ASSERT(agree(chain.idle, formula.idle, 1e-8));
    if (law == Law::linear) RC_ASSERT(agree(chain.variance, formula.variance, 1e-7));
  }));
}

TEST_CASE("a deadline loses as many as was computed apart from this code, and as a simulation of the queue loses") {
  struct Row {
    double arrivals_per_s, deadline_s, loss;
    bool is_constant;
  };
  for (const Row& row : {Row{0.8, 2.0, 0.103299, true},
                         {1.2, 3.0, 0.218621, true},
                         {0.5, 0.5, 0.218017, true},
                         {0.8, 2.0, 0.187832, false}}) {
    CAPTURE(row.arrivals_per_s);
    const double loss = row.is_constant ? md1_loss_by_deadline(row.arrivals_per_s, 1.0, row.deadline_s)
                                        : mm1_loss_by_deadline(row.arrivals_per_s, 1.0, row.deadline_s);
    CHECK(rounded(loss, 6) == row.loss);
    const double simulated = simulated_loss(row.arrivals_per_s, row.deadline_s, [&](RandomStream& stream) {
      return row.is_constant ? 1.0 : exponential(stream, 1.0);
    });
    CHECK(std::abs(simulated - loss) <= 0.003);
  }
  // No patience at all is Erlang's loss of one server; at a load of 1 the formula goes on.
  CHECK(agree(md1_loss_by_deadline(0.7, 1.0, 0.0), erlang_b(1, 0.7)));
  CHECK(agree(mm1_loss_by_deadline(0.7, 1.0, 0.0), erlang_b(1, 0.7)));
  CHECK(agree(mm1_loss_by_deadline(1.0, 1.0, 3.0), mm1_loss_by_deadline(1.0 + 1e-9, 1.0, 3.0), 1e-7));
}

TEST_CASE("three retries of calls of which half fail make 1.875 tries a call") {
  CHECK(tries_per_call(0.5, 3) == 1.875);
  CHECK(success_of_calls(0.5, 3) == 0.9375);
  CHECK(tries_per_call(1.0, 3) == 4.0);
  CHECK(tries_per_call(0.3, 0) == 1.0);
}
