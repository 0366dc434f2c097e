#pragma once

#include <optional>
#include <string>
#include <vector>

/// What the planner panel of a page computes with: the closed formulas of a single pool with blocking calls, whose jobs
/// begin their events themselves or which events reach from outside.
namespace saturn {

/// What a resource's demand follows when a slider moves.
enum class DemandFollows {
  nothing,    ///< it stays
  device,     ///< in proportion to the device time, and inversely to the number of devices
  bandwidth,  ///< inversely to the bandwidth
};

/// "nothing", "device", "bandwidth"
const char* name_of(DemandFollows follows);

/// A resource that jobs contend for.
struct PlannerResource {
  std::string name{};
  double demand_s = 0.0;  ///< D_r per event at the present values [s]
  DemandFollows follows = DemandFollows::nothing;
};

/// A simulated point that the formulas stand beside.
struct PlannerPoint {
  double clients = 0.0;
  double event_time_s = 0.0;
  double low_s = 0.0;
  double high_s = 0.0;
};

/// A simulated share of lost events that the formulas stand beside.
struct PlannerLoss {
  double devices = 0.0;
  double lost_fraction = 0.0;  ///< of the arrivals [1]
  double low = 0.0;
  double high = 0.0;
};

/// t_ideal = cpu + device + round_trips·round_trip + transferred/bandwidth + other;
/// R(N) = max(t_ideal, N·max D_r); X = N / R; knee = t_ideal / max D_r;
/// cost of a million events = (devices·device price + N·core price) / 3600 / X · 10^6 + traffic.
/// Where events arrive at the rate λ: C = min(1 / max D_r, N / t_ideal); X = min(λ, C); lost share = max(0, 1 − C/λ).
struct PlannerModel {
  std::string why_not{};  ///< why the formulas do not describe this scenario; then there is no panel
  std::string device_word = "GPU";
  double cpu_s = 0.0;        ///< of an event on the job's core [s]
  double device_s = 0.0;     ///< of an event on one device [s]
  double round_trips = 0.0;  ///< per event, one after the other
  double round_trip_s = 0.0;
  double transferred_bytes = 0.0;          ///< per event, both ways, one after the other
  double bandwidth_bytes_per_s = 0.0;      ///< of one flow, nothing else on the way
  double other_s = 0.0;                    ///< the rest of t_ideal
  std::optional<double> arrivals_per_s{};  ///< λ, the long-run rate [1/s]; absent: jobs begin their events themselves
  double clients = 0.0;                    ///< event loops
  double devices = 0.0;
  double tolerated_slowdown = 0.01;
  std::optional<double> device_usd_per_hour{};
  std::optional<double> core_usd_per_hour{};
  double other_usd_per_hour = 0.0;              ///< hosts and the like, as they are now
  double traffic_usd_per_million_events = 0.0;  ///< bytes that leave priced sites
  std::vector<PlannerResource> resources{};
  std::vector<PlannerPoint> simulated{};
  std::vector<PlannerLoss> losses{};  ///< where events arrive
};

}  // namespace saturn
