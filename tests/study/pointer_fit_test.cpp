#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/cli/option_table.hpp"
#include "sim/study/reply.hpp"
#include "tests/temporary_folder.hpp"

using namespace saturn;
using json = nlohmann::json;

namespace {

/// Clients of one site that only send requests of one item to two instances on a GPU, behind a host stage.
json served(double time_ms, double host_ms, double contention) {
  const auto ms = [](double value) { return std::to_string(value) + " ms"; };
  json scenario = json::parse(R"({
    "schema": "saturn-scenario/1", "title": "a server",
    "jobs": [{"name": "clients", "site": "here", "count": 4, "event": [{"infer": "net", "items": 1}]}],
    "models": {"net": {"input": "0 B", "max_batch_size": 1, "instances": 2}},
    "servers": [{"name": "gpus", "site": "here", "devices": {"type": "t4", "count": 1}, "models": ["net"]}],
    "devices": {"t4": {"kind": "gpu"}}})");
  scenario["models"]["net"]["service"]["t4"] = {{"per_batch", ms(time_ms)}, {"per_item", "0 s"}};
  if (host_ms > 0.0) scenario["servers"][0]["host"] = {{"per_request", ms(host_ms)}};
  scenario["devices"]["t4"]["contention"] = contention;
  return scenario;
}

json latency_row(int clients, double seconds) {
  return {{"point", "concurrency " + std::to_string(clients)},
          {"set", {{"/jobs/0/count", clients}}},
          {"measured", {{"latency_mean_s", {{"value", seconds}}}}}};
}

json case_of(const std::vector<json>& rows) {
  return {{"schema", "saturn-measured/1"},
          {"id", "own"},
          {"title", "own"},
          {"source", {{"text", "made for a test"}}},
          {"verified", false},
          {"scenario", "none"},
          {"rows", rows}};
}

/// A folder with a scenario and a case, and what `calibrate --fit` says of them.
class Bench {
 public:
  Bench(const json& scenario, const json& rows) {
    put("scenario.json", scenario);
    put("case.json", rows);
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  Reply fitted(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"calibrate", path("case.json"), "--scenario", path("scenario.json")};
    words.insert(words.end(), options.begin(), options.end());
    const TypedCommand typed = read_typed_command(words);
    Monitor nobody;
    return typed.verb().answer(typed, nobody);
  }
  json answer(const std::vector<std::string>& options) const { return json::parse(json_text(*fitted(options).answer)); }
  std::string complaint(const std::vector<std::string>& options) const {
    try {
      fitted(options);
    } catch (const InputError& error) {
      return error.complaints().front().code + ": " + error.complaints().front().text;
    }
    return "none";
  }

 private:
  void put(const std::string& name, const json& text) const { std::ofstream(path(name)) << text.dump(); }

  TemporaryFolder folder_{};
};

/// The mean latency of the scenario with so many clients, simulated with another seed.
double simulated_latency(const std::string& scenario, int clients) {
  const TypedCommand typed =
      read_typed_command({"run", scenario, "--set", "/jobs/0/count=" + std::to_string(clients), "--seed", "4711"});
  Monitor nobody;
  const json run = json::parse(json_text(*typed.verb().answer(typed, nobody).answer));
  return run["result"]["event_time_s"]["mean"].get<double>();
}

const std::string per_batch = "/models/net/service/t4/per_batch";

}  // namespace

TEST_CASE("eight clients of an exclusive GPU wait eight times its batch time, so that their latency tells that time") {
  const Bench bench(served(3.0, 0.0, 0.0), case_of({latency_row(8, 0.008)}));
  const json answer = bench.answer({"--fit", per_batch, "--points", "concurrency 8"});
  const json& fitted = answer["fitted"][0];
  CHECK(fitted["value"]["mean"].get<double>() == doctest::Approx(1e-3).epsilon(2e-3));
  // One number and one field: 1 % of the latency is 1 % of the time.
  CHECK(fitted["value"]["high"].get<double>() == doctest::Approx(1.01e-3).epsilon(2e-3));
}

TEST_CASE("a fit to rows of a known system finds its parameters within their intervals" *
          doctest::test_suite("release")) {
  json truth = served(1.0, 0.3, 0.25);
  truth["models"]["net"]["service"]["t4"]["scatter"] = 0.3;
  const Bench known(truth, case_of({latency_row(1, 1.0)}));
  std::vector<json> rows;
  for (const int clients : {1, 2, 4, 16})
    rows.push_back(latency_row(clients, simulated_latency(known.path("scenario.json"), clients)));
  json start = served(1.0, 0.05, 0.0);
  start["models"]["net"]["service"]["t4"]["scatter"] = 0.3;
  const Bench bench(start, case_of(rows));
  const json answer = bench.answer({"--fit", "/servers/0/host/per_request,/devices/t4/contention", "--points",
                                    "concurrency 1, concurrency 2, concurrency 4, concurrency 16"});
  const std::vector<double> expected{0.3e-3, 0.25};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const json& value = answer["fitted"][i]["value"];
    CAPTURE(answer["fitted"][i]["pointer"].get<std::string>());
    CHECK(value["mean"].get<double>() == doctest::Approx(expected[i]).epsilon(0.08));
    CHECK(value["low"].get<double>() <= expected[i]);
    CHECK(value["high"].get<double>() >= expected[i]);
  }
}

TEST_CASE("of two structures the one that predicts rows that were not fitted is chosen, and its file runs") {
  const Bench bench(served(1.0, 0.0, 0.5), case_of({latency_row(1, 1e-3), latency_row(2, 2e-3), latency_row(8, 8e-3)}));
  // Alternating without contention, 2 and 8 clients wait 2 and 8 batch times; sharing with contention they wait longer.
  const json answer =
      bench.answer({"--fit", per_batch, "--points", "concurrency 1", "--judge", "concurrency 2, concurrency 8",
                    "--structure", "alternating: /devices/t4/contention=0", "--structure", "losing:"});
  CHECK(answer["structures"][0]["chosen"].get<bool>());
  CHECK(answer["structures"][0]["error_outside"].get<double>() < 0.01);
  // ln 1.5 in both rows that judge.
  CHECK(answer["structures"][1]["error_outside"].get<double>() > 0.2);
}

TEST_CASE("structures that are told apart by times alone, and fits that miss, are said to be doubtful") {
  const auto says = [](const Bench& bench, const std::vector<std::string>& options, const char* what) {
    return terminal_text(*bench.fitted(options).answer, {}, true).find(what) != std::string::npos;
  };
  const std::vector<std::string> two{"--structure", "alternating: /devices/t4/contention=0", "--structure", "losing:"};
  std::vector<std::string> options{"--fit", per_batch, "--points", "concurrency 1", "--judge", "concurrency 2"};
  options.insert(options.end(), two.begin(), two.end());
  json parts = latency_row(2, 2e-3);
  parts["measured"]["queue_s"] = {{"value", 1e-6}};
  parts["measured"]["compute_s"] = {{"value", 2e-3}};
  constexpr const char* untold = "The rows know no queue and no compute time";
  CHECK(says(Bench(served(1.0, 0.0, 0.5), case_of({latency_row(1, 1e-3), latency_row(2, 2e-3)})), options, untold));
  CHECK_FALSE(says(Bench(served(1.0, 0.0, 0.5), case_of({latency_row(1, 1e-3), parts})), options, untold));
  // Milliseconds that were written as seconds, and a law that may be ten times as fast or slow.
  const std::vector<std::string> speed{"--fit", "/models/net/service/t4/per_batch=0.1 ms:10 ms", "--points",
                                       "concurrency 1"};
  const Bench slow(served(1.0, 0.0, 0.0), case_of({latency_row(1, 1.0)}));
  CHECK(says(slow, speed, "NO FIT: "));
  CHECK_FALSE(says(slow, speed, "use it"));
  CHECK(slow.fitted(speed).exit_code == ExitCode::outside_band);
  CHECK_FALSE(says(Bench(served(1.0, 0.0, 0.0), case_of({latency_row(1, 1e-3)})), speed, "NO FIT: "));
}

TEST_CASE("a field is not fitted in a structure that sets it, nor in one in which no row responds to it" *
          doctest::test_suite("release")) {
  const Bench bench(served(3.0, 0.0, 0.0), case_of({latency_row(8, 0.008)}));
  // One batch a device has the same latency as two that alternate, and never finds another.
  const json answer =
      bench.answer({"--fit", per_batch + ",/devices/t4/contention", "--points", "concurrency 8", "--structure",
                    "one a device: /models/net/execution=one_per_device; /devices/t4/contention=0.5"});
  REQUIRE(answer["fitted"].size() == 1);
  CHECK(answer["fitted"][0]["pointer"] == per_batch);
  CHECK(answer["fitted"][0]["value"]["mean"].get<double>() == doctest::Approx(1e-3).epsilon(2e-3));
  const Bench two(served(3.0, 0.0, 0.0), case_of({latency_row(1, 0.001), latency_row(8, 0.008)}));
  const json left =
      two.answer({"--fit", per_batch + ",/devices/t4/contention", "--points", "concurrency 1, concurrency 8",
                  "--structure", "one a device: /models/net/execution=one_per_device"});
  REQUIRE(left["fitted"].size() == 1);
  CHECK(left["fitted"][0]["pointer"] == per_batch);
}

TEST_CASE("the fitted scenario runs, and its first lines say what it was fitted to" * doctest::test_suite("release")) {
  const Bench bench(served(3.0, 0.0, 0.0), case_of({latency_row(8, 0.008)}));
  const Reply reply =
      bench.fitted({"--fit", per_batch, "--points", "concurrency 8", "--out", bench.path("fitted.json")});
  REQUIRE(reply.files.size() == 1);
  CHECK(reply.files[0].text.find("// fitted to concurrency 8 of own") != std::string::npos);
  std::ofstream(bench.path("fitted.json")) << reply.files[0].text;
  CHECK(simulated_latency(bench.path("fitted.json"), 8) == doctest::Approx(0.008).epsilon(5e-3));
}

TEST_CASE("the fitted scenario keeps its comments, and forgets an assumption that was fitted" *
          doctest::test_suite("release")) {
  json start = served(3.0, 0.0, 0.0);
  json& law = start["models"]["net"]["service"]["t4"];
  law["rests_on"] = "assumed";
  law.erase("per_item");
  const Bench bench(start, case_of({latency_row(8, 0.008)}));
  std::ofstream(bench.path("scenario.json"), std::ios::app) << "// the user's own words\n";
  const Reply reply =
      bench.fitted({"--fit", per_batch, "--points", "concurrency 8", "--out", bench.path("fitted.json")});
  REQUIRE(reply.files.size() == 1);
  CHECK(reply.files[0].text.find("// the user's own words") != std::string::npos);
  CHECK(reply.files[0].text.find("assumed") == std::string::npos);
}

TEST_CASE("the 95th percentile of a lone client tells how its gamma distributed times scatter" *
          doctest::test_suite("release")) {
  json row = latency_row(1, 1e-3);
  // Erlang's distribution of four stages has a coefficient of variation of 0.5; chi-squared of 8 degrees
  // reaches 15.507.
  row["measured"]["latency_p95_s"] = {{"value", 15.507e-3 / 8}};
  json start = served(1.0, 0.0, 0.0);
  start["models"]["net"]["service"]["t4"]["scatter"] = 0.1;
  const Bench bench(start, case_of({row}));
  const json answer =
      bench.answer({"--fit", "/models/net/service/t4/scatter", "--points", "concurrency 1", "--quantities", "p95"});
  const json& scatter = answer["fitted"][0]["value"];
  CHECK(scatter["mean"].get<double>() == doctest::Approx(0.5).epsilon(0.03));
  CHECK(scatter["low"].get<double>() <= 0.5);
  CHECK(scatter["high"].get<double>() >= 0.5);
}

TEST_CASE("fields that the rows cannot tell are refused with a sentence" * doctest::test_suite("release")) {
  const Bench bench(served(3.0, 0.1, 0.0), case_of({latency_row(1, 0.008), latency_row(2, 0.009)}));
  const auto fit = [&](const std::string& fields, const std::string& points) {
    return bench.complaint({"--fit", fields, "--points", points});
  };
  // A lone client meets nobody: contention changes nothing.
  CHECK(fit("/devices/t4/contention", "concurrency 1").starts_with("fit.not_identified: No named row responds"));
  CHECK(fit(per_batch + ",/servers/0/host/per_request", "concurrency 1").starts_with("fit.too_few_rows: "));
  CHECK(fit("/jobs/0/count", "concurrency 1").starts_with("fit.not_a_number: /jobs/0/count is a whole number"));
  CHECK(fit("/devices/t4/kind", "concurrency 1").starts_with("fit.not_a_number: "));
  CHECK(fit("/devices/t4/contentoin", "concurrency 1").find("contention") != std::string::npos);
  CHECK(fit(per_batch, "concurrency 3").find("\"concurrency 1\", \"concurrency 2\"") != std::string::npos);
  CHECK(fit(per_batch + "=2:1", "concurrency 1").starts_with("fit.bad_range: "));
  CHECK(bench.complaint({"--fit", per_batch}).starts_with("fit.no_points: "));
  CHECK(bench.complaint({"--fit", per_batch, "--points", "concurrency 1", "--quantities", "tim"})
            .starts_with("fit.unknown_quantity: "));
  CHECK(bench.complaint({"--fit", per_batch, "--points", "concurrency 1", "--quantities", "p95"})
            .starts_with("fit.too_few_rows: "));
  CHECK(bench.complaint({"--fit", per_batch, "--points", "concurrency 1", "--structure", "two"})
            .starts_with("fit.bad_structure: "));
}
