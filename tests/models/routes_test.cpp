#include "scenarios/topology/routes.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "scenarios/demands/demands.hpp"

namespace saturn::tests {

namespace {

constexpr double gigabit_per_s = 1e9 / 8;

Link link(const std::string& a, const std::string& b, double gbps = 10.0, double rtt_ms = 10.0) {
  return {a, b, Bandwidth{gbps * gigabit_per_s}, Seconds{rtt_ms * 1e-3}, {}, {}};
}

/// Ten jobs at each of the sites "a" and "b" that call a model on two nodes at "far" with 1 Gbit out and 2 Gbit back.
Scenario two_farms() {
  Scenario s;
  InferStage infer{.label = "net", .model = "net"};
  for (const char* site : {"a", "b"})
    s.jobs.push_back({.name = std::string("jobs ") + site,
                      .site = site,
                      .count = 10,
                      .threads = 1,
                      .start = JobStart::staggered,
                      .event = {CpuStage{.label = "cpu", .time = ConstantTime{Seconds{10.0}}, .part_of = {}}, infer}});
  Model net;
  net.input = Bytes{gigabit_per_s};
  net.output = Bytes{2 * gigabit_per_s};
  net.service["gpu"].per_batch = ConstantTime{Seconds{0.5}};
  s.models["net"] = net;
  Server server;
  server.name = "pool";
  server.site = "far";
  server.nodes = 2;
  server.devices = {.type = "gpu", .count = 1, .mig = {}, .interference = 0.0};
  server.models = {"net"};
  s.servers = {server};
  s.devices["gpu"] = {};
  s.links = {link("a", "hub"), link("b", "hub"), link("far", "hub", 4.0, 50.0)};
  return s;
}

/// The sites that the calls pass, first to last; empty when there is no path.
std::string way(const Scenario& s, const std::string& from, const std::string& to) {
  SitePaths paths(s);
  const auto path = paths.between(from, to);
  if (!path) return "none";
  std::string text = from;
  for (const LinkHop& hop : *path) {
    const Link& link = s.links[hop.link];
    text += " " + (hop.forth ? link.site_b : link.site_a);
  }
  return text;
}

/// The slow reference: the best of all walks without repetition, written down as numbers to compare.
using Merit = std::tuple<std::size_t, double, std::vector<std::size_t>>;
void walk(const Scenario& s, const std::string& here, const std::string& to, std::vector<std::string>& seen,
          std::vector<std::size_t>& links, double rtt_s, std::optional<Merit>& best) {
  if (here == to) {
    std::vector<std::size_t> sorted = links;
    std::sort(sorted.begin(), sorted.end());
    Merit merit{links.size(), rtt_s, sorted};
    if (!best || merit < *best) best = merit;
    return;
  }
  for (std::size_t i = 0; i < s.links.size(); ++i) {
    const Link& one = s.links[i];
    if (one.site_a != here && one.site_b != here) continue;
    const std::string& there = one.site_a == here ? one.site_b : one.site_a;
    if (std::find(seen.begin(), seen.end(), there) != seen.end()) continue;
    seen.push_back(there);
    links.push_back(i);
    walk(s, there, to, seen, links, rtt_s + one.round_trip_time.value, best);
    links.pop_back();
    seen.pop_back();
  }
}

}  // namespace

TEST_CASE(
    "calls take the direct link, else the path of fewest links, then of least round trip, then first in the file") {
  Scenario s = two_farms();
  CHECK(way(s, "a", "far") == "a hub far");
  CHECK(way(s, "far", "b") == "far hub b");
  CHECK(way(s, "a", "a") == "a");
  CHECK(way(s, "a", "nowhere") == "none");
  s.links.push_back(link("a", "x", 10.0, 1.0));
  s.links.push_back(link("x", "y", 10.0, 1.0));
  s.links.push_back(link("y", "far", 10.0, 1.0));
  CHECK(way(s, "a", "far") == "a hub far");
  s.links.push_back(link("x", "far", 10.0, 59.0));
  CHECK(way(s, "a", "far") == "a hub far");
  s.links.back().round_trip_time = Seconds{58e-3};
  CHECK(way(s, "a", "far") == "a x far");
  s.links.push_back(link("far", "a", 0.001, 1000.0));
  CHECK(way(s, "a", "far") == "a far");
  CHECK(way(s, "far", "a") == "far a");
}

TEST_CASE("an explicit route holds in both directions and for its two sites alone") {
  Scenario s = two_farms();
  s.links.push_back(link("a", "x"));
  s.links.push_back(link("x", "hub"));
  s.routes = {{"far", "a", {"hub", "x"}}};
  CHECK(way(s, "far", "a") == "far hub x a");
  CHECK(way(s, "a", "far") == "a x hub far");
  CHECK(way(s, "a", "hub") == "a hub");
  s.routes = {{"far", "a", {"x"}}};
  CHECK(way(s, "far", "a") == "none");
}

TEST_CASE("the path is the best of all walks for whatever links are drawn, and the same in both directions") {
  CHECK(rc::check("shortest paths", [] {
    Scenario s;
    const auto site = [] { return std::string(1, *rc::gen::inRange('a', 'g')); };
    const int wanted = *rc::gen::inRange(0, 12);
    for (int i = 0; i < wanted; ++i) {
      const Link drawn = link(site(), site(), 1.0, *rc::gen::inRange(1, 3));
      const bool joined = std::any_of(s.links.begin(), s.links.end(), [&](const Link& other) {
        return (other.site_a == drawn.site_a && other.site_b == drawn.site_b) ||
               (other.site_a == drawn.site_b && other.site_b == drawn.site_a);
      });
      if (!joined) s.links.push_back(drawn);
    }
    SitePaths paths(s);
    const auto path = paths.between("a", "f");
    std::vector<std::string> seen{"a"};
    std::vector<std::size_t> links;
    std::optional<Merit> best;
    // Whole milliseconds, so that sums are exact.
    for (Link& one : s.links) one.round_trip_time = Seconds{one.round_trip_time.value * 1e3};
    walk(s, "a", "f", seen, links, 0.0, best);
    RC_ASSERT(path.has_value() == best.has_value());
    if (!path) return;
    std::vector<std::size_t> found;
    for (const LinkHop& hop : *path) found.push_back(hop.link);
    std::sort(found.begin(), found.end());
    RC_ASSERT(found == std::get<2>(*best));
    SitePath back = *paths.between("f", "a");
    std::reverse(back.begin(), back.end());
    for (LinkHop& hop : back) hop.forth = !hop.forth;
    RC_ASSERT(back == *path);
  }));
}

TEST_CASE(
    "paths cost in proportion to the links and to the sites that call, and a long chain no more memory than itself") {
  // A ring of 1,000 sites with two chords a site: 3,000 links.
  Scenario s;
  const auto site = [](std::size_t i) { return "site" + std::to_string(i % 1000); };
  for (std::size_t i = 0; i < 1000; ++i)
    for (const std::size_t step : {std::size_t{1}, std::size_t{30}, std::size_t{400}})
      s.links.push_back(link(site(i), site(i + step)));
  SitePaths paths(s);
  for (std::size_t caller = 0; caller < 1000; ++caller)
    for (const std::size_t server : {std::size_t{250}, std::size_t{500}, std::size_t{750}})
      CHECK(paths.between(site(caller), site(server)).has_value());
  // Every caller but the servers themselves looks once at both ends of every link.
  CHECK(paths.looked_at() <= 1000 * 2 * s.links.size());
  // Nothing is looked at for sites that do not call.
  SitePaths few(s);
  REQUIRE(few.between(site(0), site(500)).has_value());
  CHECK(few.looked_at() <= 2 * s.links.size());

  Scenario chain = two_farms();
  chain.links.clear();
  for (std::size_t i = 0; i < 10000; ++i)
    chain.links.push_back(link("stop" + std::to_string(i), "stop" + std::to_string(i + 1)));
  SitePaths along(chain);
  CHECK(along.between("stop0", "stop10000")->size() == 10000);
  CHECK(along.between("stop10000", "stop0")->size() == 10000);
  CHECK(along.looked_at() <= 2 * 2 * chain.links.size());
  // Every pair of its links, kept, would be gigabytes.
  chain.jobs.resize(1);
  chain.jobs[0].site = "stop0";
  chain.servers[0].site = "stop10000";
  const ClosedNetwork network = closed_network(chain);
  CHECK(network.resources.size() == 20001);
  CHECK(asymptotic_bounds(network).ideal_event_time_s == doctest::Approx(10.0 + 100.0 + 0.1 + 0.2 + 0.5));
}

TEST_CASE("a call crosses uplink, links, uplink and card, and is as fast as the slowest of them") {
  Scenario s = two_farms();
  s.sites["a"].uplink = Bandwidth{3 * gigabit_per_s};
  s.sites["far"].uplink = Bandwidth{8 * gigabit_per_s};
  s.sites["hub"].uplink = Bandwidth{1.0};
  s.servers[0].nic = Bandwidth{25 * gigabit_per_s};
  s.links[2].bandwidth_back = Bandwidth{2 * gigabit_per_s};
  const RoutedResources routed = routed_resources(s);
  const auto named = [&](const std::vector<Crossing>& crossings) {
    std::string names;
    for (const Crossing& crossing : crossings)
      names += (names.empty() ? "" : ", ") + routed.resources[crossing.resource].name;
    return names;
  };
  const NetworkPath& a = *routed.routes.at({"a", 0}).network;
  CHECK(named(a.send) == "a uplink out, a to hub, hub to far, far uplink in, pool nic in");
  CHECK(named(a.receive) == "a uplink in, hub to a, far to hub, far uplink out, pool nic out");
  CHECK(a.round_trip_time.value == doctest::Approx(0.060).epsilon(1e-12));
  // The link is declared from "far": requests go back along it, at 2 Gb/s, answers forth at 4 Gb/s.
  CHECK(a.send_cap == Bandwidth{2 * gigabit_per_s});
  CHECK(a.receive_cap == Bandwidth{3 * gigabit_per_s});
  const NetworkPath& b = *routed.routes.at({"b", 0}).network;
  CHECK(named(b.send) == "b to hub, hub to far, far uplink in, pool nic in");
  CHECK(b.receive_cap == Bandwidth{4 * gigabit_per_s});
  s.links[0].per_flow = Bandwidth{0.5 * gigabit_per_s};
  CHECK(routed_resources(s).routes.at({"a", 0}).network->send_cap == Bandwidth{0.5 * gigabit_per_s});
  CHECK(routed_resources(s).routes.at({"b", 0}).network->send_cap == Bandwidth{2 * gigabit_per_s});
}

TEST_CASE("resources of the network are listed by kind, with the units of their fastest flow") {
  Scenario s = two_farms();
  s.sites["a"].uplink = Bandwidth{3 * gigabit_per_s};
  s.servers[0].nic = Bandwidth{25 * gigabit_per_s};
  const ClosedNetwork n = closed_network(s);
  const std::vector<std::string> names{"pool/gpu",    "a to hub",    "hub to a",    "b to hub",
                                       "hub to b",    "far to hub",  "hub to far",  "a uplink out",
                                       "a uplink in", "pool nic in", "pool nic out"};
  const std::vector<std::string> kinds{"gpu",  "link",   "link",   "link",         "link",        "link",
                                       "link", "uplink", "uplink", "network card", "network card"};
  const std::vector<double> units{2.0, 10.0 / 3, 10.0 / 3, 2.5, 2.5, 1.0, 1.0, 1.0, 1.0, 12.5, 12.5};
  REQUIRE(n.resources.size() == names.size());
  for (std::size_t r = 0; r < names.size(); ++r) {
    CHECK(n.resources[r].name == names[r]);
    CHECK(name_of(n.resources[r].kind) == kinds[r]);
    CHECK(n.resources[r].units == doctest::Approx(units[r]).epsilon(1e-12));
  }
  // 1 Gb a request and 2 Gb an answer: D of the shared link is the bytes over its bandwidth, whoever sends them.
  const Matrix demand = demands(n);
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(demand(j, 6) == doctest::Approx(1.0 / 4).epsilon(1e-12));
    CHECK(demand(j, 5) == doctest::Approx(2.0 / 4).epsilon(1e-12));
  }
  CHECK(demand(0, 8) == doctest::Approx(2.0 / 3).epsilon(1e-12));
  CHECK(demand(1, 8) == 0.0);
  // Alone: 10 s of CPU, 60 ms of travel, 3 Gb at the slowest place of each way, 0.5 s of device.
  CHECK(n.classes[0].ideal_event_time.value == doctest::Approx(10.56 + 1.0 / 3 + 2.0 / 3).epsilon(1e-12));
  CHECK(n.classes[1].ideal_event_time.value == doctest::Approx(10.56 + 1.0 / 4 + 2.0 / 4).epsilon(1e-12));
}

TEST_CASE("of all that a transfer crosses at once only the largest demand is a station of mean value analysis") {
  Scenario s = two_farms();
  s.jobs.pop_back();
  s.sites["a"].uplink = Bandwidth{3 * gigabit_per_s};
  s.servers[0].nic = Bandwidth{25 * gigabit_per_s};
  const ClosedNetwork n = closed_network(s);
  // The uplink is the narrowest place of both ways; links and card hold nobody up beside it.
  for (const Resource& resource : n.resources)
    CHECK(resource.in_product_form == (resource.name == "pool/gpu" || resource.kind == ResourceKind::uplink));
  double served = 0.0;
  for (const MvaStation& station : mva_stations(n)) served += station.work_s;
  CHECK(served == doctest::Approx(0.5 + 1.0 / 3 + 2.0 / 3).epsilon(1e-12));
  CHECK(n.classes[0].think_time.value == doctest::Approx(10.06).epsilon(1e-12));
}

TEST_CASE("attached devices are reached over the bus of their node, whatever the network") {
  Scenario s = two_farms();
  s.jobs.pop_back();
  s.sites["a"].uplink = Bandwidth{3 * gigabit_per_s};
  s.links.push_back(link("a", "a"));
  s.servers[0].site = "a";
  s.servers[0].attached = Attachment{.bus = Bandwidth{100 * gigabit_per_s}, .latency = Seconds{1e-3}};
  const ClosedNetwork n = closed_network(s);
  REQUIRE(n.resources.size() == 3);
  CHECK(n.resources[1].name == "pool bus in");
  CHECK(n.resources[2].name == "pool bus out");
  CHECK(std::string(name_of(n.resources[2].kind)) == "bus");
  CHECK(n.resources[2].units == 2.0);
  CHECK(n.classes[0].ideal_event_time.value == doctest::Approx(10.5 + 0.002 + 0.03).epsilon(1e-12));
  s.servers[0].site = "far";
  CHECK_THROWS_WITH_AS(routed_resources(s), "routed_resources: jobs at a call devices attached at far",
                       std::invalid_argument);
}

}  // namespace saturn::tests
