#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

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
