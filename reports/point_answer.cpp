#include "reports/point_answer.hpp"

#include <cmath>

#include "models/open_verdict.hpp"

namespace saturn {

namespace {

/// A number whose interval is the whole line has none that could be written.
void add_metric(PointAnswer& answer, const std::string& stem, const std::string& unit, const Estimate& estimate) {
  SweepMetric metric{.stem = stem, .unit = unit, .mean = estimate.mean};
  if (std::isfinite(estimate.low) && std::isfinite(estimate.high)) {
    metric.low = estimate.low;
    metric.high = estimate.high;
  }
  answer.metrics.push_back(std::move(metric));
}

void add_quantile(PointAnswer& answer, const std::string& stem, const Estimate& quantile) {
  if (quantile.caveat == Caveat::none)
    add_metric(answer, stem, "s", quantile);
  else
    answer.words.push_back({.name = stem + "_withheld", .word = std::string(words_of(quantile.caveat))});
}

void add_times(PointAnswer& answer, const std::string& stem, const TimeEstimate& time) {
  add_metric(answer, stem, "s", time.mean_s);
  add_quantile(answer, stem + "_p50", time.p50_s);
  add_quantile(answer, stem + "_p95", time.p95_s);
  add_quantile(answer, stem + "_p99", time.p99_s);
}

void add_open_pools(PointAnswer& answer, const RunSummary& summary) {
  for (const JobsSummary& jobs : summary.jobs) {
    if (!jobs.open) continue;
    const std::string pool = "jobs." + jobs.name + ".";
    add_metric(answer, pool + "offered", "per_s", jobs.open->offered_per_s);
    add_metric(answer, pool + "lost_fraction", "", jobs.open->lost_fraction);
    answer.words.push_back({.name = pool + "verdict", .word = std::string(name_of(jobs.open->verdict))});
  }
}

void add_model(PointAnswer& answer, const ModelSummary& model) {
  const std::string stem = "models." + model.name + ".";
  add_metric(answer, stem + "requests", "per_s", model.requests_per_s);
  add_times(answer, stem + "latency", model.latency);
  add_metric(answer, stem + "queue", "s", model.queue_s);
  add_metric(answer, stem + "compute", "s", model.compute_s);
  if (model.batch_items) add_metric(answer, stem + "batch_items", "", *model.batch_items);
}

}  // namespace

PointAnswer point_answer(const RunSummary& summary, const SystemFacts& facts) {
  PointAnswer answer{.replications = summary.replications};
  const JobsSummary& all = summary.all_jobs;
  add_metric(answer, "events", "per_s", all.events_per_s);
  if (!all.times_grow) {
    add_times(answer, "event_time", all.event_time);
    add_metric(answer, "slowdown", "", all.slowdown);
  }
  add_open_pools(answer, summary);
  for (const ModelSummary& model : summary.models) add_model(answer, model);
  for (const ResourceSummary& resource : summary.resources)
    add_metric(answer, "resources." + resource.name + ".busy_fraction", "", resource.busy_fraction);
  if (!facts.knees.empty()) answer.words.push_back({.name = "binding", .word = facts.knees[0].resource});
  if (facts.knees.size() > 1) answer.words.push_back({.name = "next", .word = facts.knees[1].resource});
  return answer;
}

}  // namespace saturn
