#include "reports/run/explanation.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "models/words/texts.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/models_text.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;

namespace {

/// t_ideal 100 s; one GPU of demand 1 s, so 100 jobs; a card of demand 0.24 s.
SystemFacts facts_with(double jobs) {
  SystemFacts facts;
  facts.jobs = facts.clients = jobs;
  facts.ideal_event_time_s = 100.0;
  facts.bound_event_time_s = std::max(100.0, jobs);
  facts.knees = {
      {.resource = "a/gpu", .kind = ResourceKind::gpu, .demand_s_per_event = 1.0, .jobs = 100.0, .bound_busy = 0.5},
      {.resource = "a nic in",
       .kind = ResourceKind::network_card,
       .demand_s_per_event = 0.24,
       .jobs = 400.0,
       .bound_busy = 0.12}};
  return facts;
}

}  // namespace

TEST_CASE("what binds, and what next, is said in a sentence") {
  CHECK(binding_here(facts_with(50)) ==
        "a/gpu binds at 100 jobs; next a nic in, at 400. The 50 jobs here saturate nothing.");
  CHECK(binding_here(facts_with(97)) ==
        "a/gpu binds at 100 jobs; next a nic in, at 400. The 97 jobs here are close to that.");
  CHECK(binding_here(facts_with(120)) ==
        "a/gpu binds at 100 jobs; next a nic in, at 400. The 120 jobs here are past that: more of them only wait.");
  SystemFacts alone = facts_with(1);
  alone.knees.pop_back();
  CHECK(binding_here(alone) == "a/gpu binds at 100 jobs. The 1 job here saturates nothing.");
  alone.knees.clear();
  CHECK(binding_here(alone) == "No resource is shared, so nothing ever saturates.");
}

TEST_CASE("the table has the resources that events use, with the simulated use of each") {
  std::vector<ResourceResults> simulated(3);
  simulated[0].name = "unused";
  simulated[1].name = "a nic in";
  simulated[1].set("busy_fraction", sample_estimate(0.12, 0.0));
  simulated[2].name = "a/gpu";
  simulated[2].set("busy_fraction", sample_estimate(0.49, 0.01));
  CHECK(shown_of([&](Answer& answer) { add_bottlenecks(answer, facts_with(50), simulated, {}); }) ==
        "\nWhat saturates, first to last\n"
        "  resource  kind          demand [s/event]  busy by the bound  busy, simulated  saturates at [jobs]\n"
        "  a/gpu     gpu                       1.00               50 %     49.0 ± 1.0 %                  100  binds "
        "first\n"
        "  a nic in  network card             0.240               12 %          12.00 %                  400  binds "
        "next\n");
}

using nlohmann::json;

TEST_CASE("an explanation is a table in per cent, the options behind each row, and what was not tried") {
  CHECK(shown_of([](Answer& answer) { add_explanation(answer, sample_explanation(), {}); }) ==
        R"(
What one change would gain
  in per cent of this run, each change alone; the interval (95 %) is from 3 pairs of runs with the same random numbers
     change                                        events/s     event time  latency  its 99 %  by events/s
  1  tagger: 2 instances on each device, not 1  +12.3 ± 0.4  -11.00 ± 0.01  -31 ± 2  -20 ± 30  gains
  2  tagger: a delay of up to 1 ms, not 500 us            0              0        –         –  no difference
  3  node: 2 t4 in each node, not 1                       –              –        –         –  no result
  To repeat one, add to the command:
  1  --set /models/tagger/instances=2
  2  --set '/models/tagger/max_queue_delay=1 ms'
  3  --set /servers/0/devices/count=2
  node: 2 t4 in each node, not 1: it takes longer than 1 s
  not tried: tagger: a larger batch: its law ends there.
)");
}

TEST_CASE("where a change meets several models, their latencies are said to be what they are") {
  Explanation several = sample_explanation();
  several.changes.back().neighbour.calls = {"tagger", "tracker"};
  CHECK(shown_of([&](Answer& answer) {
          add_explanation(answer, several, {});
        }).find("the latency is that of all their requests, its 99 % the slowest model's") != std::string::npos);
}

TEST_CASE("changes are sorted by their gain in throughput, and those without a result come last") {
  Explanation explanation = sample_explanation();
  std::vector<ExplainedChange> changes{explanation.changes[2], explanation.changes[1], explanation.changes[0]};
  sort_by_gain(changes);
  CHECK(changes[0].neighbour.what == explanation.changes[0].neighbour.what);
  CHECK(changes[1].neighbour.what == explanation.changes[1].neighbour.what);
  CHECK(changes[2].neighbour.what == explanation.changes[2].neighbour.what);
}

TEST_CASE("a run's documents hold an explanation when it was asked for, and only then") {
  RunReport report = sample_run_report();
  CHECK_FALSE(json::parse(json_text(run_answer(report)))["result"].contains("explain"));
  report.explanation = sample_explanation();
  report.explanation->changes[1].effect->events_per_s.high = std::numeric_limits<double>::infinity();
  const json result = json::parse(json_text(run_answer(report)))["result"];
  REQUIRE(result["explain"].size() == 3);
  const json& best = result["explain"][0];
  CHECK(best["set"] == json::array({"/models/tagger/instances=2"}));
  CHECK(best["events_per_s_change"]["mean"] == 0.123);
  CHECK(best["verdict"] == "gains");
  CHECK(best["why_not"].is_null());
  CHECK(result["explain"][1]["events_per_s_change"]["high"].is_null());
  CHECK(result["explain"][1]["latency_change"].is_null());
  CHECK(result["explain"][2]["verdict"].is_null());
  CHECK(result["explain"][2]["why_not"] == "it takes longer than 1 s");
  CHECK(result["explain_left_out"][0]["why"] == "its law ends there.");
}

namespace {

std::string shown_models(const std::vector<ModelResults>& models) {
  return shown_of([&](Answer& answer) { add_models(answer, models, {}); });
}

}  // namespace

TEST_CASE("the models' tables say where the time goes, how large batches are and why they were sent") {
  CHECK(shown_models({sample_batching_model()}) ==
        R"(
Models
  model   requests/s  GB/s in  items/batch  latency [ms]      p99 [ms]
  tagger    990 ± 10     1.98  4.72 ± 0.10  10.00 ± 0.10  20.00 ± 0.10
  tagger: 10.0 ± 1.0 requests/s are rejected by the limits of its queue, 1 % of those that arrive

Where the time of a request goes [ms]
  model     send   host   fill batch  wait for instance  wait for device      execute  receive    sum
  tagger  0.5000  1.000  2.00 ± 0.10        3.00 ± 0.10      1.20 ± 0.10  1.80 ± 0.10   0.5000  10.00

Batches of tagger
  items  batches  of all items
      1     40 %         8.5 %  ████████████████████
      3      8 %         5.1 %  ████
      4      2 %         1.7 %  █
      8     50 %          85 %  ████████████████████████
  sent because: full 50 %, preferred size 30 %, delay over 15 %, at once 5 %
)");
}

TEST_CASE("rounding is not shown as a time") {
  ModelResults model = sample_batching_model();
  model.set("execute_s", sample_estimate(0.003, 0));
  model.set("device_wait_s", sample_estimate(0, 0));
  const std::string exact = shown_models({model});
  model.set("device_wait_s", sample_estimate(-7e-15, 0));
  CHECK(shown_models({model}) == exact);
}

TEST_CASE("refusals are said to end events only where no core does their work instead") {
  RunReport report = sample_run_report();
  ModelResults& model = report.summary.models[0];
  model.set("rejected_per_s", sample_estimate(1.0, 0.1));
  const auto shown = [&] { return shown_of([&](Answer& answer) { answer = run_answer(report); }); };
  CHECK(holds(shown(), "are refused: the job's own core does their work."));
  report.facts.spoiling.insert(model.name);
  CHECK(holds(shown(), "are REJECTED: their events end without them"));
}

TEST_CASE("models without a host stage, rejections or batches show nothing of them") {
  RunReport report = sample_run_report();
  ModelResults model = report.summary.models[0];
  model.batches = {{1719, 96}};
  const std::string text = shown_models({model});
  CHECK_FALSE(holds(text, "host"));
  CHECK_FALSE(holds(text, "rejected"));
  CHECK_FALSE(holds(text, "Batches of"));
  CHECK_FALSE(holds(text, "sent because"));
  model.batches.clear();
  model.clear("batch_items");
  CHECK(holds(shown_models({model}), "–"));
  CHECK(shown_models({}).empty());
}

TEST_CASE("batches of one size are shown when they were formed dynamically") {
  ModelResults model = sample_batching_model();
  model.batches = {{8, 100}};
  model.sent_because = {0, 100, 0, 0, 0};
  const std::string text = shown_models({model});
  CHECK(holds(text, "Batches of tagger"));
  CHECK(holds(text, "sent because: full 100 %\n"));
}

TEST_CASE("a histogram's rows are at most 16, ascending, next to each other, and hold every batch once") {
  CHECK(rc::check([] {
    const auto largest = std::uint32_t{1} << *rc::gen::inRange(0, 32);
    std::map<std::uint32_t, std::uint64_t> batches;
    const int sizes = *rc::gen::inRange(1, 60);
    for (int i = 0; i < sizes; ++i) {
      batches[1 + *rc::gen::inRange<std::uint32_t>(0, largest)] = *rc::gen::inRange<std::uint64_t>(1, 1000);
    }
    const std::vector<BatchRow> rows = grouped_batches(batches);
    RC_ASSERT(rows.size() <= 16u);
    std::size_t next = 0;
    std::map<std::size_t, BatchRow> expected;
    for (const auto& [items, count] : batches) {
      while (next < rows.size() && rows[next].most < items) ++next;
      RC_ASSERT(next < rows.size());
      RC_ASSERT(rows[next].least <= items);
      expected[next].batches += static_cast<double>(count);
      expected[next].items += static_cast<double>(count) * items;
    }
    RC_ASSERT(expected.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      RC_ASSERT(rows[i].batches == expected[i].batches);
      RC_ASSERT(rows[i].items == expected[i].items);
      if (batches.size() <= 16) RC_ASSERT(rows[i].least == rows[i].most);
      if (i > 0) RC_ASSERT(rows[i - 1].most < rows[i].least);
    }
  }));
}

TEST_CASE("many sizes are grouped into ranges that end at powers of two") {
  std::map<std::uint32_t, std::uint64_t> batches;
  for (std::uint32_t items = 1; items <= 20; ++items) batches[items] = 1;
  const std::vector<BatchRow> rows = grouped_batches(batches);
  REQUIRE(rows.size() == 6);
  const std::uint32_t edges[][2] = {{1, 1}, {2, 2}, {3, 4}, {5, 8}, {9, 16}, {17, 32}};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(rows[i].least == edges[i][0]);
    CHECK(rows[i].most == edges[i][1]);
  }
  CHECK(rows[5].batches == 4.0);
  CHECK(rows[5].items == 17.0 + 18.0 + 19.0 + 20.0);
}

TEST_CASE("the parts of a request's time add up to its latency, and a histogram to its mean, in the JSON") {
  RunReport report = sample_run_report();
  report.summary.models.push_back(sample_batching_model());
  const json models = json::parse(json_text(run_answer(report)))["result"]["models"];
  for (const auto& named : models.items()) {
    const json& model = named.value();
    CAPTURE(named.key());
    const auto mean = [&model](const char* part) { return model["breakdown_s"][part]["mean"].get<double>(); };
    CHECK(mean("send") + mean("host") + mean("queue") + mean("compute") + mean("receive") ==
          doctest::Approx(model["latency_s"]["mean"].get<double>()));
    CHECK(mean("fill") + mean("instance_wait") == doctest::Approx(mean("queue")));
    CHECK(mean("device_wait") + mean("execute") == doctest::Approx(mean("compute")));
    double batches = 0.0;
    double items = 0.0;
    for (const auto& [size, count] : model["batch_items"]["histogram"].items()) {
      batches += count.get<double>();
      items += std::stod(size) * count.get<double>();
    }
    CHECK(items / batches == doctest::Approx(model["batch_items"]["mean"].get<double>()));
  }
  CHECK(models["tagger"]["sent_because"]["delay_over"] == 15);
  CHECK(models["tagger"]["rejected_per_s"]["mean"] == 10.0);
  ModelResults idle = sample_batching_model();
  idle.clear("batch_items");
  report.summary.models = {idle};
  CHECK(json::parse(json_text(run_answer(report)))["result"]["models"]["tagger"]["batch_items"]["mean"].is_null());
}

TEST_CASE("the lines of a run's tables fit a terminal of 120 columns") {
  RunReport report = sample_run_report();
  report.summary.models.push_back(sample_batching_model());
  report.explanation = sample_explanation();
  std::istringstream lines(shown(run_answer(report)));
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(width_of(line) <= 120, line);
}
