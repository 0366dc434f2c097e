#pragma once

#include <variant>
#include <vector>

#include "models/random_stream.hpp"
#include "models/units.hpp"

namespace saturn {

/// Always the same duration.
struct ConstantTime {
  Seconds value;
};
/// Exponential with the given mean; coefficient of variation 1.
struct ExponentialTime {
  Seconds mean;
};
/// Gamma with the given mean and coefficient of variation cv > 0 (shape 1/cv², scale mean·cv²).
struct GammaTime {
  Seconds mean;
  double cv = 0.0;
};
/// Lognormal with the given mean (of the time, not of its logarithm) and coefficient of variation cv > 0.
struct LognormalTime {
  Seconds mean;
  double cv = 0.0;
};
/// Uniform on [low, high].
struct UniformTime {
  Seconds low;
  Seconds high;
};
/// One of the listed durations, each as likely as the others (n >= 1).
struct EmpiricalTime {
  std::vector<Seconds> values;
};

/// A duration that may vary from draw to draw.
using TimeDistribution =
    std::variant<ConstantTime, ExponentialTime, GammaTime, LognormalTime, UniformTime, EmpiricalTime>;

/// Expected duration [s].
Seconds mean(const TimeDistribution& time);

/// Variance of the duration [s²].
double variance(const TimeDistribution& time);

/// True when every draw gives the same duration.
bool is_constant(const TimeDistribution& time);

/// True when the duration is exponential, whichever way it is written (a gamma distribution with cv 1 is).
bool is_exponential(const TimeDistribution& time);

/// Draws one duration [s], >= 0. The samplers are written out, so that a seed means the same with every library.
/// Cost: one uniform number (exponential, uniform, empirical), two (lognormal), a few (gamma), none (constant).
Seconds sample(const TimeDistribution& time, RandomStream& stream);

}  // namespace saturn
