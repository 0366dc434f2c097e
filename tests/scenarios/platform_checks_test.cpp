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

/// What a SimGrid platform would be: hosts, and a link or a fault for some pairs of them.
struct KnownPlatform {
  std::vector<std::string> hosts{"fnal", "iowa", "cern"};
  PlatformLink link{.name = "wan", .bandwidth = Bandwidth{1.25e9}};
  Seconds latency{0.0059};
  std::string fault{};                          ///< of the whole file
  std::map<std::string, std::string> faults{};  ///< by the host from which a route leads

  std::variant<PlatformNetwork, std::string> operator()(const std::string&, const std::vector<HostPair>& pairs) const {
    if (!fault.empty()) return fault;
    PlatformNetwork network{.hosts = hosts, .links = {link}, .routes = {}};
    for (const HostPair& pair : pairs) {
      if (faults.contains(pair.from)) return faults.at(pair.from);
      network.routes.push_back({.from = pair.from, .to = pair.to, .links = {0}, .latency = latency});
    }
    std::sort(network.hosts.begin(), network.hosts.end());
    return network;
  }
};

/// The sound scenario whose network is the file "site.xml" beside it.
class WithPlatform {
 public:
  explicit WithPlatform(const std::string& network = R"({ "platform": "site.xml" })") : network_(network) {
    folder_.write("site.xml", "<platform/>");
  }

  ReadScenario read(const PlatformReader& reader, const std::vector<Override>& more = {}) const {
    std::vector<Override> changes{{"/network", network_}};
    changes.insert(changes.end(), more.begin(), more.end());
    return read_scenario_text(sound_scenario(), folder_.path("s.json"), changes, reader);
  }

  /// All complaints, one a line; the folder is called FOLDER.
  std::string complaints(const PlatformReader& reader, const std::vector<Override>& more = {}) const {
    std::string all;
    try {
      read(reader, more);
    } catch (const InputError& error) {
      for (const Complaint& one : error.complaints()) all += (all.empty() ? "" : "\n") + one.text;
    }
    const std::string folder = folder_.path("");
    for (auto at = all.find(folder); at != std::string::npos; at = all.find(folder)) all.replace(at, folder.size(), "");
    return all;
  }

  const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
  std::string network_;
};

}  // namespace

TEST_CASE("a platform file gives the scenario the routes of its calls, there and back") {
  const WithPlatform sound(R"({ "platform": "site.xml", "sites": { "fnal": { "cores": 1000 } }, "flows": "simgrid" })");
  const Scenario scenario = sound.read(KnownPlatform{}).scenario;
  CHECK(scenario.platform_file == "site.xml");
  CHECK(scenario.flows == FlowModel::simgrid);
  REQUIRE(scenario.platform->routes.size() == 2);
  CHECK(scenario.platform->routes[0].from == "fnal");
  CHECK(scenario.platform->routes[0].to == "iowa");
  CHECK(scenario.platform->routes[1].from == "iowa");
  CHECK(scenario.platform->routes[1].to == "fnal");
}

TEST_CASE("the resolved scenario changes with the platform's content, not only with its name") {
  const WithPlatform sound;
  const std::string first = sound.read(KnownPlatform{}).resolved;
  CHECK(sound.read(KnownPlatform{}).resolved == first);
  sound.folder().write("site.xml", "<platform />");
  CHECK(sound.read(KnownPlatform{}).resolved != first);
}

TEST_CASE("a platform file that cannot be read is refused with the reason and the way out") {
  const WithPlatform sound;
  const KnownPlatform reader;
  const std::string way_out = " Name a SimGrid platform file, relative to this file.";
  CHECK(sound.complaints({}) ==
        "/network/platform names \"site.xml\", but platform files are read by the program saturn alone; write the "
        "network as \"links\".");
  CHECK(sound.complaints(reader, {{"/network/platform", "no.xml"}}) ==
        "/network/platform names \"no.xml\", but there is no such file." + way_out);
  CHECK(sound.complaints(reader, {{"/network/platform", "site.so"}}) ==
        "/network/platform names \"site.so\"; the name of a SimGrid platform file ends in \".xml\"." + way_out);
  CHECK(sound.complaints(reader, {{"/network/platform", "7"}}) ==
        "/network/platform is 7; a text in double quotes is needed.");
  CHECK(sound.complaints(KnownPlatform{.fault = "SimGrid cannot load it: Link not found: wlan"}) ==
        "/network/platform names \"site.xml\", which cannot be used: SimGrid cannot load it: Link not found: wlan. "
        "Correct the file, or describe the network with \"links\".");
  sound.folder().write("site.xml", "<platform name=\"\xE9\"/>");
  CHECK(sound.complaints(reader) ==
        "/network/platform names \"site.xml\", which is not UTF-8 text; save it in that encoding.");
}

TEST_CASE("sites that are no hosts of the platform are refused where they stand, all at once") {
  const WithPlatform sound;
  CHECK(
      sound.complaints(KnownPlatform{.hosts = {"fnal-farm", "iowas", "cern"}}) ==
      "/jobs/0/site is \"fnal\", but the platform file \"site.xml\" has no host of that name; sites are its hosts. It "
      "has \"cern\", \"fnal-farm\" or \"iowas\".\n"
      "/servers/0/site is \"iowa\", but the platform file \"site.xml\" has no host of that name; sites are its hosts. "
      "Did you mean \"iowas\"?");
  CHECK(sound.complaints(KnownPlatform{.hosts = {}}).find(" It has no hosts at all.") != std::string::npos);
}

TEST_CASE("every route that the platform lacks is named") {
  const WithPlatform sound;
  CHECK(sound.complaints(KnownPlatform{.faults = {{"fnal", "no link leads from \"fnal\" to \"iowa\""},
                                                  {"iowa", "no link leads from \"iowa\" to \"fnal\""}}}) ==
        "/network/platform names \"site.xml\", which cannot be used: no link leads from \"fnal\" to \"iowa\". Correct "
        "the file, or describe the network with \"links\".\n"
        "/network/platform names \"site.xml\", which cannot be used: no link leads from \"iowa\" to \"fnal\". Correct "
        "the file, or describe the network with \"links\".");
}

TEST_CASE("links of a platform have speeds, latencies and names that can be worked with") {
  const WithPlatform sound;
  CHECK(
      sound.complaints(KnownPlatform{.link = {.name = "wan", .bandwidth = Bandwidth{1e30}}}) ==
      "/network/platform names \"site.xml\", where the link \"wan\" has a bandwidth of 1e+30 B/s; allowed is 1 bps to "
      "1000 Tbps, as for \"links\".");
  CHECK(
      sound.complaints(KnownPlatform{.latency = Seconds{3600.0}}) ==
      "/network/platform names \"site.xml\", where the way from \"fnal\" to \"iowa\" has a latency of 3600 s; allowed "
      "is 0 s to 30 min.\n"
      "/network/platform names \"site.xml\", where the way from \"iowa\" to \"fnal\" has a latency of 3600 s; allowed "
      "is 0 s to 30 min.");
  CHECK(sound.complaints(KnownPlatform{.link = {.name = "gke/t4", .bandwidth = Bandwidth{1e9}}}) ==
        "/network/platform is \"site.xml\", where a link has the name \"gke/t4\", as another resource of the scenario "
        "has; give the link another name.");
  CHECK(sound.complaints(KnownPlatform{.link = {.name = "w\xE9n", .bandwidth = Bandwidth{1e9}}})
            .find("is not plain text in UTF-8; give it another name.") != std::string::npos);
}

TEST_CASE("links, routes and uplinks beside a platform file are refused") {
  const WithPlatform both(R"({ "platform": "site.xml",
      "sites": { "fnal": { "uplink": "1 Gbps", "cores": 1000 } },
      "links": [{ "between": ["fnal", "iowa"], "bandwidth": "1 Gbps" }],
      "routes": [{ "between": ["fnal", "iowa"], "via": ["cern"] }] })");
  CHECK(both.complaints(KnownPlatform{}) ==
        "/network/sites/fnal/uplink stands beside /network/platform, but the platform file says what every call "
        "crosses; leave \"uplink\" out, and give the file a link for it.\n"
        "/network/links stands beside /network/platform, but the platform file says what links and routes there are; "
        "leave \"links\" or \"platform\" out.\n"
        "/network/routes stands beside /network/platform, but the platform file says what links and routes there are; "
        "leave \"routes\" or \"platform\" out.");
}

TEST_CASE("attached devices of another site are refused with a platform too") {
  CHECK(WithPlatform().complaints(KnownPlatform{}, {{"/servers/0/attached", R"({ "bus": "12 GB/s" })"}}) ==
        "/jobs/0/event/2/infer calls \"emtrk\" from \"fnal\" on server \"gke\" at \"iowa\", whose devices are attached "
        "to the worker nodes there; move the jobs to that site, leave \"attached\" out, or give the model that they "
        "call another name.");
}

}  // namespace saturn::tests
