#include "sim/engine/serving/server_node.hpp"

#include <algorithm>
#include <utility>

namespace saturn {

ServerNode::ServerNode(Calendar& calendar, const NodePlan& plan, RandomStream stream, ServiceListener& listener)
    : calendar_(calendar),
      plan_(plan),
      stream_(stream),
      listener_(listener),
      source_(calendar.add(*this)),
      instance_time_(plan.chains.size(), 0.0),
      units_(plan.shares.size()) {
  if (plan.host)
    host_ = std::make_unique<SharedProcessor<Call*, ServerNode>>(calendar, SharedSpeed::units(plan.host->workers),
                                                                 plan.host->workers, *this);
  if (plan.batch_workers) batch_workers_ = std::make_unique<BatchWorkers>(calendar, *plan.batch_workers, *this);
  if (plan.interference > 0.0 && plan.sharing == DeviceSharing::exclusive)
    interfering_ = std::make_unique<SharedProcessor<std::uint32_t, ServerNode>>(
        calendar, SharedSpeed::interference(plan.interference), static_cast<double>(plan.shares.size()), *this);
  make_queues();
  for (std::size_t i = 0; i < units_.size(); ++i) {
    units_[i].share = plan.shares[i];
    if (plan.sharing == DeviceSharing::processor_sharing)
      units_[i].together = std::make_unique<SharedProcessor<std::uint32_t, ServerNode>>(
          calendar, SharedSpeed::units(1.0, plan.contention), 1.0, *this);
  }
}

void ServerNode::make_queues() {
  const auto units = static_cast<std::uint32_t>(units_.size());
  const std::size_t models = plan_.chains.size();
  const bool shared = plan_.dispatch == DeviceDispatch::shared_queue;
  if (!shared) devices_ = std::make_unique<Balancer>(Dispatch::least_in_turn, units, stream_);
  queues_.resize(shared ? models : models * units);
  QueueOwner& owner = *this;
  const std::size_t of_models = queues_.size();
  for (const HostedModel& model : plan_.models) {
    if (model.slots > 0) {
      make_sequences(model);
      continue;
    }
    for (std::size_t place = model.number; place < of_models; place += models)
      queues_[place] = std::make_unique<ModelQueue>(calendar_, owner, model, static_cast<std::uint32_t>(place / models),
                                                    shared ? units : 1, place);
  }
}

/// One instance of every unit before the second of any, as elsewhere.
void ServerNode::make_sequences(const HostedModel& model) {
  const auto units = static_cast<std::uint32_t>(units_.size());
  const std::uint32_t instances = model.stateful_instances * units;
  sequences_.resize(plan_.chains.size());
  sequences_[model.number] = std::make_unique<Sequences>(instances, model.slots, queues_.size());
  QueueOwner& owner = *this;
  for (std::uint32_t instance = 0; instance < instances; ++instance)
    queues_.push_back(std::make_unique<ModelQueue>(calendar_, owner, model, instance % units, 1, queues_.size()));
}

void ServerNode::receive(Call& call, double now) {
  call.arrived = now;
  call.step = 0;
  if (tracer_ != nullptr) tracer_->waits(call, step_of(call), now);
  if (host_) {
    count(now);
    ++host_meter_.arrivals;
    ++in_host_;
    host_->begin(&call, host_work(call), now);
    return;
  }
  admit(call, now);
}

double ServerNode::host_work(const Call& call) {
  const HostStage& host = *plan_.host;
  const double work = host.per_request.value + static_cast<double>(call.items) * host.per_item.value;
  if (host.scatter == 0.0) return work;
  return sample(TimeDistribution{GammaTime{.mean = Seconds{work}, .cv = host.scatter}}, stream_).value;
}

void ServerNode::work_done(Call* call, double occupied, double now) {
  count(now);
  --in_host_;
  host_meter_.left(now - call->arrived);
  host_meter_.work_sum += occupied;
  admit(*call, now);
}

void ServerNode::admit(Call& call, double now) {
  count(now);
  ++meter_.arrivals;
  ++present_;
  call.admitted = now;
  enqueue(call, now);
}

void ServerNode::enqueue(Call& call, double now) {
  call.step_start = now;
  if (!sequences_.empty())
    if (const auto& sequences = sequences_[step_of(call)]) return enqueue_in_sequence(*sequences, call, now);
  join(queue_for(step_of(call)), call, now);
}

void ServerNode::enqueue_in_sequence(Sequences& sequences, Call& call, double now) {
  sequences.count(now);
  if (const auto slot = sequences.slots.enter(call.client, &call)) join(queue_of(sequences, slot->instance), call, now);
}

void ServerNode::join(ModelQueue& queue, Call& call, double now) {
  if (queue.executes_at_once()) {
    call.held_back = queue.idle_time(now);
    Batch alone;
    alone.add(call);
    start(queue, alone, queue.reason_alone(call.items), now);
    return;
  }
  const bool kept = queue.arrive(call, now);
  serve(queue, now);
  if (kept) return;
  Batch refused;
  refused.add(call);
  reject(queue, refused, now);
}

void ServerNode::serve(ModelQueue& queue, double now) {
  while (queue.ready()) {
    Batch batch;
    const std::optional<SendReason> reason = queue.take(batch, now);
    if (!reason) break;
    start(queue, batch, *reason, now);
  }
  const bool overdue = queue.has_dates() ? queue.settle(now) : queue.ready();
  if (overdue) ++meter_.idle_while_waiting;
  if (!queue.may_reject()) return;
  const Batch refused = queue.rejected();
  if (!refused.empty()) reject(queue, refused, now);
}

void ServerNode::start(ModelQueue& queue, const Batch& batch, SendReason reason, double now) {
  listener_.batch_sent(queue.number(), batch.items, reason);
  const double idle_time = queue.idle_time(now);
  for (Call* call = batch.first; call != nullptr; call = call->next) {
    call->held_back = idle_time - call->held_back;
    call->fill_s += call->held_back;
    call->queue_s += now - call->step_start;
  }
  if (watched_) count_for_watchers(batch, now);
  std::uint32_t number = 0;
  if (free_executions_.empty()) {
    number = static_cast<std::uint32_t>(executions_.size());
    executions_.emplace_back();
  } else {
    number = free_executions_.back();
    free_executions_.pop_back();
  }
  const HostedModel& model = queue.model();
  const std::uint32_t unit = queue.occupy(now);
  const double size = model.cost_by_sum ? batch.weighted_items : law_items(model, batch);
  const BatchTime time = sample(*model.law, size, stream_);
  const double slowness = plan_.sag ? plan_.sag->slowness(present_ - about_to_leave_) : 1.0;
  const double turns = static_cast<double>(model.law->turns) / slowness;
  Execution& execution = executions_[number];
  execution.first = batch.first;
  execution.queue = &queue;
  execution.unit = unit;
  execution.started = now;
  execution.host_s = time.host.value / turns;
  if (batch.requests > 1) execution.host_s += joining_s(*model.law, batch.requests) / turns;
  execution.device_s = time.device.value / turns / units_[unit].share;
  execution.wait_s = 0.0;
  execution.turns = static_cast<std::uint32_t>(model.law->turns);
  if (tracer_ != nullptr)
    tracer_->batch_begins({.node = number_, .unit = unit, .model = model.number, .instance = 0}, number, *batch.first,
                          batch.items, now);
  begin_turn(number, now);
}

void ServerNode::count_for_watchers(const Batch& batch, double now) {
  for (const Call* call = batch.first; call != nullptr; call = call->next) counters_.queue_s += now - call->step_start;
  counters_.requests += batch.requests;
  ++counters_.batches;
}

double ServerNode::law_items(const HostedModel& model, const Batch& batch) const {
  if (model.rows_by_slot) {
    std::uint32_t rows = 0;
    for (const Call* call = batch.first; call != nullptr; call = call->next)
      rows = std::max(rows, sequences_[model.number]->slots.slot_of(call->client)->number + 1);
    return padded_items(*model.law, static_cast<double>(rows) * static_cast<double>(batch.longest));
  }
  const double items = model.lengths == LengthRule::ragged
                           ? batch.weighted_items
                           : static_cast<double>(batch.items) * static_cast<double>(batch.longest);
  return padded_items(*model.law, items);
}

void ServerNode::begin_turn(std::uint32_t number, double now) {
  Execution& execution = executions_[number];
  --execution.turns;
  if (execution.host_s > 0.0) {
    execution.in_host_part = true;
    if (batch_workers_) {
      execution.since = now;
      batch_workers_->presence.came(now);
      batch_workers_->shared.begin({number}, execution.host_s, now);
      return;
    }
    phases_.push(now + execution.host_s, number);
    schedule_phases();
    return;
  }
  begin_device(number, now);
}

void ServerNode::begin_device(std::uint32_t number, double now) {
  Execution& execution = executions_[number];
  execution.in_host_part = false;
  execution.since = now;
  Unit& unit = units_[execution.unit];
  if (unit.together) {
    if (unit.together->size() > 0) {
      unit.together->begin(number, execution.device_s + contended_s(execution) / (1.0 + plan_.contention), now);
      return;
    }
    unit.together->begin(number, execution.device_s, now);
    busy_ += unit.share;
    ++shared_in_use_;
    set_paces(now);
    return;
  }
  if (unit.running) {
    unit.waiting.push(number);
    return;
  }
  run(number, false, now);
}

void ServerNode::run(std::uint32_t number, bool contended, double now) {
  Execution& execution = executions_[number];
  Unit& unit = units_[execution.unit];
  unit.running = true;
  busy_ += unit.share;
  execution.running_since = now;
  const double work =
      contended ? execution.device_s * (1.0 + plan_.contention) + contended_s(execution) : execution.device_s;
  if (interfering_) {
    interfering_->begin(number, work, now);
    return;
  }
  phases_.push(now + work, number);
  schedule_phases();
}

double ServerNode::contended_s(const Execution& execution) const {
  if (plan_.contention_s == 0.0) return 0.0;
  return plan_.contention_s / static_cast<double>(execution.queue->model().law->turns) / units_[execution.unit].share;
}

void ServerNode::set_paces(double now) {
  if (plan_.interference == 0.0) return;
  const double pace = SharedSpeed::interference(plan_.interference).of(shared_in_use_);
  for (Unit& unit : units_)
    if (unit.together->size() > 0) unit.together->set_pace(pace, now);
}

void ServerNode::work_done(std::uint32_t number, double occupied, double now) {
  count(now);
  device_done(number, occupied, now);
}

void ServerNode::work_done(HostPartOf part, double occupied, double now) {
  batch_workers_->presence.left(executions_[part.execution].since, now);
  batch_workers_->work_sum += occupied;
  count(now);
  begin_device(part.execution, now);
}

void ServerNode::fire(double now) {
  count(now);
  const std::uint32_t number = phases_.pop().value;
  firing_ = true;
  if (executions_[number].in_host_part) {
    begin_device(number, now);
  } else {
    device_done(number, now - executions_[number].running_since, now);
  }
  firing_ = false;
  schedule_phases();
}

void ServerNode::schedule_phases() {
  if (firing_) return;
  calendar_.reschedule(source_, phases_.empty() ? Calendar::never : phases_.next_date());
}

void ServerNode::device_done(std::uint32_t number, double occupied, double now) {
  Execution& execution = executions_[number];
  Unit& unit = units_[execution.unit];
  // Of a part that had the device for itself, only rounding errors of dates are left.
  execution.wait_s += std::max(0.0, now - execution.since - execution.device_s);
  meter_.work_sum += unit.share * occupied;
  if (unit.together) {
    if (unit.together->size() == 0) {
      busy_ -= unit.share;
      --shared_in_use_;
      set_paces(now);
    }
  } else {
    unit.running = false;
    busy_ -= unit.share;
    if (!unit.waiting.empty()) run(unit.waiting.pop(), true, now);
  }
  if (execution.turns > 0) {
    begin_turn(number, now);
  } else {
    finish(number, now);
  }
}

void ServerNode::finish(std::uint32_t number, double now) {
  // Answers may call back into this node, which uses the place of the execution again.
  Execution& execution = executions_[number];
  Call* const first = std::exchange(execution.first, nullptr);
  ModelQueue& queue = *execution.queue;
  const std::uint32_t unit = execution.unit;
  const double started = execution.started;
  const double wait_s = execution.wait_s;
  if (tracer_ != nullptr) tracer_->batch_ends(number_, number, now);
  free_executions_.push_back(number);
  const std::uint16_t model = queue.number();
  instance_time_[model] += now - started;
  queue.release(unit, now);
  if (devices_)
    for (const Call* call = first; call != nullptr; call = call->next) devices_->answered(unit);
  if (queue.model().slots > 0) end_sequences_of(*sequences_[model], first, now);
  // A real server's instance takes its next batch before the first answer has brought a new request.
  about_to_leave_ = plan_.sag ? leaving(first, model) : 0;
  if (queue.waiting() > 0) serve(queue, now);
  about_to_leave_ = 0;
  for (Call* call = first; call != nullptr;) {
    Call* const next = call->next;
    call->compute_s += now - started;
    call->device_wait_s += wait_s;
    if (call->model == model) {
      leave(*call, now);
    } else {
      listener_.step_done(*call, model, started, wait_s, now);
      ++call->step;
      if (call->step < plan_.chains[call->model].size()) {
        if (tracer_ != nullptr) tracer_->waits(*call, step_of(*call), now);
        enqueue(*call, now);
      } else {
        leave(*call, now);
      }
    }
    call = next;
  }
}

/// The next ones get the slots, and with them a place in the queue of the same instance.
void ServerNode::end_sequences_of(Sequences& sequences, const Call* first, double now) {
  sequences.count(now);
  for (const Call* call = first; call != nullptr; call = call->next) {
    if (!call->ends_sequence) continue;
    if (const auto next = sequences.slots.end(call->client))
      queue_of(sequences, next->slot.instance).arrive(*next->request, now);
  }
}

void ServerNode::end_sequences(std::uint32_t client, std::uint16_t model, double now) {
  for (const std::uint16_t step : plan_.chains[model]) {
    if (!sequences_[step]) continue;
    Sequences& sequences = *sequences_[step];
    count(now);
    sequences.count(now);
    if (const auto next = sequences.slots.end(client))
      join(queue_of(sequences, next->slot.instance), *next->request, now);
  }
}

/// Requests of a batch of the model that is over whose last step it was.
std::uint32_t ServerNode::leaving(const Call* first, std::uint16_t model) const {
  std::uint32_t count = 0;
  for (const Call* call = first; call != nullptr; call = call->next)
    if (call->model == model || call->step + 1U >= plan_.chains[call->model].size()) ++count;
  return count;
}

void ServerNode::reject(const ModelQueue& queue, const Batch& chain, double now) {
  if (devices_)
    for (const Call* call = chain.first; call != nullptr; call = call->next) devices_->answered(queue.first_unit());
  for (Call* call = chain.first; call != nullptr;) {
    Call* const next = call->next;
    call->rejected = true;
    listener_.rejected(queue.number());
    leave(*call, now);
    call = next;
  }
}

void ServerNode::leave(Call& call, double now) {
  count(now);
  --present_;
  meter_.left(now - call.admitted);
  listener_.left(call, now);
}

}  // namespace saturn
