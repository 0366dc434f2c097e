#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "models/bounds.hpp"
#include "scenarios/demands.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// Networks that a SimGrid platform file describes, in place of links between sites.
using namespace saturn;
using namespace saturn::tests;

namespace {

/// Clients at "here" that think for 10 s and call a model on 16 devices at "there": 1 MB a request, 1 MB an answer,
/// 0.1 s on the device.
Scenario calls_afar(std::uint64_t clients, const TimeDistribution& think = ConstantTime{Seconds{10.0}}) {
  Scenario scenario =
      simple_loop({.clients = clients, .devices = 16, .think = think, .service = ConstantTime{Seconds{0.1}}});
  model_of(scenario).input = Bytes{1e6};
  model_of(scenario).output = Bytes{1e6};
  server_of(scenario).site = "there";
  return scenario;
}

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

const ResourceOutcome& resource(const RunOutcome& outcome, const std::string& name) {
  return *std::find_if(outcome.resources.begin(), outcome.resources.end(),
                       [&](const ResourceOutcome& one) { return one.name == name; });
}

}  // namespace

TEST_CASE("a platform that says what a list of links says gives the same run") {
  for (const FlowModel flows : {FlowModel::aggregated, FlowModel::simgrid}) {
    Scenario listed = calls_afar(20, ExponentialTime{Seconds{10.0}});
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
    const RunOutcome b = simulate_forked(from_file);
    check_all_laws(b);
    CHECK(b.jobs.front().event_time.count == a.jobs.front().event_time.count);
    CHECK(b.jobs.front().event_time.mean_s == doctest::Approx(a.jobs.front().event_time.mean_s).epsilon(1e-12));
    CHECK(b.jobs.front().event_time.p99_s == doctest::Approx(a.jobs.front().event_time.p99_s).epsilon(1e-12));
    CHECK(b.jobs.front().ideal_event_time_s == a.jobs.front().ideal_event_time_s);
    REQUIRE(b.resources.size() == a.resources.size());
    for (const auto& [in_list, in_file] : {std::pair{"here to there", "wan_UP"}, {"there to here", "wan_DOWN"}}) {
      CHECK(resource(b, in_file).units == resource(a, in_list).units);
      CHECK(resource(b, in_file).busy_fraction == doctest::Approx(resource(a, in_list).busy_fraction).epsilon(1e-12));
    }
  }
}

TEST_CASE("both directions contend for a shared link, so that a saturated one takes N (D_out + D_in)") {
  constexpr std::uint64_t clients = 30;
  for (const FlowModel flows : {FlowModel::aggregated, FlowModel::simgrid}) {
    Scenario scenario = calls_afar(clients);
    scenario.flows = flows;
    model_of(scenario).output = Bytes{2e6};
    // Requests pass it twice, and are carried once.
    scenario.platform = platform({link("lan", 1e6, LinkSharing::shared)}, {0, 0}, {0}, 0.1, 0.1);
    const double together = static_cast<double>(clients) * (1.0 + 2.0);
    CHECK(asymptotic_bounds(closed_network(scenario)).event_time_s == doctest::Approx(together).epsilon(1e-12));
    const RunOutcome outcome = simulate_forked(scenario);
    check_all_laws(outcome);
    CHECK(outcome.jobs.front().event_time.mean_s == doctest::Approx(together).epsilon(1e-3));
    CHECK(resource(outcome, "lan").busy_fraction == doctest::Approx(1.0).epsilon(1e-9));

    scenario.platform =
        platform({link("lan_UP", 1e6, LinkSharing::one_direction), link("lan_DOWN", 1e6, LinkSharing::one_direction)},
                 {0}, {1}, 0.1, 0.1);
    const RunOutcome apart = simulate_forked(scenario);
    check_all_laws(apart);
    CHECK(apart.jobs.front().event_time.mean_s == doctest::Approx(static_cast<double>(clients) * 2.0).epsilon(1e-3));
  }
}

TEST_CASE("the ways there and back of a platform may differ, and a fat pipe limits each transfer alone") {
  for (const FlowModel flows : {FlowModel::aggregated, FlowModel::simgrid}) {
    Scenario scenario = calls_afar(1);
    scenario.flows = flows;
    scenario.platform =
        platform({link("out", 1e6, LinkSharing::shared), link("in", 0.5e6, LinkSharing::shared)}, {0}, {1}, 0.1, 0.3);
    const RunOutcome two_ways = simulate_forked(scenario);
    check_all_laws(two_ways);
    CHECK(two_ways.jobs.front().event_time.mean_s == doctest::Approx(10.0 + 0.1 + 1.0 + 0.1 + 0.3 + 2.0).epsilon(1e-9));

    Scenario crowd = calls_afar(100);
    crowd.flows = flows;
    crowd.platform = platform({link("pipe", 0.5e6, LinkSharing::fatpipe)}, {0}, {0}, 0.1, 0.3);
    const RunOutcome alone = simulate_forked(crowd);
    check_all_laws(alone);
    CHECK(alone.jobs.front().event_time.mean_s == doctest::Approx(10.0 + 0.4 + 2.0 + 2.0 + 0.1).epsilon(1e-9));
  }
}

TEST_CASE("calls within a site need no route of the platform, and attached devices are reached as ever") {
  Scenario scenario = calls_afar(2);
  scenario.platform = PlatformNetwork{.hosts = {"here"}, .links = {}, .routes = {}};
  server_of(scenario).site = "here";
  CHECK(simulate_forked(scenario).jobs.front().event_time.mean_s == doctest::Approx(10.1).epsilon(1e-9));
  server_of(scenario).balancing = Balancing::per_connection;
  server_of(scenario).attached = Attachment{.bus = Bandwidth{1e6}, .latency = Seconds{0.25}};
  CHECK(simulate_forked(scenario).jobs.front().event_time.mean_s ==
        doctest::Approx(10.0 + 0.5 + 2.0 + 0.1).epsilon(1e-9));
}
