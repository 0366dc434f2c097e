#include "models/results/run_checks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

namespace saturn {

namespace {

// Differences of sums over the whole run lose digits; a law that is really broken misses by far more.
constexpr double rounding_of_sums = 1e-6;

std::string compare(const char* left, double left_value, const char* right, double right_value, double tolerance) {
  return fmt::format("{} = {:.9g}, {} = {:.9g}, may differ by {:.3g}", left, left_value, right, right_value, tolerance);
}

Check equal(std::string name, const char* left, double left_value, const char* right, double right_value,
            double clock_error) {
  const double tolerance = rounding_of_sums * std::max(std::abs(left_value), std::abs(right_value)) + clock_error;
  const bool passed = std::abs(left_value - right_value) <= tolerance;
  return {std::move(name), passed, compare(left, left_value, right, right_value, tolerance)};
}

}  // namespace

StationCounts& StationCounts::operator+=(const StationCounts& other) {
  present_area += other.present_area;
  sojourn_sum_s += other.sojourn_sum_s;
  age_before_s += other.age_before_s;
  age_after_s += other.age_after_s;
  busy_area += other.busy_area;
  work_sum_s += other.work_sum_s;
  work_before_s += other.work_before_s;
  work_after_s += other.work_after_s;
  present_before += other.present_before;
  present_after += other.present_after;
  arrivals += other.arrivals;
  departures += other.departures;
  clock_error_s += other.clock_error_s;
  idle_while_waiting += other.idle_while_waiting;
  return *this;
}

Check check_conservation(const StationCounts& station) {
  const std::uint64_t came = station.present_before + station.arrivals;
  const std::uint64_t accounted = station.departures + station.present_after;
  return {"conservation " + station.name, came == accounted,
          "came " + std::to_string(came) + ", left or present " + std::to_string(accounted)};
}

Check check_little(const StationCounts& station) {
  return equal("Little's law " + station.name, "integral of the number present", station.present_area,
               "time present by stamps", station.sojourn_sum_s + station.age_after_s - station.age_before_s,
               station.clock_error_s);
}

Check check_utilisation(const StationCounts& station) {
  return equal("utilisation law " + station.name, "busy time", station.busy_area, "service given",
               station.work_sum_s + station.work_after_s - station.work_before_s, station.clock_error_s);
}

Check check_work_conserving(const StationCounts& station) {
  return {"no idling " + station.name, station.idle_while_waiting == 0,
          "a unit was free while a request waited: " + std::to_string(station.idle_while_waiting) + " times"};
}

Check check_capacity(const std::string& name, double busy_area, double units, double window_s) {
  const double most = units * window_s;
  return {"capacity " + name, busy_area <= most * (1.0 + rounding_of_sums),
          compare("busy time", busy_area, "units times window", most, rounding_of_sums * most)};
}

Check check_response_time(const std::string& name, double clients, double window_s, double event_time_s) {
  return equal("response-time law " + name, "streams times window", clients * window_s, "time spent in events",
               event_time_s, 0.0);
}

Check check_whole_loop(const WholeLoop& loop) {
  const double by_chance_s =
      loop.spread_s > 0.0 ? 6.0 * loop.spread_s * std::sqrt(loop.events) + 12.0 * loop.longest_s : 0.0;
  const double by_rate_s = (loop.clients * loop.window_s - loop.between_s) / loop.events;
  const double tolerance =
      (loop.at_edges_s + by_chance_s) / loop.events + rounding_of_sums * loop.clients * loop.window_s / loop.events;
  return {"Little's law of the whole loop " + loop.name, std::abs(loop.event_time_s - by_rate_s) <= tolerance,
          compare("event time", loop.event_time_s, "streams over rate, less what lies between events", by_rate_s,
                  tolerance)};
}

Check check_open_bounds(const OpenPoolBounds& pool) {
  const double tolerance =
      pool.streams / pool.events + 6.0 * pool.relative_scatter / std::sqrt(pool.events) + rounding_of_sums;
  const bool time_ok = pool.event_time_s >= pool.ideal_event_time_s * (1.0 - tolerance);
  const bool rate_ok = pool.events * (1.0 - tolerance) <= pool.capacity_events;
  return {
      "bounds " + pool.name, time_ok && rate_ok,
      compare("event time", pool.event_time_s, "its lower bound", pool.ideal_event_time_s,
              tolerance * pool.ideal_event_time_s) +
          "; " +
          compare("events", pool.events, "their upper bound", pool.capacity_events, tolerance * pool.capacity_events)};
}

Check check_bounds(const BoundedPool& pool) {
  const double tolerance = pool.clients * pool.edge_events / pool.events +
                           6.0 * pool.relative_scatter / std::sqrt(pool.events) + rounding_of_sums;
  const double most_events_per_s = pool.clients / pool.least_event_time_s;
  const bool time_ok = pool.event_time_s >= pool.least_event_time_s * (1.0 - tolerance);
  // The tolerance is a share of the events that were counted, not of those that the bound allows.
  const bool rate_ok = pool.events_per_s * (1.0 - tolerance) <= most_events_per_s;
  return {"bounds " + pool.name, time_ok && rate_ok,
          compare("event time", pool.event_time_s, "its lower bound", pool.least_event_time_s,
                  tolerance * pool.least_event_time_s) +
              "; " +
              compare("events/s", pool.events_per_s, "their upper bound", most_events_per_s,
                      tolerance * most_events_per_s)};
}

}  // namespace saturn
