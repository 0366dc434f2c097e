#include "sim/engine/trace_timeline.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace saturn {

namespace {

/// Areas are differences of large numbers: what is just below none or above all is that.
double without_rounding(double mean, bool is_queue) {
  constexpr double rounding = 1e-9;
  if (mean < rounding && mean > -rounding) return 0.0;
  return !is_queue && mean > 1.0 && mean < 1.0 + rounding ? 1.0 : mean;
}

}  // namespace

TraceTimeline::TraceTimeline(Calendar& calendar, const ResourceMeters& resources, const RunTracer& tracer,
                             std::size_t samples)
    : calendar_(calendar),
      resources_(resources),
      tracer_(tracer),
      samples_(tracer.until_s() > tracer.from_s() ? samples : 0),
      source_(calendar.add(*this)) {
  if (samples_ > 0) calendar_.reschedule(source_, date(0));
}

double TraceTimeline::date(std::size_t boundary) const {
  if (boundary >= samples_) return tracer_.until_s();
  const double share = static_cast<double>(boundary) / static_cast<double>(samples_);
  return tracer_.from_s() + share * (tracer_.until_s() - tracer_.from_s());
}

void TraceTimeline::fire(double now) {
  ++handled_;
  sample(now);
  calendar_.reschedule(source_, dates_.size() <= samples_ ? std::max(now, date(dates_.size())) : Calendar::never);
}

void TraceTimeline::sample(double now) {
  std::vector<double> areas;
  for (const StationMeter& meter : resources_.read(now)) areas.push_back(meter.busy_area);
  const std::vector<double> waiting = tracer_.waiting_areas(now);
  areas.insert(areas.end(), waiting.begin(), waiting.end());
  dates_.push_back(now);
  areas_.push_back(std::move(areas));
}

void TraceTimeline::end(double now) {
  // What stops the run comes before a sample of the same date.
  if (samples_ > 0 && dates_.size() == samples_) sample(now);
}

void TraceTimeline::add_to(RunTrace& trace, const Scenario& scenario) const {
  if (samples_ == 0) return;
  const std::vector<Resource>& resources = resources_.network().resources;
  trace.sample_ends_s.assign(dates_.begin() + 1, dates_.end());
  const auto add = [&](const std::string& name, bool is_queue, std::size_t place, double units) {
    TimelineSeries series{.name = name, .is_queue = is_queue, .values = {}};
    for (std::size_t i = 1; i < dates_.size(); ++i) {
      const double elapsed = dates_[i] - dates_[i - 1];
      const double area = areas_[i][place] - areas_[i - 1][place];
      series.values.push_back(elapsed > 0.0 ? without_rounding(area / units / elapsed, is_queue) : 0.0);
    }
    trace.series.push_back(std::move(series));
  };
  for (std::size_t r = 0; r < resources.size(); ++r) add(resources[r].name, false, r, resources[r].units);
  std::size_t place = resources.size();
  for (const auto& [name, model] : scenario.models) add(name, true, place++, 1.0);
}

}  // namespace saturn
