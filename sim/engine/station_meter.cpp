#include "sim/engine/station_meter.hpp"

#include <utility>

namespace saturn {

StationMeter& StationMeter::operator+=(const StationMeter& other) {
  present_area += other.present_area;
  busy_area += other.busy_area;
  sojourn_sum += other.sojourn_sum;
  work_sum += other.work_sum;
  arrivals += other.arrivals;
  departures += other.departures;
  idle_while_waiting += other.idle_while_waiting;
  present += other.present;
  age_sum += other.age_sum;
  work_so_far += other.work_so_far;
  return *this;
}

StationCounts counts_between(const StationMeter& from, const StationMeter& to, std::string name) {
  return {.name = std::move(name),
          .present_area = to.present_area - from.present_area,
          .sojourn_sum_s = to.sojourn_sum - from.sojourn_sum,
          .age_before_s = from.age_sum,
          .age_after_s = to.age_sum,
          .busy_area = to.busy_area - from.busy_area,
          .work_sum_s = to.work_sum - from.work_sum,
          .work_before_s = from.work_so_far,
          .work_after_s = to.work_so_far,
          .present_before = from.present,
          .present_after = to.present,
          .arrivals = to.arrivals - from.arrivals,
          .departures = to.departures - from.departures,
          .idle_while_waiting = to.idle_while_waiting - from.idle_while_waiting};
}

}  // namespace saturn
