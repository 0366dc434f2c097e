#include "sim/engine/living/server_load.hpp"

#include <algorithm>

#include "models/scaling/admission.hpp"

namespace saturn {

ServerLoad::ServerLoad(InferenceService& service, const Scenario& scenario, std::size_t server, ScalingMetric metric,
                       Seconds window)
    : service_(service),
      first_(service.first_node(server)),
      units_(static_cast<double>(scenario.servers[server].devices.count)),
      metric_(metric),
      window_s_(window.value),
      watched_(scenario.servers[server].nodes) {
  for (std::uint32_t n = 0; n < watched_.size(); ++n) service_.node(first_ + n).watch();
}

void ServerLoad::scrape(double now, const Fleet* fleet) {
  for (std::size_t n = 0; n < watched_.size(); ++n) {
    const std::uint32_t number = first_ + static_cast<std::uint32_t>(n);
    std::optional<Watched>& watched = watched_[n];
    // A node that comes back is another one to Prometheus.
    if (fleet != nullptr && !fleet->is_ready(number)) {
      watched.reset();
      continue;
    }
    if (!watched) watched.emplace(window_s_);
    const ServerNode& node = service_.node(number);
    const NodeCounters& counters = node.counters();
    const StationMeter meter = node.areas(now);
    watched->queue_s.scrape(now, counters.queue_s);
    watched->requests.scrape(now, static_cast<double>(counters.requests));
    watched->batches.scrape(now, static_cast<double>(counters.batches));
    watched->busy_s.scrape(now, meter.busy_area);
    watched->arrivals.scrape(now, static_cast<double>(meter.arrivals));
    watched->present = static_cast<double>(node.present());
  }
}

std::optional<double> ServerLoad::sum_of(ScrapedCounter Watched::*counter, double now) const {
  std::optional<double> sum;
  for (const std::optional<Watched>& watched : watched_) {
    if (!watched) continue;
    if (const std::optional<double> rate = ((*watched).*counter).rate(now)) sum = sum.value_or(0.0) + *rate;
  }
  return sum;
}

std::optional<double> ServerLoad::mean_wait(ScrapedCounter Watched::*taken, double now) const {
  const std::optional<double> waits = sum_of(&Watched::queue_s, now);
  const std::optional<double> number = sum_of(taken, now);
  if (!waits || !number) return std::nullopt;
  return *number == 0.0 ? 0.0 : *waits / *number;
}

std::optional<double> ServerLoad::total(double now) const {
  switch (metric_) {
    case ScalingMetric::queue_time:
      return mean_wait(&Watched::requests, now);
    case ScalingMetric::queue_time_per_batch:
      return mean_wait(&Watched::batches, now);
    case ScalingMetric::request_rate:
      return sum_of(&Watched::arrivals, now);
    case ScalingMetric::in_flight:
    case ScalingMetric::utilisation:
      break;
  }
  std::optional<double> sum;
  for (const std::optional<Watched>& watched : watched_)
    if (watched) sum = sum.value_or(0.0) + watched->present;
  return sum;
}

std::vector<std::optional<double>> ServerLoad::busy_shares(double now) const {
  std::vector<std::optional<double>> shares;
  for (const std::optional<Watched>& watched : watched_) {
    if (!watched) continue;
    std::optional<double> busy = watched->busy_s.rate(now);
    if (busy) *busy /= units_;
    shares.push_back(busy);
  }
  return shares;
}

std::optional<double> ServerLoad::metric(double now) const {
  if (metric_ == ScalingMetric::utilisation) {
    double sum = 0.0;
    double known = 0.0;
    for (const std::optional<double>& share : busy_shares(now)) {
      if (!share) continue;
      sum += *share;
      known += 1.0;
    }
    return known > 0.0 ? std::optional(sum / known) : std::nullopt;
  }
  std::optional<double> load = total(now);
  const bool by_node = metric_ == ScalingMetric::in_flight || metric_ == ScalingMetric::request_rate;
  const auto read = [](const std::optional<Watched>& watched) { return watched.has_value(); };
  if (load && by_node) *load /= static_cast<double>(std::count_if(watched_.begin(), watched_.end(), read));
  return load;
}

AdmissionDoor::AdmissionDoor(Calendar& calendar, InferenceService& service, const Scenario& scenario,
                             std::size_t server)
    : calendar_(calendar),
      rules_(*scenario.servers[server].admission),
      source_(calendar.add(*this)),
      load_(service, scenario, server, rules_.metric, rules_.window) {}

void AdmissionDoor::begin(const Fleet* fleet) {
  fleet_ = fleet;
  fire(0.0);
}

void AdmissionDoor::fire(double now) {
  load_.scrape(now, fleet_);
  calendar_.reschedule(source_, static_cast<double>(++scrapes_) * rules_.scrape.value);
}

bool AdmissionDoor::admits(double now) const {
  return is_admitted({.threshold = rules_.most, .admits_unknown = rules_.unknown == UnknownLoad::admitted},
                     QueryAnswer{.value = load_.metric(now)});
}

}  // namespace saturn
