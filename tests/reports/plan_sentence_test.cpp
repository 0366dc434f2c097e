#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/plan/plan_evidence.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/run/run_report.hpp"
#include "reports/words/number_text.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;

TEST_CASE("the first sentence of a plan has the jobs with their interval, both limits and both prices") {
  CHECK(plan_sentence({.jobs_per_device = 71.3,
                       .low = 67.5,
                       .high = 75.1,
                       .binding = "gke/t4",
                       .binding_kind = ResourceKind::gpu,
                       .next = "gke nic in",
                       .next_kind = ResourceKind::network_card,
                       .next_at_jobs = 96.4,
                       .usd_per_million_events = 0.43,
                       .cpu_only_usd_per_million = 1.1}) ==
        "71 ± 4 jobs per GPU. The GPU gke/t4 binds; the next limit is the network card gke nic in at 96 jobs. "
        "0.430 USD per million events, against 1.10 on CPU alone.");
}

TEST_CASE("what is not known is left out of the sentence, and an interval below one job goes unsaid") {
  CHECK(plan_sentence({.jobs_per_device = 68.44, .low = 68.4, .high = 68.5}) ==
        "68 jobs per GPU. No resource is shared, so nothing ever saturates.");
  CHECK(plan_sentence({.jobs_per_device = 1.0,
                       .low = 1.0,
                       .high = 1.0,
                       .noun = "stream",
                       .device_word = "FPGA",
                       .binding = "site to cloud",
                       .binding_kind = ResourceKind::link,
                       .usd_per_million_events = 176.2,
                       .priced = "FPGAs"}) ==
        "1 stream per FPGA. The link site to cloud binds, not the FPGAs. 176 USD per million "
        "events for the FPGAs.");
  CHECK(plan_sentence({.jobs_per_device = 2.57, .low = 2.57, .high = 2.57}).starts_with("2.5 jobs per GPU."));
}

TEST_CASE("a sentence says that nothing binds yet, what is meant in all, and rates where events arrive") {
  CHECK(plan_sentence({.jobs_per_device = 8.0,
                       .low = 8.0,
                       .high = 8.0,
                       .binding = "triton/t4",
                       .binding_kind = ResourceKind::gpu,
                       .next = "triton instances of net",
                       .next_kind = ResourceKind::instances,
                       .next_at_jobs = 50.0,
                       .several_devices = true,
                       .binds_at_jobs = 33.4}) ==
        "8 jobs per GPU. Nothing is saturated: the GPU triton/t4 binds first, at 33 jobs in all; the next limit is the "
        "triton instances of net at 50 jobs in all.");
  CHECK(plan_sentence(
            {.binding = "farm/t4",
             .binding_kind = ResourceKind::gpu,
             .arrivals = PlanSentence::Arrivals{.devices = 12, .events_per_s = 7500, .binds_at_per_s = 8125}}) ==
        "12 GPUs for 7500 events/s. Nothing is saturated: the GPU farm/t4 binds first, at 8125 events/s.");
  CHECK(plan_sentence({.jobs_per_device = 6.0, .low = 6.0, .high = 15.0}).starts_with("6 (6 to 15) jobs per GPU."));
}

TEST_CASE("where events arrive, streams are a limit as resources are") {
  SystemFacts facts;
  facts.clients = 2560.0;
  facts.ideal_event_time_s = 0.256;
  facts.pools.emplace_back();
  facts.knees = {{.resource = "farm/t4", .kind = ResourceKind::gpu, .demand_s_per_event = 1.0 / 8000.0},
                 {.resource = "site to site", .kind = ResourceKind::link, .demand_s_per_event = 1.0 / 250'000.0}};
  PlanSentence sentence;
  say_arrivals(sentence, facts, 7500.0);
  sentence.arrivals->devices = 12.0;
  CHECK(
      plan_sentence(sentence) ==
      "12 GPUs for 7500 events/s. Nothing is saturated: the GPU farm/t4 binds first, at 8000 events/s; the next limit "
      "is the streams at 10,000 events/s.");
  facts.ideal_event_time_s = 0.4;
  say_arrivals(sentence, facts, 7500.0);
  sentence.arrivals->devices = 13.0;
  CHECK(holds(plan_sentence(sentence), "the streams bind first, at 6400 events/s"));
}

TEST_CASE("the first sentence names the tolerance, answers three at once, and tells one GPU alone from a pool") {
  const PlanSentence first_steps{
      .jobs_per_device = 6.0,
      .low = 6.6,
      .high = 6.7,
      .tolerance =
          PlanSentence::Tolerance{.slowdown = 0.01, .also_slowdown = 0.05, .also_jobs = 17.9, .saturates_at = 24.36},
      .pool = PlanSentence::Pool{.jobs = 60, .devices = 4}};
  CHECK(
      plan_sentence(first_steps)
          .starts_with("6 jobs per GPU if events may take 1 % longer, 17 at 5 %, 24 at saturation; 15 each in the pool "
                       "of 4 GPUs that 60 jobs need, where a request finds one free sooner."));
  PlanSentence lone = first_steps;
  lone.tolerance->saturates_at = 6.95;
  lone.pool = PlanSentence::Pool{.jobs = 26, .devices = 4};
  lone.jobs_per_device = 6.5;
  lone.tolerance->also_jobs = 6.59;
  CHECK(
      plan_sentence(lone).starts_with("6.5 jobs per GPU if events may take 1 % or 5 % longer, 6.9 at saturation; 26 "
                                      "jobs need 4 GPUs."));
  lone.tolerance->saturates_at = 6.55;
  CHECK(
      plan_sentence(lone).starts_with("6.5 jobs per GPU if events may take 1 % or 5 % longer and at saturation; 26 "));
  PlanSentence big_batch{.jobs_per_device = 68.0,
                         .low = 68.4,
                         .high = 68.4,
                         .tolerance = PlanSentence::Tolerance{.slowdown = 0.01, .at_saturation = true},
                         .jobs_alone = 66.02};
  CHECK(
      plan_sentence(big_batch).starts_with("68 jobs per GPU at saturation, where events still take at most 1 % longer; "
                                           "66 on one GPU alone."));
  big_batch.pool = PlanSentence::Pool{.jobs = 67, .devices = 1};
  CHECK(holds(plan_sentence(big_batch), "66 on one GPU alone; 67 jobs need 1 GPU."));
  big_batch.tolerance->of_fewest_jobs = true;
  CHECK(holds(plan_sentence(big_batch), "at most 1 % longer than those of one job alone; 66 on"));
}

TEST_CASE("what waits is said with its share, the longest first") {
  CHECK(waits_text({}) == "");
  CHECK(waits_text({{"the batcher of net holds requests back for others", 0.3},
                    {"transfers share links and network cards", 0.1}}) ==
        "the batcher of net holds requests back for others (75 %); transfers share links and network cards (25 %)");
}

TEST_CASE("where nothing was simulated that carries any job, a bound is said to be one") {
  CHECK(plan_sentence({.jobs_per_device = 68.4, .low = 0.0, .high = 68.4}).starts_with("At most 68 jobs per GPU."));
}

TEST_CASE("figures are read in the unit that gives handy numbers") {
  CHECK(figure_text(measure("slowdown"), 0.01) == "1 %");
  CHECK(figure_text(measure("latency_p99"), 0.05) == "50 ms");
  CHECK(figure_text(measure("latency"), 0.0000321) == "32.10 us");
  CHECK(figure_text(measure("campaign_time"), 30 * 86400.0) == "30 d");
  CHECK(figure_text(measure("event_time"), 121.36) == "121.4 s");
  CHECK(figure_text(measure("slowdown"), Estimate{.mean = 4e-14, .low = 3e-14, .high = 5e-14}) == "0 %");
  CHECK(figure_text(measure("rent"), 1.4) == "1.400 USD/h");
  CHECK(figure_text(measure("gpus"), 12.0) == "12");
  CHECK(figure_text(measure("throughput"), Estimate{.mean = 2.2, .low = 2.1, .high = 2.3}) == "2.20 ± 0.10 1/s");
}

using nlohmann::json;

TEST_CASE("an event time tells a bottleneck that is faster from one that is not there only if the margin allows it") {
  JobsTest test = *sample_falsification().jobs;
  CHECK(contradiction(test, test.event_time, 0.1) ==
        "Below 133.6 s or above 136.4 s it contradicts the plan. 121.2 s, as if \"gke/t4\" made nobody wait, would say "
        "that it is faster by 10 % or more, or not what binds; 148.5 s that an event asks 10 % more of it.");
  test.unhindered_s = 110;
  CHECK(
      contradiction(test, test.event_time, 0.1) ==
      "Below 133.6 s or above 136.4 s it contradicts the plan. 110.0 s, as if \"gke/t4\" made nobody wait, would say "
      "that it is not what binds; 121.5 s that an event asks 10 % less of it; 148.5 s that an event asks 10 % more of "
      "it.");
  test.unhindered_s = 134.5;
  CHECK(contradiction(test, test.event_time, 0.1) ==
        "Below 133.6 s or above 136.4 s it contradicts the plan. \"gke nic in\" saturates with nearly as few jobs: the "
        "event time does not tell which of the two binds, only their busy shares do; 148.5 s that an event asks 10 % "
        "more of it.");
}

TEST_CASE("a prediction without an interval contradicts nothing, in words") {
  ModelTest test = sample_falsification().models.front();
  test.predictions[0].contradicts_below.reset();
  CHECK(contradiction(test, test.predictions[0]) ==
        "Above 125,500 it contradicts the plan: \"gke/t4\", which saturates here, is slower or faster than predicted.");
  test.predictions[0].contradicts_above.reset();
  CHECK(contradiction(test, test.predictions[0]) == "No value contradicts: the simulation gives no interval for it.");
}

TEST_CASE("a plan that was asked for it carries its falsification, and what cannot be measured with its reason") {
  PlanReport report = sample_plan_report();
  CHECK_FALSE(holds(shown(plan_answer(report)), "contradict"));
  CHECK_FALSE(json::parse(json_text(plan_answer(report))).contains("falsify"));

  report.falsification = sample_falsification();
  const std::string text = shown(plan_answer(report));
  for (const char* piece : {"305 jobs at once, on ", "\n  perf_analyzer -m emtrk\n", "none: it is too far.",
                            "  limits: a measurement is taken to be known to 1 % itself; the predicted"})
    CHECK_MESSAGE(text.find(piece) != std::string::npos, piece);
  const json falsify = json::parse(json_text(plan_answer(report)))["falsify"];
  REQUIRE(falsify.size() == 5);
  CHECK(falsify[0]["kind"] == "jobs");
  CHECK(falsify[0]["pools"]["reco"] == 305);
  CHECK(falsify[0]["quantity"] == "event_time_s");
  CHECK(falsify[0]["contradicts_below"] == 133.6);
  CHECK(falsify[2]["command"] == "perf_analyzer -m emtrk");
  CHECK(
      falsify[3]["says"] ==
      "Below 54.80 ms or above 55.90 ms it contradicts the plan: the service law of emtrk is wrong. Within them while "
      "infer/sec is not, the network, the host or the batching is.");
  CHECK(falsify[4] == json{{"kind", "perf_analyzer"}, {"model", "far"}, {"why_not", "it is too far"}});
  CHECK(holds(csv_text(plan_answer(report)),
              "falsify,perf_analyzer/items_per_s/emtrk,command,,,,,,perf_analyzer -m emtrk"));

  report.falsification->jobs.reset();
  report.falsification->why_no_jobs = "nothing saturates";
  report.falsification->fitted_half_width = 0.03;
  const std::string without = shown(plan_answer(report));
  CHECK(holds(without, "jobs: nothing saturates."));
  CHECK(holds(without, "known to 1 % itself, fitted parameters leave predictions open by 3 %"));
}
