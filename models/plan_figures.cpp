#include "models/plan_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace saturn {

namespace {

constexpr std::array all_names{
    FigureName{PlanFigure::slowdown, "slowdown", "", "event time over the one without waiting, less 1", true, false},
    FigureName{PlanFigure::event_time, "event_time", "s", "mean event time", true, false},
    FigureName{PlanFigure::event_time_p50, "event_time_p50", "s", "median of the event time", true, false},
    FigureName{PlanFigure::event_time_p95, "event_time_p95", "s", "95 % quantile of the event time", true, false},
    FigureName{PlanFigure::event_time_p99, "event_time_p99", "s", "99 % quantile of the event time", true, false},
    FigureName{PlanFigure::latency, "latency", "s", "mean latency of requests", true, true},
    FigureName{PlanFigure::latency_p50, "latency_p50", "s", "median of the latency", true, true},
    FigureName{PlanFigure::latency_p95, "latency_p95", "s", "95 % quantile of the latency", true, true},
    FigureName{PlanFigure::latency_p99, "latency_p99", "s", "99 % quantile of the latency", true, true},
    FigureName{PlanFigure::throughput, "throughput", "1/s", "events per second, of all jobs", false, false},
    FigureName{PlanFigure::lost_share, "lost_share", "", "share of the events that are lost or rejected", true, false},
    FigureName{PlanFigure::campaign_time, "campaign_time", "s", "time for all events of the campaign", true, false},
    FigureName{PlanFigure::gpus, "gpus", "", "devices that are bought", true, false},
    FigureName{PlanFigure::nodes, "nodes", "", "server nodes that are bought", true, false},
    FigureName{PlanFigure::jobs, "jobs", "", "jobs of all pools", false, false},
    FigureName{PlanFigure::jobs_per_gpu, "jobs_per_gpu", "", "jobs for each device that works", false, false},
    FigureName{PlanFigure::rent, "rent", "USD/h", "rent of everything that has a price", true, false},
    FigureName{PlanFigure::power, "power", "W", "power of everything whose power is known", true, false},
    FigureName{PlanFigure::cost_per_million, "cost_per_million", "USD", "cost of a million events", true, false},
    FigureName{PlanFigure::energy_per_million, "energy_per_million", "kWh", "energy of a million events", true, false},
    FigureName{PlanFigure::network_share, "network_share", "", "busy share of the busiest link or network card", true,
               true},
    FigureName{PlanFigure::gpu_share, "gpu_share", "", "busy share of the busiest devices", true, true},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < all_names.size(); ++i)
    if (all_names[i].figure != static_cast<PlanFigure>(i)) return false;
  return true;
}
static_assert(in_order() && all_names.size() == static_cast<std::size_t>(PlanFigure::gpu_share) + 1);

}  // namespace

std::span<const FigureName> figure_names() {
  return all_names;
}

const FigureName& name_of(PlanFigure figure) {
  return all_names[static_cast<std::size_t>(figure)];
}

const CandidateFigures::Entry* CandidateFigures::find(PlanFigure figure, std::string_view of) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.figure == figure && entry.of == of; });
  return found == entries.end() ? nullptr : &*found;
}

double excess(const Requirement& requirement, double value) {
  // What is not a number meets nothing.
  if (std::isnan(value)) return std::numeric_limits<double>::infinity();
  const double beyond = requirement.at_most ? value - requirement.limit : requirement.limit - value;
  return requirement.limit == 0.0 ? beyond : beyond / std::abs(requirement.limit);
}

double worst_end(const Requirement& requirement, const Estimate& value) {
  return requirement.at_most ? value.high : value.low;
}

double best_end(const Requirement& requirement, const Estimate& value) {
  return requirement.at_most ? value.low : value.high;
}

}  // namespace saturn
