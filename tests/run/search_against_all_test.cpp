#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/run/replications.hpp"
#include "tests/plan/search_all.hpp"

using namespace saturn;

namespace {

constexpr std::uint32_t problems = 8;

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
          doctest::test_suite("minutes")) {
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
  // Of all together: some problems alone spare less.
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

namespace {

constexpr int queue_seeds = 6;

constexpr int loops_of_the_farm = 10;
constexpr int buffered = 10;
constexpr int devices_of_a_node = 2;
constexpr double offered_load = 4.78;  // Erlang

/// Share of the arrivals that find K events in M/M/c/K: p_K of the birth-death chain λ, min(n, c)·μ.
double blocking(double load, int servers, int places) {
  double term = 1.0;
  double sum = 1.0;
  for (int n = 1; n <= places; ++n) {
    term *= load / std::min(n, servers);
    sum += term;
  }
  return term / sum;
}

/// An event is one request of 10 ms; streams and buffer are the places, the nodes share one queue.
std::string open_queue(int seed) {
  return R"({ "schema": "saturn-scenario/1", "title": "M/M/c/20",
  "jobs": [{ "name": "farm", "site": "here", "count": )" +
         std::to_string(loops_of_the_farm) + R"(, "arrivals": { "poisson": { "rate": ")" +
         std::to_string(offered_load * 100) + R"( Hz" } }, "buffer": )" + std::to_string(buffered) +
         R"(, "event": [{ "infer": "net", "items": 1 }] }],
  "models": { "net": { "input": "0 B", "max_batch_size": 1, "service": { "t4": { "per_batch": { "exponential": { "mean": "10 ms" } } } } } },
  "servers": [{ "name": "triton", "site": "here", "nodes": 1, "devices": { "type": "t4", "count": )" +
         std::to_string(devices_of_a_node) + R"( }, "models": ["net"], "balancing": "central_queue" }],
  "devices": { "t4": { "kind": "gpu" } }, "run": { "seed": )" +
         std::to_string(seed) + " } }";
}

SearchQuestion fewest_nodes() {
  FreeVariable nodes{.name = "/servers/0/nodes", .more_is_faster = true};
  for (const char* value : {"1", "2", "3", "4", "5"})
    nodes.values.push_back({.text = value, .settings = {{nodes.name, value}}});
  return {.space = CandidateSpace({nodes}),
          .requirements = {{.figure = measure("lost_share"), .limit = 0.005, .text = "lost_share <= 0.5 %"}},
          .objective = {measure("gpus"), true, "fewest-gpus"}};
}

}  // namespace

TEST_CASE("a small queue with losses gets as few devices as its birth-death chain asks for, whatever the seed" *
          doctest::test_suite("release")) {
  // 0.433 % is lost with 6 devices, 16.9 % with 4: the answer for at most 0.5 % is three nodes.
  constexpr int places = loops_of_the_farm + buffered;
  REQUIRE(blocking(offered_load, 6, places) == doctest::Approx(0.00433).epsilon(0.02));
  REQUIRE(blocking(offered_load, 4, places) > 0.1);
  for (int seed = 1; seed <= queue_seeds; ++seed) {
    CAPTURE(seed);
    const ReadScenario read = read_scenario_text(open_queue(seed), "open.json", {});
    const PlanSearch search =
        search_plan(fewest_nodes(), {}, read.again, simulated, {.side_by_side = 4, .answer_alone = true});
    REQUIRE(search.answer.has_value());
    CHECK(search.answer->values == std::vector<std::string>{"3"});
    CHECK(search.complete);
    const Estimate lost = search.answer->figures.find(measure("lost_share"))->value;
    CHECK(lost.high <= 0.005);
    CHECK(lost.mean == doctest::Approx(blocking(offered_load, 6, places)).epsilon(0.2));
  }
}
