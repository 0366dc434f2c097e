#include "models/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace saturn {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// Box and Muller's transform; its second number is dropped, so that a sampler keeps no state beside the stream.
double standard_normal(RandomStream& stream) {
  const double radius = std::sqrt(-2.0 * std::log(stream.uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * stream.uniform());
}

/// Gamma with scale 1. Source: Marsaglia & Tsang, ACM TOMS 26 (2000) 363.
double standard_gamma(double shape, RandomStream& stream) {
  // The method needs shape >= 1; a smaller shape is reached through gamma(shape + 1)·U^(1/shape).
  if (shape < 1.0) {
    const double boost = std::pow(stream.uniform(), 1.0 / shape);
    return boost * standard_gamma(shape + 1.0, stream);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = standard_normal(stream);
    const double root = 1.0 + c * x;
    const double u = stream.uniform();
    if (root <= 0.0) continue;
    const double v = root * root * root;
    // Implied by the test below, and spares most draws its logarithms.
    if (u < 1.0 - 0.0331 * x * x * x * x) return d * v;
    if (std::log(u) < 0.5 * x * x + d * (1.0 - v + std::log(v))) return d * v;
  }
}

double mean_of(const EmpiricalTime& t) {
  double sum = 0.0;
  for (const Seconds value : t.values) sum += value.value;
  return sum / static_cast<double>(t.values.size());
}

double variance_of(const EmpiricalTime& t) {
  const double centre = mean_of(t);
  double sum = 0.0;
  for (const Seconds value : t.values) sum += (value.value - centre) * (value.value - centre);
  return sum / static_cast<double>(t.values.size());
}

double square(double x) {
  return x * x;
}

}  // namespace

Seconds mean(const TimeDistribution& time) {
  return std::visit(Overloaded{
                        [](const ConstantTime& t) { return t.value; },
                        [](const ExponentialTime& t) { return t.mean; },
                        [](const GammaTime& t) { return t.mean; },
                        [](const LognormalTime& t) { return t.mean; },
                        [](const UniformTime& t) { return t.low + (t.high - t.low) * 0.5; },
                        [](const EmpiricalTime& t) { return Seconds{mean_of(t)}; },
                    },
                    time);
}

double variance(const TimeDistribution& time) {
  return std::visit(Overloaded{
                        [](const ConstantTime&) { return 0.0; },
                        [](const ExponentialTime& t) { return square(t.mean.value); },
                        [](const GammaTime& t) { return square(t.mean.value * t.cv); },
                        [](const LognormalTime& t) { return square(t.mean.value * t.cv); },
                        [](const UniformTime& t) { return square(t.high.value - t.low.value) / 12.0; },
                        [](const EmpiricalTime& t) { return variance_of(t); },
                    },
                    time);
}

bool is_constant(const TimeDistribution& time) {
  return std::visit(Overloaded{
                        [](const ConstantTime&) { return true; },
                        [](const ExponentialTime& t) { return t.mean.value == 0.0; },
                        [](const GammaTime& t) { return t.mean.value == 0.0 || t.cv == 0.0; },
                        [](const LognormalTime& t) { return t.mean.value == 0.0 || t.cv == 0.0; },
                        [](const UniformTime& t) { return t.low == t.high; },
                        [](const EmpiricalTime& t) {
                          return std::all_of(t.values.begin(), t.values.end(),
                                             [&](Seconds value) { return value == t.values.front(); });
                        },
                    },
                    time);
}

bool is_exponential(const TimeDistribution& time) {
  if (const auto* gamma = std::get_if<GammaTime>(&time)) return gamma->cv == 1.0;
  return std::holds_alternative<ExponentialTime>(time);
}

Seconds sample(const TimeDistribution& time, RandomStream& stream) {
  return std::visit(Overloaded{
                        [](const ConstantTime& t) { return t.value; },
                        [&](const ExponentialTime& t) { return t.mean * -std::log(stream.uniform()); },
                        [&](const GammaTime& t) {
                          if (t.cv == 0.0) return t.mean;
                          const double shape = 1.0 / square(t.cv);
                          return t.mean * (standard_gamma(shape, stream) / shape);
                        },
                        [&](const LognormalTime& t) {
                          const double spread = std::log1p(square(t.cv));
                          return t.mean * std::exp(std::sqrt(spread) * standard_normal(stream) - 0.5 * spread);
                        },
                        [&](const UniformTime& t) { return t.low + (t.high - t.low) * stream.uniform(); },
                        [&](const EmpiricalTime& t) {
                          const auto n = t.values.size();
                          const auto index = static_cast<std::size_t>(stream.uniform() * static_cast<double>(n));
                          return t.values[std::min(index, n - 1)];
                        },
                    },
                    time);
}

}  // namespace saturn
