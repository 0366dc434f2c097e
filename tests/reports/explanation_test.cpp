#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>

#include "reports/explanation_text.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("an explanation is a table in per cent, the options behind each row, and what was not tried") {
  CHECK(explanation_text(sample_explanation(), {}) ==
        R"(
What one change would gain
  in per cent of this run, each change alone; the interval (95 %) is from 3 pairs of runs with the same random numbers
     change                                        events/s     event time  latency  its 99 %
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
  CHECK_FALSE(json::parse(run_json(report))["result"].contains("explain"));
  CHECK(run_csv(report).find("explain") == std::string::npos);
  CHECK(run_table(report, {}).find("What one change") == std::string::npos);

  report.explanation = sample_explanation();
  report.explanation->changes[1].effect->events_per_s.high = std::numeric_limits<double>::infinity();
  const json result = json::parse(run_json(report))["result"];
  REQUIRE(result["explain"].size() == 3);
  const json& best = result["explain"][0];
  CHECK(best["set"] == json::array({"/models/tagger/instances=2"}));
  CHECK(best["events_per_s_change"]["mean"] == 0.123);
  CHECK(best["event_time_change"]["mean"] == -0.11);
  CHECK(best["latency_p99_change"]["low"] == -0.2 - 0.3);
  CHECK(best["verdict"] == "gains");
  CHECK(best["why_not"].is_null());
  CHECK(result["explain"][1]["events_per_s_change"]["high"].is_null());
  CHECK(result["explain"][1]["latency_change"].is_null());
  CHECK(result["explain"][1]["verdict"] == "no difference");
  CHECK(result["explain"][2]["verdict"].is_null());
  CHECK(result["explain"][2]["why_not"] == "it takes longer than 1 s");
  CHECK(result["explain_left_out"][0]["why"] == "its law ends there.");
  CHECK(run_csv(report).find("explain,\"tagger: 2 instances on each device, not 1\",verdict,gains,,,,\n") !=
        std::string::npos);
  CHECK(run_table(report, {}).find("What one change would gain") != std::string::npos);
}
