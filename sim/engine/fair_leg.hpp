#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/ring.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/flow_clock.hpp"
#include "sim/engine/flow_network.hpp"
#include "sim/engine/leg.hpp"
#include "sim/engine/presence_meter.hpp"
#include "sim/engine/transfer_queue.hpp"

namespace saturn {

/// A leg whose transfers all go at the max-min fair rate of their class.
/// The transfers are a processor-sharing queue in virtual time: v is the data that each flow has received since the
/// class was last empty, a flow that starts at v with b bytes ends at v + b, and nothing is done per flow when the rate
/// changes. v is a clock of the leg's own while no link holds its flows back, else the clock of the link's group and a
/// constant. Cost of a call: O(1) while flows end in the order in which they began (equal sizes), else O(log flows).
class FairLeg final : public Leg, private Source {
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
  friend class FlowGroup;
  friend class FlowNetwork;

  struct Due {
    double date;
    Call* call;
  };

  void fire(double now) override;
  void travelled(double now);
  void start_transfer(Call& call, double now);
  void transferred(double now);
  void deliver(Call& call, double now);
  void leave_group(double now);
  void join_group(FlowGroup* group, double now);
  double virtual_time(double now) const { return (group_ ? group_->clock() : own_).at(now) + offset_; }
  void count(double virtual_now, double now);
  void enter_next_end();
  void reschedule();
  void enter_dates();

  Calendar& calendar_;
  FlowNetwork& network_;
  std::size_t flow_class_;
  double latency_;
  std::vector<double> bytes_;
  CallReceiver& receiver_;

  std::size_t source_;
  double next_travelled_ = Calendar::never;  // date at which the first of travelling_ has passed the latency
  double next_alone_ = Calendar::never;      // date of the next end of a transfer, while group_ is null
  bool firing_ = false;                      // the calendar is told at the end

  Ring<Due> travelling_;
  TransferQueue transfers_;
  FlowClock own_;               // while group_ is null
  FlowGroup* group_ = nullptr;  // of the link that holds the flows back
  std::size_t place_ = 0;       // in the group
  double offset_ = 0.0;         // v minus what the clock shows [byte]
  std::uint64_t flows_ = 0;

  PresenceMeter present_;
  double transfers_area_ = 0.0;   // up to counted_
  double carried_ = 0.0;          // up to counted_
  double counted_ = 0.0;          // date at which flows_ last changed, or later
  double counted_virtual_ = 0.0;  // v at that date
};

}  // namespace saturn
