#include "sim/engine/network/slow_start.hpp"

#include "sim/engine/network/flow_network.hpp"

namespace saturn {

SlowStartEnd::SlowStartEnd(Calendar& calendar, const SlowStart& rules, double bytes_per_s, double round_trip_s,
                           const std::vector<double>& bytes, CallReceiver& receiver)
    : calendar_(calendar),
      source_(calendar.add(*this)),
      fresh_(rules, bytes_per_s, round_trip_s),
      half_round_trip_s_(0.5 * round_trip_s),
      bytes_(bytes),
      receiver_(receiver) {}

void SlowStartEnd::receive(Call& call, double now) {
  const double size = data_of(call, bytes_);
  if (size == 0.0) {
    receiver_.receive(call, now);
    return;
  }
  const std::uint64_t key = std::uint64_t{call.client} << 32U | call.node;
  const auto [place, is_new] = connections_.try_emplace(key, Connection{fresh_});
  Connection& connection = place->second;
  if (!is_new) connection.window.rest(call.phase_start - connection.last);
  const double wait_s = connection.window.send(size);
  connection.last = now + wait_s - half_round_trip_s_;
  if (wait_s == 0.0) {
    receiver_.receive(call, now);
    return;
  }
  present_.came(now);
  waiting_.push(now + wait_s, {&call, now});
  calendar_.reschedule(source_, waiting_.top().date);
}

void SlowStartEnd::fire(double now) {
  const Waiting first = waiting_.pop();
  calendar_.reschedule(source_, waiting_.empty() ? Calendar::never : waiting_.top().date);
  present_.left(first.since, now);
  receiver_.receive(*first.call, now);
}

StationMeter SlowStartEnd::meter(double now) const {
  StationMeter meter = present_.read(now);
  for (const auto& entry : waiting_.entries()) meter.age_sum += now - entry.value.since;
  return meter;
}

}  // namespace saturn
