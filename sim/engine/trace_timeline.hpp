#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/resource_meters.hpp"
#include "sim/engine/run_trace.hpp"
#include "sim/engine/run_tracer.hpp"

namespace saturn {

/// Samples the use of every resource, and the number of requests that wait for every model, at equal intervals of a
/// tracer's window.
class TraceTimeline final : private Source {
 public:
  /// To be made after every other source of the calendar, whose order among each other then stays as it is.
  TraceTimeline(Calendar& calendar, const ResourceMeters& resources, const RunTracer& tracer, std::size_t samples);

  /// The run has ended; the tracer has not finished yet.
  void end(double now);
  /// Adds what was sampled.
  void add_to(RunTrace& trace, const Scenario& scenario) const;

  /// Events of the calendar that were the timeline's.
  std::uint64_t handled() const { return handled_; }

 private:
  void fire(double now) override;
  void sample(double now);
  double date(std::size_t boundary) const;

  Calendar& calendar_;
  const ResourceMeters& resources_;
  const RunTracer& tracer_;
  std::size_t samples_;
  std::size_t source_;
  std::uint64_t handled_ = 0;
  std::vector<double> dates_;               // of the samples' boundaries [s]
  std::vector<std::vector<double>> areas_;  // at each boundary: busy areas, then waiting areas [s]
};

}  // namespace saturn
