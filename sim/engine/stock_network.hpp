#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "models/units.hpp"

namespace saturn {

/// Is told by SimGrid's network model that a transfer has ended.
class TransferListener {
 public:
  TransferListener() = default;
  TransferListener(const TransferListener&) = delete;
  TransferListener& operator=(const TransferListener&) = delete;
  virtual ~TransferListener() = default;

  /// @param transfer  its number, which stays taken until StockNetwork::release()  @param now  SimGrid's clock [s]
  virtual void ended(std::size_t transfer, double now) = 0;
};

/// Transfers as communications of SimGrid (s4u::Comm from host to host) on its network model CM02: the reference for
/// the aggregated flows. Each link of the run is a link of SimGrid's without latency, each route a pair of hosts.
///
/// A communication from host to host ignores set_rate() in SimGrid 3.32, so what caps a transfer alone is one more link
/// of its route that no transfer contends for (a fat pipe). Sizes are whole numbers there, so data are counted in
/// 2^-20 byte, in sizes and bandwidths alike.
/// Assumes  one such network a process, made before the engine runs. Cost of a start or end: O(transfers that compete)
class StockNetwork {
 public:
  /// @param horizon  length of the run, at least; sets the precision of SimGrid's dates [s]
  explicit StockNetwork(Seconds horizon);
  ~StockNetwork();
  StockNetwork(const StockNetwork&) = delete;
  StockNetwork& operator=(const StockNetwork&) = delete;

  /// @param capacity  [byte/s], > 0, finite  @returns the link's number
  std::size_t add_link(double capacity);
  /// @param cap    rate that one transfer reaches alone [byte/s], > 0, finite
  /// @param links  numbers of the links that its transfers cross, each once  @returns the route's number
  std::size_t add_route(double cap, const std::vector<std::size_t>& links);

  /// Starts a transfer at the present of SimGrid's clock.
  /// @param bytes  > 0  @returns its number
  /// @throws NoAnswer  more bytes than SimGrid can count (8 TiB)
  std::size_t start(std::size_t route, double bytes, TransferListener& listener);
  /// What the transfer has carried by the present of SimGrid's clock [byte]
  double carried(std::size_t transfer) const;
  /// Frees the number of a transfer that has ended.
  void release(std::size_t transfer);

 private:
  struct State;  // SimGrid's types stay out of this header
  std::unique_ptr<State> state_;
};

}  // namespace saturn
