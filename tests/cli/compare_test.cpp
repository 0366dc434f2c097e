#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "tests/cli/saturn_process.hpp"
#include "tests/temporary_folder.hpp"

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
  return json_answer("compare mine.json --alternatives " + options, folder.path().string());
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

TEST_CASE("the break-even round trip is where the event takes 1 % longer than on CPU, by formula and simulated") {
  const json document = compared(by_hand(""), "--least-difference '1 %'");
  for (const json& one : document["break_even"]) {
    if (one["of"] != "round_trip_time_s" || one["against"] != "CPU only") continue;
    // 9 + 10 (rtt + 0.108) = 1.01 · 12.
    CHECK(mean(one["formula"]["value"]) == doctest::Approx(0.204).epsilon(1e-6));
    CHECK(mean(one["simulated"]["value"]) == doctest::Approx(0.204).epsilon(1e-3));
    return;
  }
  FAIL("no such break-even");
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
        "to 1,000,000,000.\n");
}

TEST_CASE("a scenario compared with itself does not differ, and one with slower devices is worse" *
          doctest::test_suite("release")) {
  const json same = json_answer("compare machine-repairman machine-repairman")["result"];
  CHECK(same["decision"] == "no difference");
  for (const json& number : same["numbers"]) CHECK(number["difference"]["mean"] == 0.0);
  const json slower =
      json_answer("compare protodune-big-batch --set-b '/models/emtrk/service/t4/per_item=64.4 us'")["result"];
  CHECK(slower["decision"] == "A is better");
  // Nearly twice the time of a device that was nearly saturated: N/G·t_GPU.
  CHECK(slower["numbers"][0]["b"]["mean"].get<double>() ==
        doctest::Approx(268.0 / 4 * (32 * 4.83e-3 + 55000 * 64.4e-6)).epsilon(0.01));
}

TEST_CASE("a run that its budget ends says so with 4 and is repeated by the command that it names" *
          doctest::test_suite("release")) {
  const ProcessResult ended =
      saturn_process("run machine-repairman --set /run/precision=0.0001 --budget '600 ms' --format json --quiet");
  CHECK(ended.exit_code == 4);
  json first = json::parse(ended.out);
  const std::string command = first["provenance"]["command"];
  REQUIRE(command.starts_with("saturn run machine-repairman --set /run/precision=0.0001 --set /run/max_replications="));
  json again = json_of_command(command);
  // Only what was asked differs.
  first["result"].erase("precision");
  again["result"].erase("precision");
  CHECK(first["result"] == again["result"]);
}

TEST_CASE("no verb goes on for longer than its budget, and the formulas answer where no simulation was complete" *
          doctest::test_suite("release")) {
  const TemporaryFolder folder;
  // One replication of so many event times takes minutes.
  const std::string slow = "protodune-small-batch --set /run/cycles=100000 ";
  const std::string budget = "--budget '400 ms' --format json --quiet ";
  const auto ended = [&](const std::string& arguments) {
    CAPTURE(arguments);
    const auto begin = std::chrono::steady_clock::now();
    const ProcessResult result = saturn_process(arguments + budget, folder.path().string());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    // Starting the program and printing are no part of a budget; tests share their machine.
    CHECK(took.count() < 0.4 + 0.5 + 3.0);
    CHECK(result.exit_code == 4);
    return json::parse(result.out);
  };
  const auto bound_of = [](const json& scenario) {
    for (const json& reference : scenario["methods"])
      if (reference["method"] == "bound") return reference["event_time_s"].get<double>();
    return 0.0;
  };
  const json run = ended("run " + slow)["result"];
  CHECK(run["confirmed"] == false);
  CHECK(run["event_time_s"].is_null());
  CHECK(run["precision"]["out_of_time"] == true);
  const json known = json_answer("check protodune-small-batch");
  CHECK(bound_of(run) == doctest::Approx(known["result"]["bound_event_time_s"].get<double>()));

  const json two = ended("compare " + slow + "--set-b /servers/0/devices/count=8 ")["result"];
  REQUIRE(two["scenarios"].size() == 2);
  std::vector<double> bounds;
  for (const json& scenario : two["scenarios"]) bounds.push_back(bound_of(scenario));
  // B has twice the devices.
  CHECK(*std::max_element(bounds.begin(), bounds.end()) == bound_of(run));
  CHECK(ended("compare " + slow + "--alternatives ")["result"]["confirmed"] == false);

  const json plan = ended("plan " + slow);
  CHECK(plan["answer"]["confirmed"] == false);
  CHECK(plan["answer"]["gpus_by_bound"].get<int>() >= 1);
  CHECK(plan["candidates"].empty());
  const json search = ended("plan " + slow + "--gpus 4:8 --objective fewest-gpus ");
  CHECK(search["search"]["complete"] == false);
  CHECK(search["answer"]["known_by"] != "full");
  ended("report " + slow + "--out page.html ");
}

TEST_CASE("a budget holds for a million jobs, and what is left is the formulas' number") {
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult run = saturn_process("run first-steps --set /jobs/0/count=1000000 --budget '400 ms' --quiet");
  const ProcessResult plan =
      saturn_process("plan first-steps --set /jobs/0/count=1000000 --budget '400 ms' --quiet --format json");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(8));
  CHECK(run.exit_code == 4);
  CHECK(run.out.starts_with("NOT CONFIRMED: the budget of 0.400 s ended before a simulation was complete\n"));
  CHECK(run.out.find("\n  bound ") != std::string::npos);
  // The link of the scenario carries 822 jobs, whatever is bought: the bound knows that without a simulation.
  CHECK(json::parse(plan.out)["answer"]["why_no_gpus"].get<std::string>().starts_with(
      "no number of devices carries 1,000,000 jobs: \"laboratory to computing_centre\" saturates at 822.3 jobs"));
}

TEST_CASE("what formulas do not reach is said: devices beyond the search, and jobs beyond mean value analysis") {
  // 16,777,216 T4 of purdue-four-t4 saturate at 13.434 jobs each.
  const ProcessResult plan =
      saturn_process("plan purdue-four-t4 --jobs 1000000000 --method bounds --quiet --format json");
  CHECK(plan.exit_code == 3);
  CHECK(json::parse(plan.out)["answer"]["why_no_gpus"] ==
        "none is looked for beyond 16,777,216 devices, at which \"geddes/t4\" saturates at 225,380,290 jobs");
  // A bound is no estimate of how many devices little waiting takes; with mean value analysis there is one.
  const std::string waiting = "Bounds know no";
  CHECK(saturn_process("plan first-steps --method bounds").out.find(waiting) != std::string::npos);
  CHECK(saturn_process("plan first-steps --method bounds,mva").out.find(waiting) == std::string::npos);
  const TemporaryFolder folder;
  saturn_process("sweep first-steps --axis /jobs/0/count=30000,40000 --method bounds,mva --quiet --out points",
                 folder.path().string());
  CHECK(text_of_file(folder.path() / "points" / "points.csv")
            .find("not computed above 20,000 jobs; --method bounds answers it") != std::string::npos);
}

TEST_CASE("a comparison by several formulas shows what each of them says of both") {
  const ProcessResult table =
      saturn_process("compare first-steps --set-b /servers/0/devices/count=8 --method bounds,mva --quiet");
  CHECK(table.exit_code == 0);
  std::size_t rows = 0;
  for (std::size_t at = table.out.find("approximate MVA"); at != std::string::npos;
       at = table.out.find("approximate MVA", at + 1))
    ++rows;
  CHECK(rows == 2);
}

TEST_CASE("a thousand million jobs are answered by formulas at once, with the size that could be simulated") {
  const ProcessResult run = saturn_process("run first-steps --set /jobs/0/count=1000000000 --quiet");
  CHECK(run.exit_code == 4);
  CHECK(run.out.starts_with("NOT CONFIRMED: too large to be simulated\n"));
  CHECK(run.out.find("some 10,000,000 streams would do") != std::string::npos);
  // One GPU serves an event in 0.108 s, and a thousand million jobs wait for each other.
  CHECK(run.out.find("bound                 108,000,000 ") != std::string::npos);
}
