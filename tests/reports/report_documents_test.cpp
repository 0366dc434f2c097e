#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "models/words/texts.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

/// Whether a document has all these places, each with the keys behind its colon, as programs rely on them.
void check_places(const json& document, const std::vector<std::string>& places) {
  for (const std::string& place : places) {
    CAPTURE(place);
    const std::size_t colon = place.find(':');
    const json::json_pointer pointer(place.substr(0, colon));
    REQUIRE(document.contains(pointer));
    if (colon == std::string::npos) continue;
    const std::string keys = place.substr(colon + 1);
    for (const std::string_view key : split_at(keys, ' '))
      CHECK_MESSAGE(document[pointer].contains(std::string(key)), key);
  }
}

}  // namespace

TEST_CASE("the JSON of a run has every key that other tools rely on") {
  const json document = json::parse(json_text(run_answer(sample_run_report())));
  check_places(
      document,
      {"/provenance:version simgrid git seed scenario_sha256 command", "/result:jobs models resources binding checks",
       "/result/events_per_s:mean low high confidence replications",
       "/result/slowdown:mean low high confidence replications",
       "/result/event_time_s:mean low high confidence replications p50 p50_low p50_high p95 p95_low p95_high "
       "p99 p99_low p99_high",
       "/result/ideal_event_time_s:mean low high confidence replications",
       "/result/jobs/reco:events_per_s event_time_s ideal_event_time_s slowdown",
       "/result/models/emtrk:requests_per_s items_per_s latency_s rejected_per_s",
       "/result/models/emtrk/breakdown_s:send host queue fill instance_wait compute device_wait execute "
       "receive",
       "/result/models/emtrk/sent_because:single full preferred delay_over instance_idle",
       "/result/models/emtrk/batch_items:mean histogram",
       "/result/resources/0:name kind busy_fraction demand_s_per_event", "/result/binding:resource next next_at_jobs"});
  const json& model = document["result"]["models"]["emtrk"];
  CHECK(model["sent_because"]["single"] == 96);
  CHECK(model["batch_items"]["histogram"]["1719"] == 93);
  CHECK(document["result"]["checks"]["conservation"] == true);
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
  CHECK(holds(csv, "result,,event_time_p99_s,,,,,,too few events\n"));
  CHECK(holds(csv, "result,,events_per_s_caveat,,,,,,not stationary\n"));
  const std::string table = shown(run_answer(report));
  CHECK(holds(table, "99 % withheld (too few"));
  CHECK(holds(table, ", not stationary"));
}

TEST_CASE("the JSON of a plan has every key that other tools rely on") {
  const json document = json::parse(json_text(plan_answer(sample_plan_report())));
  check_places(document, {"/provenance:version", "/answer:jobs gpus slowdown cost_per_million_events binding next",
                          "/answer/streams_per_gpu:value low high", "/formula:streams_per_gpu event_time_s"});
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
  CHECK(holds(text, "Streams per GPU, by method"));
  CHECK(holds(text, "  streams  GPUs  bound [s]"));
  CHECK(holds(text, "streams per GPU"));
  CHECK(holds(text, "for 268 streams (67 each)"));
  CHECK(holds(shown(plan_answer(sample_plan_report())), "Jobs per GPU, by method"));
}

TEST_CASE("numbers in JSON read back to the last bit and infinity is null") {
  RunReport report = sample_run_report();
  report.summary.all_jobs["events_per_s"].mean = 0.1 + 0.2;
  report.facts.knees[1].jobs = HUGE_VAL;
  const json document = json::parse(json_text(run_answer(report)));
  CHECK(document["result"]["events_per_s"]["mean"].get<double>() == 0.1 + 0.2);
  CHECK(document["result"]["binding"]["next_at_jobs"].is_null());
}

TEST_CASE("a plan begins with its title and the answer, and has it in a sentence, too") {
  const std::string text = shown(plan_answer(sample_plan_report()));
  CHECK(text.starts_with("A title, with a \"comma\"\n  jobs per GPU "));
  CHECK(holds(text,
              "68 jobs per GPU if events may take 1 % longer and at saturation; 67 each in the pool of 4 GPUs that 268 "
              "jobs need. The GPU gke/t4 binds; the next limit is the network card gke nic in at 954 jobs in all."));
  CHECK(holds(text, "Unloaded event of reco: 110 + 11 = 121 s"));
}

TEST_CASE("tables say by which share events are slower, and never how many times") {
  RunReport run = sample_run_report();
  run.facts.ideal_event_time_s = 100.0;
  run.references = {{.method = "bound", .event_time_s = 105.0}, {.method = "exact", .event_time_s = std::nullopt}};
  const std::string run_text = shown(run_answer(run));
  CHECK(holds(run_text, " s, 0.8 % slower than unloaded.\n"));
  CHECK(holds(run_text, "  0.80 ± 0.10 % slower  "));
  CHECK(holds(run_text, "105.0            5 % slower"));
  const std::string plan_text = shown(plan_answer(sample_plan_report()));
  CHECK(holds(plan_text, ": events are 0.4 ± 0.2 % slower than unloaded\n"));
  CHECK(holds(plan_text, "  0.4 ± 0.2 % slower  within"));
  for (const std::string& text : {run_text, plan_text}) {
    CAPTURE(text);
    CHECK_FALSE(holds(text, " 1.00"));
  }
  // Files for machines keep the ratio.
  CHECK(json::parse(json_text(run_answer(run)))["result"]["slowdown"]["mean"] == 1.008);
  CHECK(json::parse(json_text(plan_answer(sample_plan_report())))["answer"]["slowdown"]["mean"] == 1.004);
}

TEST_CASE("a plan that is not precise says when nothing varies, and how it would") {
  PlanReport report = sample_plan_report();
  report.plan.precision_reached = false;
  CHECK_FALSE(holds(shown(plan_answer(report)), "Nothing varies"));
  report.spread = "--set /models/a/scatter=0.2";
  CHECK(holds(shown(plan_answer(report)), "With a spread of 20 %: --set /models/a/scatter=0.2."));
}

TEST_CASE("a run's table says when the asked precision was not reached and which law is broken") {
  RunReport report = sample_run_report();
  CHECK_FALSE(holds(shown(run_answer(report)), "NOT REACHED"));
  report.precision_reached = false;
  report.summary.checks[0] = {.name = "conservation", .passed = false, .detail = "sent 96, answered 95"};
  const std::string text = shown(run_answer(report));
  CHECK(holds(text, "NOT REACHED"));
  CHECK(holds(text, "broken: conservation: sent 96, answered 95"));
}
