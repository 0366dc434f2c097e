#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

/// The sound scenario's jobs at "fnal" and server at "iowa", with two links by way of "chicago".
std::string network(const std::string& more) {
  return R"({ "links": [
      { "between": ["fnal", "chicago"], "bandwidth": "100 Gbps", "rtt": "1 ms" },
      { "between": ["chicago", "iowa"], "bandwidth": "100 Gbps", "rtt": "10 ms" },
      { "between": ["chicago", "cern"], "bandwidth": "100 Gbps", "rtt": "100 ms" },
      { "between": ["cern", "iowa"], "bandwidth": "100 Gbps", "rtt": "110 ms" }])" +
         more + " }";
}

std::vector<Override> with(const std::string& more, const std::vector<Override>& others = {}) {
  std::vector<Override> changes{{"/network", network(more)}};
  changes.insert(changes.end(), others.begin(), others.end());
  return changes;
}

/// All complaints, one a line.
std::string texts(const std::vector<Override>& changes) {
  std::string all;
  for (const Complaint& complaint : complaints_about(sound_scenario(), changes))
    all += (all.empty() ? "" : "\n") + complaint.text;
  return all;
}

std::string warnings(const std::vector<Override>& changes) {
  std::string all;
  for (const Complaint& warning : read_scenario_text(sound_scenario(), "s.json", changes).warnings)
    all += (all.empty() ? "" : "\n") + warning.text;
  return all;
}

}  // namespace

TEST_CASE("the keys of the topology are read into the scenario") {
  const Scenario s =
      read_scenario_text(sound_scenario(), "s.json",
                         with(R"(, "sites": { "fnal": { "uplink": "10 Gbps", "cores": 1000 }, "cern": {} },
                    "routes": [{ "between": ["iowa", "fnal"], "via": ["cern", "chicago"] }])",
                              {{"/network/links/0/bandwidth_back", "1 Gbps"},
                               {"/servers/0/attached", R"({ "bus": "12 GB/s", "latency": "10 us" })"},
                               {"/servers/0/site", "fnal"}}))
          .scenario;
  CHECK(s.sites.at("fnal").uplink == Bandwidth{1.25e9});
  CHECK(s.sites.at("fnal").cores == 1000);
  CHECK_FALSE(s.sites.at("cern").uplink);
  CHECK(s.links[0].bandwidth_back == Bandwidth{0.125e9});
  CHECK_FALSE(s.links[1].bandwidth_back);
  CHECK(s.routes[0].site_a == "iowa");
  CHECK(s.routes[0].via == std::vector<std::string>{"cern", "chicago"});
  CHECK(s.servers[0].attached->bus == Bandwidth{12e9});
  CHECK(s.servers[0].attached->latency == Seconds{10e-6});
  CHECK(s.servers[0].balancing == Balancing::per_connection);
  CHECK(s.servers[0].dispatch == Dispatch::round_robin);
}

TEST_CASE("links that lead to the server over other sites need no complaint, a missing one is named") {
  CHECK(texts(with("")) == "");
  CHECK(warnings(with("")) == "");
  CHECK(texts({{"/network", R"({ "links": [{ "between": ["fnal", "chicago"], "bandwidth": "1 Gbps" },
                                           { "between": ["cern", "iowa"], "bandwidth": "1 Gbps" }] })"}}) ==
        "/jobs/0/event/2/infer calls \"emtrk\" from \"fnal\" on server \"gke\" at \"iowa\", but no path of links joins "
        "the two sites; add { \"between\": [\"fnal\", \"iowa\"], \"bandwidth\": \"...\", \"rtt\": \"...\" } to "
        "/network/links.");
}

TEST_CASE("an uplink, a bus or a direction of zero bandwidth is refused") {
  CHECK(
      texts(with(R"(, "sites": { "fnal": { "uplink": "0 Gbps" } })", {{"/network/links/1/bandwidth_back", "0 bps"},
                                                                      {"/servers/0/attached", R"({ "bus": "0 GB/s" })"},
                                                                      {"/servers/0/site", "fnal"}})) ==
      "/network/sites/fnal/uplink is \"0 Gbps\"; allowed is 1 bps to 1000 Tbps.\n"
      "/network/links/1/bandwidth_back is \"0 bps\"; allowed is 1 bps to 1000 Tbps.\n"
      "/servers/0/attached/bus is \"0 GB/s\"; allowed is 1 bps to 1000 Tbps.");
}

TEST_CASE("every mistake of the routes is said at once") {
  CHECK(texts(with(R"(, "routes": [
          { "between": ["fnal", "iowa"], "via": ["chicago", "cern", "chicago"] },
          { "between": ["iowa", "fnal"], "via": ["cern"] },
          { "between": ["fnal", "cern"], "via": ["fnal"] },
          { "between": ["cern", "cern"], "via": ["iowa"] },
          { "between": ["fnal", "cern"], "via": ["chicgo"] }])")) ==
        "/network/routes/0/via/2 is \"chicago\", as is /network/routes/0/via/0: the route would lead in a circle; pass "
        "each site once at most.\n"
        "/network/routes/1 is between \"iowa\" and \"fnal\", as is /network/routes/0; calls take the same way in both "
        "directions, so leave one of them out.\n"
        "/network/routes/1/between/1 goes from \"cern\" on to \"fnal\", but no link joins these two; name the sites "
        "between them as well, or add { \"between\": [\"cern\", \"fnal\"], \"bandwidth\": \"...\", \"rtt\": \"...\" } "
        "to /network/links.\n"
        "/network/routes/2/via/0 is \"fnal\", as is /network/routes/2/between/0: the route would lead in a circle; "
        "pass each site once at most.\n"
        "/network/routes/3/between is \"cern\" twice; calls within a site take its link to itself, if there is one. "
        "Name two sites, or leave the route out.\n"
        "/network/routes/4/via/0 names the site \"chicgo\", where no jobs, no servers and no links are. Did you mean "
        "\"chicago\"?");
}

TEST_CASE("a site of which nothing else is known is refused with the nearest one, or with all") {
  CHECK(texts(with(R"(, "sites": { "fnall": { "cores": 1000 } })")) ==
        "/network/sites/fnall names the site \"fnall\", where no jobs, no servers and no links are. Did you mean "
        "\"fnal\"?");
  CHECK(texts(with(R"(, "sites": { "desy": {} })")) ==
        "/network/sites/desy names the site \"desy\", where no jobs, no servers and no links are. There are \"cern\", "
        "\"chicago\", \"fnal\" or \"iowa\".");
}

TEST_CASE("a misspelt site is one complaint with a suggestion, wherever it stands, and nothing follows from it") {
  // Three kinds of jobs that call two models each: six calls find no path when a name is wrong.
  std::string jobs;
  for (const char* name : {"one", "two", "three"})
    jobs +=
        (jobs.empty() ? "" : ", ") + std::string(R"({ "name": ")") + name +
        R"(", "site": "fnal", "count": 1, "event": [{ "cpu": "1 s" }, { "infer": "a", "items": 1 }, { "infer": "b", "items": 1 }] })";
  const std::string text = R"({ "schema": "saturn-scenario/1", "jobs": [)" + jobs + R"(],
    "models": { "a": { "input": "1 kB", "max_batch_size": 1, "service": { "t4": { "per_item": "1 ms" } } }, "b": { "input": "1 kB", "max_batch_size": 1, "service": { "t4": { "per_item": "1 ms" } } } },
    "servers": [{ "name": "s", "site": "iowa", "devices": { "type": "t4", "count": 1 }, "models": ["a", "b"] }],
    "devices": { "t4": { "kind": "gpu" } },
    "network": { "sites": { "fnal": { "uplink": "10 Gbps" }, "iowa": {} }, "links": [
      { "between": ["fnal", "chicago"], "bandwidth": "1 Gbps" }, { "between": ["chicago", "iowa"], "bandwidth": "1 Gbps" }] } })";
  const auto said = [&](const std::vector<Override>& changes) {
    std::string all;
    for (const Complaint& complaint : complaints_about(text, changes))
      all += (all.empty() ? "" : "\n") + complaint.code + " " + complaint.text;
    return all;
  };
  const auto misspelt = [](const std::string& pointer, const std::string& wrong, const std::string& right,
                           const std::string& where) {
    return "scenario.unknown_site " + pointer + " names the site \"" + wrong +
           "\", and calls find no path of links since it is not \"" + right + "\", as in " + where +
           ". Did you mean \"" + right + "\"? If it is a site of its own, add a link to it to /network/links.";
  };
  CHECK(said({}) == "");
  CHECK(said({{"/servers/0/site", "iowaa"}}) ==
        misspelt("/servers/0/site", "iowaa", "iowa", "/network/links/1/between/1"));
  CHECK(said({{"/jobs/0/site", "fnall"}}) == misspelt("/jobs/0/site", "fnall", "fnal", "/jobs/1/site"));
  CHECK(said({{"/network/links/0/between/0", "fnl"}}) ==
        misspelt("/network/links/0/between/0", "fnl", "fnal", "/jobs/0/site"));
}

TEST_CASE("two sites that are merely called alike are told what is missing between them") {
  const std::string text =
      texts({{"/network", R"({ "links": [] })"}, {"/jobs/0/site", "iowa1"}, {"/servers/0/site", "iowa2"}});
  CHECK(text.find("no path of links joins the two sites") != std::string::npos);
}

TEST_CASE("the threads of all jobs of a site fit its cores") {
  const auto cores = [](const char* number) {
    return with(std::string(R"(, "sites": { "fnal": { "cores": )") + number + " } }", {{"/jobs/0/threads", "4"}});
  };
  CHECK(texts(cores("1072")) == "");
  CHECK(texts(cores("1071")) ==
        "/network/sites/fnal/cores is 1,071, but the jobs at \"fnal\" have 1,072 threads in all, each on a core; raise "
        "it, or lower \"count\" or \"threads\" of /jobs/0.");
}

TEST_CASE("attached devices have no network card, their jobs are at their site and stay with their nodes") {
  const std::string bus = R"({ "bus": "12 GB/s" })";
  CHECK(texts({{"/servers/0/attached", bus}}) ==
        "/jobs/0/event/2/infer calls \"emtrk\" from \"fnal\" on server \"gke\" at \"iowa\", whose devices are attached "
        "to the worker nodes there; move the jobs to that site, leave \"attached\" out, or give the model that they "
        "call another name.");
  const std::vector<Override> at_home{{"/servers/0/attached", bus}, {"/servers/0/site", "fnal"}, {"/network", "{}"}};
  CHECK(texts(at_home) == "");
  std::vector<Override> odd = at_home;
  odd.push_back({"/servers/0/nic", "10 Gbps"});
  odd.push_back({"/servers/0/balancing", "per_request"});
  odd.push_back({"/servers/0/dispatch", "random"});
  CHECK(texts(odd) ==
        "/servers/0/nic is a network card, but the devices are \"attached\": requests reach them over the bus of their "
        "own node; leave \"nic\" out.\n"
        "/servers/0/balancing lets requests go to any node, but the devices are \"attached\": an event loop calls "
        "those of the node that it runs on; leave \"balancing\" out, or make it \"per_connection\".\n"
        "/servers/0/dispatch spreads connections over nodes, but the devices are \"attached\": event loops are dealt "
        "out to the worker nodes in turn; leave \"dispatch\" out, or make it \"round_robin\".");
}

TEST_CASE("a route that no call takes and a speed of one transfer that a direction lacks give warnings") {
  CHECK(warnings(with(R"(, "routes": [{ "between": ["fnal", "cern"], "via": ["chicago"] }])")) ==
        "/network/routes/0 is between \"fnal\" and \"cern\", but no jobs at one of them call a server at the other.");
  const std::vector<Override> slow_back =
      with("", {{"/network/links/0/bandwidth_back", "1 Gbps"}, {"/network/links/0/per_flow", "2 Gbps"}});
  CHECK(warnings(slow_back) ==
        "/network/links/0/per_flow is above the link's bandwidth_back, so it never limits a transfer from \"chicago\" "
        "to \"fnal\"; lower it if it should.");
  CHECK(warnings(with("", {{"/network/links/0/per_flow", "200 Gbps"}})) ==
        "/network/links/0/per_flow is above the link's bandwidth, so it never limits a transfer; leave it out or lower "
        "it.");
}

}  // namespace saturn::tests
