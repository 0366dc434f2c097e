#include "tests/reports/report_samples.hpp"

namespace saturn {

namespace {

void set_event_time(JobsResults& jobs, double mean) {
  jobs.set("event_time_s", sample_estimate(mean, mean / 100));
  jobs.set("event_time_p50_s", sample_estimate(mean * 0.9, mean / 100));
  jobs.set("event_time_p95_s", sample_estimate(mean * 1.5, mean / 100));
  jobs.set("event_time_p99_s", sample_estimate(mean * 2, mean / 100));
}

void set_latency(ModelResults& model, double mean) {
  model.set("latency_s", sample_estimate(mean, mean / 100));
  model.set("latency_p50_s", sample_estimate(mean * 0.9, mean / 100));
  model.set("latency_p95_s", sample_estimate(mean * 1.5, mean / 100));
  model.set("latency_p99_s", sample_estimate(mean * 2, mean / 100));
}

SystemFacts sample_facts() {
  SystemFacts facts;
  facts.title = "A title, with a \"comma\"";
  facts.jobs = 268;
  facts.clients = 268;
  facts.devices = 4;
  facts.ideal_event_time_s = 121.0;
  facts.bound_event_time_s = 121.0;
  facts.pools = {{.name = "reco",
                  .clients = 268,
                  .ideal_event_time_s = 121.0,
                  .parts = {{.label = "non-ML", .part = StagePart::cpu, .seconds = 110.0},
                            {.label = "cnn", .part = StagePart::device, .seconds = 11.0}},
                  .cpu_only = CpuOnly{.known = true, .event_time_s = 330, .offloaded_s = 220, .as_a_service_s = 11}}};
  facts.knees = {
      {.resource = "gke/t4", .kind = ResourceKind::gpu, .demand_s_per_event = 0.4425, .jobs = 273.4},
      {.resource = "gke nic in", .kind = ResourceKind::network_card, .demand_s_per_event = 0.126, .jobs = 954.0}};
  return facts;
}

}  // namespace

Estimate sample_estimate(double mean, double half_width) {
  return {.mean = mean, .low = mean - half_width, .high = mean + half_width, .confidence = 0.95, .replications = 3};
}

RunReport sample_run_report() {
  RunReport report;
  report.provenance = provenance_of("{}", 42, "saturn run sample");
  report.facts = sample_facts();
  JobsResults jobs;
  jobs.name = "reco";
  jobs.set("streams", {.mean = 268});
  jobs.set("ideal_event_time_s", sample_estimate(121, 0));
  jobs.set("events_per_s", sample_estimate(2.2, 0.01));
  set_event_time(jobs, 122.0);
  jobs.set("slowdown", sample_estimate(1.008, 0.001));
  jobs.stages.resize(2);
  jobs.stages[0].label = "non-ML";
  jobs.stages[0].set("time_s", sample_estimate(110, 0));
  jobs.stages[1].label = "cnn";
  jobs.stages[1].set("time_s", sample_estimate(12, 0.1));
  report.summary.jobs = {jobs};
  report.summary.all_jobs = jobs;
  ModelResults model;
  model.name = "emtrk";
  model.set("requests_per_s", sample_estimate(70, 1));
  model.set("items_per_s", sample_estimate(120000, 1000));
  set_latency(model, 0.375);
  model.set("send_s", sample_estimate(0.07, 0.001));
  model.set("queue_s", sample_estimate(0.24, 0.001));
  model.set("instance_wait_s", sample_estimate(0.24, 0.001));
  model.set("compute_s", sample_estimate(0.055, 0.001));
  model.set("execute_s", sample_estimate(0.055, 0.001));
  model.set("receive_s", sample_estimate(0.01, 0.001));
  model.set("batch_items", sample_estimate(1718.75, 0.01));
  model.batches = {{1711, 3}, {1719, 93}};
  model.sent_because = {96, 0, 0, 0, 0};
  report.summary.models = {model};
  ResourceResults resource;
  resource.name = "gke/t4";
  resource.set("units", {.mean = 4});
  resource.set("busy_fraction", sample_estimate(0.97, 0.001));
  resource.set("demand_s_per_event", sample_estimate(0.4425, 0));
  resource.set("mean_in_use", sample_estimate(20, 1));
  report.summary.resources = {resource};
  report.summary.checks = {{.name = "conservation", .passed = true, .detail = "sent 96 = answered 96"}};
  report.summary.warm_up_removed_s = 363;
  report.summary.window_s = 2904;
  report.summary.replications = 3;
  report.summary.relative_half_width = 0.008;
  report.references = {{.method = "bound", .event_time_s = 121.0, .events_per_s = 2.21, .remark = "a remark"},
                       {.method = "published formula", .remark = "does not apply"}};
  report.asked_precision = 0.01;
  return report;
}

ModelResults sample_batching_model() {
  ModelResults model;
  model.name = "tagger";
  model.set("requests_per_s", sample_estimate(990, 10));
  model.set("items_per_s", sample_estimate(990, 10));
  model.set("ingress_bytes_per_s", sample_estimate(1.98e9, 2e7));
  model.set("rejected_per_s", sample_estimate(10, 1));
  set_latency(model, 0.010);
  model.set("send_s", sample_estimate(0.0005, 0));
  model.set("host_s", sample_estimate(0.001, 0));
  model.set("queue_s", sample_estimate(0.005, 0.0001));
  model.set("fill_s", sample_estimate(0.002, 0.0001));
  model.set("instance_wait_s", sample_estimate(0.003, 0.0001));
  model.set("compute_s", sample_estimate(0.003, 0.0001));
  model.set("device_wait_s", sample_estimate(0.0012, 0.0001));
  model.set("execute_s", sample_estimate(0.0018, 0.0001));
  model.set("receive_s", sample_estimate(0.0005, 0));
  model.set("batch_items", sample_estimate(4.72, 0.1));
  model.batches = {{1, 40}, {3, 8}, {4, 2}, {8, 50}};
  model.sent_because = {0, 50, 30, 15, 5};
  return model;
}

Explanation sample_explanation() {
  Explanation explanation;
  explanation.changes = {{.neighbour = {.what = "tagger: 2 instances on each device, not 1",
                                        .settings = {{"/models/tagger/instances", "2"}},
                                        .calls = {}},
                          .effect = PairedChange{.events_per_s = sample_estimate(0.123, 0.004),
                                                 .event_time = sample_estimate(-0.11, 0.00001),
                                                 .latency = sample_estimate(-0.31, 0.02),
                                                 .latency_p99 = sample_estimate(-0.2, 0.3)},
                          .why_not = {}},
                         {.neighbour = {.what = "tagger: a delay of up to 1 ms, not 500 us",
                                        .settings = {{"/models/tagger/max_queue_delay", "1 ms"}},
                                        .calls = {}},
                          .effect = PairedChange{.events_per_s = sample_estimate(0, 0),
                                                 .event_time = sample_estimate(0, 0),
                                                 .latency = std::nullopt,
                                                 .latency_p99 = std::nullopt},
                          .why_not = {}},
                         {.neighbour = {.what = "node: 2 t4 in each node, not 1",
                                        .settings = {{"/servers/0/devices/count", "2"}},
                                        .calls = {}},
                          .effect = {},
                          .why_not = "it takes longer than 1 s"}};
  explanation.left_out = {{.what = "tagger: a larger batch", .why = "its law ends there."}};
  return explanation;
}

PlanReport sample_plan_report() {
  PlanReport report;
  report.provenance = provenance_of("{}", 42, "saturn plan sample");
  report.facts = sample_facts();
  report.question.slowdown = 0.01;
  report.plan.rows = {
      {.method = "bound", .knee = 68.4, .streams_per_gpu = 69.0, .low = {}, .high = {}, .remark = "never above"},
      {.by = Method::simulation,
       .method = "simulation",
       .knee = {},
       .streams_per_gpu = 68.2,
       .low = 68.0,
       .high = 68.5,
       .remark = ""}};
  report.plan.candidates = {{.clients = 268,
                             .gpus = 4,
                             .bound_event_time_s = 121.0,
                             .event_time_s = sample_estimate(121.5, 0.2),
                             .slowdown = sample_estimate(1.004, 0.002),
                             .accepted = true,
                             .reason = "within 1 %"}};
  PlanAnswer& answer = report.plan.answer;
  answer.streams_per_gpu = 68;
  answer.streams_per_gpu_low = 68.0;
  answer.streams_per_gpu_high = 68.5;
  answer.within_slowdown = 68.2;
  answer.saturates_at = 68.4;
  answer.clients = 268;
  answer.gpus = 4;
  answer.slowdown = sample_estimate(1.004, 0.002);
  answer.cost_per_million_events_usd = 176.0;
  answer.binding = "gke/t4";
  answer.next = "gke nic in";
  answer.next_at_streams = 954.0;
  report.plan.formula = SaturationFormula{.cpu_s = 110.0, .gpu_s = 1.75, .latency_s = 9.25, .clients = 268, .gpus = 4};
  return report;
}

namespace {

Prediction prediction(PredictedNumber quantity, double mean, double below, double above) {
  return {.quantity = quantity,
          .predicted = sample_estimate(mean, 0.0),
          .contradicts_below = below,
          .contradicts_above = above};
}

}  // namespace

Falsification sample_falsification() {
  return {.jobs = JobsTest{.pools = {{"reco", 305}},
                           .jobs = 305,
                           .clients = 305,
                           .saturates_at = 273.7,
                           .binding = "gke/t4",
                           .next = "gke nic in",
                           .unhindered_s = 121.2,
                           .faster_s = 121.5,
                           .slower_s = 148.5,
                           .event_time = prediction(PredictedNumber::event_time, 135, 133.6, 136.4),
                           .events_per_s = prediction(PredictedNumber::events_per_s, 2.259, 2.236, 2.282),
                           .again = "saturn run x"},
          .models = {{.model = "emtrk",
                      .request_batch = 1719,
                      .concurrency = 11,
                      .requests = 1100,
                      .window_s = 15,
                      .binding = "gke/t4",
                      .command = {"perf_analyzer", "-m", "emtrk"},
                      .predictions = {prediction(PredictedNumber::items_per_s, 124200, 123000, 125500),
                                      prediction(PredictedNumber::compute, 0.0554, 0.0548, 0.0559)},
                      .notes = {"on the node"}},
                     {.model = "far", .why_not = "it is too far"}}};
}

SensitivityRow sample_sensitivity_row(const std::string& pointer, double elasticity, double low, double high,
                                      double share) {
  return {.input = {.pointer = pointer, .value = "2 ms", .uncertainty = 0.1},
          .elasticity = sample_estimate(elasticity, 0.1),
          .when_low = low,
          .when_high = high,
          .variance_share = share};
}

Sensitivity sample_sensitivity() {
  return {.answer = "mean event time",
          .unit = "s",
          .value = 0.050,
          .rows = {sample_sensitivity_row("/models/m/service/t4/per_batch", 1.0, 0.045, 0.055, 0.8),
                   sample_sensitivity_row("/network/links/0/bandwidth", -0.5, 0.0525, 0.0475, 0.2)},
          .without_effect = {"/devices/t4/price"},
          .next_measurement = "Measure it.",
          .notes = {"something was left out."}};
}

OpenPlanReport sample_arrivals_plan() {
  OpenPlanReport report;
  report.facts = sample_facts();
  report.facts.all_open = true;
  report.plan = {.tolerated_loss = 0.001, .offered_per_s = 7500.0, .gpus_by_bound = 2, .gpus = 3};
  for (const std::uint64_t gpus : {2U, 3U}) {
    OpenCandidate one{.gpus = gpus,
                      .capacity_per_s = 3000.0 * static_cast<double>(gpus),
                      .limit = "gke/t4",
                      .offered_per_s = sample_estimate(7500.0, 10.0),
                      .lost_fraction = sample_estimate(0.0015 / static_cast<double>(gpus), 0.0001),
                      .all_jobs = sample_run_report().summary.all_jobs,
                      .accepted = gpus == 3};
    one.all_jobs.times_grow = gpus == 2;
    report.plan.candidates.push_back(one);
  }
  return report;
}

std::string shown(Answer answer) {
  answer.says_provenance = false;
  return terminal_text(answer, {}, true);
}

}  // namespace saturn
