#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

/// 3 jobs: 8 s of their own, 1 s of preparation, 10 blocking requests of 1 MB: 20 ms of round trip, 8 ms at 1 Gb/s (the
/// answer is 1 B), 100 ms on a device. 9 + 10 x 0.128 = 10.28 s, of which 1.28 s wait; on CPU 8 + 4 = 12 s.
std::string by_hand(const std::string& alternatives) {
  return R"({ "schema": "saturn-scenario/1", "title": "by hand",
    "jobs": [{ "name": "job", "site": "here", "count": 3, "event": [
      { "cpu": "8 s" }, { "cpu": "1 s", "part_of": "net" },
      { "infer": "net", "items": 10, "request_batch": 1, "cpu_alternative": "4 s" } ] }],
    "models": { "net": { "input": "1 MB", "output": "1 B", "max_batch_size": 1, "service": { "gpu": { "per_batch": "100 ms" } } } },
    "servers": [{ "name": "far", "site": "there", "devices": { "type": "gpu", "count": 3 }, "models": ["net"] }],
    "devices": { "gpu": { "kind": "gpu", "price": "1 USD/h" } },
    "network": { "links": [{ "between": ["here", "there"], "bandwidth": "100 Gbps", "per_flow": "1 Gbps",
                             "rtt": "20 ms" }] })" +
         alternatives + "}";
}

json compared(const std::string& text, const std::string& options) {
  const TemporaryFolder folder;
  folder.write("mine.json", text);
  const ProcessResult result =
      saturn_process("compare mine.json --alternatives --format json --quiet " + options, folder.path().string());
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  return json::parse(result.out);
}

json row(const json& document, const std::string& name) {
  for (const json& one : document["alternatives"]) {
    if (one["name"] == name) return one;
  }
  return {};
}

double mean(const json& estimate) {
  return estimate["mean"].get<double>();
}

}  // namespace

TEST_CASE("every number of a comparison is the one that follows by hand where nothing waits") {
  const json document = compared(by_hand(""), "");
  const json cpu = row(document, "CPU only")["result"];
  CHECK(mean(cpu["event_time_s"]) == doctest::Approx(12.0));
  CHECK(mean(cpu["events_per_s"]) == doctest::Approx(0.25));
  CHECK(mean(cpu["waiting_core_s_per_event"]) == 0.0);
  CHECK(cpu["devices"] == 0);
  const json remote = row(document, "service at there")["result"];
  CHECK(mean(remote["event_time_s"]) == doctest::Approx(10.28).epsilon(1e-6));
  CHECK(mean(remote["waiting_core_s_per_event"]) == doctest::Approx(1.28).epsilon(1e-6));
  CHECK(mean(remote["waiting_core_h_per_million_events"]) == doctest::Approx(1.28e6 / 3600).epsilon(1e-6));
  CHECK(mean(remote["waiting_share_of_core_time"]) == doctest::Approx(1.28 / 10.28).epsilon(1e-6));
  // 1 s of one of three devices an event, 3 / 10.28 events a second.
  CHECK(mean(remote["device_busy_fraction"]) == doctest::Approx(1 / 10.28).epsilon(1e-4));
  CHECK(remote["device_h_per_million_events"].get<double>() == doctest::Approx(10.28e6 / 3600).epsilon(1e-6));
  CHECK(remote["cost_usd_per_million_events"].get<double>() == doctest::Approx(10.28e6 / 3600).epsilon(1e-6));
  // On site: 0.2 ms and 8 Mb at 10 Gb/s, nearly always alone.
  const json local = row(document, "service on site")["result"];
  CHECK(mean(local["event_time_s"]) == doctest::Approx(9 + 10 * (0.0002 + 0.0008 + 0.1)).epsilon(1e-3));
  // Three jobs fit into one node of 32 cores. They start 3.3 s apart, so that their second of inference never meets.
  const json direct = row(document, "GPU in each worker node")["result"];
  CHECK(direct["devices"] == 1);
  CHECK(mean(direct["event_time_s"]) == doctest::Approx(9 + 10 * (2e-5 + 1e6 / 12e9 + 0.1)).epsilon(1e-6));
  CHECK(document["winner"]["shortest_events"] == "GPU in each worker node");
}

TEST_CASE("every row has the price of the whole event and of its offloaded part") {
  // 1e-4 USD a second of a core; 10 MB an event leave the jobs' site.
  const std::string costs =
      "--set '/costs={\"core\":{\"value\":\"0.36 USD/h\",\"source\":\"bill\"}}' "
      "--set '/network/sites={\"here\":{\"egress\":\"0.1 USD/GB\"}}'";
  const auto usd = [](const json& row, const char* of) { return row["result"][of].get<double>(); };
  const json document = compared(by_hand(""), costs);
  const json cpu = row(document, "CPU only");
  CHECK(usd(cpu, "cost_usd_per_million_events") == doctest::Approx(1200));
  CHECK(usd(cpu, "module_usd_per_million_events") == doctest::Approx(400));
  // Three GPUs for 3/10.28 events a second, and 2.28 of 10.28 s in the module.
  const json remote = row(document, "service at there");
  const double gpus = 10.28e6 / 3600;
  CHECK(usd(remote, "cost_usd_per_million_events") == doctest::Approx(1028 + gpus + 1000).epsilon(1e-6));
  CHECK(usd(remote, "module_usd_per_million_events") == doctest::Approx(228 + gpus + 1000).epsilon(1e-6));
  // One GPU for all three jobs, and no traffic: 1 + 10 x 0.1001033 s in the module.
  const json direct = row(document, "GPU in each worker node");
  const double module_s = 1 + 10 * (2e-5 + 1e6 / 12e9 + 0.1);
  CHECK(usd(direct, "module_usd_per_million_events") ==
        doctest::Approx(100 * module_s + (8 + module_s) / 3 * 1e6 / 3600).epsilon(1e-6));
  CHECK(document["winner"]["cheapest"] == "CPU only");
  CHECK(document["prices"][0]["source"] == "bill");

  const json dearer = compared(by_hand(""), costs + " --core-price '0.72 USD/h'");
  CHECK(usd(row(dearer, "CPU only"), "module_usd_per_million_events") == doctest::Approx(800));
}

TEST_CASE("the break-even round trip is where both event times are equal, by formula and simulated") {
  const json document = compared(by_hand(""), "");
  for (const json& one : document["break_even"]) {
    if (one["of"] != "round_trip_time_s" || one["against"] != "CPU only") continue;
    // 9 + 10 (rtt + 0.108) = 12.
    CHECK(mean(one["formula"]["value"]) == doctest::Approx(0.192).epsilon(1e-6));
    CHECK(mean(one["simulated"]["value"]) == doctest::Approx(0.192).epsilon(1e-3));
    return;
  }
  FAIL("no such break-even");
}

TEST_CASE("a longer round trip never makes the service faster") {
  double before = 0.0;
  for (const char* rtt : {"0 ms", "1 ms", "20 ms", "200 ms"}) {
    const json document = compared(by_hand(""), "--set '/network/links/0/rtt=" + std::string(rtt) + "'");
    const double time = mean(row(document, "service at there")["result"]["event_time_s"]);
    CHECK(time > before);
    before = time;
  }
}

TEST_CASE("a scenario's own alternatives are compared, and one that is no scenario is refused by its name") {
  const json document = compared(by_hand(R"(, "alternatives": [{ "name": "as it is", "set": {} },
                                    { "name": "near", "set": { "/network/links/0/rtt": "0 s" } }])"),
                                 "");
  REQUIRE(document["alternatives"].size() == 3);
  CHECK(mean(row(document, "near")["result"]["event_time_s"]) == doctest::Approx(10.08).epsilon(1e-6));
  CHECK(row(document, "near")["set"] == json{"/network/links/0/rtt=0 s"});

  const TemporaryFolder folder;
  folder.write("mine.json", by_hand(R"(, "alternatives": [{ "name": "odd", "set": { "/servers/0/nodes": -1 } }])"));
  const ProcessResult refused = saturn_process("compare mine.json --alternatives", folder.path().string());
  CHECK(refused.exit_code == 2);
  CHECK(refused.err ==
        "alternative \"odd\": --set /servers/0/nodes=-1: scenario.out_of_range\n  /servers/0/nodes is -1; allowed is 0 "
        "to "
        "100,000.\n");
}

TEST_CASE("compare says what it compares when nobody tells it") {
  const ProcessResult result = saturn_process("compare first-steps");
  CHECK(result.exit_code == 64);
  CHECK(result.out.empty());
  CHECK(result.err.find("saturn compare protodune-big-batch --alternatives") != std::string::npos);
}
