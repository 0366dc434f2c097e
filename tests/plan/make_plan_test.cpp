#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

TEST_CASE("formula and bound give ProtoDUNE's 68 jobs per GPU, and the bound names what binds") {
  // By hand from the slides' inputs.
  const double gpu_s = 32 * 4.83e-3 + 55000 * 29.37e-6;
  const double ideal_s = 110 + 7 + gpu_s + 32 * 11.8e-3 + 55000.0 * (9216 + 16) / 0.25e9;
  const double knee = ideal_s / gpu_s;
  CHECK(knee == doctest::Approx(68.4).epsilon(0.001));

  for (const std::uint64_t gpus : {1u, 4u}) {
    const std::vector<PlanRow> rows = instant_rows(protodune(268, gpus), 0.01);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].method == "published formula");
    CHECK(rows[1].method == "bound");
    CHECK(rows[2].method == "approximate MVA");
    for (const PlanRow& row : {rows[0], rows[1]}) {
      REQUIRE(row.knee);
      CHECK(*row.knee == doctest::Approx(knee).epsilon(1e-9));
      CHECK(*row.streams_per_gpu == doctest::Approx(1.01 * knee).epsilon(1e-9));
    }
    REQUIRE(rows[2].streams_per_gpu);
    CHECK(*rows[2].streams_per_gpu < *rows[1].streams_per_gpu);
    CHECK(*rows[2].streams_per_gpu > 0.4 * *rows[1].streams_per_gpu);
    CHECK(rows[2].remark.find("; here (1) ") != std::string::npos);
  }
  CHECK(instant_rows(protodune(268, 4), 0.01)[1].remark ==
        "no system can carry more; \"gke/t4\" binds at 273.9 jobs, then \"gke nic in\" would at 956.3 jobs");
}

TEST_CASE("a row that does not apply says why instead of giving a number") {
  Scenario two_kinds = closed_loop(5, 1, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
  two_kinds.jobs.push_back(two_kinds.jobs.front());
  two_kinds.jobs.back().name = "other";
  const std::vector<PlanRow> rows = instant_rows(two_kinds, 0.01);
  CHECK_FALSE(rows[0].streams_per_gpu);
  CHECK(rows[0].remark == "does not apply: the published formula knows one kind of job");
  CHECK(rows[1].streams_per_gpu);
  CHECK_FALSE(rows[2].streams_per_gpu);
  CHECK(rows[2].remark == "does not apply: the scenario has 2 kinds of jobs");

  Scenario overlapping = closed_loop(5, 1, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
  auto& call = std::get<InferStage>(overlapping.jobs.front().event.back());
  call.items = 8;
  call.in_flight = 4;
  overlapping.servers.front().devices.count = 4;
  CHECK(instant_rows(overlapping, 0.01)[2].remark ==
        "does not apply: calls are in flight together; mean value analysis takes them one at a time");
}

namespace {

/// Where the function first passes 1 + slowdown, by trying every number of jobs.
double crossing_by_force(const Scenario& scenario, const std::function<double(const Scenario&)>& slowdown_of,
                         double slowdown) {
  Scenario trial = scenario;
  trial.jobs[0].count = 1;
  double before = slowdown_of(trial);
  while (true) {
    trial.jobs[0].count += 1;
    const double now = slowdown_of(trial);
    if (now > 1 + slowdown) {
      const double share = (1 + slowdown - before) / (now - before);
      const auto threads = static_cast<double>(trial.jobs[0].threads);
      return (static_cast<double>(trial.jobs[0].count) - 1 + share) * threads;
    }
    before = now;
  }
}

std::uint64_t gpus_by_force(Scenario scenario, const std::function<double(const Scenario&)>& slowdown_of,
                            double slowdown) {
  std::uint64_t& gpus = scenario.servers[0].devices.count;
  for (gpus = 1; slowdown_of(scenario) > 1 + slowdown;) ++gpus;
  return gpus;
}

}  // namespace

TEST_CASE("a plan buys no more GPUs than the best split of the requests over unlike servers needs") {
  // 2.5 s and 108 ms of a slow GPU, or 21.6 ms of a fast one: together they saturate at 2.5216/0.018 = 140 jobs. At
  // equal shares the slow one alone would at 48, so that 120 jobs would need three of each.
  Scenario scenario = closed_loop(120, 1, ConstantTime{Seconds{2.5}}, ConstantTime{Seconds{0.108}});
  Server fast = scenario.servers[0];
  fast.name = "fast";
  fast.devices.type = "fast";
  scenario.devices["fast"] = scenario.devices.begin()->second;
  for (auto& [name, model] : scenario.models)
    model.service["fast"] = ServiceLaw{ConstantTime{Seconds{0.0216}}, ConstantTime{Seconds{0}}};
  scenario.servers.push_back(fast);
  for (Server& server : scenario.servers) server.dispatch = Dispatch::least_outstanding;
  const Plan plan = make_plan(scenario, {.slowdown = 0.05, .clients = 120}, evaluate_by({rounded_bound}));
  CHECK(plan.answer.gpus == std::uint64_t{2});
  CHECK(*plan.rows[1].knee == doctest::Approx(2.5216 / 0.018 / 2));
}

TEST_CASE("with mean value analysis as the simulator, the plan finds what trying everything finds, in few simulations" *
          doctest::test_suite("release")) {
  CHECK(rc::check([] {
    const double think_s = *rc::gen::inRange(20, 300);
    const auto devices = *rc::gen::inRange<std::uint64_t>(1, 6);
    const double slowdown = *rc::gen::element(0.01, 0.03, 0.1, 0.5);
    const auto clients = *rc::gen::inRange<std::uint64_t>(1, 400);
    const Scenario scenario =
        closed_loop(clients, devices, ConstantTime{Seconds{think_s}}, ExponentialTime{Seconds{1}});
    Scenario fewest = scenario;
    fewest.jobs[0].count = 2;
    RC_PRE(mva_slowdown(fewest) <= 1 + slowdown);

    std::vector<std::size_t> calls;
    const Plan plan = make_plan(scenario, {.slowdown = slowdown, .clients = {}, .past_saturation = true},
                                evaluate_by({mva_slowdown, 0.0, &calls}));
    const double expected = crossing_by_force(scenario, mva_slowdown, slowdown);
    const double found = *plan.rows[3].streams_per_gpu * static_cast<double>(devices);
    RC_ASSERT(*plan.rows[3].low * static_cast<double>(devices) <= expected * (1 + 1e-4));
    RC_ASSERT(*plan.rows[3].high * static_cast<double>(devices) >= expected * (1 - 1e-4));
    RC_ASSERT(std::abs(found - expected) <= 0.0016 * expected);
    RC_ASSERT(*plan.rows[2].streams_per_gpu * static_cast<double>(devices) == doctest::Approx(expected));
    RC_ASSERT(plan.answer.streams_per_gpu == static_cast<std::uint64_t>(*plan.rows[3].streams_per_gpu));
    RC_ASSERT(plan.answer.clients == clients);
    RC_ASSERT(*plan.answer.gpus == gpus_by_force(scenario, mva_slowdown, slowdown));
    RC_ASSERT(plan.answer.slowdown.mean <= 1 + slowdown);
    for (const PlanCandidate& candidate : plan.candidates) {
      RC_ASSERT(candidate.accepted == (candidate.slowdown.mean <= 1 + slowdown));
      RC_ASSERT(candidate.event_time_s.mean >= candidate.bound_event_time_s * (1 - 1e-9));
    }
    RC_ASSERT(calls.size() <= 12u);
    RC_ASSERT(std::accumulate(calls.begin(), calls.end(), std::size_t{0}) <= 20u);
  }));
}

TEST_CASE("by formulas alone a plan simulates nothing, and answers as the bound or mean value analysis by force") {
  const Evaluate never = [](std::span<const Scenario>) -> std::vector<Results> {
    throw std::logic_error("something was simulated");
  };
  CHECK(rc::check([&] {
    const double think_s = *rc::gen::inRange(20, 300);
    const auto devices = *rc::gen::inRange<std::uint64_t>(1, 6);
    const double slowdown = *rc::gen::element(0.01, 0.03, 0.1, 0.5);
    const auto clients = *rc::gen::inRange<std::uint64_t>(1, 400);
    const Scenario scenario =
        closed_loop(clients, devices, ConstantTime{Seconds{think_s}}, ExponentialTime{Seconds{1}});
    Scenario fewest = scenario;
    fewest.jobs[0].count = 2;
    RC_PRE(mva_slowdown(fewest) <= 1 + slowdown);
    PlanQuestion question{.slowdown = slowdown, .clients = {}, .past_saturation = true};

    question.methods = {Method::bounds};
    const Plan by_bound = make_plan(scenario, question, never);
    // Each device serves one event a second, and events may take (1 + s)·(Z + 1).
    const double each = (1 + slowdown) * (think_s + 1);
    RC_ASSERT(by_bound.rows.size() == 2u);
    RC_ASSERT(by_bound.answer.within_slowdown == doctest::Approx(each));
    RC_ASSERT(by_bound.answer.streams_per_gpu_low == 0.0);
    RC_ASSERT(*by_bound.answer.gpus_by_bound ==
              static_cast<std::uint64_t>(std::ceil(static_cast<double>(clients) / each * (1 - 1e-12))));

    question.methods = {Method::mva};
    const Plan by_mva = make_plan(scenario, question, never);
    RC_ASSERT(by_mva.rows.size() == 1u);
    RC_ASSERT(by_mva.answer.within_slowdown * static_cast<double>(devices) ==
              doctest::Approx(crossing_by_force(scenario, mva_slowdown, slowdown)));
    RC_ASSERT(*by_mva.answer.gpus_by_mva == gpus_by_force(scenario, mva_slowdown, slowdown));
    for (const Plan& plan : {by_bound, by_mva}) {
      RC_ASSERT(!plan.confirmed);
      RC_ASSERT(!plan.answer.gpus);
      RC_ASSERT(plan.candidates.empty());
    }
  }));
}

TEST_CASE("more tolerance never means fewer jobs nor more GPUs" * doctest::test_suite("release")) {
  CHECK(rc::check([] {
    const Scenario scenario = protodune(*rc::gen::inRange<std::uint64_t>(20, 700), 4);
    const double little = *rc::gen::inRange(2, 60) * 5e-3;
    const double more = little + *rc::gen::inRange(1, 40) * 5e-3;
    const Evaluate rounded = evaluate_by({.slowdown = rounded_bound});
    const PlanAnswer strict =
        make_plan(scenario, {.slowdown = little, .clients = {}, .past_saturation = true}, rounded).answer;
    const PlanAnswer lax =
        make_plan(scenario, {.slowdown = more, .clients = {}, .past_saturation = true}, rounded).answer;
    RC_ASSERT(lax.streams_per_gpu >= strict.streams_per_gpu);
    RC_ASSERT(lax.streams_per_gpu_low > strict.streams_per_gpu_low);
    RC_ASSERT(*lax.gpus <= *strict.gpus);
  }));
}

TEST_CASE("the interval of the crossing is that of the event time over the slope, and a wider one is said") {
  const Scenario scenario = protodune(268, 4);
  const double half_width = 0.0005;
  const double slowdown = 0.05;
  const Plan plan = make_plan(scenario, {.slowdown = slowdown, .clients = {}, .past_saturation = true},
                              evaluate_by({rounded_bound, half_width, nullptr}));
  // y = (1 + x^8)^(1/8) has the slope (x/y)^7, with x = N over the knee.
  const double x = std::pow(std::pow(1 + slowdown, 8) - 1, 1.0 / 8);
  const double slope = std::pow(x / (1 + slowdown), 7);
  const double knee = *plan.rows[1].knee;
  const PlanRow& row = plan.rows[3];
  CHECK(row.method == "simulation");
  CHECK(*row.streams_per_gpu == doctest::Approx(x * knee).epsilon(1e-3));
  // The slope between simulated points is taken for no steeper than it may be at the crossing.
  const double least = half_width / slope * knee;
  CHECK(*row.high - *row.streams_per_gpu >= least);
  CHECK(*row.high - *row.streams_per_gpu <= 1.35 * least);
  CHECK(*row.streams_per_gpu - *row.low >= least);
  CHECK(*row.streams_per_gpu - *row.low <= 1.35 * least);
  CHECK(plan.answer.streams_per_gpu_low == *row.low);
  CHECK(plan.answer.streams_per_gpu_high == *row.high);
  CHECK(row.remark.find(
            "below the bound: requests of different jobs interleave, jobs start at random moments; 3 to 32 "
            "replications of 24 event times or more, until jobs are known to 1 % or their event time to 1 %") !=
        std::string::npos);

  const auto wide = evaluate_by({[](const Scenario& s) { return stream_count(s) <= 200 ? 1.0095 : 1.02; }, 0.001, {}});
  Scenario exact = protodune(200, 4);
  exact.run.precision = 0.001;
  const std::vector<PlanCandidate> candidates = make_plan(exact, {}, wide).candidates;
  const auto at = [&](std::uint64_t clients) {
    return *std::find_if(candidates.begin(), candidates.end(),
                         [&](const PlanCandidate& c) { return c.clients == clients; });
  };
  CHECK(at(200).accepted);
  CHECK(at(200).reason == "within 1 %, though its interval reaches 1.05 %");
  CHECK_FALSE(at(201).accepted);
  CHECK(at(201).reason == "2 % slower than t_ideal, 1 % more than tolerated");
}

TEST_CASE("a plan does not pass saturation unless it is asked to, however much slowdown is tolerated") {
  const Scenario scenario = protodune(500, 4);
  const Evaluate rounded = evaluate_by({.slowdown = rounded_bound});
  const PlanAnswer within = make_plan(scenario, {.slowdown = 0.5, .clients = {}}, rounded).answer;
  CHECK(within.saturates_at == doctest::Approx(68.42).epsilon(1e-3));
  CHECK(within.within_slowdown > 100.0);
  CHECK(within.streams_per_gpu == 68);
  CHECK(within.streams_per_gpu_high == within.saturates_at);
  CHECK(*within.gpus == 8);  // 500 / 68.42 = 7.3
  const PlanAnswer past =
      make_plan(scenario, {.slowdown = 0.5, .clients = {}, .past_saturation = true}, rounded).answer;
  CHECK(past.streams_per_gpu == static_cast<std::uint64_t>(past.within_slowdown));
  CHECK(*past.gpus == 5);  // 500 / 102.6 = 4.9
}

TEST_CASE("the answer names what binds and what binds next, and what a million events cost") {
  const Plan plan = make_plan(protodune(268, 4), {.slowdown = 0.2, .clients = 500, .past_saturation = true},
                              evaluate_by({rounded_bound}));
  CHECK(plan.answer.binding == "gke/t4");
  CHECK(plan.answer.next == "gke nic in");
  CHECK(plan.answer.next_at_streams == doctest::Approx(956.2).epsilon(1e-4));
  CHECK(plan.answer.clients == 500);
  CHECK(*plan.answer.gpus == gpus_by_force(protodune(500, 1), rounded_bound, 0.2));
  const double events_per_s = 500 / (plan.answer.slowdown.mean * 121.182);
  const double usd_per_s = 0.35 * static_cast<double>(*plan.answer.gpus) / 3600;
  REQUIRE(plan.answer.cost_per_million_events_usd);
  CHECK(*plan.answer.cost_per_million_events_usd == doctest::Approx(usd_per_s / events_per_s * 1e6).epsilon(1e-4));

  Scenario unpriced = protodune(268, 4);
  unpriced.devices["t4"].price.reset();
  CHECK_FALSE(make_plan(unpriced, {}, evaluate_by({rounded_bound})).answer.cost_per_million_events_usd);
}

TEST_CASE("jobs with threads, and pools that scale together, are searched in whole jobs" *
          doctest::test_suite("release")) {
  Scenario threaded = protodune(30, 4);
  threaded.jobs[0].threads = 8;
  const Plan wide =
      make_plan(threaded, {.slowdown = 0.05, .clients = {}, .past_saturation = true}, evaluate_by({rounded_bound}));
  CHECK(*wide.rows[3].streams_per_gpu * 4 ==
        doctest::Approx(crossing_by_force(threaded, rounded_bound, 0.05)).epsilon(1e-3));
  for (const PlanCandidate& candidate : wide.candidates) CHECK(candidate.clients % 8 == 0);

  CHECK(rc::check([] {
    Scenario pools = protodune(*rc::gen::inRange<std::uint64_t>(1, 300), 4);
    pools.jobs.push_back(pools.jobs[0]);
    pools.jobs[1].name = "other";
    pools.jobs[1].count = *rc::gen::inRange<std::uint64_t>(1, 300);
    pools.jobs[1].threads = *rc::gen::inRange<std::uint64_t>(1, 8);
    pools.run.seed = 7;
    const Plan plan =
        make_plan(pools, {.slowdown = 0.05, .clients = 100, .past_saturation = true}, evaluate_by({rounded_bound}));
    // Both pools ask the same of the GPUs, so the crossing is that of one pool, up to the rounding to whole jobs.
    const double expected = std::pow(std::pow(1.05, 8) - 1, 1.0 / 8) * *plan.rows[1].knee;
    RC_ASSERT(std::abs(*plan.rows[3].streams_per_gpu / expected - 1) < 0.01);
  }));
}

TEST_CASE("simulations share the scenario's seed and spend what a plan may spend") {
  Scenario scenario = protodune(268, 4);
  scenario.run.seed = 4711;
  const Evaluate rounded = evaluate_by({rounded_bound});
  const Evaluate watched = [&](std::span<const Scenario> scenarios) {
    for (const Scenario& one : scenarios) {
      CHECK(one.run.seed == 4711);
      // A fifth of the tolerated slowdown where the answer rests on it, else what is asked of a run.
      CHECK((one.run.precision == doctest::Approx(0.002) || one.run.precision == doctest::Approx(0.01)));
      CHECK(!one.run.cycles);  // windows are as long as the precision asks
      CHECK(one.run.max_replications <= 32);
    }
    return rounded(scenarios);
  };
  make_plan(scenario, {}, watched);

  // Nothing is left to chance, so a second replication would be the first once more.
  scenario.jobs[0].start = JobStart::staggered;
  const Evaluate once = [&](std::span<const Scenario> scenarios) {
    for (const Scenario& one : scenarios) CHECK(one.run.max_replications == 1);
    return rounded(scenarios);
  };
  CHECK(make_plan(scenario, {}, once)
            .rows[3]
            .remark.find(
                "requests of different jobs interleave; one replication of 24 event times or more: nothing is left to "
                "chance") != std::string::npos);
}

namespace {

Scenario repairman(std::uint64_t jobs, std::uint64_t devices) {
  return closed_loop(jobs, devices, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
}

const Evaluate evaluate_by_mva = evaluate_by({.slowdown = mva_slowdown});

}  // namespace

TEST_CASE("where even one job takes longer than tolerated, the tolerance is one of that job's event time") {
  // 20 % above t_ideal alone, and 0.1 % of t_ideal more with every further client: 1 % of 1.2 t_ideal are 12 jobs
  // more.
  const Evaluate slow_alone =
      evaluate_by({.slowdown = [](const Scenario& s) { return 1.2 + (stream_count(s) - 1) / 1e3; }});
  Scenario many = repairman(8, 4);
  const Plan plan = make_plan(many, {.clients = 10}, slow_alone);
  REQUIRE(plan.answer.fewest_slowdown);
  CHECK(plan.answer.fewest_slowdown->mean == doctest::Approx(1.2));
  CHECK(plan.answer.within_slowdown == doctest::Approx(13.0 / 4).epsilon(0.01));
  CHECK(plan.answer.streams_per_gpu == 3);
  REQUIRE(plan.answer.gpus);
  CHECK(plan.answer.slowdown.mean <= 1.01 * 1.2);
  CHECK_FALSE(plan.budget_spent);
  // Without that excess the tolerance is one of the unloaded event time.
  CHECK_FALSE(make_plan(many, {}, evaluate_by_mva).answer.fewest_slowdown);
}

TEST_CASE("devices that are far too few are seen in one replication, where it scatters by less than what they lack") {
  std::vector<std::uint64_t> answers;
  for (const double half_width : {1e-4, 0.1}) {
    std::map<std::uint64_t, std::uint64_t> replications;  // most that were asked for, by devices
    const Evaluate counted = [&](std::span<const Scenario> scenarios) {
      for (const Scenario& one : scenarios)
        if (stream_count(one) == 30.0)
          replications[device_count(one)] = std::max(replications[device_count(one)], one.run.min_replications);
      return evaluate_by({.slowdown = mva_slowdown, .half_width = half_width})(scenarios);
    };
    const PlanAnswer answer = make_plan(repairman(30, 1), {.clients = 30}, counted).answer;
    REQUIRE(answer.gpus);
    answers.push_back(*answer.gpus);
    CHECK(replications[*answer.gpus] > 1);
    const auto seen_once = std::ranges::count_if(replications, [](const auto& entry) { return entry.second == 1; });
    CAPTURE(half_width);
    CHECK((seen_once > 0) == (half_width < 0.01));
  }
  CHECK(answers.front() == answers.back());
}

TEST_CASE("over a horizon formulas say the jobs a device carries, and the devices are simulated with what happens") {
  // What happens costs every event a tenth of t_ideal, whatever the devices are.
  std::set<std::uint64_t> simulated;
  const Evaluate with_outage = [&](std::span<const Scenario> scenarios) {
    for (const Scenario& one : scenarios) {
      simulated.insert(device_count(one));
      CHECK(one.run.horizon.has_value());
    }
    return evaluate_by({.slowdown = [](const Scenario& s) { return mva_slowdown(s) + 0.1; }})(scenarios);
  };
  Scenario many = repairman(30, 4);
  const PlanAnswer steady =
      make_plan(many, {.clients = {}, .methods = {Method::bounds, Method::mva}}, evaluate_by_mva).answer;
  many.run.horizon = Seconds{3600};
  CHECK(make_plan(many, {}, evaluate_by_mva).confirmed);  // nothing happens
  many.outages = {{.server = many.servers[0].name, .from = Seconds{60}, .length = Seconds{60}}};
  const Plan plan = make_plan(many, {}, with_outage);
  CHECK_FALSE(plan.confirmed);
  CHECK(plan.answer.within_slowdown == steady.within_slowdown);
  // With devices to spare nobody waits for one: 1 % of 1.1 t_ideal are 1.1 % without what happens.
  REQUIRE(plan.answer.enough_slowdown);
  CHECK(plan.answer.enough_slowdown->mean == doctest::Approx(1.1).epsilon(1e-3));
  REQUIRE(plan.answer.gpus);
  CHECK(*plan.answer.gpus ==
        make_plan(repairman(30, 4), {.slowdown = 0.011, .clients = {}}, evaluate_by_mva).answer.gpus.value());
  CHECK(plan.candidates.size() == simulated.size());
  CHECK(std::ranges::none_of(plan.rows, [](const PlanRow& row) { return row.by == Method::simulation; }));
  CHECK_THROWS_AS(make_plan(many, {.clients = {}, .methods = {Method::simulation}}, with_outage), std::domain_error);
  // Nothing is simulated where the devices are not asked for, and a budget leaves the formulas' answer.
  simulated.clear();
  CHECK(make_plan(many, {.clients = {}, .how_many_gpus = false}, with_outage).answer.within_slowdown ==
        steady.within_slowdown);
  CHECK(simulated.empty());
  const Plan cut = make_plan(many, {}, [](std::span<const Scenario>) -> std::vector<Results> { throw OutOfBudget(); });
  CHECK(cut.budget_spent);
  CHECK(cut.answer.clients == 30);
  CHECK(cut.answer.gpus_by_bound);
  CHECK(cut.answer.within_slowdown == steady.within_slowdown);
}

TEST_CASE(
    "jobs that cannot be few enough get what mean value analysis says, up to the bound, and how many devices carry "
    "one") {
  Scenario wide = repairman(1, 1);
  wide.jobs[0].threads = 16;
  const Plan plan = make_plan(wide, {.slowdown = 0.1, .clients = {}}, evaluate_by({.slowdown = bound_slowdown}));
  // By the bound one device carries 11 streams of 9 s and 1 s within 10 %, saturated by 10; one job has 16.
  const auto evaluate_by_mva =
      std::find_if(plan.rows.begin(), plan.rows.end(), [](const PlanRow& row) { return row.method == "exact MVA"; });
  REQUIRE(evaluate_by_mva != plan.rows.end());
  CHECK(plan.answer.streams_per_gpu == static_cast<std::uint64_t>(*evaluate_by_mva->streams_per_gpu));
  CHECK(plan.answer.streams_per_gpu_low == 0.0);
  CHECK(plan.answer.streams_per_gpu_high == 10.0);
  CHECK(plan.answer.clients == 16);
  CHECK(plan.answer.gpus == std::uint64_t{2});
}

TEST_CASE("where no number of devices is fast enough, the fewest that are not saturated are said with their slowdown") {
  // More than twenty clients are in each other's way whatever they call.
  const Evaluate always_slow =
      evaluate_by({.slowdown = [](const Scenario& s) { return stream_count(s) > 20.0 ? 1.3 : 1.005; }});
  const PlanAnswer answer = make_plan(repairman(8, 1), {.clients = 30}, always_slow).answer;
  CHECK_FALSE(answer.gpus);
  CHECK(answer.why_no_gpus ==
        "no number of devices carries 30 jobs within 1 %: simulated events stay slower with any number of them "
        "in a node; more nodes of few may carry them (/servers/0/nodes, or --gpus with --node-sizes)");
  CHECK(answer.unsaturated_gpus == std::uint64_t{3});  // 10 jobs saturate one
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
  REQUIRE(strict.also_within_streams_per_gpu);
  CHECK(*strict.also_within_streams_per_gpu == doctest::Approx(crossing(0.05)).epsilon(2e-3));
  REQUIRE(strict.alone_streams_per_gpu);
  CHECK(*strict.alone_streams_per_gpu == doctest::Approx(crossing(0.01)).epsilon(5e-3));
  // Of one device there is nothing else to say, and past saturation nobody plans unasked.
  const PlanAnswer lax =
      make_plan(protodune(68, 1), {.slowdown = 0.01, .clients = {}, .also_within = 0.5, .also_alone = true}, rounded)
          .answer;
  CHECK_FALSE(lax.alone_streams_per_gpu);
  CHECK(lax.also_within_streams_per_gpu.value() == doctest::Approx(lax.saturates_at));
}

TEST_CASE("a scenario without contention has no largest number of jobs") {
  const Scenario idle = closed_loop(3, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{0}});
  CHECK_THROWS_WITH_AS(
      make_plan(idle, {}, evaluate_by_mva),
      "any number of jobs runs without waiting: no device, link or network card does any work for an event",
      std::domain_error);
}

TEST_CASE("more devices are no plan when the network card binds, and the rest of the plan stands") {
  // The card of 4 GB/s passes 4/0.507 events a second: 7.9 events a second for 121.2 s are 956 jobs.
  const Evaluate rounded = evaluate_by({.slowdown = rounded_bound});
  const PlanAnswer slow = make_plan(protodune(268, 4), {.slowdown = 0.2, .clients = 1500}, rounded).answer;
  CHECK(slow.streams_per_gpu == 68);
  CHECK_FALSE(slow.gpus);
  CHECK(slow.why_no_gpus ==
        "no number of devices carries 1500 jobs: \"gke nic in\" saturates at 956.3 jobs and alone makes an event "
        "take 190.1 s, 56.9 % above t_ideal; more nodes of few may carry them (/servers/0/nodes, or --gpus with "
        "--node-sizes)");
  const PlanAnswer saturated = make_plan(protodune(268, 4), {.slowdown = 0.2, .clients = 1000}, rounded).answer;
  CHECK(saturated.why_no_gpus ==
        "no number of devices carries 1000 jobs: \"gke nic in\" saturates at 956.3 jobs; past saturation they "
        "would only wait, 4.57 % above t_ideal, within the tolerated 20 %; more nodes of few may carry them "
        "(/servers/0/nodes, or --gpus with --node-sizes)");
}

TEST_CASE("questions without sense are refused") {
  CHECK_THROWS_WITH_AS(make_plan(repairman(8, 1), {.slowdown = 0, .clients = {}}, evaluate_by_mva),
                       "the tolerated slowdown is 0; it must be above 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(make_plan(repairman(8, 1), {.slowdown = 0.01, .clients = 0}, evaluate_by_mva),
                       "GPUs are asked for 0 streams", std::invalid_argument);
}
