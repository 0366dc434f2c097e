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

/// A number of devices and what a million events cost with it.
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

/// Cost of a million events against devices.
struct CostStudy {
  std::string device_word = "GPU";
  std::string stream_word = "job";  ///< what `clients` counts
  double clients = 0.0;             ///< that are served
  std::string priced{};             ///< "GPUs, hosts and cores"
  std::vector<CostPoint> points{};  ///< by gpus
  std::vector<CostMark> marks{};
  std::optional<double> cpu_only_usd{};
  std::vector<QuotedPrice> prices{};
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

/// Indices of the points that no other point beats in one figure while being as good in the other, by x. What differs
/// by rounding alone, or lies within both intervals, is as good.
std::vector<std::size_t> pareto_front(const ParetoStudy& study);

}  // namespace saturn
