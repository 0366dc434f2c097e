#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "models/laws/service_law.hpp"
#include "models/serving/dispatch.hpp"
#include "models/serving/sequence_slots.hpp"
#include "models/values/containers.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_queue.hpp"
#include "sim/engine/recording/meters.hpp"
#include "sim/engine/recording/run_tracer.hpp"
#include "sim/engine/serving/model_queue.hpp"

namespace saturn {

/// How fast each of n jobs runs that are worked on together.
class SharedSpeed {
 public:
  /// `units` equal processors: full speed up to that many jobs, then an equal share. @param units > 0, need not be
  /// whole
  /// @param contention  share by which all are slowed down besides, as soon as they are several; >= 0
  static SharedSpeed units(double units, double contention = 0.0) { return SharedSpeed(units, 0.0, contention); }
  /// n jobs run at n^−exponent of the full speed each. @param exponent in [0, 1]: independent to sharing everything
  static SharedSpeed interference(double exponent) { return SharedSpeed(0.0, exponent, 0.0); }

  double of(std::size_t jobs) const {
    const auto n = static_cast<double>(jobs);
    if (units_ > 0.0) return (n <= units_ ? 1.0 : units_ / n) / (jobs > 1 ? 1.0 + contention_ : 1.0);
    return std::pow(n, -exponent_);
  }

 private:
  SharedSpeed(double units, double exponent, double contention)
      : units_(units), exponent_(exponent), contention_(contention) {}
  double units_;
  double exponent_;
  double contention_;
};

/// Jobs that are all worked on at once, each at the same speed, which depends on their number: a processor-sharing
/// queue in virtual time. v is the work that each job has received since the station was last empty; a job of work w
/// that comes at v ends at v + w. Cost of a job: O(log jobs).
/// @tparam Job    small plain value
/// @tparam Owner  has `void work_done(Job, double occupied, double now)`, with the share of the station's busy time
/// that the
///                job had [s]
template <class Job, class Owner>
class SharedProcessor final : private Source {
 public:
  /// @param units  that can be busy at once, > 0
  SharedProcessor(Calendar& calendar, SharedSpeed speed, double units, Owner& owner)
      : calendar_(calendar), speed_(speed), units_(units), owner_(owner), source_(calendar.add(*this)) {}

  /// @param work  [s] at full speed, > 0
  [[gnu::noinline]] void begin(Job job, double work, double now) {
    advance(now);
    jobs_.push(virtual_ + work, {job, occupied_});
    reschedule();
  }

  /// From now on all run at `pace` times their speed, for what goes on around the station. @param pace  > 0
  void set_pace(double pace, double now) {
    advance(now);
    pace_ = pace;
    reschedule();
  }

  /// Takes jobs out that are not over. @param remove  bool(Job, share of the station's busy time that it has had [s])
  template <class Remove>
  void remove_if(double now, Remove&& remove) {
    advance(now);
    jobs_.remove_if([&](const Entry& entry) { return remove(entry.job, occupied_ - entry.occupied); });
    if (jobs_.empty()) virtual_ = 0.0;
    reschedule();
  }

  std::size_t size() const { return jobs_.size(); }
  /// Time so far during which there were jobs, each of its units counted [s].
  double busy_area(double now) const {
    return busy_area_ + std::min(units_, static_cast<double>(jobs_.size())) * (now - updated_);
  }

  /// visit(Job, share of the station's busy time that it has had so far [s]) for every job. Cost: O(jobs)
  template <class Visit>
  void for_each(double now, Visit&& visit) const {
    const double occupied = occupied_ + share() * (now - updated_);
    for (const auto& entry : jobs_.entries()) visit(entry.value.job, occupied - entry.value.occupied);
  }

 private:
  struct Entry {
    Job job;
    double occupied;  // the station's clock of busy time per job, at its arrival
  };

  double rate() const { return jobs_.empty() ? 0.0 : speed_.of(jobs_.size()) * pace_; }
  // Busy time that each job stands for.
  double share() const {
    const auto n = static_cast<double>(jobs_.size());
    return jobs_.empty() ? 0.0 : std::min(1.0, units_ / n);
  }

  void advance(double now) {
    const double elapsed = now - updated_;
    busy_area_ += std::min(units_, static_cast<double>(jobs_.size())) * elapsed;
    occupied_ += share() * elapsed;
    virtual_ += rate() * elapsed;
    updated_ = now;
  }

  void fire(double now) override {
    advance(now);
    // The job ends at its own virtual time exactly; what rounding made of v is not carried on.
    virtual_ = jobs_.top().date;
    const Entry done = jobs_.pop();
    const double occupied = occupied_ - done.occupied;
    if (jobs_.empty()) virtual_ = 0.0;
    reschedule();
    owner_.work_done(done.job, occupied, now);
  }

  void reschedule() {
    if (jobs_.empty()) {
      calendar_.reschedule(source_, Calendar::never);
      return;
    }
    const double wait = (jobs_.top().date - virtual_) / rate();
    calendar_.reschedule(source_, updated_ + (wait > 0.0 ? wait : 0.0));
  }

  Calendar& calendar_;
  SharedSpeed speed_;
  double units_;
  Owner& owner_;
  std::size_t source_;
  DatedHeap<Entry> jobs_;
  double pace_ = 1.0;
  double virtual_ = 0.0;
  double updated_ = 0.0;
  double busy_area_ = 0.0;
  double occupied_ = 0.0;
};

/// Is told what becomes of the calls at a node.
class ServiceListener {
 public:
  ServiceListener() = default;
  ServiceListener(const ServiceListener&) = delete;
  ServiceListener& operator=(const ServiceListener&) = delete;
  virtual ~ServiceListener() = default;
  virtual void batch_sent(std::uint16_t model, std::uint32_t items, SendReason reason) = 0;
  /// A queue policy of this model refused the call, which is about to leave.
  virtual void rejected(std::uint16_t model) = 0;
  /// A step of an ensemble is done; its wait and execution are in the call's sums already.
  virtual void step_done(const Call& call, std::uint16_t model, double started, double device_wait, double now) = 0;
  /// The call leaves the node: answered, or rejected.
  virtual void left(Call& call, double now) = 0;
  /// The call was at something that has failed, and is there no longer. @param silent  its client is not told
  virtual void lost(Call& call, bool silent, double now) = 0;
};

/// How the nodes of one server are made.
struct NodePlan {
  std::vector<double> shares;  ///< of every device or slice of a node in a whole device; 1 for an undivided one
  DeviceDispatch dispatch = DeviceDispatch::shared_queue;
  DeviceSharing sharing = DeviceSharing::exclusive;
  double interference = 0.0;  ///< exponent of DevicePool::interference
  double contention = 0.0;    ///< of DeviceType::contention
  double contention_s = 0.0;  ///< of DeviceType::contention_per_batch [s]
  std::optional<HostStage> host;
  std::optional<double> batch_workers{};
  std::optional<Sag> sag{};
  std::vector<HostedModel> models;  ///< with instances of their own
  /// The models that a request of each model passes, by number; empty for those that the server does not hold.
  std::vector<std::vector<std::uint16_t>> chains;
};

/// An execution whose host part the workers of a node are at.
struct HostPartOf {
  std::uint32_t execution = 0;
};

/// What a node counts for those who watch it, as long as they do.
struct NodeCounters {
  double queue_s = 0.0;        ///< waits of the requests that instances have taken [s]
  std::uint64_t requests = 0;  ///< that instances have taken
  std::uint64_t batches = 0;
};

/// One node of a server: the host's input handling, a queue a model, instances on devices that they share.
/// Cost of a request: O(log requests present).
class ServerNode final : private Source, private QueueOwner, public CallReceiver {
 public:
  ServerNode(Calendar& calendar, const NodePlan& plan, RandomStream stream, ServiceListener& listener);

  void receive(Call& call, double now) override;

  /// Devices, or slices, fail: the batches on them are lost, and those that wait go to others.
  /// @param first  of `count` neighbours that work
  void lose_units(std::uint32_t first, std::uint32_t count, bool silent, double now);
  /// The whole node fails, with all that is there.
  void lose_all(bool silent, double now);
  /// Units that have failed work again.
  void restore_units(std::uint32_t first, std::uint32_t count, double now);
  std::uint32_t units() const { return static_cast<std::uint32_t>(units_.size()); }
  /// What Triton's counters say of the node.
  const NodeCounters& counters() const { return counters_; }
  /// From now on it counts.
  void watch() { watched_ = true; }
  /// Requests at the node, those whose input is handled included.
  std::uint32_t present() const { return present_ + in_host_; }

  /// From now on the tracer is told what goes on. @param node  number of the node over all servers
  void trace(RunTracer& tracer, std::uint32_t node) {
    tracer_ = &tracer;
    number_ = node;
  }

  /// The same without what is known of those present one by one. Cost: O(1)
  StationMeter areas(double now) const;
  /// The devices with all who wait for them. Cost: O(requests present)
  StationMeter meter(double now) const;
  /// The host's input handling; nothing where there is none.
  StationMeter host_meter(double now) const;
  /// The workers that share the host parts of batches; nothing where host parts overlap.
  StationMeter batch_workers_meter(double now) const;
  /// Sequences of a stateful model, as areas: those with a slot are busy, those without one are present too.
  StationMeter slots_meter(std::uint16_t model, double now) const { return sequences_[model]->areas(now); }
  /// The stream's sequences at a model, or at the steps of an ensemble, are over; none of their requests is at the
  /// node.
  void end_sequences(std::uint32_t client, std::uint16_t model, double now);
  /// Integral of the model's instances in use [s].
  double busy_instances_area(std::uint16_t model, double now) const;

 private:
  friend class SharedProcessor<Call*, ServerNode>;
  friend class SharedProcessor<std::uint32_t, ServerNode>;
  friend class SharedProcessor<HostPartOf, ServerNode>;

  /// A batch in an instance.
  struct Execution {
    Call* first = nullptr;  // of the batch; null: nobody's
    ModelQueue* queue = nullptr;
    std::uint32_t unit = 0;
    double started = 0.0;
    double host_s = 0.0;         // a turn's
    double device_s = 0.0;       // a turn's, on this unit, alone
    double wait_s = 0.0;         // for the device, and lost to others on it, so far
    double since = 0.0;          // date at which the present turn came to the device
    double running_since = 0.0;  // date at which an exclusive device took it
    std::uint32_t turns = 1;     // that are still to begin
    bool in_host_part = false;
  };
  /// Workers that share the host parts of batches.
  struct BatchWorkers {
    BatchWorkers(Calendar& calendar, double workers, ServerNode& node)
        : shared(calendar, SharedSpeed::units(workers), workers, node) {}
    SharedProcessor<HostPartOf, ServerNode> shared;
    PresenceMeter presence;
    double work_sum = 0.0;  // of parts that are over [s]
  };
  /// The instances of a stateful model, each with a queue of its own.
  struct Sequences {
    Sequences(std::uint32_t instances, std::uint32_t slots_of_each, std::size_t place)
        : slots(instances, slots_of_each), first_queue(place) {}

    SequenceSlots<Call*> slots;
    std::size_t first_queue;  // place of the first instance's
    StationMeter counted;     // as areas
    double counted_to = 0.0;

    StationMeter areas(double now) const {
      StationMeter meter = counted;
      meter.present_area += static_cast<double>(slots.held() + slots.waiting()) * (now - counted_to);
      meter.busy_area += static_cast<double>(slots.held()) * (now - counted_to);
      return meter;
    }
    // Before anything changes.
    void count(double now) {
      counted = areas(now);
      counted_to = now;
    }
  };
  /// A device, or a slice of one.
  struct Unit {
    double share = 1.0;
    bool running = false;
    Ring<std::uint32_t> waiting;
    std::unique_ptr<SharedProcessor<std::uint32_t, ServerNode>> together;
  };

  void fire(double now) override;
  void queue_due(std::size_t place, double now) override {
    count(now);
    serve(*queues_[place], now);
  }
  void work_done(Call* call, double occupied, double now);
  void work_done(std::uint32_t execution, double occupied, double now);
  void work_done(HostPartOf part, double occupied, double now);

  void make_queues();
  void make_sequences(const HostedModel& model);
  void admit(Call& call, double now);
  void enqueue(Call& call, double now);
  void enqueue_in_sequence(Sequences& sequences, Call& call, double now);
  void join(ModelQueue& queue, Call& call, double now);
  void end_sequences_of(Sequences& sequences, const Call* first, double now);
  Batch lose_sequences(std::uint32_t first, std::uint32_t count_of_units, double now);
  void restore_sequences(std::uint32_t first, std::uint32_t count_of_units, double now);
  std::vector<std::uint32_t> instances_on(const Sequences& sequences, std::uint32_t first,
                                          std::uint32_t count_of_units);
  void serve(ModelQueue& queue, double now);
  void start(ModelQueue& queue, const Batch& batch, SendReason reason, double now);
  [[gnu::always_inline]] inline void begin_turn(std::uint32_t number, double now);
  [[gnu::always_inline]] inline void begin_device(std::uint32_t number, double now);
  double host_work(const Call& call);
  void count_for_watchers(const Batch& batch, double now);
  double law_items(const HostedModel& model, const Batch& batch) const;
  double contended_s(const Execution& execution) const;
  [[gnu::always_inline]] inline void run(std::uint32_t number, bool contended, double now);
  void set_paces(double now);
  void device_done(std::uint32_t number, double occupied, double now);
  void finish(std::uint32_t number, double now);
  std::uint32_t leaving(const Call* first, std::uint16_t model) const;
  void reject(const ModelQueue& queue, const Batch& chain, double now);
  void leave(Call& call, double now);
  void lose(Call& call, bool silent, double now);
  void lose_chain(Call* first, bool silent, double now);
  void count(double now);
  void schedule_phases();
  // The queue that a request of the model joins: the node's, or that of the device that has the fewest requests.
  ModelQueue& queue_for(std::uint16_t model) {
    return *queues_[devices_ ? model + std::size_t{devices_->choose()} * plan_.chains.size() : model];
  }
  ModelQueue& queue_of(const Sequences& sequences, std::uint32_t instance) {
    return *queues_[sequences.first_queue + instance];
  }
  // The model of the call's present step. A model with a queue of its own is the only step of its chain.
  std::uint16_t step_of(const Call& call) const {
    return queues_[call.model] ? call.model : plan_.chains[call.model][call.step];
  }

  Calendar& calendar_;
  const NodePlan& plan_;
  RandomStream stream_;
  ServiceListener& listener_;
  std::size_t source_;
  RunTracer* tracer_ = nullptr;
  std::uint32_t number_ = 0;  // over all servers, where there is a tracer

  std::unique_ptr<SharedProcessor<Call*, ServerNode>> host_;
  std::unique_ptr<BatchWorkers> batch_workers_;
  // By model's number; where each device has its own, those of the first device, then those of the next. Then those of
  // the instances of stateful models.
  std::vector<std::unique_ptr<ModelQueue>> queues_;
  std::vector<std::unique_ptr<Sequences>> sequences_;  // by model's number; empty where no model is stateful
  std::unique_ptr<Balancer> devices_;  // chooses among the devices' queues; null: the devices share them
  std::vector<double> instance_time_;  // of executions that are over, by model's number [s]
  std::vector<Unit> units_;
  std::unique_ptr<SharedProcessor<std::uint32_t, ServerNode>> interfering_;  // exclusive ones that slow each other down
  std::size_t shared_in_use_ = 0;  // units whose instances share them and that are in use
  std::vector<Execution> executions_;
  std::vector<std::uint32_t> free_executions_;
  DatedQueue<std::uint32_t> phases_;  // ends of host parts and of exclusive device parts
  bool firing_ = false;               // the calendar is told at the end
  double busy_ = 0.0;                 // shares of the devices in use
  std::uint32_t present_ = 0;         // requests at the devices or waiting for them
  std::uint32_t in_host_ = 0;         // requests whose input is handled
  std::uint32_t about_to_leave_ = 0;  // of those present, whose service is over while others begin theirs

  StationMeter meter_;
  StationMeter host_meter_;
  NodeCounters counters_;
  bool watched_ = false;
  double counted_ = 0.0;
};

}  // namespace saturn
