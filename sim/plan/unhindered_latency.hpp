#pragma once

#include <map>
#include <string>

#include "scenarios/scenario.hpp"

namespace saturn {

/// What a model's requests take at least.
struct UnhinderedLatency {
  double mean_s = 0.0;   ///< lower bound of the mean latency: that of the pool whose requests are quickest [s]
  double least_s = 0.0;  ///< no request takes less: round trip and transfer, and the execution where it is constant [s]
};

/// Of every model that jobs call. Requests that find nobody else there take that long; alike servers are assumed.
std::map<std::string, UnhinderedLatency> unhindered_latencies(const Scenario& scenario);

}  // namespace saturn
