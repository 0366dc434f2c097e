#include "sim/engine/recording/meters.hpp"

#include <utility>

#include "sim/engine/serving/server_node.hpp"

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

StationMeter CoresMeter::read(double now) const {
  StationMeter meter = counted;
  const double elapsed = now - last_change;
  meter.present_area += static_cast<double>(present) * elapsed;
  meter.busy_area += static_cast<double>(holding) * elapsed;
  meter.present = present;
  meter.age_sum = static_cast<double>(present) * now - present_since;
  meter.work_so_far = static_cast<double>(holding) * now - holding_since;
  return meter;
}

void Cores::count(double now) {
  const double elapsed = now - meter_->last_change;
  meter_->counted.present_area += static_cast<double>(meter_->present) * elapsed;
  meter_->counted.busy_area += static_cast<double>(meter_->holding) * elapsed;
  meter_->last_change = now;
}

bool Cores::ask(CoreHold& stream, double now) {
  count(now);
  ++meter_->counted.arrivals;
  ++meter_->present;
  meter_->present_since += now;
  stream.asked_ = now;
  if (free_ > 0) {
    if (first_ != nullptr) ++meter_->counted.idle_while_waiting;
    --free_;
    grant(stream, now);
    return true;
  }
  stream.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &stream;
  last_ = &stream;
  return false;
}

void Cores::grant(CoreHold& stream, double now) {
  ++meter_->holding;
  meter_->holding_since += now;
  stream.granted_ = now;
  stream.held_ = true;
}

void Cores::give_back(CoreHold& stream, double now) {
  count(now);
  meter_->counted.left(now - stream.asked_);
  meter_->counted.work_sum += now - stream.granted_;
  --meter_->present;
  --meter_->holding;
  meter_->present_since -= stream.asked_;
  meter_->holding_since -= stream.granted_;
  stream.held_ = false;
  if (first_ == nullptr) {
    ++free_;
    return;
  }
  CoreHold& next = *first_;
  first_ = next.next_;
  grant(next, now);
  // By the timers, not from here: streams that need no time would go deeper and deeper into each other.
  timers_->wake(*next.stream_, now);
}

std::map<std::uint32_t, std::uint64_t> BatchSizes::since(const BatchSizes& earlier) const {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (std::uint32_t items = 0; items < counts_.size(); ++items) {
    const std::uint64_t before = items < earlier.counts_.size() ? earlier.counts_[items] : 0;
    if (counts_[items] > before) counts[items] = counts_[items] - before;
  }
  for (const auto& [items, count] : others_) {
    const auto found = earlier.others_.find(items);
    const std::uint64_t before = found == earlier.others_.end() ? 0 : found->second;
    if (count > before) counts[items] = count - before;
  }
  return counts;
}

void ServerNode::count(double now) {
  if (now == counted_) return;
  const double elapsed = now - counted_;
  meter_.present_area += static_cast<double>(present_) * elapsed;
  meter_.busy_area += busy_ * elapsed;
  host_meter_.present_area += static_cast<double>(in_host_) * elapsed;
  counted_ = now;
}

StationMeter ServerNode::areas(double now) const {
  StationMeter meter = meter_;
  const double elapsed = now - counted_;
  meter.present = present_;
  meter.present_area += static_cast<double>(present_) * elapsed;
  meter.busy_area += busy_ * elapsed;
  return meter;
}

StationMeter ServerNode::meter(double now) const {
  StationMeter meter = areas(now);
  const auto add_age = [&](const Call& call) { meter.age_sum += now - call.admitted; };
  for (const auto& queue : queues_)
    if (queue) queue->for_each(add_age);
  for (const auto& sequences : sequences_)
    if (sequences) sequences->slots.for_each_waiting([&](const Call* call) { add_age(*call); });
  for (const Execution& execution : executions_)
    for (const Call* call = execution.first; call != nullptr; call = call->next) add_age(*call);
  phases_.for_each([&](const auto& entry) {
    const Execution& execution = executions_[entry.value];
    if (!execution.in_host_part) meter.work_so_far += units_[execution.unit].share * (now - execution.running_since);
  });
  const auto add_work = [&](std::uint32_t number, double occupied) {
    meter.work_so_far += units_[executions_[number].unit].share * occupied;
  };
  if (interfering_) interfering_->for_each(now, add_work);
  for (const Unit& unit : units_)
    if (unit.together) unit.together->for_each(now, add_work);
  return meter;
}

double ServerNode::busy_instances_area(std::uint16_t model, double now) const {
  double area = instance_time_[model];
  for (const Execution& execution : executions_)
    if (execution.first != nullptr && execution.queue->number() == model) area += now - execution.started;
  return area;
}

StationMeter ServerNode::host_meter(double now) const {
  StationMeter meter = host_meter_;
  if (!host_) return meter;
  meter.present = in_host_;
  meter.present_area += static_cast<double>(in_host_) * (now - counted_);
  meter.busy_area = host_->busy_area(now);
  host_->for_each(now, [&](const Call* call, double occupied) {
    meter.age_sum += now - call->arrived;
    meter.work_so_far += occupied;
  });
  return meter;
}

StationMeter ServerNode::batch_workers_meter(double now) const {
  if (!batch_workers_) return {};
  const BatchWorkers& workers = *batch_workers_;
  StationMeter meter = workers.presence.read(now);
  meter.work_sum = workers.work_sum;
  meter.busy_area = workers.shared.busy_area(now);
  workers.shared.for_each(now, [&](HostPartOf part, double occupied) {
    meter.age_sum += now - executions_[part.execution].since;
    meter.work_so_far += occupied;
  });
  return meter;
}

}  // namespace saturn
