#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "reports/figures/figures.hpp"
#include "tests/figures/figure_samples.hpp"

namespace saturn {

namespace {

constexpr double ideal_s = 121.35;
constexpr double knee_per_gpu = 69.0;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string careful_words = "Zürich \"GPU\" </script><b> 推理";

Estimate about(double mean, double half_width) {
  return {.mean = mean, .low = mean - half_width, .high = mean + half_width, .replications = 8};
}

/// A smooth corner at the knee: what waiting makes of the bound.
double softened(double per_gpu, double softness) {
  return ideal_s * (1.0 + softness / knee_per_gpu * std::log1p(std::exp((per_gpu - knee_per_gpu) / softness)));
}

ModelResults model_at(const std::string& name, double per_gpu, double scale) {
  const double wait = scale * 0.03 * std::log1p(std::exp((per_gpu - knee_per_gpu) / 4.0));
  ModelResults model;
  model.name = name;
  model.set("requests_per_s", about(17.0 * scale, 0.2));
  model.set("send_s", about(0.021 * scale, 0.001));
  model.set("host_s", about(0.004 * scale, 0.0002));
  model.set("queue_s", about(0.003 * scale + wait, 0.001));
  model.set("compute_s", about(0.055 * scale, 0.0004));
  model.set("receive_s", about(0.006 * scale, 0.0003));
  model.set("latency_s", about(0.089 * scale + wait, 0.002));
  model.set("latency_p99_s", about(0.15 * scale + 2.5 * wait, 0.008));
  for (std::uint32_t items = 1; items <= 12; ++items) model.batches[172 * items] = 4000U / items;
  return model;
}

ResourceResults resource_at(const std::string& name, double busy) {
  ResourceResults resource;
  resource.name = name;
  resource.set("busy_fraction", about(std::min(1.0, busy), 0.004));
  return resource;
}

SimulatedLoad load_at(double clients) {
  const double per_gpu = clients / 4.0;
  const double event_s = softened(per_gpu, 1.4);
  SimulatedLoad load{.clients = clients};
  JobsResults& jobs = load.summary.all_jobs;
  jobs.set("streams", {.mean = clients});
  jobs.set("event_time_s", about(event_s, 0.35));
  jobs.set("event_time_p99_s", about(event_s * 1.09, 1.2));
  jobs.set("events_per_s", about(clients / event_s, clients / event_s * 0.003));
  load.summary.models = {model_at("emtrkmichelid", per_gpu, 1.0)};
  const double share = clients / event_s / (4.0 * knee_per_gpu / ideal_s);
  load.summary.resources = {resource_at("gke/t4", share), resource_at("gke network card", 0.32 * share),
                            resource_at("wan", 0.21 * share), resource_at("gke host", 0.07 * share)};
  return load;
}

FormulaLoad formulas_at(double clients) {
  const double per_gpu = clients / 4.0;
  const double bound_s = ideal_s * std::max(1.0, per_gpu / knee_per_gpu);
  const double published_s = ideal_s * std::max(1.0, 1.01 * per_gpu / knee_per_gpu);
  const double mva_s = softened(per_gpu, 3.5);
  return {.clients = clients,
          .bound_event_time_s = bound_s,
          .published_event_time_s = published_s,
          .mva_event_time_s = mva_s,
          .bound_events_per_s = clients / bound_s,
          .published_events_per_s = clients / published_s,
          .mva_events_per_s = clients / mva_s};
}

SystemFacts four_gpus() {
  return {
      .title = "ProtoDUNE-SP on four GPUs",
      .jobs = 272.0,
      .clients = 272.0,
      .devices = 4.0,
      .ideal_event_time_s = ideal_s,
      .bound_event_time_s = ideal_s,
      .pools = {},
      .knees = {{.resource = "gke/t4", .kind = ResourceKind::gpu, .demand_s_per_event = ideal_s / 276.0, .jobs = 276.0},
                {.resource = "gke network card", .kind = ResourceKind::network_card, .jobs = 862.0}}};
}

SaturationStudy one_point() {
  SaturationStudy study = handsome_study();
  study.simulated = {load_at(272.0)};
  study.formulas = {};
  study.published = {};
  study.own = 0;
  return study;
}

SaturationStudy no_devices() {
  SaturationStudy study = handsome_study();
  study.facts.devices = 0.0;
  study.knee = {};
  study.published = {};
  return study;
}

SaturationStudy constant_values() {
  SaturationStudy study = handsome_study();
  for (SimulatedLoad& load : study.simulated) load.summary = study.simulated.front().summary;
  for (SimulatedLoad& load : study.simulated) load.summary.all_jobs.set("event_time_s", about(ideal_s, 0.0));
  study.formulas.clear();
  study.knee = {};
  return study;
}

SaturationStudy unknown_numbers() {
  SaturationStudy study = handsome_study();
  for (std::size_t i = 0; i < study.simulated.size(); ++i) {
    JobsResults& jobs = study.simulated[i].summary.all_jobs;
    if (i % 2 == 0) jobs.set("event_time_s", about(nan, nan));
    if (i % 3 == 0) jobs.set("events_per_s", about(nan, nan));
    if (i % 2 == 1) jobs["event_time_s"].high = std::numeric_limits<double>::infinity();
    study.simulated[i].summary.models[0].set("queue_s", about(nan, nan));
    study.simulated[i].summary.resources[0].set("busy_fraction", about(nan, nan));
  }
  study.knee = about(nan, nan);
  study.formulas.front().bound_event_time_s = nan;
  return study;
}

SaturationStudy careful_names() {
  SaturationStudy study = handsome_study();
  study.scenario = careful_words;
  study.published_source = careful_words;
  study.facts.knees[0].resource = careful_words;
  study.facts.knees[1].jobs = 400.0;
  for (PublishedLoad& load : study.published) load.label = careful_words;
  for (SimulatedLoad& load : study.simulated) {
    load.summary.resources[0].name = careful_words;
    load.summary.models[0].name = careful_words;
    for (const char* name : {"load", "second model \xff", "third", "fourth", "fifth"})
      load.summary.models.push_back(model_at(name, load.clients / 4.0, 0.1));
    for (int i = 0; i < 14; ++i)
      load.summary.resources.push_back(
          resource_at("site " + std::to_string(i) + ", uplink", load.clients / 4000.0 * i));
  }
  return study;
}

SaturationStudy wide_loads() {
  SaturationStudy study = handsome_study();
  study.simulated.clear();
  for (const double clients : {1.0, 8.0, 64.0, 512.0, 4096.0}) study.simulated.push_back(load_at(clients));
  study.formulas.clear();
  for (double clients = 1.0; clients <= 4096.0; clients *= 1.3) study.formulas.push_back(formulas_at(clients));
  study.own = 3;
  for (std::uint32_t items = 1; items < 9000; items += 3)
    study.simulated[3].summary.models[0].batches[items] = 1 + items % 7;
  return study;
}

SaturationStudy open_pools() {
  SaturationStudy study = one_point();
  study.facts.all_open = true;
  study.knee = {};
  study.simulated[0].summary.all_jobs.times_grow = true;
  return study;
}

RunTrace many_instances() {
  RunTrace trace{.begin_s = 1e-4, .end_s = 1e-3, .cut = true, .labels = {careful_words, "load", "third"}};
  for (std::uint32_t i = 0; i < 60; ++i)
    trace.tracks.push_back(
        {.group = careful_words, .name = "device " + std::to_string(i) + ", instance 0", .is_server = true});
  for (std::uint32_t i = 0; i < 3000; ++i)
    trace.spans.push_back({.kind = SpanKind::batch,
                           .track = i % 60,
                           .begin_s = 1e-4 + i * 1e-6,
                           .end_s = 1e-4 + i * 1e-6 + (i % 50 == 7 ? nan : 5e-5),
                           .label = i % 4,
                           .items = i % 9});
  for (int i = 0; i < 20; ++i)
    trace.series.push_back(
        {.name = careful_words + std::to_string(i), .is_queue = i % 2 == 0, .values = {0.0, nan, 0.4}});
  trace.sample_ends_s = {2e-4, 4e-4, 6e-4};
  return trace;
}

}  // namespace

SaturationStudy handsome_study() {
  SaturationStudy study{.scenario = "protodune-big-batch",
                        .seed = 42,
                        .facts = four_gpus(),
                        .knee = Estimate{.mean = 68.2, .low = 66.1, .high = 70.3},
                        .mva_word = "approximate MVA",
                        .own = 6,
                        .published_source = "a published study"};
  for (double clients = 4.0; clients <= 440.0; clients += 4.0) study.formulas.push_back(formulas_at(clients));
  for (const double clients : {40.0, 80.0, 136.0, 200.0, 240.0, 256.0, 272.0, 288.0, 304.0, 336.0, 388.0, 440.0})
    study.simulated.push_back(load_at(clients));
  for (const double per_gpu : {12.5, 25.0, 50.0, 68.0, 75.0, 100.0})
    study.published.push_back({.label = "run of " + std::to_string(static_cast<int>(per_gpu * 4.0)) + " jobs",
                               .streams_per_device = per_gpu,
                               .event_time_s = softened(per_gpu, 2.5) * 1.012,
                               .event_time_sem_s = 1.4,
                               .events_per_s = 4.0 * per_gpu / softened(per_gpu, 2.5) / 1.012,
                               .counts = per_gpu != 25.0});
  return study;
}

RunTrace handsome_trace() {
  RunTrace trace{.begin_s = 500.0, .end_s = 504.0, .labels = {"emtrkmichelid", "vertex"}};
  for (int i = 0; i < 3; ++i)
    trace.tracks.push_back(
        {.group = "gke/t4", .name = "device " + std::to_string(i) + ", instance 0", .is_server = true});
  for (std::uint32_t i = 0; i < 100; ++i) {
    const double begin_s = 500.0 + 0.04 * i;
    trace.spans.push_back({.kind = SpanKind::batch,
                           .track = i % 3,
                           .begin_s = begin_s,
                           .end_s = begin_s + (i % 5 == 0 ? 0.03 : 0.1),
                           .label = i % 5 == 0 ? 1U : 0U,
                           .items = i % 5 == 0 ? 64U : 1719U});
  }
  trace.series = {{.name = "gke/t4"},
                  {.name = "gke network card"},
                  {.name = "emtrkmichelid", .is_queue = true},
                  {.name = "vertex", .is_queue = true}};
  for (int i = 1; i <= 80; ++i) {
    const double at = 0.05 * i;
    trace.sample_ends_s.push_back(500.0 + at);
    trace.series[0].values.push_back(std::min(1.0, 0.85 + 0.2 * std::sin(3.0 * at)));
    trace.series[1].values.push_back(0.3 + 0.08 * std::sin(7.0 * at));
    trace.series[2].values.push_back(std::max(0.0, 4.0 + 3.5 * std::sin(3.0 * at - 0.5)));
    trace.series[3].values.push_back(std::max(0.0, 0.8 * std::sin(5.0 * at)));
  }
  return trace;
}

std::vector<SaturationStudy> ugly_studies() {
  return {one_point(),  constant_values(), unknown_numbers(), careful_names(),
          no_devices(), wide_loads(),      open_pools(),      SaturationStudy{}};
}

std::vector<RunTrace> ugly_traces() {
  RunTrace one_batch{.tracks = {{.group = "server", .name = "device 0", .is_server = true}}, .labels = {"model"}};
  one_batch.spans = {{.kind = SpanKind::batch, .begin_s = 1.0, .end_s = 1.0, .items = 3}};
  one_batch.series = {{.name = "queue", .is_queue = true, .values = {2.0}}};
  one_batch.sample_ends_s = {1.0};
  RunTrace one_model = handsome_trace();
  for (TraceSpan& span : one_model.spans) span.label = 0;
  return {RunTrace{}, one_batch, one_model, many_instances()};
}

RunReport handsome_hour() {
  RunReport report{.provenance = {}, .facts = {}, .summary = {}, .references = {}, .replica = {}, .explanation = {}};
  const double nodes[] = {1, 1, 1, 2, 3, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1};
  for (std::size_t i = 0; i < std::size(nodes); ++i) {
    const bool out = i >= 3 && i < 5;
    report.summary.over_time.push_back({.until_s = 60.0 * static_cast<double>(i + 1),
                                        .events_per_s = about(10.0, 0.5),
                                        .event_time_s = about(1.0, 0.1),
                                        .tries_per_s = about(out ? 30.0 : 10.0, 1.0),
                                        .late = {.mean = out ? 0.5 : 0.0},
                                        .calls_per_s = about(10.0, 0.5),
                                        .unserved = {.mean = out ? 0.2 : 0.0},
                                        .present = about(out || i == 5 ? 40.0 : 4.0, 1.0),
                                        .nodes_in_service = {.mean = nodes[i > 0 ? i - 1 : 0]},
                                        .nodes_paid = {.mean = nodes[i]},
                                        .nodes_least = {.mean = 1.0}});
  }
  report.summary.replications = 8;
  Outage outage;
  outage.link = {"fnal", "gke"};
  outage.from = Seconds{180.0};
  outage.length = Seconds{120.0};
  report.outages = {outage};
  return report;
}

std::vector<RunReport> ugly_hours() {
  RunReport steady = handsome_hour();
  steady.summary.over_time.clear();
  RunReport one_moment = handsome_hour();
  one_moment.summary.over_time.resize(1);
  one_moment.outages.clear();
  RunReport words = handsome_hour();
  words.outages[0] = {.server = careful_words, .from = Seconds{30.0}, .length = Seconds{1e9}};
  RunReport without_calls = handsome_hour();
  for (MomentResults& moment : without_calls.summary.over_time) {
    moment.calls_per_s = {};
    moment.present = {.mean = nan, .low = nan, .high = nan};
    moment.nodes_paid.mean = nan;
  }
  return {steady, one_moment, words, without_calls};
}

std::vector<Figure> curve_samples() {
  std::vector<Figure> figures;
  const auto add = [&](Figure figure) {
    figure.name += "_" + std::to_string(figures.size());
    figures.push_back(std::move(figure));
  };
  std::vector<SaturationStudy> studies = ugly_studies();
  studies.insert(studies.begin(), handsome_study());
  for (const SaturationStudy& study : studies) {
    add(event_time_figure(study));
    add(throughput_figure(study));
    add(latency_breakdown_figure(study));
    add(throughput_latency_figure(study, std::nullopt));
    add(throughput_latency_figure(study, 0.25));
    add(resource_use_figure(study));
    add(batch_sizes_figure(study));
  }
  std::vector<RunReport> hours = ugly_hours();
  hours.insert(hours.begin(), handsome_hour());
  for (const RunReport& hour : hours) add(over_time_figure(hour, {.scenario = careful_words, .seed = 42}));
  std::vector<RunTrace> traces = ugly_traces();
  traces.insert(traces.begin(), handsome_trace());
  for (const RunTrace& trace : traces) {
    add(timeline_figure(trace, {.scenario = careful_words, .seed = 42}));
    add(gantt_figure(trace, {.scenario = "protodune-big-batch", .seed = 42}));
  }
  return figures;
}

}  // namespace saturn
