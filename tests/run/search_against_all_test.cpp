#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

#include "models/random_stream.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/plan/plan_search.hpp"
#include "sim/plan/search.hpp"
#include "sim/run/replicate.hpp"

using namespace saturn;

namespace {

constexpr std::uint32_t problems = 20;

/// Draws what makes one problem different from the next.
class Draw {
 public:
  explicit Draw(std::uint32_t problem) : stream_(2026, problem, 0, Purpose::service) {}
  template <class Value>
  Value one_of(const std::vector<Value>& values) {
    return values[static_cast<std::size_t>(stream_.uniform() * static_cast<double>(values.size()))];
  }

 private:
  RandomStream stream_;
};

/// Jobs that send batches to a server with dynamic batching, two milliseconds away.
std::string scenario_text_with(const std::string& cpu, const std::string& jobs, const std::string& per_batch = "2 ms",
                               const std::string& per_item = "0.2 ms") {
  return R"({ "schema": "saturn-scenario/1", "title": "drawn",
  "jobs": [{ "name": "job", "site": "here", "count": )" +
         jobs + R"(,
             "event": [{ "cpu": )" +
         cpu + R"( }, { "infer": "net", "items": 8, "request_batch": 8 }] }],
  "models": { "net": { "input": "1 kB", "output": "8 B", "max_batch_size": 8, "dynamic_batching": true,
                       "service": { "t4": { "per_batch": ")" +
         per_batch + R"(", "per_item": ")" + per_item + R"(" } } } },
  "servers": [{ "name": "triton", "site": "there", "devices": { "type": "t4", "count": 1 }, "models": ["net"] }],
  "devices": { "t4": { "kind": "gpu", "price": "0.35 USD/h", "power": "70 W" } },
  "network": { "links": [{ "between": ["here", "there"], "bandwidth": "10 Gbps", "rtt": "2 ms" }] } })";
}

std::string scenario_text(Draw& draw) {
  const std::string cpu = draw.one_of<std::string>({"\"40 ms\"", "{ \"exponential\": { \"mean\": \"30 ms\" } }",
                                                    "{ \"gamma\": { \"mean\": \"60 ms\", \"cv\": 0.3 } }"});
  const std::string per_batch = draw.one_of<std::string>({"2 ms", "5 ms"});
  const std::string per_item = draw.one_of<std::string>({"0.2 ms", "0.6 ms"});
  const std::string jobs = std::to_string(draw.one_of<int>({12, 20, 32}));
  return scenario_text_with(cpu, jobs, per_batch, per_item);
}

FreeVariable variable(const std::string& pointer, const std::vector<std::string>& values, bool more_is_faster = false) {
  FreeVariable made{.name = pointer, .more_is_faster = more_is_faster};
  for (const std::string& value : values) made.values.push_back({.text = value, .settings = {{pointer, value}}});
  return made;
}

SearchQuestion any_question(Draw& draw) {
  const std::vector<Objective> objectives = {{measure("gpus"), true, "fewest-gpus"},
                                             {measure("cost_per_million"), true, "cost"},
                                             {measure("energy_per_million"), true, "energy"},
                                             {measure("throughput"), false, "throughput"},
                                             {measure("campaign_time"), true, "campaign-time"},
                                             {measure("jobs_per_gpu"), false, "jobs-per-gpu"}};
  SearchQuestion question{
      .space = CandidateSpace({variable("/models/net/max_batch_size", {"8", "16", "32", "64"}),
                               variable("/models/net/max_queue_delay", {"0 ms", "1 ms", "8 ms"}),
                               variable("/models/net/instances", {"1", "2"}),
                               variable("/servers/0/devices/count", {"1", "2", "3", "4", "6"}, true)}),
      .objective = draw.one_of(objectives),
      .campaign_events = 1e8};
  if (draw.one_of<int>({0, 1}) == 0)
    question.requirements = {{.figure = measure("slowdown"), .limit = draw.one_of<double>({0.05, 0.15, 0.4})}};
  else
    question.requirements = {
        {.figure = measure("latency_p99"), .limit = draw.one_of<double>({0.012, 0.02, 0.05})},
        {.figure = measure("throughput"), .at_most = false, .limit = draw.one_of<double>({100, 250})}};
  return question;
}

std::vector<SearchedRun> simulated(std::span<const SearchedScenario> scenarios) {
  std::vector<Scenario> plain;
  for (const SearchedScenario& one : scenarios) plain.push_back(one.scenario);
  std::vector<SearchedRun> runs;
  for (const auto& result : replicate(plain, {})) {
    runs.emplace_back();
    if (const auto* failure = std::get_if<RunFailure>(&result)) {
      runs.back().failure = failure->message;
      continue;
    }
    runs.back().summary = std::get<Replicated>(result).summary;
    runs.back().requests = runs.back().summary.requests;
  }
  return runs;
}

double figure_of(const PlanSearch& search, MeasureId figure) {
  return search.answer->figures.find(figure)->value.mean;
}

}  // namespace

TEST_CASE("searches of small problems find what simulating everything finds, with a seventh of the requests" *
          doctest::test_suite("release")) {
  double requests = 0.0;
  double requests_of_all = 0.0;
  for (std::uint32_t i = 0; i < problems; ++i) {
    CAPTURE(i);
    Draw draw(i);
    const ReadScenario read = read_scenario_text(scenario_text(draw), "drawn.json", {});
    const SearchQuestion question = any_question(draw);
    const PlanSearch found =
        search_plan(question, {}, read.again, simulated, {.side_by_side = 8, .answer_alone = true});
    const PlanSearch all = search_all(question, {}, read.again, simulated);
    REQUIRE(found.answer.has_value() == all.answer.has_value());
    if (all.answer) {
      // Of equal purchases the search takes one with room, and not always the one with most.
      for (const MeasureId figure : {measure("gpus"), measure("rent"), question.objective.figure})
        CHECK(figure_of(found, figure) == doctest::Approx(figure_of(all, figure)).epsilon(objective_resolution));
    }
    CHECK(found.complete);
    requests += static_cast<double>(found.simulated_requests);
    requests_of_all += static_cast<double>(all.simulated_requests);
  }
  MESSAGE("requests of all over those of the searches: " << requests_of_all / requests);
  // Of all 20: some problems alone spare less.
  CHECK(requests_of_all >= 7 * requests);
}

TEST_CASE("a brief look takes a tenth of the events where times are drawn, and no extra cycles where none is") {
  const auto cycles = [](const std::string& time, bool brief) {
    Scenario scenario = read_scenario_text(scenario_text_with(time, "50"), "looked-at.json", {}).scenario;
    scenario.run.brief = brief;
    const RunLength length = run_length_for(scenario);
    return static_cast<double>(length.slices - length.least_warm_up) / 8;
  };
  const std::string drawn = "{ \"exponential\": { \"mean\": \"30 ms\" } }";
  CHECK(cycles(drawn, false) == doctest::Approx(4000.0 / 50));
  CHECK(cycles(drawn, true) == doctest::Approx(24));  // as asked, which is more than 400 events
  CHECK(cycles("\"40 ms\"", false) == doctest::Approx(4 * 24));
  CHECK(cycles("\"40 ms\"", true) == doctest::Approx(24));
}
