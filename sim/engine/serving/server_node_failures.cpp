#include "sim/engine/serving/server_node.hpp"

// A node, or devices of it, fail and come back.

namespace saturn {

/// Instances fail, with the state of their sequences. @returns the requests in their queues
Batch ServerNode::lose_sequences(std::uint32_t first, std::uint32_t count_of_units, double now) {
  Batch lost;
  for (const auto& sequences : sequences_) {
    if (!sequences) continue;
    sequences->count(now);
    for (const std::uint32_t instance : instances_on(*sequences, first, count_of_units)) {
      sequences->slots.lose(instance);
      ModelQueue& queue = queue_of(*sequences, instance);
      const Batch waiting = queue.drain();
      queue.settle(now);
      for (Call* call = waiting.first; call != nullptr;) {
        Call* const next = call->next;
        lost.add(*call);
        call = next;
      }
    }
  }
  return lost;
}

void ServerNode::restore_sequences(std::uint32_t first, std::uint32_t count_of_units, double now) {
  for (const auto& sequences : sequences_) {
    if (!sequences) continue;
    sequences->count(now);
    sequences->slots.restore(instances_on(*sequences, first, count_of_units),
                             [&](const SequenceSlots<Call*>::Entered& next) {
                               queue_of(*sequences, next.slot.instance).arrive(*next.request, now);
                             });
  }
}

std::vector<std::uint32_t> ServerNode::instances_on(const Sequences& sequences, std::uint32_t first,
                                                    std::uint32_t count_of_units) {
  std::vector<std::uint32_t> instances;
  for (std::uint32_t instance = 0; instance < sequences.slots.instances(); ++instance) {
    const std::uint32_t unit = queue_of(sequences, instance).first_unit();
    if (unit >= first && unit < first + count_of_units) instances.push_back(instance);
  }
  return instances;
}

void ServerNode::lose_units(std::uint32_t first, std::uint32_t count_of_units, bool silent, double now) {
  count(now);
  const auto fails = [=](std::uint32_t unit) { return unit >= first && unit < first + count_of_units; };
  const auto on_it = [&](std::uint32_t number) { return fails(executions_[number].unit); };
  const auto worked = [&](std::uint32_t number, double occupied) {
    meter_.work_sum += units_[executions_[number].unit].share * occupied;
    return true;
  };
  phases_.remove_if([&](std::uint32_t number) {
    if (!on_it(number)) return false;
    return executions_[number].in_host_part || worked(number, now - executions_[number].running_since);
  });
  schedule_phases();
  if (batch_workers_)
    batch_workers_->shared.remove_if(now, [&](HostPartOf part, double occupied) {
      if (!on_it(part.execution)) return false;
      batch_workers_->presence.left(executions_[part.execution].since, now);
      batch_workers_->work_sum += occupied;
      return true;
    });
  if (interfering_)
    interfering_->remove_if(
        now, [&](std::uint32_t number, double occupied) { return on_it(number) && worked(number, occupied); });
  const Batch of_sequences = lose_sequences(first, count_of_units, now);
  for (std::uint32_t u = first; u < first + count_of_units; ++u) {
    Unit& unit = units_[u];
    const bool in_use = unit.running || (unit.together && unit.together->size() > 0);
    if (in_use) busy_ -= unit.share;
    unit.running = false;
    unit.waiting.clear();
    if (unit.together && in_use) {
      unit.together->remove_if(now, worked);
      --shared_in_use_;
    }
    for (const auto& queue : queues_)
      if (queue && queue->on_unit(u)) queue->remove_unit(u, now);
  }
  if (shared_in_use_ > 0) set_paces(now);
  for (std::uint32_t number = 0; number < executions_.size(); ++number) {
    const Execution lost = executions_[number];
    if (lost.first == nullptr || !fails(lost.unit)) continue;
    if (tracer_ != nullptr) tracer_->batch_ends(number_, number, now);
    executions_[number].first = nullptr;
    free_executions_.push_back(number);
    instance_time_[lost.queue->number()] += now - lost.started;
    if (devices_)
      for (const Call* call = lost.first; call != nullptr; call = call->next) devices_->answered(lost.unit);
    lose_chain(lost.first, silent, now);
  }
  lose_chain(of_sequences.first, silent, now);
}

void ServerNode::lose_all(bool silent, double now) {
  lose_units(0, units(), silent, now);
  if (host_) {
    Batch handled;
    host_->remove_if(now, [&](Call* call, double occupied) {
      host_meter_.work_sum += occupied;
      handled.add(*call);
      return true;
    });
    for (Call* call = handled.first; call != nullptr;) {
      Call* const next = call->next;
      --in_host_;
      host_meter_.left(now - call->arrived);
      listener_.lost(*call, silent, now);
      call = next;
    }
  }
  Batch without_slot;
  for (const auto& sequences : sequences_) {
    if (!sequences) continue;
    sequences->count(now);
    sequences->slots.clear_waiting([&](Call* call) { without_slot.add(*call); });
  }
  lose_chain(without_slot.first, silent, now);
  for (const auto& queue : queues_) {
    if (!queue) continue;
    const Batch waiting = queue->drain();
    queue->settle(now);
    if (devices_)
      for (const Call* call = waiting.first; call != nullptr; call = call->next)
        devices_->answered(queue->first_unit());
    lose_chain(waiting.first, silent, now);
  }
}

void ServerNode::restore_units(std::uint32_t first, std::uint32_t count_of_units, double now) {
  count(now);
  restore_sequences(first, count_of_units, now);
  for (const auto& queue : queues_) {
    if (!queue) continue;
    for (std::uint32_t unit = first; unit < first + count_of_units; ++unit)
      if (queue->on_unit(unit)) queue->add_unit(unit, now);
    serve(*queue, now);
  }
}

void ServerNode::lose_chain(Call* first, bool silent, double now) {
  for (Call* call = first; call != nullptr;) {
    Call* const next = call->next;
    lose(*call, silent, now);
    call = next;
  }
}

void ServerNode::lose(Call& call, bool silent, double now) {
  --present_;
  meter_.left(now - call.admitted);
  listener_.lost(call, silent, now);
}

}  // namespace saturn
