#include "sim/engine/fair_leg.hpp"

#include <utility>

#include "sim/engine/prefetch.hpp"

namespace saturn {

FairLeg::FairLeg(Calendar& calendar, FlowNetwork& network, std::size_t flow_class, double latency,
                 std::vector<double> bytes, CallReceiver& receiver)
    : calendar_(calendar),
      network_(network),
      flow_class_(flow_class),
      latency_(latency),
      bytes_(std::move(bytes)),
      receiver_(receiver),
      travel_source_(calendar.add(travel_)),
      transfer_source_(calendar.add(transfer_)),
      rate_(network.sharing().cap(flow_class)) {
  network_.add(*this);
}

void FairLeg::begin(Call& call, double now) {
  meter_.present_area += static_cast<double>(present_) * (now - present_updated_);
  present_updated_ = now;
  ++present_;
  ++meter_.arrivals;
  if (latency_ == 0.0) {
    start_transfer(call, now);
    return;
  }
  const double due = now + latency_;
  if (travelling_.empty()) calendar_.reschedule(travel_source_, due);
  travelling_.push({due, &call});
}

void FairLeg::travelled(double now) {
  Call& call = *travelling_.pop().call;
  constexpr std::size_t ahead = 3;
  if (travelling_.size() > ahead) prefetch(travelling_[ahead].call, 2);
  calendar_.reschedule(travel_source_, travelling_.empty() ? Calendar::never : travelling_.front().key);
  start_transfer(call, now);
}

void FairLeg::start_transfer(Call& call, double now) {
  // An answer that says no carries no data.
  const double size = call.rejected ? 0.0 : bytes_[call.model] * call.items;
  if (size == 0.0) {
    deliver(call, now);
    return;
  }
  advance(now);
  const double end = virtual_ + size;
  if (in_order_.empty() || end >= in_order_.back().key) {
    in_order_.push({end, &call});
  } else {
    out_of_order_.push(end, &call);
  }
  ++flows_;
  network_.started(flow_class_, now);
  reschedule_transfer();
}

void FairLeg::transferred(double now) {
  advance(now);
  const bool from_heap =
      !out_of_order_.empty() && (in_order_.empty() || out_of_order_.top().date < in_order_.front().key);
  // The flow ends at its own virtual time exactly; what rounding made of v is not carried on.
  virtual_ = from_heap ? out_of_order_.top().date : in_order_.front().key;
  Call& call = from_heap ? *out_of_order_.pop() : *in_order_.pop().call;
  constexpr std::size_t ahead = 3;
  if (in_order_.size() > ahead) prefetch(in_order_[ahead].call, 2);
  --flows_;
  if (flows_ == 0) virtual_ = 0.0;
  network_.finished(flow_class_, now);
  reschedule_transfer();
  deliver(call, now);
}

void FairLeg::deliver(Call& call, double now) {
  meter_.present_area += static_cast<double>(present_) * (now - present_updated_);
  present_updated_ = now;
  --present_;
  meter_.left(now - call.phase_start);
  receiver_.receive(call, now);
}

void FairLeg::advance(double now) {
  const double elapsed = now - updated_;
  const double flows = static_cast<double>(flows_);
  virtual_ += rate_ * elapsed;
  carried_ += flows * rate_ * elapsed;
  transfers_area_ += flows * elapsed;
  updated_ = now;
}

void FairLeg::set_rate(double rate, double now) {
  advance(now);
  rate_ = rate;
  reschedule_transfer();
}

void FairLeg::reschedule_transfer() {
  if (flows_ == 0) {
    calendar_.reschedule(transfer_source_, Calendar::never);
    return;
  }
  double end = in_order_.empty() ? Calendar::never : in_order_.front().key;
  if (!out_of_order_.empty() && out_of_order_.top().date < end) end = out_of_order_.top().date;
  const double wait = (end - virtual_) / rate_;
  calendar_.reschedule(transfer_source_, updated_ + (wait > 0.0 ? wait : 0.0));
}

StationMeter FairLeg::meter(double now) const {
  StationMeter meter = meter_;
  meter.present = present_;
  meter.present_area += static_cast<double>(present_) * (now - present_updated_);
  for (std::size_t i = 0; i < travelling_.size(); ++i) meter.age_sum += now - travelling_[i].call->phase_start;
  for (std::size_t i = 0; i < in_order_.size(); ++i) meter.age_sum += now - in_order_[i].call->phase_start;
  for (const auto& entry : out_of_order_.entries()) meter.age_sum += now - entry.value->phase_start;
  return meter;
}

double FairLeg::carried_bytes(double now) const {
  return carried_ + static_cast<double>(flows_) * rate_ * (now - updated_);
}

double FairLeg::transfers_area(double now) const {
  return transfers_area_ + static_cast<double>(flows_) * (now - updated_);
}

}  // namespace saturn
