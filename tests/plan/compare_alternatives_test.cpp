#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/comparison/compare_two.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

/// "pointer=value", one a line.
std::string settings_of(const Alternative& alternative) {
  std::string text;
  for (const Override& setting : alternative.settings) text += text_of(setting) + "\n";
  return text;
}

std::string names_of(const std::vector<Alternative>& all) {
  std::string text;
  for (const Alternative& one : all) text += (text.empty() ? "" : ", ") + one.name;
  return text;
}

}  // namespace

TEST_CASE("a scenario with a service elsewhere gives four alternatives, as changes that --set can make") {
  const std::vector<Alternative> all = alternatives(protodune(268, 4), "", {});
  CHECK(names_of(all) == "CPU only, GPU in each worker node, service on site, service at iowa");
  // 268 jobs of one thread fill nine nodes of 32 cores.
  CHECK(settings_of(all[1]) ==
        "/servers/0/site=fnal\n/servers/0/nodes=9\n/servers/0/devices/count=1\n"
        "/servers/0/attached={\"bus\":\"12 GB/s\",\"latency\":\"10 us\"}\n/servers/0/nic=null\n");
  CHECK(settings_of(all[2]) ==
        "/servers/0/site=fnal\n"
        "/network/links/-={\"between\":[\"fnal\",\"fnal\"],\"bandwidth\":\"10 Gbps\",\"rtt\":\"0.2 ms\"}\n");
  CHECK(settings_of(all[3]).empty());
  CHECK(all[3].service);
}

TEST_CASE("a service on site needs no platform file, and has a local network instead") {
  const std::vector<Alternative> all = alternatives(on_platform(protodune(268, 4)), "", {});
  CHECK(names_of(all) == "CPU only, GPU in each worker node, service on site, service at iowa");
  CHECK(settings_of(all[2]) ==
        "/servers/0/site=fnal\n/network/platform=null\n"
        "/network/links=[{\"between\":[\"fnal\",\"fnal\"],\"bandwidth\":\"10 Gbps\",\"rtt\":\"0.2 ms\"}]\n");
  CHECK_FALSE(cpu_only_scenario(on_platform(protodune(268, 4))).platform);
}

TEST_CASE("with GPUs in the worker nodes, jobs of many threads fill more nodes") {
  Scenario scenario = protodune(268, 4);
  scenario.jobs[0].threads = 4;
  CHECK(settings_of(alternatives(scenario, "", {})[1]).find("/servers/0/nodes=34\n") != std::string::npos);
  CHECK(settings_of(alternatives(scenario, "", {.node_cores = 128})[1]).find("/servers/0/nodes=9\n") !=
        std::string::npos);
  scenario.jobs[0].threads = 64;
  CHECK(settings_of(alternatives(scenario, "", {})[1]).find("/servers/0/nodes=268\n") != std::string::npos);
}

TEST_CASE("a service that is on site already is compared as it stands, and devices are called what they are") {
  Scenario scenario = closed_loop(10, 1, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  CHECK(names_of(alternatives(scenario, "", {})) == "CPU only, GPU in each worker node, service on site");
  for (auto& [type, device] : scenario.devices) device.kind = ResourceKind::fpga;
  CHECK(names_of(alternatives(scenario, "", {})) == "CPU only, FPGA in each worker node, service on site");
}

TEST_CASE("what cannot be made says why") {
  Scenario scenario = closed_loop(10, 1, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  CHECK(alternatives(scenario, "", {})[0].why_not ==
        "/jobs/0/event/1 (call) lacks \"cpu_alternative\", the time of the same inferences on the job's own core");
  const std::string type = scenario.servers.front().devices.type;
  scenario.servers.push_back(scenario.servers.front());
  CHECK(alternatives(scenario, "", {})[1].why_not.empty());
  scenario.servers[1].devices.type = "other";
  CHECK(alternatives(scenario, "", {})[1].why_not ==
        "servers have devices of different types, " + type + " and other; say what is meant in /alternatives");
}

TEST_CASE("a GPU in each worker node has the models of all servers, of which the others go") {
  const Alternative direct = alternatives(read_scenario_file("cms-scale-out", {}).scenario, "", {})[1];
  CHECK(direct.why_not.empty());
  const Scenario scenario = read_scenario_file("cms-scale-out", direct.settings).scenario;
  REQUIRE(scenario.servers.size() == 1);
  CHECK(scenario.servers[0].models ==
        std::vector<std::string>{"particlenet-ak4", "particlenet-ak8", "deeptau", "deepmet"});
  // 2,455 jobs of four threads, eight to a node of 32 cores.
  CHECK(scenario.servers[0].nodes == 307);
  CHECK(scenario.servers[0].devices.count == 1);
  CHECK(scenario.servers[0].attached);
}

TEST_CASE("jobs at several sites have nodes with models of their own, and the service is tried at each of them") {
  const ReadScenario read = read_scenario_file("two-sites", {});
  const std::vector<Alternative> all = alternatives(read.scenario, read.resolved, {});
  CHECK(names_of(all) ==
        "CPU only, GPU in each worker node, service at university, service at laboratory, "
        "service at cloud, laboratory");
  const Scenario nodes = read_scenario_file("two-sites", all[1].settings).scenario;
  REQUIRE(nodes.servers.size() == 2);
  // 300 and 600 jobs of one thread, 32 to a node.
  CHECK(nodes.servers[0].nodes == 10);
  CHECK(nodes.servers[1].nodes == 19);
  for (std::size_t site = 0; site < 2; ++site) {
    CHECK(nodes.servers[site].site == nodes.jobs[site].site);
    CHECK(nodes.servers[site].attached);
    CHECK(nodes.servers[site].devices.count == 1);
    for (const InferStage* call : model_calls(nodes.jobs[site]))
      CHECK(std::count(nodes.servers[site].models.begin(), nodes.servers[site].models.end(), call->model) == 1);
  }
  const Scenario moved = read_scenario_file("two-sites", all[2].settings).scenario;
  for (const Server& server : moved.servers) CHECK(server.site == "university");
  // Jobs that call nothing need no devices.
  std::vector<Override> changes{{"/jobs/0/event", "[{\"cpu\":\"8 s\"}]"}};
  const ReadScenario idle = read_scenario_file("two-sites", changes);
  const Alternative of_one = alternatives(idle.scenario, idle.resolved, {})[1];
  changes.insert(changes.end(), of_one.settings.begin(), of_one.settings.end());
  CHECK(read_scenario_file("two-sites", changes).scenario.servers.size() == 1);
  const std::vector<Override> unlike{{"/devices/other", "{\"kind\":\"gpu\"}"},
                                     {"/models/tagging/service/other", "{\"per_batch\":\"1 ms\"}"},
                                     {"/servers/1/devices/type", "other"}};
  const ReadScenario mixed = read_scenario_file("two-sites", unlike);
  CHECK(alternatives(mixed.scenario, mixed.resolved, {})[1].why_not ==
        "servers have devices of different types, gpu and other; say what is meant in /alternatives");
}

TEST_CASE("a scenario's own alternatives replace those that would be made, and the first of them is the service") {
  Scenario scenario = protodune(268, 4);
  scenario.alternatives = {{.name = "as it is"}, {.name = "eight GPUs", .set = {{"/servers/0/devices/count", "8"}}}};
  const std::vector<Alternative> all = alternatives(scenario, "", {});
  CHECK(names_of(all) == "CPU only, as it is, eight GPUs");
  CHECK(settings_of(all[2]) == "/servers/0/devices/count=8\n");
  CHECK(all[1].service);
  CHECK(!all[2].service);
}

TEST_CASE("CPU only is the sum of the stages, without what is done for the service alone") {
  const Scenario cpu = cpu_only_scenario(protodune(268, 4));
  CHECK(cpu.servers.empty());
  CHECK(stream_count(cpu) == 268);
  const ClosedNetwork network = closed_network(cpu);
  CHECK(network.resources.empty());
  CHECK(network.classes.at(0).ideal_event_time.value == 330.0);
}

namespace {

using Where = BreakEvenPoint::Where;

/// A simulator that is exactly at the bound.
Evaluate at_the_bound(double half_width = 0.0) {
  return evaluate_by({.slowdown = bound_slowdown, .half_width = half_width});
}

/// CPU only against the scenario as it stands.
std::vector<ComparedAlternative> cpu_and_service(const Scenario& scenario) {
  std::vector<ComparedAlternative> all;
  for (const Alternative& one : alternatives(scenario, "", {})) {
    if (one.cpu_only) all.push_back({.about = one, .scenario = cpu_only_scenario(scenario)});
    if (one.service) all.push_back({.about = one, .scenario = scenario});
  }
  return all;
}

Scenario with_cpu_alternative(Scenario scenario, double seconds) {
  std::get<InferStage>(scenario.jobs[0].event[2]).cpu_alternative = Seconds{seconds};
  return scenario;
}

const BreakEven& found(const AlternativesComparison& comparison, BreakEvenOf of) {
  for (const BreakEven& one : comparison.break_evens) {
    if (one.of == of) return one;
  }
  throw std::logic_error("no such break-even");
}

// An event of protodune() less its round trips: transfers at 2 Gb/s of requests and answers, 4.83 ms a request and
// 29.37 µs an item.
constexpr double transfers_s = 55000.0 * (9216 + 16) * 8 / 2e9;
constexpr double device_s = 32 * 4.83e-3 + 55000.0 * 29.37e-6;

}  // namespace

TEST_CASE("below saturation the break-even round trip is what is left of the CPU's time over the number of requests") {
  CHECK(rc::check([] {
    const double cpu_s = 12.0 + *rc::gen::inRange(0, 200) * 0.1;
    const Scenario listed = with_cpu_alternative(protodune(20, 4), cpu_s);
    const Scenario scenario = *rc::gen::arbitrary<bool>() ? on_platform(listed) : listed;
    const AlternativesComparison comparison =
        compare_alternatives(cpu_and_service(scenario), std::nullopt, 0.0, at_the_bound());
    const BreakEven& one = found(comparison, BreakEvenOf::round_trip_time);
    const double expected = (110 + cpu_s - 117 - transfers_s - device_s) / 32;
    RC_ASSERT(one.formula.where == Where::at);
    RC_ASSERT(std::abs(one.formula.value.mean - expected) < 1e-9);
    RC_ASSERT(one.simulated.where == Where::at);
    RC_ASSERT(std::abs(one.simulated.value.mean - expected) < 1e-6);
    // The formulas are right, so that one look where they say is enough.
    RC_ASSERT(one.simulations == 1u);
  }));
}

TEST_CASE("past saturation the round trip is free until the event without waiting is as long") {
  // 400 jobs on four T4: 177.1 s an event by the GPUs; 330 s on CPU leaves (330 - 120.8) / 32 for each round trip.
  const AlternativesComparison comparison = compare_alternatives(
      cpu_and_service(with_cpu_alternative(protodune(400, 4), 80)), std::nullopt, 0.0, at_the_bound());
  const BreakEven& one = found(comparison, BreakEvenOf::round_trip_time);
  const double expected = (190 - 117 - transfers_s - device_s) / 32;
  CHECK(one.lowest == 0.0);
  CHECK(one.highest == 1.0);
  CHECK(one.formula.where == Where::never);
  CHECK(one.simulated.where == Where::never);
  CHECK(expected > 1.0);
}

TEST_CASE("where saturation alone costs more than the CPU, the service loses at any round trip") {
  // 177.1 s by the GPUs against 110 + 60 s on CPU.
  const AlternativesComparison comparison = compare_alternatives(
      cpu_and_service(with_cpu_alternative(protodune(400, 4), 60)), std::nullopt, 0.0, at_the_bound());
  const BreakEven& one = found(comparison, BreakEvenOf::round_trip_time);
  CHECK(one.formula.where == Where::always);
  CHECK(one.simulated.where == Where::always);
  CHECK(one.simulations == 0u);  // no simulation is faster than the bound
  CHECK(*comparison.fastest == 0u);
}

TEST_CASE("the service loses once N / G times the device time of an event is longer than the event on CPU") {
  const AlternativesComparison comparison =
      compare_alternatives(cpu_and_service(protodune(268, 4)), std::nullopt, 0.0, at_the_bound());
  const BreakEven& one = found(comparison, BreakEvenOf::jobs_per_device);
  CHECK(one.present == 67.0);
  CHECK(one.formula.value.mean == doctest::Approx(330 / device_s));
  CHECK(one.simulated.where == Where::at);
  CHECK(one.simulated.value.mean == doctest::Approx(330 / device_s).epsilon(1e-3));
  CHECK(*comparison.fastest == 1u);
}

TEST_CASE("a service that may be slower by a share of the other's event time may be so much further away") {
  const double cpu_s = 20.0;
  const Scenario scenario = with_cpu_alternative(protodune(20, 4), cpu_s);
  for (const double least : {0.001, 0.01, 0.05}) {
    const AlternativesComparison comparison =
        compare_alternatives(cpu_and_service(scenario), std::nullopt, least, at_the_bound());
    const BreakEven& one = found(comparison, BreakEvenOf::round_trip_time);
    const double expected = ((1.0 + least) * (110 + cpu_s) - 117 - transfers_s - device_s) / 32;
    CHECK(one.least_difference == least);
    CHECK(one.formula.value.mean == doctest::Approx(expected));
    CHECK(one.simulated.value.mean == doctest::Approx(expected));
  }
}

TEST_CASE("the interval of a break-even is that of the event times over the slope") {
  // Each side's half-width is 1 % of its unloaded event time; a round trip more costs 32 of it.
  const Scenario scenario = with_cpu_alternative(protodune(20, 4), 20);
  const AlternativesComparison comparison =
      compare_alternatives(cpu_and_service(scenario), std::nullopt, 0.0, at_the_bound(0.01));
  const Estimate& value = found(comparison, BreakEvenOf::round_trip_time).simulated.value;
  CHECK(value.half_width() == doctest::Approx(std::hypot(1.30, 1.30) / 32).epsilon(0.02));
  CHECK(value.low < value.mean);
}

TEST_CASE("costs count devices, and cores where their price is known: alternatives without either have none") {
  const AlternativesComparison bare =
      compare_alternatives(cpu_and_service(protodune(268, 4)), std::nullopt, 0.0, at_the_bound());
  CHECK(!bare.alternatives[0].outcome->cost_usd_per_million_events);
  const double events_per_s = bare.alternatives[1].outcome->events_per_s.mean;
  CHECK(*bare.alternatives[1].outcome->cost_usd_per_million_events ==
        doctest::Approx(4 * 0.35 / 3600 / events_per_s * 1e6));
  CHECK(bare.alternatives[1].outcome->device_hours_per_million_events ==
        doctest::Approx(4 / 3600.0 / events_per_s * 1e6));
  const AlternativesComparison priced =
      compare_alternatives(cpu_and_service(protodune(268, 4)), UsdPerHour{0.03}, 0.0, at_the_bound());
  // On CPU an event takes 330 s of a core.
  CHECK(*priced.alternatives[0].outcome->cost_usd_per_million_events == doctest::Approx(0.03 * 330 / 3600 * 1e6));
  CHECK(*priced.alternatives[1].outcome->cost_usd_per_million_events ==
        doctest::Approx((4 * 0.35 + 268 * 0.03) / 3600 / events_per_s * 1e6));
  CHECK(*priced.cheapest == 1u);
}

TEST_CASE("a row that is far slower than another is simulated once and briefly, and says so") {
  // Of two more rows one has a quarter of the devices, and events four times as long hold their cores; the other is the
  // service once more.
  std::vector<ComparedAlternative> all = cpu_and_service(protodune(268, 4));
  for (const std::uint64_t devices : {1u, 4u})
    all.push_back({.about = {.name = std::to_string(devices)}, .scenario = protodune(268, devices)});
  std::map<std::uint64_t, std::vector<RunControl>> looks;
  const Evaluate simulate = at_the_bound();
  const AlternativesComparison comparison =
      compare_alternatives(all, UsdPerHour{0.03}, 0.0, [&](std::span<const Scenario> scenarios) {
        for (const Scenario& one : scenarios)
          if (stream_count(one) == 268) looks[device_count(one)].push_back(one.run);
        return simulate(scenarios);
      });
  REQUIRE(looks[1].size() == 1u);
  CHECK(looks[1][0].brief);
  CHECK(looks[1][0].max_replications == 1u);
  CHECK(comparison.alternatives[2].about.made_of.find("once and briefly") != std::string::npos);
  CHECK(comparison.alternatives[2].outcome->event_time_s.mean == doctest::Approx(268 * device_s));
  // The other is as fast as the service, so that it is looked at again, like that as a run does it.
  CHECK(std::count_if(looks[4].begin(), looks[4].end(),
                      [](const RunControl& run) { return run.max_replications > 1; }) == 2);
  CHECK(comparison.alternatives[3].about.made_of.empty());
}

TEST_CASE("an alternative that cannot be made has a row and takes no part") {
  std::vector<ComparedAlternative> all = cpu_and_service(protodune(268, 4));
  all[0].scenario.reset();
  all[0].about.why_not = "no time on CPU";
  const AlternativesComparison comparison = compare_alternatives(all, std::nullopt, 0.0, at_the_bound());
  CHECK(!comparison.alternatives[0].outcome);
  CHECK(comparison.alternatives[0].about.why_not == "no time on CPU");
  CHECK(*comparison.fastest == 1u);
  CHECK(comparison.break_evens.empty());
}

namespace {

/// Replications of a made-up simulation: event times of 2 s and a little more, events at 1/s.
std::vector<RunOutcome> outcomes_of(const Scenario& scenario, double event_time_s) {
  std::vector<RunOutcome> outcomes;
  for (int i = 0; i < 4; ++i) {
    RunOutcome run;
    for (const JobPool& pool : scenario.jobs) {
      JobsOutcome jobs;
      jobs.name = pool.name;
      jobs.event_time = {.count = 100, .mean_s = event_time_s + 0.01 * i, .p50_s = event_time_s, .p99_s = event_time_s};
      jobs.events_per_s = 1.0;
      jobs.ideal_event_time_s = event_time_s;
      jobs.stages.assign(pool.event.size(), {.label = "stage", .mean_s = 1.0});
      run.jobs.push_back(jobs);
    }
    for (const auto& [name, model] : scenario.models) {
      ModelOutcome one;
      one.name = name;
      one.latency = {.count = 100, .mean_s = 0.1, .p50_s = 0.1, .p99_s = 0.2};
      run.models.push_back(one);
    }
    outcomes.push_back(run);
  }
  return outcomes;
}

/// Jobs with exponential times on one priced GPU.
Scenario priced_loop() {
  Scenario scenario = closed_loop(10, 1, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
  scenario.devices["gpu"] = {.price = UsdPerHour{0.35}};
  return scenario;
}

TwoScenarios compared(const Scenario& a, const Scenario& b) {
  const std::vector<RunOutcome> of_a = outcomes_of(a, 2.0);
  const std::vector<RunOutcome> of_b = outcomes_of(b, 3.0);
  return compare_two({a, of_a}, {b, of_b}, 0.95, Stopping::by_number);
}

bool has_cost(const TwoScenarios& two) {
  return std::any_of(two.numbers.begin(), two.numbers.end(),
                     [](const ComparedNumber& one) { return one.name == "cost of a million events"; });
}

}  // namespace

TEST_CASE("costs stand beside each other only where both count the same parts, and what differs is said") {
  const Scenario plain = priced_loop();
  Scenario with_cores = plain;
  with_cores.costs.core = UsdPerHour{0.05};
  CHECK(has_cost(compared(plain, plain)));
  CHECK(compared(plain, plain).left_out.empty());
  CHECK(has_cost(compared(with_cores, with_cores)));

  const TwoScenarios one_way = compared(with_cores, plain);
  CHECK_FALSE(has_cost(one_way));
  CHECK(one_way.left_out == std::vector<std::string>{"cost: A counts GPUs and cores, B GPUs alone"});
  CHECK(compared(plain, with_cores).left_out ==
        std::vector<std::string>{"cost: A counts GPUs alone, B GPUs and cores"});

  Scenario with_all = with_cores;
  with_all.servers.front().host_price = UsdPerHour{0.76};
  with_all.devices["gpu"].kind = ResourceKind::cpu;
  CHECK(compared(with_all, plain).left_out ==
        std::vector<std::string>{"cost: A counts devices, hosts and cores, B GPUs alone"});
}

TEST_CASE("jobs on their own cores have no devices to price: their cost stands beside that of a service with both") {
  Scenario service = priced_loop();
  service.costs.core = UsdPerHour{0.05};
  Scenario alone = service;
  alone.servers.clear();
  alone.models.clear();
  alone.jobs.front().event.pop_back();
  CHECK(has_cost(compared(alone, service)));
  alone.costs.core.reset();
  CHECK_FALSE(has_cost(compared(alone, service)));
}

TEST_CASE("who is better is decided where jobs or a model stand in both, and else by nobody") {
  const Scenario a = priced_loop();
  Scenario b = a;
  CHECK(compared(a, b).in_common);
  CHECK(decision_of(compared(a, b).numbers.front(), 0.01) == Decision::a_better);
  b.jobs.front().name = "other";
  CHECK(compared(a, b).in_common);
  CHECK(decision_of(compared(a, b).numbers.front(), 0.01) == Decision::a_better);

  b.models["another"] = b.models.at("model");
  b.models.erase("model");
  std::get<InferStage>(b.jobs.front().event.back()).model = "another";
  b.servers.front().models = {"another"};
  const TwoScenarios strangers = compared(a, b);
  CHECK_FALSE(strangers.in_common);
  REQUIRE(!strangers.numbers.empty());
  for (const ComparedNumber& number : strangers.numbers) {
    CHECK_FALSE(number.paired.a_better);
    CHECK(decision_of(number, 0.01) == Decision::undecided);
  }
  CHECK(strangers.left_out.back() ==
        "who is better: no jobs and no model of A are in B by name, so the two do different work");
}

namespace {

const ComparedNumber* number_of(const TwoScenarios& two, const std::string& name) {
  const auto found = std::find_if(two.numbers.begin(), two.numbers.end(),
                                  [&](const ComparedNumber& number) { return number.name == name; });
  return found == two.numbers.end() ? nullptr : &*found;
}

/// Moments of 10 s: one request at the servers, forty from 110 s until `until_s`, and one again.
void add_outage(std::vector<RunOutcome>& runs, double until_s) {
  for (RunOutcome& run : runs)
    for (int i = 1; i <= 40; ++i)
      run.over_time.push_back({.until_s = 10.0 * i, .present = i > 10 && 10.0 * i <= until_s ? 40.0 : 1.0});
}

}  // namespace

TEST_CASE("nodes that come and go stand beside others that do not: devices' hours and rent of the same window") {
  const Scenario scenario = priced_loop();
  std::vector<RunOutcome> always = outcomes_of(scenario, 2.0);
  std::vector<RunOutcome> scaled = always;
  for (RunOutcome& run : always) run.warm_up.window_s = 7200.0;
  for (RunOutcome& run : scaled)
    run.resources = {
        {.name = "server/gpu", .fleet = FleetOutcome{.paid = 0.75, .device_hours = 1.5, .rent_usd = 0.525}}};
  CHECK(number_of(compare_two({scenario, always}, {scenario, always}, 0.95, Stopping::by_number), "device hours") ==
        nullptr);
  const TwoScenarios two = compare_two({scenario, always}, {scenario, scaled}, 0.95, Stopping::by_number);
  const ComparedNumber* hours = number_of(two, "device hours");
  const ComparedNumber* rent = number_of(two, "rent of the window");
  REQUIRE(hours != nullptr);
  REQUIRE(rent != nullptr);
  // A GPU for two hours, at 0.35 USD each.
  CHECK(hours->paired.a.mean == doctest::Approx(2.0));
  CHECK(hours->paired.b.mean == doctest::Approx(1.5));
  CHECK(rent->paired.a.mean == doctest::Approx(0.7));
  CHECK(rent->paired.b.mean == doctest::Approx(0.525));
  // For as many events: what a million of them cost is in the proportion of the rents.
  const ComparedNumber* cost = number_of(two, "cost of a million events");
  CHECK((cost != nullptr && cost->paired.b.mean == doctest::Approx(0.75 * cost->paired.a.mean)));

  Scenario unpriced = scenario;
  unpriced.devices["gpu"].price.reset();
  const TwoScenarios half = compare_two({unpriced, always}, {scenario, scaled}, 0.95, Stopping::by_number);
  CHECK(number_of(half, "device hours") != nullptr);
  CHECK(number_of(half, "rent of the window") == nullptr);
}

TEST_CASE("an outage that both have says how soon each is as before it, or that one is not by the end") {
  Scenario scenario = priced_loop();
  scenario.outages = {{.server = "server", .nodes = 1, .from = Seconds{100}, .length = Seconds{100}}};
  std::vector<RunOutcome> fast = outcomes_of(scenario, 2.0);
  std::vector<RunOutcome> slow = fast;
  std::vector<RunOutcome> never = fast;
  add_outage(fast, 220.0);
  add_outage(slow, 300.0);
  add_outage(never, 400.0);
  const std::string name = "as before, after 1 node of server at 100 s";
  const TwoScenarios two = compare_two({scenario, fast}, {scenario, slow}, 0.95, Stopping::by_number);
  REQUIRE(number_of(two, name) != nullptr);
  // The moment that is the first as before ends 10 s after the last that is not.
  CHECK(number_of(two, name)->paired.a.mean == doctest::Approx(30.0));
  CHECK(number_of(two, name)->paired.b.mean == doctest::Approx(110.0));

  const TwoScenarios open = compare_two({scenario, fast}, {scenario, never}, 0.95, Stopping::by_number);
  CHECK(number_of(open, name) == nullptr);
  CHECK(open.left_out == std::vector<std::string>{name + ": not by the end of the run, in some replication of B"});
  Scenario other = scenario;
  other.outages.front().from = Seconds{150};
  CHECK(number_of(compare_two({scenario, fast}, {other, slow}, 0.95, Stopping::by_number), name) == nullptr);
}
