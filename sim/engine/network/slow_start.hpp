#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/serving/congestion_window.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_queue.hpp"
#include "sim/engine/recording/meters.hpp"

namespace saturn {

/// The far end of a leg whose transfers go over TCP connections, one for each stream and node. A transfer that found a
/// small window arrives later by what it waited for acknowledgements; meanwhile it takes no bandwidth. Exact where
/// nobody else is on the links; where the transfer is slower than its cap, it needs less of a window than is assumed.
/// Cost of a call: O(1), O(log calls) where it waits. Memory: some 80 bytes a stream and node that it calls.
class SlowStartEnd final : public CallReceiver, private Source {
 public:
  /// @param bytes_per_s   what one transfer reaches alone, > 0
  /// @param round_trip_s  of the connection, there and back, >= 0
  /// @param bytes         per item, by model's number [byte], >= 0
  /// @param receiver      takes the calls over
  SlowStartEnd(Calendar& calendar, const SlowStart& rules, double bytes_per_s, double round_trip_s,
               const std::vector<double>& bytes, CallReceiver& receiver);

  void receive(Call& call, double now) override;
  /// Of the calls that wait.
  StationMeter meter(double now) const;

 private:
  struct Connection {
    CongestionWindow window;
    double last = 0.0;  ///< date at which its last byte left the sender [s]
  };
  struct Waiting {
    Call* call;
    double since;  ///< date [s]
  };

  void fire(double now) override;

  Calendar& calendar_;
  std::size_t source_;
  CongestionWindow fresh_;
  double half_round_trip_s_;
  const std::vector<double>& bytes_;
  CallReceiver& receiver_;
  std::unordered_map<std::uint64_t, Connection> connections_;  // by stream and node
  DatedHeap<Waiting> waiting_;
  PresenceMeter present_;
};

}  // namespace saturn
