#include "models/measures.hpp"

#include "models/estimate.hpp"

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

}  // namespace

double rate_by_loops(const Sample& sample) {
  double rate = 0.0;
  for (const JobsOutcome& pool : sample.pools) rate += rate_of_pool(pool, sample.run->warm_up.window_s);
  return rate;
}

double energy_per_event(const Sample& sample) {
  double events_per_s = 0.0;
  for (const JobsOutcome& pool : sample.run->jobs) events_per_s += pool.events_per_s;
  return *sample.run->power_w / events_per_s;
}

double executed_batches(const Sample& sample) {
  double count = 0.0;
  for (const auto& [size, batches] : sample.model->batches) count += static_cast<double>(batches);
  return count;
}

double executed_items(const Sample& sample) {
  double items = 0.0;
  for (const auto& [size, batches] : sample.model->batches)
    items += static_cast<double>(size) * static_cast<double>(batches);
  return items;
}

}  // namespace measures

}  // namespace saturn
