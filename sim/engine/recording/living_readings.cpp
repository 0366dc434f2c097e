#include "sim/engine/recording/living_readings.hpp"

#include <algorithm>
#include <cmath>

namespace saturn {

CallOutcome calls_between(const CallMeter& from, const CallMeter& to) {
  const auto difference = [&](std::uint64_t CallMeter::*count) { return static_cast<double>(to.*count - from.*count); };
  return {.calls = difference(&CallMeter::calls),
          .retried = difference(&CallMeter::retried),
          .fell_back = difference(&CallMeter::fell_back),
          .failed = difference(&CallMeter::failed),
          .tries = difference(&CallMeter::tries),
          .late = difference(&CallMeter::late),
          .refused = difference(&CallMeter::refused),
          .thrown_away = difference(&CallMeter::answers_thrown_away)};
}

CoreHours core_hours_between(const JobPool& description, std::size_t pool, std::optional<std::size_t> cores,
                             const Reading& from, const Reading& to) {
  const PoolReading& before = from.pools[pool];
  const PoolReading& after = to.pools[pool];
  double taken_s = 0.0;
  if (cores) {
    taken_s = to.resources[*cores].busy_area - from.resources[*cores].busy_area;
  } else {
    const auto in_events_s = [](const PoolReading& meter, double date) {
      return meter.event_times.sum_s + meter.failed_sum + meter.open_age(date) - meter.arrivals.waiting_area;
    };
    taken_s = in_events_s(after, to.date) - in_events_s(before, from.date) + after.set_up_sum - before.set_up_sum;
  }
  const double waited_s = taken_s - (after.computed_sum - before.computed_sum);
  const auto held = static_cast<double>(description.count * description.threads);
  return {.held = held * (to.date - from.date) / seconds_per_hour,
          .waited = std::max(0.0, waited_s) / seconds_per_hour};
}

std::optional<FleetOutcome> fleet_between(const Scenario& scenario, const std::vector<ServerResources>& servers,
                                          std::size_t resource, const Reading& from, const Reading& to) {
  const double window = to.date - from.date;
  std::optional<FleetOutcome> fleet;
  for (std::size_t s = 0; s < to.fleets.size(); ++s) {
    if (servers[s].devices != resource) continue;
    const FleetMeter& before = from.fleets[s];
    const FleetMeter& after = to.fleets[s];
    const double paid_s = after.paid_area - before.paid_area;
    fleet = {.in_service = (after.in_service_area - before.in_service_area) / window,
             .paid = paid_s / window,
             .device_hours = paid_s * static_cast<double>(scenario.servers[s].devices.count) / seconds_per_hour,
             .most_device_hours = window *
                                  static_cast<double>(scenario.servers[s].nodes * scenario.servers[s].devices.count) /
                                  seconds_per_hour,
             .failures = static_cast<double>(after.failures - before.failures)};
    const Server& server = scenario.servers[s];
    const DeviceType& type = scenario.devices.at(server.devices.type);
    if (!type.price) continue;
    const double usd_per_h =
        static_cast<double>(server.devices.count) * type.price->value + server.host_price.value_or(UsdPerHour{}).value;
    fleet->rent_usd = usd_per_h * paid_s / seconds_per_hour;
    fleet->most_rent_usd = usd_per_h * static_cast<double>(server.nodes) * window / seconds_per_hour;
  }
  return fleet;
}

Moment moment_between(const Scenario& scenario, const std::vector<ServerResources>& servers, const Reading& from,
                      const Reading& to) {
  const double length = to.date - from.date;
  Moment moment{.until_s = to.date};
  double events = 0.0;
  double time = 0.0;
  CallOutcome calls;
  for (std::size_t p = 0; p < to.pools.size(); ++p) {
    const PoolReading& before = from.pools[p];
    const PoolReading& after = to.pools[p];
    events += static_cast<double>(after.event_times.count - before.event_times.count);
    time += after.event_times.sum_s - before.event_times.sum_s;
    for (std::size_t s = 0; s < after.calls.size(); ++s) calls += calls_between(before.calls[s], after.calls[s]);
  }
  const auto share = [](double part, double whole) { return whole > 0.0 ? part / whole : 0.0; };
  moment.events_per_s = events / length;
  moment.event_time_s = share(time, events);
  // Of those that end: many may come late while few are sent.
  const double ended = calls.calls - calls.fell_back - calls.failed + calls.late + calls.refused;
  moment.tries_per_s = ended / length;
  moment.calls_per_s = calls.calls / length;
  moment.late = share(calls.late, ended);
  moment.unserved = share(calls.fell_back + calls.failed, calls.calls);
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const std::size_t devices = servers[s].devices;
    moment.present += (to.resources[devices].present_area - from.resources[devices].present_area) / length;
    const auto nodes = static_cast<double>(scenario.servers[s].nodes);
    const bool fixed = to.fleets.empty();
    moment.nodes_in_service += fixed ? nodes : (to.fleets[s].in_service_area - from.fleets[s].in_service_area) / length;
    const Server& server = scenario.servers[s];
    const double busy = (to.resources[devices].busy_area - from.resources[devices].busy_area) / length;
    constexpr double rounding = 1e-9;
    // Whole nodes, but never more than were there: these came or went meanwhile.
    const double there = fixed ? nodes : (to.fleets[s].paid_area - from.fleets[s].paid_area) / length;
    const double least = std::min(there, std::ceil(busy / static_cast<double>(server.devices.count) - rounding));
    moment.nodes_paid += there;
    moment.nodes_least += server.autoscaler ? std::max(least, static_cast<double>(server.autoscaler->least)) : nodes;
  }
  return moment;
}

}  // namespace saturn
