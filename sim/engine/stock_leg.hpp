#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "models/ring.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/leg.hpp"
#include "sim/engine/presence_meter.hpp"
#include "sim/engine/stock_network.hpp"

namespace saturn {

/// A leg whose transfers are carried by SimGrid's own network model, one by one. Its latency is ours, as FairLeg's: it
/// comes before the transfer, and the route that SimGrid sees has none.
/// The engine must go back to SimGrid at each date (no draining).
class StockLeg final : public Leg {
 public:
  /// @param latency   [s], >= 0
  /// @param bytes     per item, by model's number [byte], >= 0; a call without bytes has only the latency
  /// @param receiver  takes the calls over at the far end
  StockLeg(Calendar& calendar, StockNetwork& network, std::size_t route, double latency, std::vector<double> bytes,
           CallReceiver& receiver);

  void begin(Call& call, double now) override;
  StationMeter meter(double now) const override;
  double carried_bytes(double now) const override;
  double transfers_area(double now) const override;

 private:
  struct Travel final : Source {
    explicit Travel(StockLeg& owner) : leg(owner) {}
    void fire(double now) override { leg.travelled(now); }
    StockLeg& leg;
  };
  // SimGrid tells of an end outside of our calendar, which has its own exact dates: the end becomes one of them.
  struct Ends final : Source, TransferListener {
    explicit Ends(StockLeg& owner) : leg(owner) {}
    void ended(std::size_t transfer, double now) override;
    void fire(double now) override;
    StockLeg& leg;
    Ring<std::size_t> transfers;
  };
  struct Due {
    double date;
    Call* call;
  };

  void travelled(double now);
  void start_transfer(Call& call, double now);
  void transferred(std::size_t transfer, double now);
  void deliver(Call& call, double now);
  void count_transfers(double now);

  Calendar& calendar_;
  StockNetwork& network_;
  std::size_t route_;
  double latency_;
  std::vector<double> bytes_;
  CallReceiver& receiver_;

  Travel travel_{*this};
  Ends ends_{*this};
  std::size_t travel_source_;
  std::size_t ends_source_;

  Ring<Due> travelling_;
  std::map<std::size_t, Call*> transferring_;  // by the network's number

  PresenceMeter present_;
  double transfers_area_ = 0.0;
  double transfers_updated_ = 0.0;
  double carried_ = 0.0;  // by transfers that have ended [byte]
};

}  // namespace saturn
