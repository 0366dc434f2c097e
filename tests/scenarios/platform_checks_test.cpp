#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "scenarios/topology/simgrid_platform.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

/// Codes of what is refused, each with its line.
std::vector<std::string> refused(const std::string& text) {
  std::vector<std::string> found;
  for (const PlatformTextFault& fault : platform_text_faults(text)) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(fault.offset), '\n');
    found.push_back(fault.code.substr(fault.code.find('.') + 1) + " at " + std::to_string(line));
  }
  return found;
}

using Found = std::vector<std::string>;

std::string platform(const std::string& content) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" +
         content + "\n</platform>\n";
}

std::string cluster(const std::string& attributes) {
  return platform("<cluster id=\"c\" prefix=\"h\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" " + attributes +
                  "/>");
}

}  // namespace

TEST_CASE("hosts, links, routes and zones, clusters and peers of them are let through") {
  CHECK(refused(platform(R"(<zone id="w" routing="Full"><prop id="site" value="CERN &amp; more"/>
    <host id="a" speed="1Gf"><disk id="d" read_bw="1MBps" write_bw="1MBps"/></host><router id="r"/>
    <link id="l" bandwidth="1GBps"/><route src="a" dst="r"><link_ctn id="l"/></route></zone>
    <AS id="v" routing="Vivaldi"><peer id="p" speed="1Gf" bw_in="1GBps" bw_out="1GBps"/></AS>
    <!-- <config/> --><cabinet id="k" prefix="k" suffix="" radical="1-9" speed="1Gf" bw="1GBps" lat="1us"/>)")) ==
        Found{});
}

TEST_CASE("every element that makes SimGrid do more than describe a network is refused, all at once with its line") {
  CHECK(refused(platform(R"(<config><prop id="tracing/filename" value="x"/></config>
<include file="other.xml"><host id="a" speed="1Gf"/></include>
<zone id="w" routing="Full"><host id="a" speed="1Gf" state_file="x" speed_file=""/>
<storage id="s" typeId="t" attach="a" content="x"/>
<link id="l" bandwidth="1GBps" bandwidth_file="/dev/stdin"
      latency_file="x"/></zone>
<trace id="t" file="x" periodicity="1.0"/><trace_connect trace="t" element="a"/>
<actor host="a" function="f"><argument value="1"/></actor>
<process host="a" function="f"/>
<Config/>)")) == Found{"platform_element at 4", "platform_element at 5", "platform_reads_file at 6",
                       "platform_reads_file at 6", "platform_element at 7", "platform_reads_file at 8",
                       "platform_reads_file at 8", "platform_element at 10", "platform_element at 10",
                       "platform_element at 11", "platform_element at 12", "platform_element at 13"});
}

TEST_CASE("what readers of XML take in different ways cannot carry an element past the check") {
  CHECK(refused("<!DOCTYPE platform [<!ENTITY c '<config/>'>]>\n<platform version='4.1'>&c;</platform>") ==
        Found{"platform_not_plain at 1"});
  CHECK(refused(platform("<![CDATA[<config>]]>")) == Found{"platform_not_plain at 4"});
  CHECK(refused(platform("<?x <config/> ?>")) == Found{"platform_not_plain at 4"});
  CHECK(refused(cluster("radical=\"0-9&zeros;\"")) == Found{"platform_not_plain at 4"});
  CHECK(refused(cluster("radical=\"0-9&#57;\"")) == Found{"platform_not_plain at 4"});
  CHECK(refused("<?xml version='1.0' encoding='UTF-16'?>\n<platform/>") == Found{"platform_syntax at 1"});
  CHECK(refused("<?xml version='1.0' encoding='UTF-7'?>\n<platform/>") == Found{"platform_syntax at 1"});
  CHECK(refused("<platform version='4.1'><host id='<config/>'/></platform>") == Found{"platform_syntax at 1"});
  CHECK(refused("") == Found{"platform_syntax at 1"});
  CHECK(refused("<platform>\n<zone>\n") == Found{"platform_syntax at 3"});
}

TEST_CASE("clusters are counted by their radicals and topologies, however large the numbers are") {
  CHECK(hosts_of_radical("0-9,12, 14-15") == 13.0);
  CHECK(hosts_of_radical("5-3") == 0.0);
  CHECK(hosts_of_radical("0-2147483647,0-2147483647") == 4294967296.0);
  for (const char* malformed : {"", "a", "1-", "-1", "1-2-3", "0-2147483648", "0x10", "1;2"})
    CHECK_FALSE(hosts_of_radical(malformed));
  // A torus of 4 x 4 x 2 has 32 hosts, each with a loopback and three links.
  CHECK(parts_of_topology("TORUS", "4,4,2") == 32.0 * 5.0);
  // SimGrid's example of a fat tree: 16 hosts under 4 switches (1 cable each), those under 4 (2 x 2 cables each).
  CHECK(parts_of_topology("FAT_TREE", "2;4,4;1,2;1,2") == 32.0 + (16.0 + 4.0) + (16.0 + 2.0));
  for (const char* huge :
       {"TORUS 1000000,1000000", "FAT_TREE 3;99999,99999,99999;1,1,1;1,1,1", "FAT_TREE 1;2;99999999;1",
        "DRAGONFLY 999,1;999,1;999,1;999", "DRAGONFLY 2,1;2,1;2,1;999999"}) {
    const std::string text = huge;
    const std::size_t space = text.find(' ');
    CHECK(parts_of_topology(text.substr(0, space), text.substr(space + 1)).value_or(0.0) > 1e6);
    CHECK(refused(cluster("radical=\"0-1\" topology=\"" + text.substr(0, space) + "\" topo_parameters=\"" +
                          text.substr(space + 1) + "\"")) == Found{"platform_too_large at 4"});
  }
  CHECK(refused(cluster("radical=\"0-49999999\"")) == Found{"platform_too_large at 4"});
  CHECK(refused(cluster("radical=\"0-x\" topology=\"TORUS\" topo_parameters=\"4;4\"")) ==
        Found{"platform_cluster_size at 4", "platform_cluster_size at 4"});
  std::string nested = "<zone id='z' routing='Full'>";
  for (int i = 0; i < 40; ++i)
    nested += "\n<zone id='z" + std::to_string(i) + "' routing='Full'><cluster radical='0-9999'/></zone>";
  const Found found = refused(platform(nested + "</zone>"));
  REQUIRE(found.size() == 1);
  CHECK(found.front().starts_with("platform_too_large at "));
}

namespace {

/// The sound scenario whose network is the file "site.xml" beside it.
ReadScenario with_platform(const std::string& file, const std::string& network = R"({ "platform": "site.xml" })") {
  const ScratchFolder folder("site.xml", file);
  return read_scenario_text(sound_scenario(), folder.path("s.json"), std::vector<Override>{{"/network", network}},
                            KnownPlatform{});
}

}  // namespace

TEST_CASE("a platform file gives the scenario the routes of its calls, there and back") {
  const Scenario scenario =
      with_platform("<platform/>",
                    R"({ "platform": "site.xml", "sites": { "fnal": { "cores": 1000 } }, "flows": "simgrid" })")
          .scenario;
  CHECK(scenario.platform_file == "site.xml");
  CHECK(scenario.flows == FlowModel::simgrid);
  REQUIRE(scenario.platform->routes.size() == 2);
  CHECK(scenario.platform->routes[0].from == "fnal");
  CHECK(scenario.platform->routes[0].to == "iowa");
  CHECK(scenario.platform->routes[1].from == "iowa");
  CHECK(scenario.platform->routes[1].to == "fnal");
}

TEST_CASE("the resolved scenario changes with the platform's content, not only with its name") {
  const std::string first = with_platform("<platform/>").resolved;
  CHECK(with_platform("<platform/>").resolved == first);
  CHECK(with_platform("<platform />").resolved != first);
}

}  // namespace saturn::tests
