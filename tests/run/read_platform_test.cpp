#include "sim/run/read_platform.hpp"

#include <doctest/doctest.h>

#include <string>
#include <variant>

#include "tests/temporary_folder.hpp"

using namespace saturn;

namespace {

std::string platform(const std::string& zones) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" +
         zones + "</platform>\n";
}

/// Two sites, each with a router, joined by a split-duplex link.
const std::string two_sites = R"(<zone id="world" routing="Full">
  <zone id="west" routing="Full">
    <host id="farm" speed="1Gf"/>
    <router id="west router"/>
    <link id="lan" bandwidth="125MBps" latency="100us"/>
    <link id="backbone" bandwidth="1GBps" latency="1us" sharing_policy="FATPIPE"/>
    <route src="farm" dst="west router"><link_ctn id="lan"/><link_ctn id="backbone"/></route>
  </zone>
  <zone id="east" routing="Full">
    <host id="gpu" speed="1Gf"/>
    <router id="east router"/>
    <link id="card_UP" bandwidth="10Gbps" latency="5us"/>
    <route src="east router" dst="gpu"><link_ctn id="card_UP"/></route>
  </zone>
  <link id="wan" bandwidth="100Gbps" latency="6ms" sharing_policy="SPLITDUPLEX"/>
  <zoneRoute src="west" dst="east" gw_src="west router" gw_dst="east router"><link_ctn id="wan" direction="UP"/></zoneRoute>
</zone>
)";

PlatformNetwork network_in(const std::string& zones, const std::vector<HostPair>& pairs) {
  const TemporaryFolder folder;
  const auto read = read_platform_file(folder.write("platform.xml", platform(zones)), pairs);
  if (const auto* fault = std::get_if<std::string>(&read)) FAIL(*fault);
  return std::get<PlatformNetwork>(read);
}

std::string fault_in(const std::string& text, const std::vector<HostPair>& pairs) {
  const TemporaryFolder folder;
  const std::string file = folder.write("platform.xml", text);
  std::string fault = std::get<std::string>(read_platform_file(file, pairs));
  for (auto at = fault.find(file); at != std::string::npos; at = fault.find(file))
    fault.replace(at, file.size(), "FILE");
  return fault;
}

std::string crossed(const PlatformNetwork& network, std::size_t route) {
  std::string names;
  for (const std::size_t link : network.routes[route].links) names += network.links[link].name + " ";
  return names;
}

}  // namespace

TEST_CASE("a platform file's routes, with the bandwidth and the sharing of the links that they cross") {
  const PlatformNetwork network = network_in(two_sites, {{"farm", "gpu"}, {"gpu", "farm"}});
  CHECK(network.hosts == std::vector<std::string>{"farm", "gpu"});
  REQUIRE(network.routes.size() == 2);
  CHECK(crossed(network, 0) == "lan backbone wan_UP card_UP ");
  CHECK(crossed(network, 1) == "card_UP wan_DOWN backbone lan ");
  for (const PlatformRoute& route : network.routes)
    CHECK(route.latency.value == doctest::Approx(0.006106).epsilon(1e-12));
  REQUIRE(network.links.size() == 5);
  CHECK(network.links[0].bandwidth.value == 125e6);
  CHECK(network.links[0].sharing == LinkSharing::shared);
  CHECK(network.links[1].bandwidth.value == 1e9);
  CHECK(network.links[1].sharing == LinkSharing::fatpipe);
  CHECK(network.links[2].bandwidth.value == 12.5e9);
  CHECK(network.links[2].sharing == LinkSharing::one_direction);
  // A shared link may have a name that ends like a direction's.
  CHECK(network.links[3].bandwidth.value == 1.25e9);
  CHECK(network.links[3].sharing == LinkSharing::shared);
  CHECK(network.links[4].name == "wan_DOWN");
  CHECK(network.links[4].sharing == LinkSharing::one_direction);
}

TEST_CASE("a platform can be read again and again in one process") {
  CHECK(network_in(two_sites, {{"farm", "gpu"}}).links.size() == 4);
  CHECK(network_in(two_sites, {}).links.empty());
}

TEST_CASE("what is wrong with a platform file comes back as a sentence") {
  CHECK(std::get<std::string>(read_platform_file("no-such-file.xml", {}))
            .starts_with("SimGrid cannot load it: Unable to open 'no-such-file.xml'"));
  CHECK(fault_in("<platform", {}).starts_with("SimGrid cannot load it: Parse error at FILE:1: Invalid XML"));
  CHECK(fault_in(platform(two_sites), {{"farm", "gpus"}}) == "it has no host \"gpus\"");
  std::string misspelt = two_sites;
  misspelt.replace(misspelt.find("<link_ctn id=\"lan\"/>"), 20, "<link_ctn id=\"wlan\"/>");
  CHECK(fault_in(platform(misspelt), {}) == "SimGrid cannot load it: Link not found: wlan");
}

TEST_CASE("hosts without a route between them are named, whatever SimGrid's routing does then" *
          doctest::test_suite("release")) {
  const std::string islands = R"(<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
    <link id="l" bandwidth="1MBps" latency="0s"/>
    <route src="a" dst="b"><link_ctn id="l"/></route></zone>)";
  const std::vector<HostPair> pairs = {{"a", "b"}, {"a", "c"}};
  // The first answers with an empty route, the second throws, the others end the process.
  CHECK(fault_in(platform("<zone id=\"z\" routing=\"Full\">" + islands), pairs) == "no link leads from \"a\" to \"c\"");
  CHECK(fault_in(platform("<zone id=\"z\" routing=\"Floyd\">" + islands), pairs) ==
        "SimGrid finds no route from \"a\" to \"c\": No route from 'a' to 'c'");
  const std::string fails =
      ": something on the way has no route, or, in a zone with Dijkstra's routing, any host has none";
  CHECK(fault_in(platform("<zone id=\"z\" routing=\"Dijkstra\">" + islands), pairs) ==
        "SimGrid fails at the route from \"a\" to \"b\"" + fails);
  std::string lost = two_sites;
  const auto route = lost.find("<route src=\"east router\"");
  lost.erase(route, lost.find("</route>", route) + 8 - route);
  CHECK(fault_in(platform(lost), {{"farm", "farm"}, {"farm", "gpu"}}) ==
        "SimGrid fails at the route from \"farm\" to \"gpu\"" + fails);
}
