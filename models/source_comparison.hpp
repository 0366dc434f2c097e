#pragma once

#include <string>

#include "models/estimate.hpp"

namespace saturn {

/// Two sources of the same quantity.
struct SourceComparison {
  std::string quantity{};  ///< with its unit, "time of a batch of 8 items of resnet [s]"
  std::string first{};
  std::string second{};
  Estimate first_value{};   ///< [unit of the quantity]
  Estimate second_value{};  ///< [unit of the quantity]
  Estimate factor{};        ///< second / first [1]
  double p = 1.0;           ///< that they differ so much by chance
  bool contradict = false;
};

/// Parts of a time that were measured one by one, added up.
struct NumberSum {
  std::string text{};  ///< "7 s preprocessing + 2.03 s bandwidth + 0.4 s travel + 2.7 s gpu"
  Estimate total_s{};  ///< [s]
};

}  // namespace saturn
