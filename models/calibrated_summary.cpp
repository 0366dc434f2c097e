#include "models/calibrated_summary.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace saturn {

namespace {

/// Every estimate of a summary in a fixed order; null for one that this summary lacks and others may have.
class Estimates {
 public:
  explicit Estimates(RunSummary& summary) {
    add(summary.all_jobs);
    for (JobsSummary& jobs : summary.jobs) add(jobs);
    for (ModelSummary& model : summary.models) add(model);
    for (ResourceSummary& resource : summary.resources)
      add_all({&resource.busy_fraction, &resource.demand_s_per_event, &resource.mean_in_use});
  }

  const std::vector<Estimate*>& all() const { return all_; }

 private:
  void add_all(std::initializer_list<Estimate*> some) {
    for (Estimate* one : some) all_.push_back(one);
  }

  void add(TimeEstimate& time) { add_all({&time.mean_s, &time.p50_s, &time.p95_s, &time.p99_s}); }

  void add(JobsSummary& jobs) {
    add_all({&jobs.events_per_s, &jobs.slowdown, &jobs.set_up_s, &jobs.jobs_per_s});
    add(jobs.event_time);
    for (StageSummary& stage : jobs.stages) all_.push_back(&stage.mean_s);
    if (!jobs.open) return;
    OpenSummary& open = *jobs.open;
    add_all({&open.offered_per_s, &open.accepted_per_s, &open.lost_per_s, &open.lost_fraction, &open.waiting_mean,
             &open.present_mean, &open.growth_per_s});
  }

  void add(ModelSummary& model) {
    add_all({&model.requests_per_s, &model.items_per_s, &model.rejected_per_s, &model.ingress_bytes_per_s,
             &model.send_s, &model.host_s, &model.queue_s, &model.fill_s, &model.instance_wait_s, &model.compute_s,
             &model.device_wait_s, &model.execute_s, &model.receive_s,
             model.batch_items ? &*model.batch_items : nullptr});
    add(model.latency);
  }

  std::vector<Estimate*> all_;
};

/// The numbers of one replication, in the order of Estimates; what it lacks is not a number.
std::vector<double> numbers_of(const RunOutcome& outcome) {
  RunSummary summary = summarise(std::span(&outcome, 1), 0.95);
  std::vector<double> numbers;
  const Estimates estimates(summary);
  for (const Estimate* estimate : estimates.all())
    numbers.push_back(estimate == nullptr ? std::numeric_limits<double>::quiet_NaN() : estimate->mean);
  return numbers;
}

/// (draws)(numbers) how far each draw moved each number.
std::vector<std::vector<double>> moved_by(const DrawnRuns& fit, std::span<const RunOutcome> replications) {
  std::map<std::uint32_t, std::vector<double>> partners;
  std::vector<std::vector<double>> moved;
  for (std::size_t r = 0; r < fit.outcomes.size(); ++r) {
    const std::uint32_t partner = fit.partners.at(r);
    const auto [before, is_new] = partners.try_emplace(partner);
    if (is_new) before->second = numbers_of(replications[partner]);
    std::vector<double> now = numbers_of(fit.outcomes[r]);
    if (now.size() != before->second.size()) throw std::logic_error("a drawn run is not of the same scenario");
    for (std::size_t i = 0; i < now.size(); ++i) now[i] -= before->second[i];
    moved.push_back(std::move(now));
  }
  return moved;
}

}  // namespace

void widen(Estimate& estimate, std::vector<CalibrationShare> calibration) {
  double square = 0.0;
  for (const CalibrationShare& share : calibration) square += share.half_width * share.half_width;
  const IntervalParts parts{
      .low_simulation = estimate.low, .high_simulation = estimate.high, .calibration = std::move(calibration)};
  const double added = std::sqrt(square);
  // Sides that differ stay different.
  estimate.low = estimate.mean - std::hypot(estimate.mean - estimate.low, added);
  estimate.high = estimate.mean + std::hypot(estimate.high - estimate.mean, added);
  estimate.parts = std::make_shared<const IntervalParts>(parts);
}

void widen(RunSummary& summary, std::span<const RunOutcome> replications, std::span<const DrawnRuns> fits) {
  if (fits.empty()) return;
  const Estimates estimates(summary);
  std::vector<std::vector<CalibrationShare>> shares(estimates.all().size());
  for (const DrawnRuns& fit : fits) {
    const std::vector<std::vector<double>> moved = moved_by(fit, replications);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      std::vector<double> one;
      for (const std::vector<double>& run : moved) one.push_back(run.at(i));
      shares[i].push_back({.about = fit.about, .half_width = fit.factor * spread_of(fit.draws, one)});
    }
  }
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (Estimate* estimate = estimates.all()[i]; estimate != nullptr) widen(*estimate, std::move(shares[i]));
}

}  // namespace saturn
