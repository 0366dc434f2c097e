#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "models/values/units.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/network/flow_network.hpp"

namespace saturn {

/// The links of a run, and the legs whose transfers share them.
class LegNetwork {
 public:
  LegNetwork() = default;
  LegNetwork(const LegNetwork&) = delete;
  LegNetwork& operator=(const LegNetwork&) = delete;
  virtual ~LegNetwork() = default;

  /// @param capacity  [byte/s], > 0, finite  @returns the link's number: 0, 1, 2, ...
  virtual std::size_t add_link(double capacity) = 0;

  /// From now on a link carries this share of its capacity; at 0 nothing sets out over it, and what is under way stands
  /// still. Of aggregated flows alone. @param share  in [0, 1]
  virtual void set_speed(std::size_t link, double share, double now) = 0;

  /// A leg that belongs to this network and must not outlive it.
  /// @param cap       what one transfer reaches alone [byte/s], > 0, finite
  /// @param links     numbers of the links that its transfers cross, each once; maybe none
  /// @param latency   [s], >= 0
  /// @param bytes     per item, by model's number [byte], >= 0; a call without bytes has only the latency
  /// @param receiver  takes the calls over at the far end
  virtual std::unique_ptr<NetworkLeg> add_leg(double cap, const std::vector<std::size_t>& links, double latency,
                                              std::vector<double> bytes, CallReceiver& receiver) = 0;

  /// All legs have been added, and set_speed() will not be called.
  virtual void seal() {}
};

/// A network whose transfers share links as the flow model says.
/// @param horizon  length of the run, at least [s]
std::unique_ptr<LegNetwork> make_leg_network(FlowModel flows, Calendar& calendar, Seconds horizon);

}  // namespace saturn
