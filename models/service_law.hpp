#pragma once

#include "models/distribution.hpp"

namespace saturn {

/// Time a device needs for a batch of b items: T(b) = per_batch + b·per_item. Each of the two is drawn once a batch.
struct ServiceLaw {
  TimeDistribution per_batch;  ///< t0 [s]
  TimeDistribution per_item;   ///< t1 [s/item]
};

/// Expected T(b) [s]. @param items b, >= 1
inline Seconds mean(const ServiceLaw& law, double items) {
  return mean(law.per_batch) + items * mean(law.per_item);
}

/// Variance of T(b) [s²]; the two parts are drawn independently. @param items b, >= 1
inline double variance(const ServiceLaw& law, double items) {
  return variance(law.per_batch) + items * items * variance(law.per_item);
}

/// True when T(b) never varies for a given b.
inline bool is_constant(const ServiceLaw& law) {
  return is_constant(law.per_batch) && is_constant(law.per_item);
}

/// True when T(b) is exponential for every b: one part is exponential and the other is always 0.
inline bool is_exponential(const ServiceLaw& law) {
  const auto is_zero = [](const TimeDistribution& time) { return mean(time).value == 0.0; };
  return (is_exponential(law.per_batch) && is_zero(law.per_item)) ||
         (is_exponential(law.per_item) && is_zero(law.per_batch));
}

/// Draws one T(b) [s]. @param items b, >= 1
inline Seconds sample(const ServiceLaw& law, double items, RandomStream& stream) {
  return sample(law.per_batch, stream) + items * sample(law.per_item, stream);
}

}  // namespace saturn
