#include "sim/engine/flow_network.hpp"

#include "sim/engine/fair_leg.hpp"

namespace saturn {

void FlowGroup::set_rate(double rate, double now) {
  clock_.advance(now);
  clock_.rate = rate;
  changed_ = true;
}

double FlowGroup::begin(double now) {
  clock_.advance(now);
  // Without transfers nobody keeps a time of this clock, which is the most exact from 0.
  if (ends_.least() == Tournament::none) clock_.value = 0.0;
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
  const double least = ends_.least();
  ends_.set(place, end);
  changed_ = changed_ || ends_.least() != least;
}

void FlowGroup::reschedule() {
  if (!changed_) return;
  changed_ = false;
  const double end = ends_.least();
  calendar_.reschedule(source_, end == Tournament::none ? Calendar::never : clock_.due(end));
}

void FlowGroup::fire(double now) {
  // The flow ends at its own virtual time exactly; what rounding made of the clock is not carried on.
  clock_.value = ends_.least();
  clock_.date = now;
  changed_ = true;
  legs_[ends_.place()]->transferred(now);
}

FlowGroup& FlowNetwork::group(std::size_t link, Calendar& calendar) {
  if (groups_.size() <= link) groups_.resize(link + 1);
  if (!groups_[link]) groups_[link] = std::make_unique<FlowGroup>(calendar);
  return *groups_[link];
}

void FlowNetwork::apply(Calendar& calendar, double now) {
  // Who moves takes its virtual time along, as the clock that it leaves shows it before that clock's rate changes.
  for (const std::size_t c : sharing_.moved()) legs_[c]->leave_group(now);
  for (const std::size_t l : sharing_.relevelled()) group(l, calendar).set_rate(sharing_.level(l), now);
  for (const std::size_t c : sharing_.moved()) {
    const std::size_t link = sharing_.bottleneck(c);
    legs_[c]->join_group(link == FairSharing::at_cap ? nullptr : &group(link, calendar), now);
  }
  for (const std::size_t l : sharing_.relevelled()) groups_[l]->reschedule();
}

}  // namespace saturn
