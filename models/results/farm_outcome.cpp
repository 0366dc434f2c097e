#include "models/results/farm_outcome.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace saturn {

namespace {

std::uint64_t times(std::uint64_t count, double factor) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
}

void enlarge(OpenOutcome& open, double factor) {
  open.rate_per_s *= factor;
  open.capacity_per_s *= factor;
  if (open.buffer) open.buffer = times(*open.buffer, factor);
  open.arrived = times(open.arrived, factor);
  open.lost = times(open.lost, factor);
  open.waiting_mean *= factor;
  open.waiting_max *= factor;
  open.present_mean *= factor;
  open.growth_per_s *= factor;
}

void enlarge(ModelOutcome& model, double factor) {
  model.requests_per_s *= factor;
  model.items_per_s *= factor;
  model.rejected_per_s *= factor;
  model.ingress_bytes_per_s *= factor;
}

}  // namespace

RunOutcome farm_outcome(RunOutcome cell, const ClosedNetwork& farm, double factor) {
  if (cell.jobs.size() != farm.classes.size() || cell.resources.size() != farm.resources.size())
    throw std::invalid_argument("farm_outcome: the run is not of a cell of this farm");
  for (std::size_t j = 0; j < cell.jobs.size(); ++j) {
    JobsOutcome& jobs = cell.jobs[j];
    // Jobs are whole: those of the farm may be a little more or fewer than the factor times those of the cell.
    jobs.clients = farm.classes[j].clients;
    jobs.ideal_event_time_s = farm.classes[j].ideal_event_time.value;
    jobs.events_per_s *= factor;
    jobs.jobs_per_s *= factor;
    jobs.cores.held *= factor;
    jobs.cores.waited *= factor;
    if (jobs.open) enlarge(*jobs.open, factor);
  }
  for (ModelOutcome& model : cell.models) enlarge(model, factor);
  for (std::size_t r = 0; r < cell.resources.size(); ++r) {
    ResourceOutcome& resource = cell.resources[r];
    if (resource.name != farm.resources[r].name)
      throw std::invalid_argument("farm_outcome: the cell has other resources than the farm");
    resource.units = farm.resources[r].units;
    // As much busy time of a unit is that of `factor` times as many events, or of a link that is as many times as wide.
    resource.demand_s_per_event /= factor;
    resource.mean_in_use *= factor;
  }
  if (cell.power_w) *cell.power_w *= factor;
  return cell;
}

}  // namespace saturn
