#pragma once

#include "models/laws/random_stream.hpp"
#include "models/statistics/quantiles.hpp"

namespace saturn {

/// Standard normal numbers for tests, by the inverse of the normal distribution function.
class NormalNumbers {
 public:
  /// @param entity  tells the streams of one test from each other
  explicit NormalNumbers(std::uint32_t entity) : stream_(20201124, 0, entity, Purpose::service) {}

  double next() { return normal_quantile(stream_.uniform()); }

 private:
  RandomStream stream_;
};

}  // namespace saturn
