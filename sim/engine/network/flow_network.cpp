#include "sim/engine/network/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace saturn {

void FlowGroup::set_rate(double rate, double now) {
  clock_.advance(now);
  clock_.rate = rate;
  changed_ = true;
}

double FlowGroup::begin(double now) {
  clock_.advance(now);
  // Without transfers nobody keeps a time of this clock, which is the most exact from 0.
  if (next_ == Tournament::none) clock_.value = 0.0;
  return clock_.value;
}

std::size_t FlowGroup::add(FairLeg& leg) {
  if (free_places_.empty()) {
    legs_.push_back(&leg);
    return ends_.add();
  }
  const std::size_t place = free_places_.back();
  free_places_.pop_back();
  legs_[place] = &leg;
  return place;
}

void FlowGroup::remove(std::size_t place) {
  set_end(place, Tournament::none);
  free_places_.push_back(place);
}

void FlowGroup::set_end(std::size_t place, double end) {
  ends_.set(place, end);
  const double least = ends_.least();
  changed_ = changed_ || least != next_;
  next_ = least;
}

void FlowGroup::reschedule() {
  if (!changed_) return;
  changed_ = false;
  calendar_.reschedule(source_, next_ == Tournament::none ? Calendar::never : clock_.due(next_));
}

void FlowGroup::fire(double now) {
  // The flow ends at its own virtual time exactly; what rounding made of the clock is not carried on.
  clock_.value = next_;
  clock_.date = now;
  changed_ = true;
  legs_[ends_.place()]->transferred(now);
}

void FlowNetwork::make_group(std::size_t link, Calendar& calendar) {
  if (groups_.size() <= link) groups_.resize(link + 1);
  groups_[link] = std::make_unique<FlowGroup>(calendar);
}

void FlowNetwork::add(FairLeg& leg) {
  // Rounded so that a link which may fill is never taken for one that cannot.
  constexpr double most = 0x1p53;
  const std::size_t flow_class = legs_.size();
  legs_.push_back(&leg);
  const auto claim = static_cast<std::uint64_t>(std::min(most, std::ceil(sharing_.cap(flow_class))));
  claims_.push_back({.bytes_per_s = claim, .links = sharing_.links(flow_class)});
  for (const std::size_t l : sharing_.links(flow_class)) {
    if (claimed_.size() <= l) claimed_.resize(l + 1);
    claimed_[l].capacity = static_cast<std::uint64_t>(std::min(most, std::floor(sharing_.capacity(l))));
    claimed_[l].legs.push_back(&leg);
  }
}

void FlowNetwork::seal() {
  sealed_ = true;
  sharing_.leave_out_wide_links();
  for (std::size_t c = 0; c < claims_.size(); ++c) claims_[c].links = sharing_.links(c);
}

void FlowNetwork::may_fill(Claimed& link, double now) {
  constexpr std::uint64_t calls_at_least = 64;
  constexpr std::uint64_t calls_a_leg = 4;
  link.may_fill = true;
  link.changes_after = link.calls + calls_at_least + calls_a_leg * link.legs.size();
  for (FairLeg* leg : link.legs)
    if (leg->filling_links_++ == 0) leg->may_be_held_back(now);
}

void FlowNetwork::has_room(Claimed& link, double now) {
  link.may_fill = false;
  for (FairLeg* leg : link.legs)
    if (--leg->filling_links_ == 0) leg->goes_at_cap(now);
}

void FlowNetwork::set_speed(std::size_t number, double share, Calendar& calendar, double now) {
  // What a closed link still carries of what is under way: a thousandth of a second's data in an hour.
  constexpr double standing_still = 1e-7;
  if (sealed_) throw std::logic_error("a link changes its speed that may have been left out");
  if (claimed_.size() <= number || claimed_[number].legs.empty()) return;
  Claimed& link = claimed_[number];
  if (link.whole == 0.0) link.whole = sharing_.capacity(number);
  const double capacity = link.whole * std::max(share, standing_still);
  link.capacity = static_cast<std::uint64_t>(std::floor(capacity));
  if (!link.may_fill && (share == 0.0 || link.bytes_per_s > link.capacity)) may_fill(link, now);
  if (sharing_.set_capacity(number, capacity)) apply(calendar, now);
  for (FairLeg* leg : link.legs) leg->speed_changed(now);
  if (link.closed == (share == 0.0)) return;
  link.closed = share == 0.0;
  for (FairLeg* leg : link.legs) {
    if (link.closed) {
      leg->close();
    } else {
      leg->open(now);
    }
  }
}

double FlowNetwork::own_capacity(std::size_t flow_class) const {
  double least = 0.0;
  for (const std::size_t l : claims_[flow_class].links) {
    if (claimed_[l].legs.size() > 1) return 0.0;
    least = least == 0.0 ? sharing_.capacity(l) : std::min(least, sharing_.capacity(l));
  }
  return least;
}

void FlowNetwork::apply(Calendar& calendar, double now) {
  if (sharing_.moved().empty()) {
    for (const std::size_t l : sharing_.relevelled()) {
      FlowGroup& one = group(l, calendar);
      one.set_rate(sharing_.level(l), now);
      one.reschedule();
    }
    return;
  }
  // Who moves takes its virtual time along, as the clock that it leaves shows it before that clock's rate changes.
  for (const std::size_t c : sharing_.moved()) legs_[c]->leave_group(now);
  for (const std::size_t l : sharing_.relevelled()) group(l, calendar).set_rate(sharing_.level(l), now);
  for (const std::size_t c : sharing_.moved()) {
    const std::size_t link = sharing_.bottleneck(c);
    legs_[c]->join_group(link == FairSharing::at_cap ? nullptr : &group(link, calendar), now);
  }
  for (const std::size_t l : sharing_.relevelled()) groups_[l]->reschedule();
}

FairLeg::FairLeg(Calendar& calendar, FlowNetwork& network, std::size_t flow_class, double latency,
                 std::vector<double> bytes, CallReceiver& receiver)
    : calendar_(calendar),
      network_(network),
      flow_class_(flow_class),
      latency_(latency),
      bytes_(std::move(bytes)),
      receiver_(receiver),
      source_(calendar.add(*this)),
      cap_(network.sharing().cap(flow_class)) {
  own_.rate = cap_;
  network_.add(*this);
}

void FairLeg::begin(Call& call, double now) {
  present_.came(now);
  network_.sets_out(flow_class_, now);
  if (filling_links_ == 0) {
    const double transfer_s = data_of(call, bytes_) / cap_;
    if (latency_ == 0.0 && transfer_s == 0.0) {
      deliver(call, now);
      return;
    }
    free_.push(now + latency_ + transfer_s, &call);
    if (free_.next_date() == next_alone_) return;
    next_alone_ = free_.next_date();
    enter_dates();
    return;
  }
  // A link that is closed counts as one that may fill.
  if (closed_links_ > 0) {
    held_.push(&call);
    return;
  }
  travel(call, now);
}

void FairLeg::travel(Call& call, double now) {
  if (latency_ == 0.0) {
    start_transfer(call, now);
    return;
  }
  const double due = now + latency_;
  const bool first = travelling_.empty();
  travelling_.push({due, &call});
  if (!first) return;
  next_travelled_ = due;
  enter_dates();
}

void FairLeg::open(double now) {
  if (--closed_links_ > 0) return;
  while (!held_.empty()) travel(*held_.pop(), now);
}

void FairLeg::fire(double now) {
  firing_ = true;
  if (filling_links_ == 0) {
    const auto [date, call] = free_.pop();
    next_alone_ = free_.empty() ? Calendar::never : free_.next_date();
    count_free(date, *call, now);
    deliver(*call, now);
  } else if (next_travelled_ <= next_alone_) {
    travelled(now);
  } else {
    // The flow ends at its own virtual time exactly; what rounding made of v is not carried on.
    own_.value = transfers_.next_date() - offset_;
    own_.date = now;
    transferred(now);
  }
  firing_ = false;
  enter_dates();
}

void FairLeg::travelled(double now) {
  Call& call = *travelling_.pop().call;
  constexpr std::size_t ahead = 3;
  if (travelling_.size() > ahead) prefetch_call(*travelling_[ahead].call);
  next_travelled_ = travelling_.empty() ? Calendar::never : travelling_.front().date;
  start_transfer(call, now);
}

void FairLeg::start_transfer(Call& call, double now) {
  const double size = data_of(call, bytes_);
  if (size == 0.0) {
    deliver(call, now);
    return;
  }
  begin_flow(call, size, now);
}

void FairLeg::begin_flow(Call& call, double size, double now) {
  if (flows_ == 0) {
    // v begins at 0 again, where it is the most exact.
    own_.value = 0.0;
    own_.date = now;
    offset_ = group_ ? -group_->begin(now) : 0.0;
    counted_virtual_ = 0.0;
  }
  const double start = virtual_time(now);
  count(start, now);
  transfers_.push(start + size, &call);
  ++flows_;
  flows_changed(true, start, now);
}

void FairLeg::transferred(double now) {
  const auto [end, call] = transfers_.pop();
  count(end, now);
  --flows_;
  flows_changed(false, end, now);
  deliver(*call, now);
}

void FairLeg::flows_changed(bool more, double virtual_now, double now) {
  if (own_capacity_ > 0.0) {
    share_own(virtual_now, now);
  } else {
    share_with_others(more, now);
  }
}

void FairLeg::share_with_others(bool more, double now) {
  enter_next_end();
  if (more) {
    network_.started(flow_class_, calendar_, now);
  } else {
    network_.finished(flow_class_, calendar_, now);
  }
  reschedule();
}

void FairLeg::share_own(double virtual_now, double now) {
  own_.value = virtual_now;
  own_.date = now;
  own_.rate = flows_ == 0 ? cap_ : std::min(cap_, own_capacity_ / static_cast<double>(flows_));
  next_alone_ = flows_ == 0 ? Calendar::never : own_.due(transfers_.next_date());
  enter_dates();
}

void FairLeg::speed_changed(double now) {
  if (own_capacity_ == 0.0) return;
  own_capacity_ = network_.own_capacity(flow_class_);
  if (filling_links_ > 0) share_own(virtual_time(now), now);
}

void FairLeg::deliver(Call& call, double now) {
  present_.left(call.phase_start, now);
  network_.arrives(flow_class_, now);
  receiver_.receive(call, now);
}

void FairLeg::may_be_held_back(double now) {
  own_capacity_ = network_.own_capacity(flow_class_);
  next_alone_ = Calendar::never;
  counted_ = now;
  std::vector<Due> travelling;
  while (!free_.empty()) {
    const auto [date, call] = free_.pop();
    const double transfer_starts = call->phase_start + latency_;
    if (transfer_starts > now) {
      travelling.push_back({transfer_starts, call});
      continue;
    }
    count_free(date, *call, now);
    begin_flow(*call, std::max(0.0, (date - now) * cap_), now);
  }
  // Calls of different sizes do not arrive in the order in which they set out.
  std::stable_sort(travelling.begin(), travelling.end(), [](const Due& a, const Due& b) { return a.date < b.date; });
  for (const Due& due : travelling) travelling_.push(due);
  next_travelled_ = travelling_.empty() ? Calendar::never : travelling_.front().date;
  enter_dates();
}

void FairLeg::goes_at_cap(double now) {
  free_since_ = now;
  const double here = virtual_time(now);
  count(here, now);
  while (flows_ > 0) {
    const auto [end, call] = transfers_.pop();
    free_.push(now + std::max(0.0, end - here) / cap_, call);
    --flows_;
    flows_changed(false, here, now);
  }
  while (!travelling_.empty()) {
    const auto [date, call] = travelling_.pop();
    free_.push(date + data_of(*call, bytes_) / cap_, call);
  }
  next_travelled_ = Calendar::never;
  next_alone_ = free_.empty() ? Calendar::never : free_.next_date();
  enter_dates();
}

/// How long the transfer of a call that arrives at its end [date] has gone at the cap by now, since the leg is free
/// [s].
double FairLeg::free_s(const TransferQueue::Entry& arrival, double now) const {
  const double whole = data_of(*arrival.value, bytes_) / cap_;
  const double begin = std::max(arrival.date - whole, free_since_);
  // A difference of dates late in a run is not as exact.
  if (arrival.date <= now && begin > free_since_) return whole;
  return std::max(0.0, std::min(arrival.date, now) - begin);
}

double FairLeg::free_area(double now) const {
  double area = 0.0;
  free_.for_each([&](const TransferQueue::Entry& arrival) { area += free_s(arrival, now); });
  return area;
}

void FairLeg::count_free(double date, Call& call, double now) {
  const double at_cap_s = free_s({date, &call}, now);
  carried_ += cap_ * at_cap_s;
  transfers_area_ += at_cap_s;
}

void FairLeg::count(double virtual_now, double now) {
  const double flows = static_cast<double>(flows_);
  carried_ += flows * (virtual_now - counted_virtual_);
  transfers_area_ += flows * (now - counted_);
  counted_virtual_ = virtual_now;
  counted_ = now;
}

void FairLeg::enter_next_end() {
  if (group_) group_->set_end(place_, flows_ == 0 ? Tournament::none : transfers_.next_date() - offset_);
}

void FairLeg::reschedule() {
  if (group_) {
    group_->reschedule();
    return;
  }
  // While the leg is free, the date is that of its next arrival, whatever becomes of its class without flows.
  if (filling_links_ == 0) return;
  next_alone_ = flows_ == 0 ? Calendar::never : own_.due(transfers_.next_date() - offset_);
  enter_dates();
}

void FairLeg::enter_dates() {
  if (!firing_) calendar_.reschedule(source_, std::min(next_travelled_, next_alone_));
}

void FairLeg::leave_group(double now) {
  // Until it joins the next, the offset is all of v.
  offset_ = virtual_time(now);
  if (group_) {
    group_->remove(place_);
    group_->reschedule();
  } else if (filling_links_ > 0) {
    next_alone_ = Calendar::never;
    enter_dates();
  }
}

void FairLeg::join_group(FlowGroup* group, double now) {
  group_ = group;
  if (group_) {
    place_ = group_->add(*this);
    offset_ -= group_->clock().at(now);
    enter_next_end();
  } else {
    own_.value = offset_;
    own_.date = now;
    offset_ = 0.0;
  }
  reschedule();
}

StationMeter FairLeg::meter(double now) const {
  StationMeter meter = present_.read(now);
  for (std::size_t i = 0; i < travelling_.size(); ++i) meter.age_sum += now - travelling_[i].call->phase_start;
  for (std::size_t i = 0; i < held_.size(); ++i) meter.age_sum += now - held_[i]->phase_start;
  meter.age_sum += transfers_.age_sum(now) + free_.age_sum(now);
  return meter;
}

double FairLeg::carried_bytes(double now) const {
  return carried_ + static_cast<double>(flows_) * (virtual_time(now) - counted_virtual_) + cap_ * free_area(now);
}

double FairLeg::transfers_area(double now) const {
  return transfers_area_ + static_cast<double>(flows_) * (now - counted_) + free_area(now);
}

}  // namespace saturn
