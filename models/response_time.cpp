#include "models/response_time.hpp"

#include <algorithm>

namespace saturn {

double response_time_s(const ResponseTimeEstimates& estimates) {
  // β from the mean itself, in which what was drawn has dropped out: of either estimate it would lean with it.
  constexpr int rounds = 5;
  double mean_s = estimates.by_rest_s;
  for (int round = 0; round < rounds; ++round) {
    const double waiting = estimates.clients * std::max(0.0, 1.0 - estimates.ideal_s / mean_s);
    const double beta = 1.0 / (1.0 + waiting * (waiting + 1.0) / estimates.clients);
    mean_s = beta * estimates.by_rest_s + (1.0 - beta) * estimates.by_rate_s;
  }
  return mean_s;
}

}  // namespace saturn
