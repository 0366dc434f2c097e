#include "models/results/measures.hpp"

#include "models/results/estimate.hpp"

namespace saturn {

std::string_view words_of(Caveat caveat) {
  switch (caveat) {
    case Caveat::too_few_events:
      return "too few events";
    case Caveat::not_stationary:
      return "not stationary";
    case Caveat::none:
      break;
  }
  return "";
}

namespace measures {

namespace {

double rate_of_pool(const JobsOutcome& jobs, double window_s) {
  if (jobs.open) return jobs.events_per_s;
  const double edge = jobs.clients / window_s;
  const double cycle_s = jobs.event_time.mean_s + jobs.set_up_s;
  return cycle_s > 0.0 ? std::clamp(jobs.clients / cycle_s, jobs.events_per_s - edge, jobs.events_per_s + edge)
                       : jobs.events_per_s;
}

double rate_of_pools(std::span<const JobsOutcome> pools, double window_s) {
  double rate = 0.0;
  for (const JobsOutcome& pool : pools) rate += rate_of_pool(pool, window_s);
  return rate;
}

}  // namespace

double rate_by_streams(const Observed& seen) {
  return rate_of_pools(seen.pools, seen.run->warm_up.window_s);
}

double energy_per_event(const Observed& seen) {
  double events_per_s = 0.0;
  for (const JobsOutcome& pool : seen.run->jobs) events_per_s += pool.events_per_s;
  return *seen.run->power_w / events_per_s;
}

double energy_by_streams(const Observed& seen) {
  return *seen.run->power_w / rate_of_pools(seen.run->jobs, seen.run->warm_up.window_s);
}

double answered_calls(const Observed& seen) {
  const CallOutcome& calls = *calls_of(seen);
  return calls.calls - calls.fell_back - calls.failed;
}

double executed_batches(const Observed& seen) {
  double count = 0.0;
  for (const auto& [size, batches] : seen.model->batches) count += static_cast<double>(batches);
  return count;
}

double executed_items(const Observed& seen) {
  double items = 0.0;
  for (const auto& [size, batches] : seen.model->batches)
    items += static_cast<double>(size) * static_cast<double>(batches);
  return items;
}

}  // namespace measures

}  // namespace saturn
