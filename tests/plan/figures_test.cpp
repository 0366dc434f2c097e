#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/plan/served_work.hpp"
#include "tests/plan/plan_scenarios.hpp"

namespace saturn::tests {

namespace {

/// What is allowed for the edges of a window of 24 event times.
constexpr double edges = 0.1 / 24;

const CandidateFigures::Entry* entry(const CandidateFigures& figures, MeasureId figure, const std::string& of = "") {
  for (const auto& one : figures.entries)
    if (one.figure == figure && one.of == of) return &one;
  return nullptr;
}

double value(const CandidateFigures& figures, MeasureId figure, const std::string& of = "") {
  const auto* found = entry(figures, figure, of);
  REQUIRE(found != nullptr);
  return found->value.mean;
}

Scenario priced(std::uint64_t jobs, std::uint64_t gpus) {
  Scenario scenario = protodune(jobs, gpus);
  scenario.sites["iowa"].egress = UsdPerGigabyte{0.12};
  return scenario;
}

Estimate about(double mean, double half_width) {
  return {.mean = mean, .low = mean - half_width, .high = mean + half_width, .confidence = 0.9, .replications = 5};
}

ResourceResults resource(const std::string& name, ResourceKind kind, double busy) {
  ResourceResults summary;
  summary.name = name;
  summary.kind = kind;
  summary.set("busy_fraction", about(busy, 0.01));
  return summary;
}

/// What a run of ProtoDUNE might give: 2 ± 0.1 events a second of 134 s.
Results summary_of_run() {
  Results summary;
  JobsResults& jobs = summary.all_jobs;
  jobs.name = "reco";
  jobs.set("events_per_s", about(2.0, 0.1));
  jobs.set("event_time_s", about(134, 2));
  jobs.set("event_time_p50_s", about(133, 2));
  jobs.set("event_time_p95_s", about(140, 3));
  jobs.set("event_time_p99_s", about(150, 4));
  jobs.set("slowdown", about(1.10, 0.02));
  summary.jobs = {jobs};
  ModelResults model;
  model.name = "emtrk";
  model.set("requests_per_s", about(64, 1));
  model.set("latency_s", about(0.4, 0.1));
  model.set("latency_p50_s", about(0.3, 0.1));
  model.set("latency_p95_s", about(0.9, 0.1));
  model.set("latency_p99_s", about(1.2, 0.1));
  summary.models = {model};
  summary.resources = {resource("gke/t4", ResourceKind::gpu, 0.9), resource("gke host", ResourceKind::host, 0.99),
                       resource("fnal to iowa", ResourceKind::link, 0.1),
                       resource("gke nic in", ResourceKind::network_card, 0.3)};
  return summary;
}

}  // namespace

TEST_CASE("figures by bound of ProtoDUNE are those that the formula gives by hand") {
  // t_ideal = 110 + 7 + 32·0.0118 + 55000·(9216 + 16)/0.25e9 + t_GPU;
  // t_GPU = 32·4.83e-3 + 55000·29.37e-6, and four T4 end 4/t_GPU events a second.
  const double gpu = 32 * 4.83e-3 + 55000 * 29.37e-6;
  const double ideal = 117 + 32 * 0.0118 + 55000.0 * 9232 / 0.25e9 + gpu;
  const CandidateFigures few = figures_by_bound(priced(100, 4), {.campaign_events = 1e6});
  CHECK(value(few, measure("slowdown")) == doctest::Approx(-edges));
  CHECK(value(few, measure("event_time")) == doctest::Approx(ideal * (1 - edges)));
  CHECK(value(few, measure("event_time_p99")) == doctest::Approx(ideal));
  CHECK(value(few, measure("throughput")) == doctest::Approx(100 / ideal * (1 + edges)));

  const CandidateFigures many = figures_by_bound(priced(400, 4), {.campaign_events = 1e6});
  CHECK(value(many, measure("slowdown")) == doctest::Approx(400 * gpu / 4 / ideal * (1 - edges) - 1));
  CHECK(value(many, measure("throughput")) == doctest::Approx(4 / gpu * (1 + edges)));
  CHECK(value(many, measure("campaign_time")) == doctest::Approx(1e6 * gpu / 4 / (1 + edges)));
  CHECK(value(many, measure("rent")) == doctest::Approx(1.4));
  CHECK(value(many, measure("power")) == doctest::Approx(280));
  CHECK(value(many, measure("jobs_per_gpu")) == doctest::Approx(100));
  CHECK(value(many, measure("cost_per_million")) ==
        doctest::Approx(1.4 / 3600 * 1e6 * gpu / 4 / (1 + edges) + 55000 * 16 * 0.12 / 1e9 * 1e6));
  CHECK(value(many, measure("energy_per_million")) == doctest::Approx(0.280 / 3600 * 1e6 * gpu / 4 / (1 + edges)));
  CHECK(value(many, measure("lost_share")) == 0.0);
  // The last of the 32 requests has 1,711 items and is the quickest.
  const auto latency = [](double items) { return 0.0118 + 4.83e-3 + items * (9232 / 0.25e9 + 29.37e-6); };
  CHECK(value(few, measure("latency")) ==
        doctest::Approx(std::max(latency(55000.0 / 32) * (1 - edges), latency(1711))));
  // Of an event of 400·t_GPU/4 the core works for 117 s; for the rest one of the 32 requests is under way.
  CHECK(value(many, measure("latency")) ==
        doctest::Approx((400 * gpu / 4 * (1 - edges) - 117 * (1 + edges)) / 32).epsilon(1e-6));
  CHECK(value(many, measure("latency_p50"), "emtrk") == doctest::Approx(latency(1711)));
  // Not one request in a hundred does two thirds of all the waiting.
  CHECK(value(many, measure("latency_p99"), "emtrk") == doctest::Approx(value(many, measure("latency")) / 3));
  CHECK(value(few, measure("latency_p99"), "emtrk") == doctest::Approx(latency(1711)));
  CHECK(entry(many, measure("rent"))->exact());
  CHECK_FALSE(entry(many, measure("throughput"))->exact());
}

TEST_CASE("mean value analysis is nowhere better than the figures by bound") {
  CHECK(rc::check("bound <= MVA", [] {
    const double think = *rc::gen::element(0.5, 2.0, 10.0);
    const double service = *rc::gen::element(0.05, 0.3, 1.0);
    const auto jobs = *rc::gen::inRange<std::uint64_t>(1, 40);
    const auto devices = *rc::gen::inRange<std::uint64_t>(1, 6);
    const Scenario scenario =
        closed_loop(jobs, devices, ExponentialTime{Seconds{think}}, ExponentialTime{Seconds{service}});
    const CandidateFigures bound = figures_by_bound(scenario, {});
    const double slowdown = mva_slowdown(scenario);
    RC_ASSERT(value(bound, measure("slowdown")) <= slowdown - 1 + 1e-9);
    RC_ASSERT(value(bound, measure("event_time")) <= slowdown * (think + service) + 1e-9);
    RC_ASSERT(value(bound, measure("throughput")) >= static_cast<double>(jobs) / (slowdown * (think + service)) - 1e-9);
    RC_ASSERT(value(bound, measure("latency")) <= slowdown * (think + service) - think + 1e-9);
  }));
}

TEST_CASE("two pools are bounded by what they ask of a device together") {
  Scenario scenario = closed_loop(30, 1, ConstantTime{Seconds{1}}, ConstantTime{Seconds{0.1}});
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "heavy";
  scenario.jobs[1].count = 5;
  scenario.jobs[1].event.push_back(scenario.jobs[1].event[1]);
  std::get<InferStage>(scenario.jobs[1].event[2]).label = "again";
  const CandidateFigures bound = figures_by_bound(scenario, {});
  // Were both pools s times as slow as alone, the device would be busy for 30·0.1/(1.1·s) + 5·0.2/(1.2·s) <= 1.
  CHECK(value(bound, measure("slowdown")) == doctest::Approx((3 / 1.1 + 1 / 1.2) * (1 - edges) - 1));
  // No pool's events are through sooner on average than 30·0.1 + 5·0.2 together need.
  CHECK(value(bound, measure("event_time")) == doctest::Approx(4.0 * (1 - edges)));
  // The light events alone could use the device all the time.
  CHECK(value(bound, measure("throughput")) == doctest::Approx(10.0 * (1 + edges)));
}

TEST_CASE(
    "quantiles of a model that two sites call are bounded by the far one where it sends ten times what may exceed "
    "them") {
  Scenario scenario = closed_loop(900, 1000, ConstantTime{Seconds{1}}, ConstantTime{Seconds{0.1}});
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "far";
  scenario.jobs[1].site = "there";
  scenario.links = {
      {.site_a = "here", .site_b = "there", .bandwidth = Bandwidth{1e12}, .round_trip_time = Seconds{0.05}}};
  const auto bound = [&](std::uint64_t far_jobs, MeasureId figure) {
    scenario.jobs[1].count = far_jobs;
    return value(figures_by_bound(scenario, {}), figure, "model");
  };
  // A stream sends a request in 1.1 s here, in 1.15 s there: 104 far jobs send 9.95 % of all requests, 106 send 10.1 %.
  CHECK(bound(104, measure("latency_p99")) == doctest::Approx(0.10));
  CHECK(bound(106, measure("latency_p99")) == doctest::Approx(0.15));
  CHECK(bound(106, measure("latency_p95")) == doctest::Approx(0.10));
  CHECK(bound(1000, measure("latency_p95")) == doctest::Approx(0.15));
  CHECK(bound(1000, measure("latency_p50")) == doctest::Approx(0.10));
}

TEST_CASE("an open pool ends no more events than arrive, and loses what is beyond its capacity") {
  Scenario scenario = closed_loop(10, 1, ConstantTime{Seconds{0.1}}, ConstantTime{Seconds{0.1}});
  scenario.jobs[0].arrivals = ConstantArrivals{Rate{4.0}};
  CHECK(value(figures_by_bound(scenario, {}), measure("throughput")) == doctest::Approx(4.0 * (1 + edges)));
  CHECK(value(figures_by_bound(scenario, {}), measure("lost_share")) == 0.0);
  scenario.jobs[0].arrivals = ConstantArrivals{Rate{40.0}};
  CHECK(value(figures_by_bound(scenario, {}), measure("throughput")) == doctest::Approx(10.0 * (1 + edges)));
  CHECK(value(figures_by_bound(scenario, {}), measure("lost_share")) == doctest::Approx(0.75 - edges));
}

TEST_CASE("bounds of expectations are those that a run prints, and chance may not better them") {
  // 100 s on the job's core and 1 s on a device that 150 jobs share: 150 s an event.
  const Scenario scenario = closed_loop(150, 1, ExponentialTime{Seconds{99.0}}, ConstantTime{Seconds{1.0}});
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  const CandidateFigures figures = figures_by_bound(scenario, {}, BoundOf::expectations);
  CHECK(value(figures, measure("slowdown")) ==
        doctest::Approx(bounds.event_time_s / bounds.ideal_event_time_s - 1.0).epsilon(1e-9));
  CHECK(value(figures, measure("event_time")) == doctest::Approx(bounds.event_time_s).epsilon(1e-9));
  CHECK(value(figures_by_bound(scenario, {}), measure("slowdown")) < value(figures, measure("slowdown")));
}

TEST_CASE("nothing is bounded where requests are dealt out to unlike servers on average, or may be refused") {
  Scenario unequal = protodune(268, 4);
  unequal.servers.push_back(unequal.servers[0]);
  unequal.servers[1].name = "second";
  CHECK(entry(figures_by_bound(unequal, {}), measure("throughput")) != nullptr);
  unequal.servers[1].nic = Bandwidth{1e9};
  CHECK(entry(figures_by_bound(unequal, {}), measure("throughput")) == nullptr);
  CHECK(value(figures_by_bound(unequal, {}), measure("gpus")) == 8);
  // A balancer that looks at the load can do no better than the best split: of 268 jobs, as many events as unhindered.
  for (Server& server : unequal.servers) server.dispatch = Dispatch::least_outstanding;
  const double unhindered = 268 / asymptotic_bounds(closed_network(unequal)).least_event_time_s;
  const CandidateFigures bound = figures_by_bound(unequal, {});
  CHECK(value(bound, measure("throughput")) == doctest::Approx(unhindered).epsilon(0.01));
  // Nobody knows which server answers: none sooner than the one with the better card, and no request sooner than that.
  const double soonest = 0.0118 + 4.83e-3 + 55000.0 / 32 * (9232 / 0.25e9 + 29.37e-6);
  CHECK(value(bound, measure("latency")) == doctest::Approx(soonest).epsilon(0.01));
  CHECK(value(bound, measure("latency_p50")) == 0.0);

  Scenario refusing = protodune(268, 4);
  refusing.models["emtrk"].queue_policy.max_queue_size = 3;
  CHECK(entry(figures_by_bound(refusing, {}), measure("slowdown")) == nullptr);
}

TEST_CASE("figures by simulation carry the intervals of the run over") {
  const CandidateFigures figures =
      figures_by_simulation(priced(268, 4), summary_of_run(), {.spare_nodes = 1, .campaign_events = 3e6});
  CHECK(value(figures, measure("slowdown")) == doctest::Approx(0.10));
  CHECK(entry(figures, measure("slowdown"))->value.high == doctest::Approx(0.12));
  CHECK(value(figures, measure("event_time_p95")) == 140);
  CHECK(value(figures, measure("latency_p99")) == 1.2);
  CHECK(value(figures, measure("latency_p99"), "emtrk") == 1.2);
  CHECK(value(figures, measure("throughput")) == 2.0);
  CHECK(value(figures, measure("gpus")) == 8);
  CHECK(value(figures, measure("jobs_per_gpu")) == 67);
  const Estimate& time = entry(figures, measure("campaign_time"))->value;
  CHECK(time.mean == doctest::Approx(1.5e6));
  CHECK(time.low == doctest::Approx(3e6 / 2.1));
  CHECK(time.high == doctest::Approx(3e6 / 1.9));
  CHECK(time.confidence == 0.9);
  CHECK(time.replications == 5);
  const Estimate& cost = entry(figures, measure("cost_per_million"))->value;
  CHECK(cost.mean == doctest::Approx(2.8 / 3600 / 2.0 * 1e6 + 105.6));
  CHECK(cost.high == doctest::Approx(2.8 / 3600 / 1.9 * 1e6 + 105.6));
  CHECK(value(figures, measure("energy_per_million")) == doctest::Approx(0.560 / 3600 / 2.0 * 1e6));
  CHECK(value(figures, measure("network_share")) == 0.3);
  CHECK(value(figures, measure("network_share"), "fnal to iowa") == 0.1);
  CHECK(value(figures, measure("gpu_share"), "gke") == 0.9);
  CHECK(value(figures, measure("lost_share")) == 0.0);
}

TEST_CASE("refused requests spoil events, unless the job's own core does their work") {
  Results summary = summary_of_run();
  summary.models[0].set("rejected_per_s", about(16, 1));  // of 80
  Scenario scenario = priced(268, 4);
  CHECK(value(figures_by_simulation(scenario, summary, {}), measure("throughput")) == 2.0);
  std::get<InferStage>(scenario.jobs[0].event[2]).cpu_alternative.reset();
  const CandidateFigures spoilt = figures_by_simulation(scenario, summary, {});
  CHECK(value(spoilt, measure("throughput")) == doctest::Approx(1.6));
  CHECK(value(spoilt, measure("lost_share")) == doctest::Approx(0.2));
  CHECK(value(spoilt, measure("slowdown")) == doctest::Approx(1.10 / 0.8 - 1));
}

TEST_CASE("where every call fails figures are large or small, and finite") {
  Results summary = summary_of_run();
  summary.all_jobs.set("failed", about(1.0, 0.0));
  const CandidateFigures nothing = figures_by_simulation(priced(268, 4), summary, {});
  for (const CandidateFigures::Entry& entry : nothing.entries) CHECK(std::isfinite(entry.value.mean));
  CHECK(value(nothing, measure("throughput")) > 0.0);
  CHECK(value(nothing, measure("lost_share")) == doctest::Approx(1.0));
}

TEST_CASE("where requests may be refused, or given up, the bound is said to be that of a system in which none is") {
  Scenario scenario = priced(268, 4);
  CHECK(bound_caveat(scenario).empty());
  QueuePolicy& policy = scenario.models.begin()->second.queue_policy;
  policy.timeout = Seconds{1.0};
  policy.timeout_action = TimeoutAction::delay;
  CHECK(bound_caveat(scenario).empty());
  policy.timeout_action = TimeoutAction::reject;
  CHECK(bound_caveat(scenario).find("as if no request were refused") == 0);
  policy.timeout.reset();
  std::get<InferStage>(scenario.jobs[0].event[2]).rules.deadline = Seconds{1.0};
  CHECK(bound_caveat(scenario).find("as if every call were waited for") == 0);
}

TEST_CASE("events of a plan whose calls fail are worth nothing; refusals that another does the work of are") {
  Results summary = summary_of_run();
  Scenario scenario = priced(268, 4);
  const double slower = summary.all_jobs["slowdown"].mean;
  summary.models[0].set("rejected_per_s", about(16, 1));     // of 80
  CHECK(served_slowdown(scenario, summary).mean == slower);  // the job's own core
  std::get<InferStage>(scenario.jobs[0].event[2]).cpu_alternative.reset();
  CHECK(served_slowdown(scenario, summary).mean == doctest::Approx(slower / 0.8));
  // What is lost is known no better than what is refused.
  CHECK(served_slowdown(scenario, summary).high ==
        doctest::Approx(summary.all_jobs["slowdown"].high / (1.0 - 17.0 / (17.0 + 64.0))));
  summary.all_jobs.set("failed", about(0.5, 0.1));
  CHECK(served_slowdown(scenario, summary).mean == doctest::Approx(slower / 0.5));
  // Of one replication alone the share counts as it was.
  Estimate lone = about(0.5, 0.1);
  lone.low = -(lone.high = std::numeric_limits<double>::infinity());
  summary.all_jobs.set("failed", lone);
  CHECK(served_slowdown(scenario, summary).high == doctest::Approx(summary.all_jobs["slowdown"].high / 0.5));
  summary.all_jobs.set("failed", about(0.0, 0.0));
  CHECK(served_slowdown(scenario, summary).mean == slower);
}

TEST_CASE("where events pile up without end, times are without end and the rest is lost") {
  Results summary = summary_of_run();
  summary.all_jobs.times_grow = true;
  summary.all_jobs.open.emplace();
  summary.all_jobs.set("offered_per_s", about(8.0, 0.1));
  summary.all_jobs.set("lost_fraction", about(0.0, 0.0));
  const CandidateFigures figures = figures_by_simulation(priced(268, 4), summary, {});
  CHECK(std::isinf(value(figures, measure("event_time"))));
  CHECK(std::isinf(value(figures, measure("slowdown"))));
  CHECK(value(figures, measure("lost_share")) == doctest::Approx(0.75));
}

TEST_CASE("a throughput whose interval reaches 0 leaves costs without an upper end") {
  Results summary = summary_of_run();
  summary.all_jobs.set("events_per_s", about(2.0, 3.0));
  const Estimate cost = entry(figures_by_simulation(priced(268, 4), summary, {}), measure("cost_per_million"))->value;
  CHECK(std::isfinite(cost.mean));
  CHECK(std::isinf(cost.high));
}

}  // namespace saturn::tests

TEST_CASE("what scaling servers cost has the interval of their nodes, and after one replication no end") {
  const Scenario scenario = priced(268, 4);
  Results summary = summary_of_run();
  summary.all_jobs.set("events_per_s", exactly(2.0));
  summary.jobs = {summary.all_jobs};
  const auto cost = [&](const Estimate& nodes, MeasureId figure) {
    summary.resources.front().set("nodes_paid", nodes);
    const CandidateFigures figures = figures_by_simulation(scenario, summary, {});
    const auto* found = entry(figures, figure);
    REQUIRE(found != nullptr);
    return found->value;
  };
  // Half of the time the one node of four T4 is there, and nobody knows the half to better than a tenth.
  const Estimate all = cost(about(1.0, 0.0), measure("cost_per_million"));
  const Estimate half = cost(about(0.5, 0.1), measure("cost_per_million"));
  const double rent = 1.4 / 3600.0 / 2.0 * 1e6;
  CHECK(all.mean - half.mean == doctest::Approx(0.5 * rent));
  CHECK(half.high - half.mean == doctest::Approx(0.1 * rent));
  CHECK(half.mean - half.low == doctest::Approx(0.1 * rent));
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const Estimate once{.mean = 0.5, .low = -unknown, .high = unknown, .confidence = 0.9, .replications = 1};
  CHECK(cost(once, measure("cost_per_million")).mean == doctest::Approx(half.mean));
  CHECK(cost(once, measure("cost_per_million")).high == unknown);
  CHECK(cost(once, measure("energy_per_million")).low == doctest::Approx(0.0));
}
