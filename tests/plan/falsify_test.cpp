#include "sim/plan/falsify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

// The published numbers, written out once more: seconds of an event, and of one request of 1,719 items.
constexpr double gpu_s = 32 * 4.83e-3 + 55000 * 29.37e-6;
constexpr double ideal_s = 110 + 7 + 32 * 0.0118 + 55000 * (9216.0 + 16.0) / 0.25e9 + gpu_s;

ModelTest only_model(const Scenario& scenario, double margin = 0.1) {
  const auto chosen = choose_models(scenario, margin);
  REQUIRE(chosen.size() == 1);
  return chosen.front().test;
}

Results summary_of(const Scenario& scenario, double event_time_s) {
  Results summary;
  const auto exact = [](double value) { return Estimate{.mean = value, .low = value, .high = value}; };
  summary.all_jobs.set("event_time_s", exact(event_time_s));
  summary.all_jobs.set("events_per_s", exact(stream_count(scenario) / event_time_s));
  return summary;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool has_note(const ModelTest& test, const std::string& part) {
  return std::any_of(test.notes.begin(), test.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a resource is to show 10 % in full, or twice what the plan leaves open, but not more than half") {
  CHECK(falsifying_margin(0.0) == 0.1);
  CHECK(falsifying_margin(0.04) == 0.1);
  CHECK(falsifying_margin(0.12) == doctest::Approx(0.24));
  CHECK(falsifying_margin(3.0) == 0.5);
}

TEST_CASE("a plan is as uncertain as its crossing, though its answer is cut at saturation") {
  Plan plan;
  plan.answer.streams_per_gpu = 68;
  plan.answer.streams_per_gpu_low = 68;
  plan.answer.streams_per_gpu_high = 68;
  plan.rows = {{.method = "bound", .streams_per_gpu = 69},
               {.method = "simulation", .streams_per_gpu = 80, .low = 72, .high = 88}};
  CHECK(relative_half_width(plan) == doctest::Approx(0.1));
}

TEST_CASE("ProtoDUNE's plan is contradicted by the fewest jobs at which a GPU that is a tenth faster still saturates") {
  const double saturates_at = 4 * ideal_s / gpu_s;
  const ChosenJobs found = choose_jobs(protodune(268, 4), 0.1);
  REQUIRE(found.why_not.empty());
  const JobsTest& test = found.chosen.test;
  CHECK(test.saturates_at == doctest::Approx(saturates_at));
  CHECK(test.jobs == 305);
  CHECK(static_cast<double>(test.jobs - 1) < saturates_at / 0.9);
  CHECK(test.pools.size() == 1);
  CHECK(found.chosen.scenario.jobs[0].count == 305);
  REQUIRE(found.chosen.settings.size() == 1);
  CHECK(found.chosen.settings[0].pointer == "/jobs/0/count");
  CHECK(found.chosen.settings[0].value == "305");
  CHECK(choose_jobs(protodune(268, 4), 0.5).chosen.test.jobs == 548);
}

TEST_CASE("pools that round to whole jobs are not short of the jobs that saturate") {
  Scenario mixed = protodune(7, 4);
  mixed.jobs.push_back(mixed.jobs.front());
  mixed.jobs[1].name = "wide";
  mixed.jobs[1].count = 3;
  mixed.jobs[1].threads = 16;
  const ChosenJobs found = choose_jobs(mixed, 0.1);
  CHECK(found.chosen.test.clients >= found.chosen.test.saturates_at / 0.9);
  CHECK(found.chosen.test.clients < found.chosen.test.saturates_at / 0.9 + 17);
  CHECK(found.chosen.test.pools[1].pool == "wide");
}

TEST_CASE("the event times of the rivals are those of a slower, a faster and no bottleneck") {
  const ChosenJobs found = choose_jobs(protodune(268, 4), 0.1);
  const double demand_s = gpu_s / 4;
  // The simulation is made to wait 1 % longer than the bound knows.
  const double simulated_s = 1.01 * 305 * demand_s;
  const JobsTest test = predicted(found.chosen, summary_of(found.chosen.scenario, simulated_s), 0.1, 0.0);
  CHECK(test.binding == "gke/t4");
  CHECK(test.next == "gke nic in");
  CHECK(test.unhindered_s == doctest::Approx(ideal_s));
  CHECK(test.faster_s == doctest::Approx(0.9 * simulated_s));
  CHECK(test.slower_s == doctest::Approx(1.1 * simulated_s));
  // A measurement that is known to 1 %, against a prediction without an error of its own.
  CHECK(*test.event_time.contradicts_below == doctest::Approx(0.99 * simulated_s));
  CHECK(*test.event_time.contradicts_above == doctest::Approx(1.01 * simulated_s));
  CHECK(test.events_per_s.predicted.mean == doctest::Approx(305 / simulated_s));
}

TEST_CASE("errors of simulation, measurement and fitted parameters add in quadrature") {
  const Estimate estimate{.mean = 100, .low = 97, .high = 105};
  const Prediction prediction = prediction_of(PredictedNumber::event_time, estimate, 4);
  CHECK(*prediction.contradicts_below == doctest::Approx(95));
  CHECK(*prediction.contradicts_above == doctest::Approx(100 + std::sqrt(41.0)));
  const ChosenJobs found = choose_jobs(protodune(268, 4), 0.1);
  const JobsTest fitted = predicted(found.chosen, summary_of(found.chosen.scenario, 135), 0.1, 0.05);
  CHECK(*fitted.event_time.contradicts_above == doctest::Approx(135 * (1 + std::hypot(0.01, 0.05))));
}

TEST_CASE("no interval contradicts nothing, and nothing is too little when zero is within the limits") {
  const Prediction unknown =
      prediction_of(PredictedNumber::event_time, {.mean = 100, .low = -HUGE_VAL, .high = HUGE_VAL}, 1);
  CHECK_FALSE(unknown.contradicts_below);
  CHECK_FALSE(unknown.contradicts_above);
  const Prediction small = prediction_of(PredictedNumber::queue, {.mean = 1, .low = 1, .high = 1}, 2);
  CHECK_FALSE(small.contradicts_below);
  CHECK(*small.contradicts_above == doctest::Approx(3));
}

TEST_CASE("where nothing saturates no number of jobs contradicts, and the reason is given") {
  const Scenario idle = closed_loop(3, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{0}});
  CHECK(choose_jobs(idle, 0.1).why_not ==
        "no number of jobs contradicts the plan: no device, link or network card does any work for an event, so that "
        "nothing saturates and events take as long with many jobs as with one");
  CHECK(why_not_falsified(idle) == choose_jobs(idle, 0.1).why_not);
  CHECK(why_not_falsified(protodune(268, 4)) ==
        "without a plan there is no prediction that a measurement could contradict");
  CHECK(choose_models(idle, 0.1).front().test.why_not ==
        "its requests take no time, so that there is nothing to measure");
}

TEST_CASE("jobs beyond what can be simulated are refused with the number at which the first resource saturates") {
  const Scenario vast = closed_loop(3, 1, ConstantTime{Seconds{10000}}, ConstantTime{Seconds{0.001}});
  CHECK(choose_jobs(vast, 0.1).why_not ==
        "no number of jobs that can be simulated contradicts the plan: the first resource saturates at 10,000,001 "
        "jobs, and below that its demand shows nowhere; at most 2,000,000 are simulated. Measure the models alone");
}

TEST_CASE("perf_analyzer saturates the GPUs with the jobs' own requests from the jobs' own site") {
  // A request alone: there and back, 1,719 items at 2 Gbit/s, and on the GPU.
  const double request_s = 0.0118 + 1719 * (9216.0 + 16.0) / 0.25e9 + 4.83e-3 + 1719 * 29.37e-6;
  const double concurrency = std::ceil(request_s / ((4.83e-3 + 1719 * 29.37e-6) / 4) / 0.9);
  CHECK(concurrency == 11);
  const auto chosen = choose_models(protodune(268, 4), 0.1);
  REQUIRE(chosen.size() == 1);
  const ModelTest& test = chosen.front().test;
  CHECK(test.concurrency == 11);
  CHECK(test.binding == "gke/t4");
  CHECK(joined(test.command) ==
        "env TRITON_CLIENT_GRPC_CHANNEL_MAX_SHARE_COUNT=1 perf_analyzer -m emtrk -b 1719 -i grpc -u SERVER:8001 "
        "--concurrency-range 11:11 --measurement-mode count_windows --measurement-request-count 1100 -f "
        "emtrk-b1719-c11.csv --verbose-csv");
  CHECK(test.notes == std::vector<std::string>{
                          "Run it at fnal, with nothing else on the server; SERVER stands for gke.",
                          "Predicted for 9216 B in and 16 B out an item: inputs of variable dimensions need --shape "
                          "NAME:D1,D2,... that give them."});
  const Scenario& perf = chosen.front().scenario;
  REQUIRE(perf.jobs.size() == 1);
  CHECK(perf.jobs[0].site == "fnal");
  CHECK(perf.jobs[0].count == 11);
  CHECK(asymptotic_bounds(closed_network(perf)).ideal_event_time_s == doctest::Approx(request_s));
  REQUIRE(chosen.front().settings.size() == 2);
  CHECK(
      chosen.front().settings[0].value ==
      R"([{"name":"perf_analyzer","site":"fnal","count":11,"start":"random","event":[{"infer":"emtrk","items":1719,"request_batch":1719}]}])");
}

TEST_CASE("throughput and latency of perf_analyzer obey Little's law, in items") {
  const auto chosen = choose_models(protodune(268, 4), 0.1).front();
  const ModelTest test = predicted(chosen, summary_of(chosen.scenario, 0.15), 0.0);
  REQUIRE(test.predictions.size() == 2);
  CHECK(test.predictions[0].quantity == PredictedNumber::items_per_s);
  CHECK(test.predictions[0].predicted.mean == doctest::Approx(11 * 1719 / 0.15));
  CHECK(test.predictions[1].predicted.mean == doctest::Approx(0.15));
  CHECK(test.window_s == doctest::Approx(1100 * 0.15 / 11));
}

TEST_CASE("requests whose times scatter are counted until their mean is known to a percent") {
  const Scenario exponential = closed_loop(9, 1, ConstantTime{Seconds{1}}, ExponentialTime{Seconds{0.01}});
  // 1.96 standard errors of a mean over n exponential times are 1 %: n = 196².
  CHECK(only_model(exponential).requests == 38415);
  const Scenario constant = closed_loop(9, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{0.01}});
  CHECK(only_model(constant).requests == 200);
}

TEST_CASE("a batcher gets a full batch in execution and one that fills, on every instance") {
  Scenario batching = closed_loop(50, 2, ConstantTime{Seconds{1}}, ConstantTime{Seconds{0.01}});
  Model& model = batching.models["model"];
  model.dynamic_batching = true;
  model.max_batch_size = 8;
  model.instances = 3;
  // By the bound: one request takes as long as a batch of eight, so K = 8 a device.
  CHECK(only_model(batching).concurrency == 2 * 8 * 2 * 3);
  model.max_batch_size = 65536;
  model.service["gpu"] = ServiceLaw{.per_batch = ConstantTime{Seconds{1e-6}}, .per_item = ConstantTime{Seconds{0.01}}};
  const ModelTest capped = only_model(batching);
  CHECK(capped.concurrency == 1024);
  CHECK(has_note(capped, "Full batches would need more requests in flight"));
  CHECK(std::find(capped.command.begin(), capped.command.end(), "-a") != capped.command.end());
}

TEST_CASE("of several nodes one is measured, unless they share one queue") {
  Scenario nodes = protodune(268, 1);
  nodes.servers[0].nodes = 4;
  const auto chosen = choose_models(nodes, 0.1).front();
  CHECK(chosen.scenario.servers[0].nodes == 1);
  CHECK(chosen.test.concurrency == 3);
  CHECK(has_note(chosen.test, "one of the 4 nodes of gke"));
  CHECK(chosen.settings.back().pointer == "/servers/0/nodes");
  nodes.servers[0].balancing = Balancing::central_queue;
  CHECK(choose_models(nodes, 0.1).front().test.concurrency == 11);
}

TEST_CASE("what gRPC cannot carry and what perf_analyzer cannot send is said") {
  Scenario huge = protodune(268, 4);
  huge.models["emtrk"].input = Bytes{2e6};
  CHECK(has_note(only_model(huge), "is more than a gRPC message may hold (2 GiB)"));
  Scenario far = closed_loop(9, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{1e-6}});
  far.servers[0].site = "there";
  far.links = {{.site_a = "here", .site_b = "there", .bandwidth = Bandwidth{1e9}, .round_trip_time = Seconds{0.1}}};
  CHECK(
      only_model(far).why_not ==
      "it would take 111,113 requests in flight to saturate \"server/gpu\", more than one perf_analyzer sends (10,000 "
      "at most here): send larger requests, or measure from nearer to the server");
}

TEST_CASE("each model is measured once, with the largest request of any job") {
  Scenario two = protodune(268, 4);
  two.jobs.push_back(two.jobs.front());
  two.jobs[1].name = "large";
  two.jobs[1].site = "iowa";
  std::get<InferStage>(two.jobs[1].event[2]).request_batch = 5000;
  const auto chosen = choose_models(two, 0.1);
  REQUIRE(chosen.size() == 1);
  CHECK(chosen[0].test.request_batch == 5000);
  CHECK(chosen[0].scenario.jobs[0].site == "iowa");
  CHECK(has_note(chosen[0].test, "whose jobs send the largest requests of all sites that call the model"));
}

TEST_CASE("many requests in flight are simulated for fewer rounds, but not for few") {
  const auto rounds = [](double round_trip_s) {
    Scenario far = closed_loop(9, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{1e-4}});
    far.servers[0].site = "there";
    far.links = {
        {.site_a = "here", .site_b = "there", .bandwidth = Bandwidth{1e9}, .round_trip_time = Seconds{round_trip_s}}};
    return choose_models(far, 0.1).front().scenario.run.cycles;
  };
  CHECK(rounds(0.0899) == 100);        // 1,000 in flight
  CHECK(rounds(0.3599) == 50);         // 4,000
  CHECK(rounds(0.8999 - 1e-9) == 24);  // 10,000
}
