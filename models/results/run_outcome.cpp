#include "models/results/run_outcome.hpp"

#include <cmath>

namespace saturn {

namespace {

struct LengthBiased {
  RandomStream& stream;

  Seconds operator()(const ConstantTime& t) const { return t.value; }
  Seconds operator()(const ExponentialTime& t) const { return sample(GammaTime{t.mean * 2.0, std::sqrt(0.5)}, stream); }
  Seconds operator()(const GammaTime& t) const {
    const double excess = 1.0 + t.cv * t.cv;
    return sample(GammaTime{t.mean * excess, t.cv / std::sqrt(excess)}, stream);
  }
  Seconds operator()(const LognormalTime& t) const {
    return sample(LognormalTime{t.mean * (1.0 + t.cv * t.cv), t.cv}, stream);
  }
  Seconds operator()(const UniformTime& t) const {
    const double low = t.low.value * t.low.value;
    const double high = t.high.value * t.high.value;
    return Seconds{std::sqrt(low + (high - low) * stream.uniform())};
  }
  Seconds operator()(const EmpiricalTime& t) const {
    double sum = 0.0;
    for (const Seconds value : t.values) sum += value.value;
    double left = sum * stream.uniform();
    for (const Seconds value : t.values) {
      if (left < value.value) return value;
      left -= value.value;
    }
    return t.values.back();
  }
};

}  // namespace

TimeUnderWay sample_under_way(const TimeDistribution& time, RandomStream& stream) {
  const Seconds whole = std::visit(LengthBiased{stream}, time);
  const double past = stream.uniform();
  return {whole * past, whole * (1.0 - past)};
}

}  // namespace saturn
