#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"
#include "sim/formula/expenses.hpp"

/// What money and candidates are drawn from.

namespace saturn {

/// A number of devices and what a million events of the scenario's own clients cost with it.
struct CostPoint {
  std::uint64_t gpus = 0;
  std::optional<double> bound_usd{};        ///< with the rate of the bounds: the least it can be [USD]
  std::optional<Estimate> simulated_usd{};  ///< with the simulated rate [USD]
  std::string binding{};                    ///< what saturates first
};

/// One of the named plans.
struct CostMark {
  std::string name{};  ///< "smallest purchase", "best value", "most robust to +30 % load"
  std::uint64_t gpus = 0;
  double usd = 0.0;
  std::string remark{};
};

/// What a million events cost with a number of clients.
struct LoadCost {
  double clients = 0.0;
  double usd = 0.0;
  std::uint64_t devices = 0;  ///< that they need; 0: it has none, or as many as grow with them
};

/// One way to serve jobs, whose devices are as many as these need.
struct CostLine {
  std::string name{};              ///< "service at iowa"
  std::vector<LoadCost> points{};  ///< by clients
  std::string ends_at{};           ///< what saturates whatever the devices, so that the line ends; empty: it does not
  bool planned = false;            ///< the service as the scenario has it
  bool late = false;               ///< with the scenario's own clients events take longer than is tolerated
  bool own_cores = false;          ///< no service
};

/// Cost of a million events against clients, and for the scenario's own clients against devices.
struct CostStudy {
  std::string device_word = "GPU";
  std::string stream_word = "job";  ///< what `clients` counts
  double clients = 0.0;             ///< that are served
  std::string priced{};             ///< "GPUs, hosts and cores"
  std::vector<CostPoint> points{};  ///< by gpus
  std::vector<CostMark> marks{};
  std::optional<double> cpu_only_usd{};
  std::vector<QuotedPrice> prices{};
  std::vector<CostLine> lines{};
  std::string why_no_lines{};        ///< a sentence; empty: something that every way needs has no price
  double tolerated_slowdown = 0.01;  ///< with which devices are as many as needed [1]
  /// Factor on the prices of all devices at which the planned service costs as much as the jobs' own cores; below 0
  /// it costs more even if the devices are free [1].
  std::optional<double> break_even_times{};
  std::string break_even_device{};  ///< the only type of devices; empty: there are several
  double device_usd_per_h = 0.0;    ///< present price of that type [USD/h]
  std::string why_no_break_even{};  ///< half a sentence; empty: nobody would miss it
};

/// Names of plans that are the same purchase in a few words: "smallest purchase, best value", "all 3 named plans".
/// @param all  how many plans have a name
std::string joined_plans(const std::vector<std::string>& names, std::size_t all);

/// One candidate of a search.
struct ParetoPoint {
  std::string label{};  ///< its values, "gpus 4, request_batch 1719"
  double x = 0.0;
  double y = 0.0;
  std::optional<double> y_low{};
  std::optional<double> y_high{};
  bool simulated = false;
  bool feasible = true;  ///< meets every requirement
  std::string name{};    ///< of the named plan that it is; empty: none
};

/// Candidates by two figures.
struct ParetoStudy {
  std::string x_title{};
  std::string x_unit{};
  bool less_x = true;  ///< less is better
  std::string y_title{};
  std::string y_unit{};
  bool less_y = true;
  std::vector<ParetoPoint> points{};
  std::string noun = "candidate";  ///< what a mark is called, with an "s" for several
};

/// Indices of the points that no other point beats in one figure while being as good in the other, by x. Means are
/// compared, and what differs by rounding alone is as good. Of those a point that costs more than its neighbour on the
/// front is left out where the mean of one of the two lies within the interval of the other: its gain may be chance.
/// Intervals that overlap without either mean in them are a gain.
std::vector<std::size_t> pareto_front(const ParetoStudy& study);

}  // namespace saturn
