#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/random_stream.hpp"
#include "models/ring.hpp"
#include "models/service_law.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_heap.hpp"
#include "sim/engine/model_queue.hpp"
#include "sim/engine/run_tracer.hpp"
#include "sim/engine/shared_processor.hpp"
#include "sim/engine/station_meter.hpp"

namespace saturn {

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
};

/// A model as the nodes of one server execute it.
struct HostedModel {
  std::uint16_t number = 0;
  const ServiceLaw* law = nullptr;  ///< on the server's devices
  BatchingRules rules;
  std::uint32_t instances = 1;  ///< on every device or slice
  std::uint32_t default_priority = 1;
  LengthRule lengths = LengthRule::ragged;
};

/// How the nodes of one server are made.
struct NodePlan {
  std::vector<double> shares;  ///< of every device or slice of a node in a whole device; 1 for an undivided one
  DeviceSharing sharing = DeviceSharing::exclusive;
  double interference = 0.0;  ///< exponent of DevicePool::interference
  double contention = 0.0;    ///< of DeviceType::contention
  std::optional<HostStage> host;
  std::vector<HostedModel> models;  ///< with instances of their own
  /// The models that a request of each model passes, by number; empty for those that the server does not hold.
  std::vector<std::vector<std::uint16_t>> chains;
};

/// One node of a server: the host's input handling, a queue a model, instances on devices that they share.
/// Cost of a request: O(log requests present).
class ServerNode final : private Source, private QueueOwner, public CallReceiver {
 public:
  ServerNode(Calendar& calendar, const NodePlan& plan, RandomStream stream, ServiceListener& listener);

  void receive(Call& call, double now) override;

  /// From now on the tracer is told what goes on. @param node  number of the node over all servers
  void trace(RunTracer& tracer, std::uint32_t node) {
    tracer_ = &tracer;
    number_ = node;
  }

  /// The devices with all who wait for them. Cost: O(requests present)
  StationMeter meter(double now) const;
  /// The host's input handling; nothing where there is none.
  StationMeter host_meter(double now) const;
  /// Integral of the model's instances in use [s].
  double busy_instances_area(std::uint16_t model, double now) const;

 private:
  friend class SharedProcessor<Call*, ServerNode>;
  friend class SharedProcessor<std::uint32_t, ServerNode>;

  /// A batch in an instance.
  struct Execution {
    Call* first = nullptr;  // of the batch; null: nobody's
    const HostedModel* model = nullptr;
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
  /// A device, or a slice of one.
  struct Unit {
    double share = 1.0;
    bool running = false;
    Ring<std::uint32_t> waiting;
    std::unique_ptr<SharedProcessor<std::uint32_t, ServerNode>> together;
  };

  void fire(double now) override;
  void queue_due(std::uint16_t model, double now) override {
    count(now);
    serve(*queues_[model], now);
  }
  void work_done(Call* call, double occupied, double now);
  void work_done(std::uint32_t execution, double occupied, double now);

  void admit(Call& call, double now);
  void enqueue(Call& call, double now);
  void serve(ModelQueue& queue, double now);
  void start(ModelQueue& queue, const Batch& batch, SendReason reason, double now);
  void begin_turn(std::uint32_t number, double now);
  void begin_device(std::uint32_t number, double now);
  double host_work(const Call& call);
  void run(std::uint32_t number, bool contended, double now);
  void set_paces(double now);
  void device_done(std::uint32_t number, double occupied, double now);
  void finish(std::uint32_t number, double now);
  void reject(std::uint16_t model, const Batch& chain, double now);
  void leave(Call& call, double now);
  void count(double now);
  void schedule_phases();
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
  std::vector<std::unique_ptr<ModelQueue>> queues_;  // by model's number
  std::vector<const HostedModel*> hosted_;           // by model's number
  std::vector<double> instance_time_;                // of executions that are over, by model's number [s]
  std::vector<Unit> units_;
  std::unique_ptr<SharedProcessor<std::uint32_t, ServerNode>> interfering_;  // exclusive ones that slow each other down
  std::size_t shared_in_use_ = 0;  // units whose instances share them and that are in use
  std::vector<Execution> executions_;
  std::vector<std::uint32_t> free_executions_;
  DatedHeap<std::uint32_t> phases_;  // ends of host parts and of exclusive device parts
  double busy_ = 0.0;                // shares of the devices in use
  std::uint64_t present_ = 0;        // requests at the devices or waiting for them
  std::uint64_t in_host_ = 0;        // requests whose input is handled

  StationMeter meter_;
  StationMeter host_meter_;
  double counted_ = 0.0;
};

}  // namespace saturn
