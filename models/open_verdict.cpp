#include "models/open_verdict.hpp"

#include <cmath>
#include <stdexcept>

#include "models/intervals.hpp"

namespace saturn {

namespace {

constexpr double growth_confidence = 0.999;
constexpr double chance_deviations = 3.0;
constexpr double least_unserved_share = 0.01;
constexpr double rounding_of_capacity = 1e-9;

}  // namespace

const char* name_of(OpenVerdict verdict) {
  switch (verdict) {
    case OpenVerdict::stable:
      return "stable";
    case OpenVerdict::backlogged:
      return "backlogged";
    case OpenVerdict::overloaded:
      return "overloaded";
  }
  throw std::logic_error("name_of: a verdict without a name");
}

BacklogGrowth backlog_growth(const OpenEvidence& evidence) {
  const Estimate slope = slope_interval(
      evidence.present, evidence.window_s / static_cast<double>(evidence.present.size()), growth_confidence);
  const double chance = chance_deviations * std::sqrt((1.0 + evidence.dispersion) * evidence.arrivals);
  return {.per_s = slope.mean,
          .low = slope.low,
          .high = slope.high,
          .beyond_chance = slope.low > 0.0 && slope.mean * evidence.window_s > chance};
}

OpenVerdict verdict_of(const OpenEvidence& evidence) {
  if (evidence.offered_per_s > evidence.capacity_per_s * (1.0 + rounding_of_capacity)) return OpenVerdict::overloaded;
  const BacklogGrowth growth = backlog_growth(evidence);
  const bool full = evidence.buffer && evidence.lost > 0.0 && evidence.waiting_mean > *evidence.buffer / 2.0;
  const bool too_much = growth.beyond_chance && growth.low >= least_unserved_share * evidence.offered_per_s;
  if (!evidence.varies && (too_much || full)) return OpenVerdict::overloaded;
  return growth.beyond_chance || full ? OpenVerdict::backlogged : OpenVerdict::stable;
}

}  // namespace saturn
