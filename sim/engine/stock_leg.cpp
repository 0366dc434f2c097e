#include "sim/engine/stock_leg.hpp"

#include <algorithm>
#include <utility>

namespace saturn {

StockLeg::StockLeg(Calendar& calendar, StockNetwork& network, std::size_t route, double latency,
                   std::vector<double> bytes, CallReceiver& receiver)
    : calendar_(calendar),
      network_(network),
      route_(route),
      latency_(latency),
      bytes_(std::move(bytes)),
      receiver_(receiver),
      travel_source_(calendar.add(travel_)),
      ends_source_(calendar.add(ends_)) {}

void StockLeg::begin(Call& call, double now) {
  present_.came(now);
  if (latency_ == 0.0) {
    start_transfer(call, now);
    return;
  }
  const double due = now + latency_;
  if (travelling_.empty()) calendar_.reschedule(travel_source_, due);
  travelling_.push({due, &call});
}

void StockLeg::travelled(double now) {
  Call& call = *travelling_.pop().call;
  calendar_.reschedule(travel_source_, travelling_.empty() ? Calendar::never : travelling_.front().date);
  start_transfer(call, now);
}

void StockLeg::start_transfer(Call& call, double now) {
  const double size = data_of(call, bytes_);
  if (size == 0.0) {
    deliver(call, now);
    return;
  }
  count_transfers(now);
  transferring_.emplace(network_.start(route_, size, ends_), &call);
}

void StockLeg::Ends::ended(std::size_t transfer, double now) {
  transfers.push(transfer);
  // SimGrid's clock may be a rounding error before the date that the calendar has just handled.
  if (transfers.size() == 1) leg.calendar_.reschedule(leg.ends_source_, std::max(now, leg.calendar_.now()));
}

void StockLeg::Ends::fire(double now) {
  const std::size_t transfer = transfers.pop();
  leg.calendar_.reschedule(leg.ends_source_, transfers.empty() ? Calendar::never : now);
  leg.transferred(transfer, now);
}

void StockLeg::transferred(std::size_t transfer, double now) {
  count_transfers(now);
  const auto place = transferring_.find(transfer);
  Call& call = *place->second;
  transferring_.erase(place);
  carried_ += network_.carried(transfer);
  network_.release(transfer);
  deliver(call, now);
}

void StockLeg::deliver(Call& call, double now) {
  present_.left(call.phase_start, now);
  receiver_.receive(call, now);
}

void StockLeg::count_transfers(double now) {
  transfers_area_ = transfers_area(now);
  transfers_updated_ = now;
}

StationMeter StockLeg::meter(double now) const {
  StationMeter meter = present_.read(now);
  for (std::size_t i = 0; i < travelling_.size(); ++i) meter.age_sum += now - travelling_[i].call->phase_start;
  for (const auto& [transfer, call] : transferring_) meter.age_sum += now - call->phase_start;
  return meter;
}

double StockLeg::carried_bytes(double) const {
  double carried = carried_;
  for (const auto& [transfer, call] : transferring_) carried += network_.carried(transfer);
  return carried;
}

double StockLeg::transfers_area(double now) const {
  return transfers_area_ + static_cast<double>(transferring_.size()) * (now - transfers_updated_);
}

}  // namespace saturn
