#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "models/results/results.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/cells.hpp"

/// Which part of a farm answers, with a made-up simulator whose event time depends on the number of nodes.
using namespace saturn;

namespace {

Scenario farm_of(std::uint64_t jobs, std::uint64_t nodes) {
  Scenario farm;
  farm.title = "farm";
  InferStage infer;
  infer.label = infer.model = "tag";
  farm.jobs = {{.name = "reco",
                .site = "here",
                .count = jobs,
                .start = JobStart::random,
                .event = {CpuStage{"all", ConstantTime{Seconds{100}}, {}}, infer}}};
  farm.models["tag"].service["gpu"] = {.per_batch = ConstantTime{Seconds{0.01}},
                                       .per_item = ConstantTime{Seconds{0.0}}};
  Server server;
  server.name = "triton";
  server.site = "here";
  server.nodes = nodes;
  server.devices = {"gpu", 1};
  server.models = {"tag"};
  farm.servers = {server};
  farm.devices["gpu"] = {};
  farm.run.max_replications = 8;
  return farm;
}

/// 100 s an event, and so much longer the fewer nodes there are.
/// @param pooling  by which one node alone is slower [1]
Simulator pooled(double pooling) {
  return {.run =
              [pooling](const System& system, const Replica& replica) {
                const auto& [scenario, network, bounds] = system;
                RandomStream stream(replica.seed, replica.index, 0, Purpose::service);
                const double nodes = static_cast<double>(scenario.servers.front().nodes);
                const double time = 100 * (1 + pooling / nodes) * (1 + 0.001 * (stream.uniform() - 0.5));
                RunOutcome outcome;
                outcome.jobs = {{.name = "reco",
                                 .clients = bounds.clients,
                                 .ideal_event_time_s = 100,
                                 .events_per_s = bounds.clients / time,
                                 .event_time = {.count = 5000, .mean_s = time},
                                 .stages = {{"all", time}, {"tag", 0.0}}}};
                for (const Resource& resource : network.resources) outcome.resources.push_back({.name = resource.name});
                outcome.models.emplace_back().name = "tag";
                outcome.warm_up = {.removed_s = 1, .window_s = 5000};
                outcome.event_times = in_batches(std::vector<double>(50, time), std::vector<double>(50, 100.0));
                return outcome;
              },
          .length = [](const System&) { return RunLength{}; },
          .size =
              [](const System& system, const RunLength&) {
                return RunSize{.clients = system.bounds.clients,
                               .requests = 1e3 * system.bounds.clients,
                               .least_time_s = 1e-5 * system.bounds.clients,
                               .least_bytes = 250 * system.bounds.clients};
              }};
}

std::variant<Replicated, RunFailure> answer_of(const Scenario& farm, const Simulator& simulator,
                                               RunOptions options = {}) {
  options.processes = 1;
  options.command = "saturn run farm";
  return replicate_by_cells(simulator, std::vector{farm}, options).at(0);
}

Replicated result_of(const std::variant<Replicated, RunFailure>& answer) {
  REQUIRE(std::holds_alternative<Replicated>(answer));
  return std::get<Replicated>(answer);
}

RunFailure failure_of(const std::variant<Replicated, RunFailure>& answer) {
  REQUIRE(std::holds_alternative<RunFailure>(answer));
  return std::get<RunFailure>(answer);
}

}  // namespace

TEST_CASE("where the two smallest sizes agree, the larger of them answers for the farm") {
  const Replicated result = result_of(answer_of(farm_of(100'000, 1000), pooled(0.0)));
  REQUIRE(result.summary.cell);
  const AnsweringCell& cell = *result.summary.cell;
  CHECK(cell.agrees);
  CHECK(result.precision_reached);
  CHECK(cell.smaller_streams == 1000.0);
  CHECK(cell.streams == 4000.0);
  CHECK(cell.devices == 40.0);
  CHECK(cell.of / cell.parts == 25);
  CHECK(std::abs(*cell.smaller_is_slower_by) < 0.001);
  CHECK(result.summary.all_jobs["event_time_s"].mean == doctest::Approx(100).epsilon(0.001));
  CHECK(result.summary.all_jobs["events_per_s"].mean == doctest::Approx(1000).epsilon(0.001));
}

TEST_CASE("larger sizes are tried until what a difference leaves to expect is within the asked precision") {
  // 10 nodes are 20 % slower than very many, 40: 5 %, 160: 1.25 %; 160 are answered for by 640, with 0.3 %.
  const Replicated result = result_of(answer_of(farm_of(200'000, 2000), pooled(2.0)));
  REQUIRE(result.summary.cell);
  CHECK(result.summary.cell->agrees);
  CHECK(result.summary.cell->smaller_streams == 16'000.0);
  CHECK(result.summary.cell->streams == 64'000.0);
  CHECK(*result.summary.cell->smaller_is_slower_by == doctest::Approx(1.0125 / 1.003125 - 1).epsilon(0.2));
  CHECK(result.summary.all_jobs["event_time_s"].mean == doctest::Approx(100).epsilon(0.01));
}

TEST_CASE("intervals of what a cell says hold what the two sizes leave open of each number, and so the whole's") {
  // Pooled as 1/size, what is left is exactly d/(r - 1): the farm of 2,000 nodes is 0.1 % slower than very many.
  const Replicated result = result_of(answer_of(farm_of(200'000, 2000), pooled(2.0)));
  const JobsResults& all = result.summary.all_jobs;
  const double farm_s = 100 * (1 + 2.0 / 2000);
  for (const auto& [estimate, truth] :
       {std::pair(all["event_time_s"], farm_s), std::pair(all["slowdown"], farm_s / all["ideal_event_time_s"].mean),
        std::pair(all["events_per_s"], 200'000 / farm_s)}) {
    CHECK(estimate.low <= truth);
    CHECK(estimate.high >= truth);
    REQUIRE(estimate.parts);
    const double left = std::abs(*result.summary.cell->smaller_is_slower_by) / 3;
    CHECK(estimate.half_width() - estimate.parts->half_width_simulation() ==
          doctest::Approx(left * estimate.mean).epsilon(0.02));
  }
  CHECK_FALSE(all["streams"].parts);
  CHECK(all["streams"].half_width() == 0.0);
}

TEST_CASE("where no two sizes agree the whole is simulated, and says so") {
  const Replicated result = result_of(answer_of(farm_of(100'000, 1000), pooled(50.0)));
  REQUIRE(result.summary.cell);
  CHECK(result.summary.cell->is_whole());
  CHECK(result.summary.cell->streams == 100'000.0);
  CHECK(*result.summary.cell->smaller_is_slower_by > 0.01);
  CHECK(result.precision_reached);
  CHECK(result.summary.all_jobs["event_time_s"].mean == doctest::Approx(105).epsilon(0.001));
}

TEST_CASE("a farm that is too large as a whole is answered by its largest cell, without the precision") {
  const Replicated result =
      result_of(answer_of(farm_of(100'000, 1000), pooled(50.0), {.limits = {.memory_bytes = 250 * 60'000}}));
  REQUIRE(result.summary.cell);
  CHECK_FALSE(result.summary.cell->is_whole());
  CHECK_FALSE(result.summary.cell->agrees);
  CHECK_FALSE(result.precision_reached);
  // 320 of 1,000 nodes: 100,000 jobs over 100 s · (1 + 50/320).
  CHECK(result.summary.all_jobs["events_per_s"].mean == doctest::Approx(864.9).epsilon(0.001));
}

TEST_CASE("a thousand million jobs are answered at once by a cell") {
  const Replicated result = result_of(answer_of(farm_of(1'000'000'000, 10'000'000), pooled(0.0)));
  REQUIRE(result.summary.cell);
  CHECK(result.summary.cell->streams == 4000.0);
  CHECK(result.summary.all_jobs["streams"].mean == 1e9);
  CHECK(result.summary.all_jobs["events_per_s"].mean == doctest::Approx(1e7).epsilon(0.001));
}

TEST_CASE("what has no cell and is too large is refused with the reason and a size that would do") {
  Scenario farm = farm_of(1'000'000'000, 5);
  farm.servers.push_back(farm.servers.front());
  farm.servers.back().name = "other";
  farm.servers.back().nodes = 6;
  const RunFailure failure = failure_of(answer_of(farm, pooled(0.0)));
  CHECK(failure.kind == FailureKind::out_of_memory);
  CHECK(failure.message.find("some 9,000,000 streams would do") != std::string::npos);
  CHECK(failure.message.find("the nodes of its servers have no common divisor") != std::string::npos);
  farm.servers.back().nodes = 1;
  CHECK(failure_of(answer_of(farm, pooled(0.0))).message.find("a server has one node") != std::string::npos);
  farm.servers.back().nodes = 10;
  CHECK(failure_of(answer_of(farm, pooled(0.0))).message.find("of its 5 equal parts") != std::string::npos);
  farm = farm_of(1'000'000'000, 10'000'000);
  farm.run.whole = true;
  CHECK(failure_of(answer_of(farm, pooled(0.0))).message.find("/run/whole forbids") != std::string::npos);
}

TEST_CASE("small farms, and those of which the whole is asked, are simulated whole and nothing is said") {
  CHECK_FALSE(result_of(answer_of(farm_of(1000, 100), pooled(0.0))).summary.cell);
  Scenario asked = farm_of(100'000, 1000);
  asked.run.whole = true;
  CHECK_FALSE(result_of(answer_of(asked, pooled(0.0))).summary.cell);
  CHECK_FALSE(result_of(answer_of(farm_of(100'000, 1000), pooled(0.0), {.whole = true})).summary.cell);
}

TEST_CASE("what is compared with a cell is answered by one as large, or by none") {
  const Replicated pinned = result_of(answer_of(farm_of(100'000, 999), pooled(0.0), {.cell_streams = 4000.0}));
  REQUIRE(pinned.summary.cell);
  CHECK(pinned.summary.cell->streams == doctest::Approx(4000.0).epsilon(0.1));
  CHECK_FALSE(pinned.summary.cell->smaller_is_slower_by);
  CHECK(failure_of(answer_of(farm_of(100'000, 3), pooled(0.0), {.cell_streams = 4000.0})).kind ==
        FailureKind::no_answer);
}
