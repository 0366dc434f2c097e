#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "tests/reports/report_samples.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

bool has_all(const json& object, const std::set<std::string>& wanted) {
  const std::set<std::string> present = keys_of(object);
  for (const std::string& key : wanted) {
    if (!present.contains(key)) {
      MESSAGE("missing key: " << key);
      return false;
    }
  }
  return true;
}

const std::set<std::string> estimate_keys{"mean", "low", "high", "confidence", "replications"};
const std::set<std::string> time_keys{"mean",     "low",     "high",     "confidence", "replications",
                                      "p50",      "p50_low", "p50_high", "p95",        "p95_low",
                                      "p95_high", "p99",     "p99_low",  "p99_high"};

}  // namespace

TEST_CASE("the JSON of a run has every key that other tools rely on") {
  const json document = json::parse(json_text(run_answer(sample_run_report())));
  CHECK(keys_of(document) == std::set<std::string>{"provenance", "result"});
  CHECK(keys_of(document["provenance"]) ==
        std::set<std::string>{"version", "simgrid", "git", "seed", "scenario_sha256", "command"});
  const json& result = document["result"];
  CHECK(has_all(result, {"events_per_s", "event_time_s", "ideal_event_time_s", "slowdown", "jobs", "models",
                         "resources", "binding", "checks"}));
  CHECK(keys_of(result["events_per_s"]) == estimate_keys);
  CHECK(keys_of(result["slowdown"]) == estimate_keys);
  CHECK(keys_of(result["event_time_s"]) == time_keys);
  CHECK(keys_of(result["ideal_event_time_s"]) == estimate_keys);
  CHECK(has_all(result["jobs"]["reco"], {"events_per_s", "event_time_s", "ideal_event_time_s", "slowdown"}));
  const json& model = result["models"]["emtrk"];
  CHECK(has_all(model, {"requests_per_s", "items_per_s", "latency_s", "breakdown_s", "batch_items"}));
  CHECK(keys_of(model["breakdown_s"]) == std::set<std::string>{"send", "host", "queue", "fill", "instance_wait",
                                                               "compute", "device_wait", "execute", "receive"});
  CHECK(has_all(model, {"rejected_per_s", "sent_because"}));
  CHECK(keys_of(model["sent_because"]) ==
        std::set<std::string>{"single", "full", "preferred", "delay_over", "instance_idle"});
  CHECK(model["sent_because"]["single"] == 96);
  CHECK(has_all(model["batch_items"], {"mean", "histogram"}));
  CHECK(model["batch_items"]["histogram"]["1719"] == 93);
  CHECK(has_all(result["resources"][0], {"name", "kind", "busy_fraction", "demand_s_per_event"}));
  CHECK(has_all(result["binding"], {"resource", "next", "next_at_jobs"}));
  CHECK(result["checks"]["conservation"] == true);
}

TEST_CASE("what is withheld says so with the same words in JSON, CSV and table") {
  RunReport report = sample_run_report();
  report.summary.all_jobs["event_time_p99_s"].caveat = Caveat::too_few_events;
  report.summary.all_jobs["events_per_s"].caveat = Caveat::not_stationary;
  const json result = json::parse(json_text(run_answer(report)))["result"];
  CHECK(result["event_time_s"]["p99"].is_null());
  CHECK(result["event_time_s"]["p99_withheld"] == "too few events");
  CHECK_FALSE(result["event_time_s"].contains("p99_low"));
  CHECK(result["events_per_s"]["caveat"] == "not stationary");
  const std::string csv = csv_text(run_answer(report));
  CHECK(csv.find("result,,event_time_p99_s,too few events,,,,\n") != std::string::npos);
  CHECK(csv.find("result,,events_per_s_caveat,not stationary,,,,\n") != std::string::npos);
  const std::string table = shown(run_answer(report));
  CHECK(table.find("99 % withheld (too few") != std::string::npos);
  CHECK(table.find(", not stationary") != std::string::npos);
}

TEST_CASE("the JSON of a plan has every key that other tools rely on") {
  const json document = json::parse(json_text(plan_answer(sample_plan_report())));
  CHECK(has_all(document, {"provenance", "answer", "formula", "candidates"}));
  const json& answer = document["answer"];
  CHECK(has_all(answer, {"streams_per_gpu", "jobs", "gpus", "slowdown", "cost_per_million_events", "binding", "next"}));
  CHECK(keys_of(answer["streams_per_gpu"]) == std::set<std::string>{"value", "low", "high"});
  CHECK(keys_of(document["formula"]) == std::set<std::string>{"streams_per_gpu", "event_time_s"});
  CHECK(document["candidates"][0]["accepted"] == true);
}

TEST_CASE("a plan for jobs with several streams says which of the two it counts, and gives both") {
  PlanReport report = sample_plan_report();
  report.facts.jobs = 67;  // of four streams each
  report.plan.answer.within_slowdown = 68.2;
  report.plan.answer.saturates_at = 68.4;
  const json answer = json::parse(json_text(plan_answer(report)))["answer"];
  CHECK(answer["streams_per_gpu"]["value"] == 68);
  CHECK(answer["jobs_per_gpu"] == json{{"value", 17}, {"low", 17}, {"high", 17}});
  CHECK(answer["streams_per_job"] == 4);
  CHECK(answer["streams"] == 268);
  CHECK(answer["jobs"] == 67);
  CHECK(answer["next_at_jobs"] == doctest::Approx(954.0 / 4));
  const json candidate = json::parse(json_text(plan_answer(report)))["candidates"][0];
  CHECK(candidate["streams"] == 268);
  CHECK(candidate["jobs"] == 67);
  const std::string text = shown(plan_answer(report));
  CHECK(text.find("Streams per GPU, by method") != std::string::npos);
  CHECK(text.find("  streams  GPUs  bound [s]") != std::string::npos);
  CHECK(text.find("streams per GPU") != std::string::npos);
  CHECK(text.find("for 268 streams (67 each)") != std::string::npos);
  CHECK(shown(plan_answer(sample_plan_report())).find("Jobs per GPU, by method") != std::string::npos);
}

TEST_CASE("numbers in JSON read back to the last bit and infinity is null") {
  RunReport report = sample_run_report();
  report.summary.all_jobs["events_per_s"].mean = 0.1 + 0.2;
  report.facts.knees[1].jobs = HUGE_VAL;
  const json document = json::parse(json_text(run_answer(report)));
  CHECK(document["result"]["events_per_s"]["mean"].get<double>() == 0.1 + 0.2);
  CHECK(document["result"]["binding"]["next_at_jobs"].is_null());
}

TEST_CASE("every row of a CSV has as many cells as its heading, whatever the names hold") {
  RunReport explained = sample_run_report();
  explained.summary.models.push_back(sample_batching_model());
  explained.explanation = sample_explanation();
  for (const std::string& text : {csv_text(run_answer(sample_run_report())), csv_text(run_answer(explained)),
                                  csv_text(plan_answer(sample_plan_report()))}) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    CHECK(line == "section,name,quantity,mean,low,high,confidence,replications");
    while (std::getline(lines, line)) {
      std::size_t cells = 1;
      bool quoted = false;
      for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (c == ',' && !quoted) ++cells;
      }
      CHECK_MESSAGE(cells == 8, line);
    }
  }
}

TEST_CASE("a plan begins with its title and the answer, and has it in a sentence, too") {
  const std::string text = shown(plan_answer(sample_plan_report()));
  CHECK(text.starts_with("A title, with a \"comma\"\n  jobs per GPU "));
  CHECK(text.find(
            "68 jobs per GPU if events may take 1 % longer and at saturation; 67 each in the pool of 4 GPUs that 268 "
            "jobs need. The GPU gke/t4 binds; the next limit is the network card gke nic in at 954 jobs in all.") !=
        std::string::npos);
  CHECK(text.find("Unloaded event of reco: 110 + 11 = 121 s") != std::string::npos);
}

TEST_CASE("tables say by which share events are slower, and never how many times") {
  RunReport run = sample_run_report();
  run.facts.ideal_event_time_s = 100.0;
  run.references = {{.method = "bound", .event_time_s = 105.0}, {.method = "exact", .event_time_s = std::nullopt}};
  const std::string run_text = shown(run_answer(run));
  CHECK(run_text.find(" s, 0.8 % slower than unloaded.\n") != std::string::npos);
  CHECK(run_text.find("  0.80 ± 0.10 % slower  ") != std::string::npos);
  CHECK(run_text.find("105.0            5 % slower") != std::string::npos);
  const std::string plan_text = shown(plan_answer(sample_plan_report()));
  CHECK(plan_text.find(": events are 0.4 ± 0.2 % slower than unloaded\n") != std::string::npos);
  CHECK(plan_text.find("  0.4 ± 0.2 % slower  within") != std::string::npos);
  for (const std::string& text : {run_text, plan_text}) {
    CAPTURE(text);
    CHECK(text.find(" 1.00") == std::string::npos);
  }
  // Files for machines keep the ratio.
  CHECK(json::parse(json_text(run_answer(run)))["result"]["slowdown"]["mean"] == 1.008);
  CHECK(json::parse(json_text(plan_answer(sample_plan_report())))["answer"]["slowdown"]["mean"] == 1.004);
}

TEST_CASE("a run's table says when the asked precision was not reached and which law is broken") {
  RunReport report = sample_run_report();
  CHECK(shown(run_answer(report)).find("NOT REACHED") == std::string::npos);
  report.precision_reached = false;
  report.summary.checks[0] = {.name = "conservation", .passed = false, .detail = "sent 96, answered 95"};
  const std::string text = shown(run_answer(report));
  CHECK(text.find("NOT REACHED") != std::string::npos);
  CHECK(text.find("broken: conservation: sent 96, answered 95") != std::string::npos);
}
