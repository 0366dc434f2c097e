#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

/// Uplinks, paths of several links, links that are slower one way, buses.

namespace {

/// Clients at "here" that compute for 10 s and call a model on 16 devices at "there", two links away: 1 MB a request,
/// 1 MB an answer, 0.1 s on the device, 0.4 s of round trip, links far faster than 1 MB/s, of which a transfer reaches
/// 2 MB/s.
Scenario far_calls(std::uint64_t clients, const TimeDistribution& think = ConstantTime{Seconds{10.0}}) {
  Scenario scenario =
      simple_loop({.clients = clients, .devices = 16, .think = think, .service = ConstantTime{Seconds{0.1}}});
  model_of(scenario).input = Bytes{1e6};
  model_of(scenario).output = Bytes{1e6};
  server_of(scenario).site = "there";
  scenario.links = {{"here", "between", Bandwidth{1e9}, Seconds{0.1}, Bandwidth{2e6}},
                    {"there", "between", Bandwidth{1e9}, Seconds{0.3}}};
  return scenario;
}

}  // namespace

TEST_CASE("a call over several links takes their round trips together and the rate of the slowest") {
  CHECK(event_time_of(lawful_run(far_calls(1))) == doctest::Approx(10.0 + 0.4 + 1.0 + 0.1).epsilon(1e-9));
  Scenario scenario = far_calls(1);
  scenario.links[1].bandwidth = Bandwidth{0.5e6};
  scenario.links[1].bandwidth_back = Bandwidth{1e6};
  // Declared from the server's side: requests go back along it, answers forth.
  CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(10.0 + 0.4 + 1.0 + 2.0 + 0.1).epsilon(1e-9));
}

TEST_CASE("with constant times the event time is max(t_ideal, N D) whichever part of the network binds") {
  struct Case {
    const char* binding;
    void (*narrow)(Scenario&);
  };
  // Each of them passes 1 MB of an event in 1 s.
  const Case cases[] = {
      {"here uplink out", [](Scenario& s) { s.sites["here"].uplink = Bandwidth{1e6}, model_of(s).output = Bytes{0}; }},
      {"there uplink in", [](Scenario& s) { s.sites["there"].uplink = Bandwidth{1e6}, model_of(s).output = Bytes{0}; }},
      {"here uplink in", [](Scenario& s) { s.sites["here"].uplink = Bandwidth{1e6}, model_of(s).input = Bytes{0}; }},
      {"between to here", [](Scenario& s) { s.links[0].bandwidth_back = Bandwidth{1e6}; }},
      {"between to there", [](Scenario& s) { s.links[1].bandwidth_back = Bandwidth{1e6}; }},
      {"server bus in",
       [](Scenario& s) {
         server_of(s).site = "here";
         server_of(s).nodes = 2;
         server_of(s).balancing = Balancing::per_connection;
         server_of(s).attached = Attachment{.bus = Bandwidth{0.5e6}, .latency = Seconds{0.01}};
         model_of(s).output = Bytes{0};
       }},
  };
  for (const Case& c : cases) {
    CAPTURE(c.binding);
    for (const std::uint64_t clients : {2u, 10u, 30u, 60u}) {
      Scenario scenario = far_calls(clients);
      c.narrow(scenario);
      CAPTURE(clients);
      const RunOutcome outcome = lawful_run(scenario);
      const double ideal = outcome.jobs.front().ideal_event_time_s;
      const double expected = std::max(ideal, static_cast<double>(clients) * 1.0);
      CHECK(asymptotic_bounds(closed_network(scenario)).event_time_s == doctest::Approx(expected).epsilon(1e-9));
      // Transfers that share a link fairly end in clumps, and a window begins and ends somewhere among them. What the
      // link carries has no such edges: a busy link passes one event a second.
      const bool saturated = expected > ideal;
      CHECK(event_time_of(outcome) == doctest::Approx(expected).epsilon(saturated ? 1e-3 : 1e-9));
      if (saturated) CHECK(resource_of(outcome, c.binding).busy_fraction == doctest::Approx(1.0).epsilon(1e-9));
    }
  }
}

TEST_CASE("two sites that share a link have each half of it, and their own uplinks to themselves") {
  Scenario scenario = far_calls(20);
  model_of(scenario).output = Bytes{0};
  scenario.jobs.push_back(scenario.jobs.front());
  scenario.jobs.back().name = "others";
  scenario.jobs.back().site = "elsewhere";
  scenario.links.push_back({"elsewhere", "between", Bandwidth{1e9}, Seconds{0.1}, Bandwidth{2e6}});
  scenario.links[1].bandwidth_back = Bandwidth{1e6};
  scenario.sites["here"].uplink = Bandwidth{1e9};
  const RunOutcome shared = lawful_run(scenario);
  // 40 MB a round over 1 MB/s.
  for (const JobsOutcome& jobs : shared.jobs) CHECK(jobs.event_time.mean_s == doctest::Approx(40.0).epsilon(1e-3));
  CHECK(resource_of(shared, "between to there").busy_fraction == doctest::Approx(1.0).epsilon(1e-9));
  CHECK(resource_of(shared, "here uplink out").busy_fraction == doctest::Approx(0.5e-3).epsilon(1e-3));
  // A link of its own leaves the one site to its uplink, and the other to the bound without waiting.
  scenario.links.push_back({"here", "there", Bandwidth{1e9}, Seconds{0.4}, Bandwidth{2e6}});
  scenario.links[1].bandwidth_back.reset();
  scenario.sites["here"].uplink = Bandwidth{1e6};
  const RunOutcome apart = lawful_run(scenario);
  CHECK(apart.jobs[0].event_time.mean_s == doctest::Approx(20.0).epsilon(1e-3));
  CHECK(apart.jobs[1].event_time.mean_s == doctest::Approx(10.0 + 0.4 + 0.5 + 0.1).epsilon(1e-3));
}

TEST_CASE("calls over new or rested TCP connections take the round trips longer that slow start needs") {
  // 1 MB in windows of 14.6, 29.2, ... kB: six of them leave 0.4 s apart, in which 0.8 MB could leave.
  constexpr double six_windows_s = 14.6e3 * 63 / 2e6;
  constexpr double wait_s = 6 * 0.4 - six_windows_s;
  for (const FlowModel flows : {FlowModel::aggregated, FlowModel::simgrid}) {
    Scenario scenario = far_calls(1);
    scenario.flows = flows;
    scenario.links[0].tcp = SlowStart{};
    const RunOutcome outcome = lawful_run(scenario);
    CHECK(event_time_of(outcome) == doctest::Approx(11.5 + 2 * wait_s).epsilon(1e-9));
    CHECK(outcome.jobs.front().ideal_event_time_s == doctest::Approx(11.5 + 2 * wait_s).epsilon(1e-9));
    // A connection that keeps its window waits in its first event alone, which is cut away.
    scenario.links[0].tcp->idle_restart = Seconds{1000.0};
    CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(11.5).epsilon(1e-9));
    // The most careful link of a path decides.
    scenario.links[1].tcp = SlowStart{};
    CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(11.5 + 2 * wait_s).epsilon(1e-9));
  }
}

TEST_CASE("a stage of several requests finds the window larger from each to the next") {
  Scenario scenario = far_calls(1);
  scenario.links[0].tcp = SlowStart{.idle_restart = Seconds{9.0}};
  model_of(scenario).output = Bytes{0};
  model_of(scenario).input = Bytes{1e5};
  call_of(scenario).items = 20;
  // 0.8 MB are half a second's worth, half of it after the pause: 0.4 MB wait for nothing within a request.
  CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(10.0 + 20 * (0.4 + 0.05 + 0.1)).epsilon(1e-9));
  scenario.links[0].tcp->idle_restart = Seconds{1.0};
  // 10 s halve it to the initial one; requests of 0.1 MB leave in windows from 14.6 kB on, then from 114.6 kB.
  const double first_wait_s = 2 * 0.4 - 14.6e3 * 3 / 2e6;
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(event_time_of(outcome) == doctest::Approx(10.0 + 20 * (0.4 + 0.05 + 0.1) + first_wait_s).epsilon(1e-9));
  CHECK(outcome.jobs.front().ideal_event_time_s == doctest::Approx(event_time_of(outcome)).epsilon(1e-9));
}

TEST_CASE("runs with drawn times keep every law while windows grow, idle and saturated") {
  for (const std::uint64_t clients : {3u, 60u}) {
    Scenario scenario = far_calls(clients, ExponentialTime{Seconds{2.0}});
    scenario.links[0].tcp = SlowStart{.idle_restart = Seconds{1.0}};
    scenario.links[1].bandwidth = Bandwidth{20e6};
    call_of(scenario).items = CountDistribution::poisson(3.0);
    server_of(scenario).nodes = 2;
    const double with = event_time_of(lawful_run(scenario));
    scenario.links[0].tcp.reset();
    CHECK(with > event_time_of(lawful_run(scenario)));
  }
}

TEST_CASE("streams of attached devices keep to the nodes that they are dealt to") {
  Scenario scenario = busy_clients(6, affine(1.0, 0.0));
  server_of(scenario).nodes = 3;
  server_of(scenario).balancing = Balancing::per_connection;
  server_of(scenario).attached = Attachment{.bus = Bandwidth{1e6}, .latency = Seconds{0.25}};
  model_of(scenario).input = Bytes{0.5e6};
  // Two streams a node: one is served for 1 s while the other travels for 2 x 0.25 s and transfers for 0.5 s.
  CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(2.0).epsilon(1e-6));
  server_of(scenario).attached->latency = Seconds{1.0};
  CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(1.0 + 2.0 + 0.5).epsilon(1e-6));
}

/// Networks that a SimGrid platform file describes, in place of links between sites.

namespace {

/// @param there, back  links that requests and answers cross
PlatformNetwork platform(const std::vector<PlatformLink>& links, const std::vector<std::size_t>& there,
                         const std::vector<std::size_t>& back, double latency_there_s, double latency_back_s) {
  return {.hosts = {"here", "there"},
          .links = links,
          .routes = {{.from = "here", .to = "there", .links = there, .latency = Seconds{latency_there_s}},
                     {.from = "there", .to = "here", .links = back, .latency = Seconds{latency_back_s}}}};
}

PlatformLink link(const std::string& name, double bytes_per_s, LinkSharing sharing) {
  return {.name = name, .bandwidth = Bandwidth{bytes_per_s}, .sharing = sharing};
}

Scenario on_platform(std::uint64_t clients, FlowModel flows, const PlatformNetwork& platform) {
  Scenario scenario = far_calls(clients);
  scenario.flows = flows;
  scenario.links.clear();
  scenario.platform = platform;
  return scenario;
}

}  // namespace

TEST_CASE("a platform that says what a list of links says gives the same run") {
  for (const FlowModel flows : {FlowModel::aggregated, FlowModel::simgrid}) {
    Scenario listed = far_calls(20, ExponentialTime{Seconds{10.0}});
    listed.flows = flows;
    server_of(listed).nodes = 2;
    server_of(listed).nic = Bandwidth{1.5e6};
    listed.links = {{"here", "there", Bandwidth{2.5e6}, Seconds{0.4}, Bandwidth{0.8e6}, Bandwidth{1.8e6}}};
    Scenario from_file = listed;
    from_file.links.clear();
    from_file.platform_file = "site.xml";
    // The speed of one transfer alone is a fat pipe in SimGrid's words.
    from_file.platform =
        platform({link("wan_UP", 2.5e6, LinkSharing::one_direction), link("window", 0.8e6, LinkSharing::fatpipe),
                  link("wan_DOWN", 1.8e6, LinkSharing::one_direction)},
                 {0, 1}, {1, 2}, 0.2, 0.2);
    const RunOutcome a = simulate_forked(listed);
    const RunOutcome b = lawful_run(from_file);
    CHECK(b.jobs.front().event_time.count == a.jobs.front().event_time.count);
    CHECK(event_time_of(b) == doctest::Approx(event_time_of(a)).epsilon(1e-12));
    CHECK(b.jobs.front().event_time.p99_s == doctest::Approx(a.jobs.front().event_time.p99_s).epsilon(1e-12));
    CHECK(b.jobs.front().ideal_event_time_s == a.jobs.front().ideal_event_time_s);
    REQUIRE(b.resources.size() == a.resources.size());
    for (const auto& [in_list, in_file] : {std::pair{"here to there", "wan_UP"}, {"there to here", "wan_DOWN"}}) {
      CHECK(resource_of(b, in_file).units == resource_of(a, in_list).units);
      CHECK(resource_of(b, in_file).busy_fraction ==
            doctest::Approx(resource_of(a, in_list).busy_fraction).epsilon(1e-12));
    }
  }
}

TEST_CASE("both directions contend for a shared link, so that a saturated one takes N (D_out + D_in)") {
  constexpr std::uint64_t clients = 30;
  for (const FlowModel flows : {FlowModel::aggregated, FlowModel::simgrid}) {
    // Requests pass it twice, and are carried once.
    Scenario scenario =
        on_platform(clients, flows, platform({link("lan", 1e6, LinkSharing::shared)}, {0, 0}, {0}, 0.1, 0.1));
    model_of(scenario).output = Bytes{2e6};
    const double together = static_cast<double>(clients) * (1.0 + 2.0);
    CHECK(asymptotic_bounds(closed_network(scenario)).event_time_s == doctest::Approx(together).epsilon(1e-12));
    const RunOutcome outcome = lawful_run(scenario);
    CHECK(event_time_of(outcome) == doctest::Approx(together).epsilon(1e-3));
    CHECK(resource_of(outcome, "lan").busy_fraction == doctest::Approx(1.0).epsilon(1e-9));

    scenario.platform =
        platform({link("lan_UP", 1e6, LinkSharing::one_direction), link("lan_DOWN", 1e6, LinkSharing::one_direction)},
                 {0}, {1}, 0.1, 0.1);
    CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(static_cast<double>(clients) * 2.0).epsilon(1e-3));
  }
}

TEST_CASE("the ways there and back of a platform may differ, and a fat pipe limits each transfer alone") {
  for (const FlowModel flows : {FlowModel::aggregated, FlowModel::simgrid}) {
    const PlatformNetwork two_ways =
        platform({link("out", 1e6, LinkSharing::shared), link("in", 0.5e6, LinkSharing::shared)}, {0}, {1}, 0.1, 0.3);
    CHECK(event_time_of(lawful_run(on_platform(1, flows, two_ways))) ==
          doctest::Approx(10.0 + 0.1 + 1.0 + 0.1 + 0.3 + 2.0).epsilon(1e-9));
    const PlatformNetwork pipe = platform({link("pipe", 0.5e6, LinkSharing::fatpipe)}, {0}, {0}, 0.1, 0.3);
    CHECK(event_time_of(lawful_run(on_platform(100, flows, pipe))) ==
          doctest::Approx(10.0 + 0.4 + 2.0 + 2.0 + 0.1).epsilon(1e-9));
  }
}

TEST_CASE("calls within a site need no route of the platform, and attached devices are reached as ever") {
  Scenario scenario =
      on_platform(2, FlowModel::aggregated, PlatformNetwork{.hosts = {"here"}, .links = {}, .routes = {}});
  server_of(scenario).site = "here";
  CHECK(event_time_of(simulate_forked(scenario)) == doctest::Approx(10.1).epsilon(1e-9));
  server_of(scenario).balancing = Balancing::per_connection;
  server_of(scenario).attached = Attachment{.bus = Bandwidth{1e6}, .latency = Seconds{0.25}};
  CHECK(event_time_of(simulate_forked(scenario)) == doctest::Approx(10.0 + 0.5 + 2.0 + 0.1).epsilon(1e-9));
}
