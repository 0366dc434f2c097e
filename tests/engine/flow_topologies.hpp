#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Links, and classes of flows over them, as a test draws them.
struct FlowTopology {
  std::vector<double> capacities;                ///< [byte/s]
  std::vector<double> caps;                      ///< by class [byte/s]
  std::vector<std::vector<std::size_t>> routes;  ///< by class: the links that it crosses
};

/// Small whole numbers at random, the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  /// @returns a number in [0, sides)
  std::size_t operator()(std::size_t sides) { return engine_() % sides; }

 private:
  std::mt19937 engine_;
};

/// Up to 8 links and 12 classes, each over 1 to 6 links; capacities and caps are few whole numbers, so that many are
/// equal.
FlowTopology drawn_mesh(Dice& dice);
/// Up to 64 sites that share one link, each behind an uplink of its own; the uplinks may bind, never do, or are few.
FlowTopology drawn_star(Dice& dice);
/// Several sites that send to several servers, each behind a link of its own, so that saturated servers share uplinks.
FlowTopology drawn_grid(Dice& dice);

/// Max-min fair rates the obvious way: all flows' rates rise by the same steps, and stop where a cap or a full link is.
/// @param flows  number of flows of each class  @returns by class; 0 for a class without flows
std::vector<double> max_min_rates(const FlowTopology& topology, const std::vector<std::uint64_t>& flows);

/// A transfer of `bytes` that starts at `start_s` in a class.
struct DrawnFlow {
  std::size_t flow_class;
  double start_s;
  double bytes;
};

/// Dates at which the flows end: the remaining bytes of every flow, brought up to date at every start and end.
/// @param flows  by rising start
std::vector<double> ends_one_by_one(const FlowTopology& topology, const std::vector<DrawnFlow>& flows);
