#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/random_stream.hpp"
#include "models/service_law.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_heap.hpp"
#include "sim/engine/ring.hpp"
#include "sim/engine/station_meter.hpp"

namespace saturn {

/// Is told when a call leaves the queue of a node and when its answer is ready.
class ServiceListener {
 public:
  ServiceListener() = default;
  ServiceListener(const ServiceListener&) = delete;
  ServiceListener& operator=(const ServiceListener&) = delete;
  virtual ~ServiceListener() = default;
  virtual void service_started(Call& call, double now) = 0;
  virtual void service_finished(Call& call, double now) = 0;
};

/// One node of a server: a queue, first come first served, and equal devices that each execute one request at a time.
/// Cost of a request: O(log devices).
class ServerNode final : private Source, public CallReceiver {
 public:
  /// @param devices  > 0
  /// @param laws     service law on this node's devices by model's number; unused ones stay null
  ServerNode(Calendar& calendar, std::uint32_t devices, std::vector<const ServiceLaw*> laws, RandomStream stream,
             ServiceListener& listener);

  void receive(Call& call, double now) override;

  /// Cost: O(requests present)
  StationMeter meter(double now) const;

 private:
  void fire(double now) override;
  void start(Call& call, double now);
  void count(double now);
  std::uint64_t present() const { return queue_.size() + busy_; }

  Calendar& calendar_;
  std::uint32_t devices_;
  std::vector<const ServiceLaw*> laws_;
  RandomStream stream_;
  ServiceListener& listener_;
  std::size_t source_;

  Ring<Call*> queue_;
  struct InService {
    Call* call;
    double arrived;
    double work;
  };
  DatedHeap<InService> running_;
  std::uint32_t busy_ = 0;

  StationMeter meter_;
  double counted_ = 0.0;
};

}  // namespace saturn
