#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/fair_sharing.hpp"
#include "models/ring.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_heap.hpp"
#include "sim/engine/leg.hpp"
#include "sim/engine/station_meter.hpp"

namespace saturn {

class FlowNetwork;

/// A leg whose transfers all go at the max-min fair rate of their class.
/// The transfers are a processor-sharing queue in virtual time: v is the data that each flow has received since the
/// class was last empty, a flow that starts at v with b bytes ends at v + b, and nothing is done per flow when the rate
/// changes. Cost of a call: O(1) while flows end in the order in which they began (equal sizes), else O(log flows).
class FairLeg final : public Leg {
 public:
  /// @param latency   [s], >= 0
  /// @param bytes     per item, by model's number [byte], >= 0; a call without bytes has only the latency
  /// @param receiver  takes the calls over at the far end
  FairLeg(Calendar& calendar, FlowNetwork& network, std::size_t flow_class, double latency, std::vector<double> bytes,
          CallReceiver& receiver);

  void begin(Call& call, double now) override;
  StationMeter meter(double now) const override;
  double carried_bytes(double now) const override;
  double transfers_area(double now) const override;

 private:
  friend class FlowNetwork;

  // A source of its own, since latency and transfer are two queues with each its own order.
  struct Travel final : Source {
    explicit Travel(FairLeg& owner) : leg(owner) {}
    void fire(double now) override { leg.travelled(now); }
    FairLeg& leg;
  };
  struct Transfer final : Source {
    explicit Transfer(FairLeg& owner) : leg(owner) {}
    void fire(double now) override { leg.transferred(now); }
    FairLeg& leg;
  };
  struct Due {
    double key;  // date of arrival, or virtual time of completion
    Call* call;
  };

  void travelled(double now);
  void start_transfer(Call& call, double now);
  void transferred(double now);
  void deliver(Call& call, double now);
  void advance(double now);
  void set_rate(double rate, double now);
  void reschedule_transfer();

  Calendar& calendar_;
  FlowNetwork& network_;
  std::size_t flow_class_;
  double latency_;
  std::vector<double> bytes_;
  CallReceiver& receiver_;

  Travel travel_{*this};
  Transfer transfer_{*this};
  std::size_t travel_source_;
  std::size_t transfer_source_;

  Ring<Due> travelling_;
  Ring<Due> in_order_;             // transfers whose completion is not before that of any earlier one
  DatedHeap<Call*> out_of_order_;  // the others
  double virtual_ = 0.0;           // v [byte]
  double rate_ = 0.0;              // dv/dt [byte/s]
  double updated_ = 0.0;           // date of v
  std::uint64_t flows_ = 0;

  StationMeter meter_;
  std::uint64_t present_ = 0;
  double present_updated_ = 0.0;
  double transfers_area_ = 0.0;
  double carried_ = 0.0;
};

/// The legs of a run and the fair sharing between them.
class FlowNetwork {
 public:
  FairSharing& sharing() { return sharing_; }
  /// Enters the leg of the flow class that was added last.
  void add(FairLeg& leg) { legs_.push_back(&leg); }

  void started(std::size_t flow_class, double now) { apply(sharing_.start(flow_class), now); }
  void finished(std::size_t flow_class, double now) { apply(sharing_.finish(flow_class), now); }

 private:
  void apply(bool changed, double now) {
    if (!changed) return;
    for (const std::size_t c : sharing_.changed()) legs_[c]->set_rate(sharing_.rate(c), now);
  }

  FairSharing sharing_;
  std::vector<FairLeg*> legs_;
};

}  // namespace saturn
