#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "models/values/units.hpp"

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

/// The same distribution with every duration so many times as long. @param factor  > 0 [1]
TimeDistribution scaled(TimeDistribution time, double factor);

/// True when every draw gives the same duration.
bool is_constant(const TimeDistribution& time);

/// A duration as it is found while it lasts.
struct TimeUnderWay {
  Seconds past;
  Seconds left;

  Seconds whole() const { return past + left; }
};

/// Draws a duration that is under way at a moment chosen without regard to it: long ones are met more often, so the
/// whole is drawn with its length as weight, and the moment is uniform within it. A process of such durations, one
/// after the other, that begins with what is left is stationary from its first moment on. Length-biased laws:
/// exponential → gamma of shape 2; gamma of shape k → k + 1; lognormal → the same cv, the mean times 1 + cv²; uniform →
/// density in proportion to the length; empirical → each value with its length as weight.
/// @param time  of mean > 0
/// Source  D. R. Cox, "Renewal Theory" (1962), section 5.4
/// Cost: as sample() and one uniform number; O(n) for n empirical values
TimeUnderWay sample_under_way(const TimeDistribution& time, RandomStream& stream);

/// True when the duration is exponential, whichever way it is written (a gamma distribution with cv 1 is).
bool is_exponential(const TimeDistribution& time);

/// Draws one duration [s], >= 0. The samplers are written out, so that a seed means the same with every library.
/// Cost: one uniform number (exponential, uniform, empirical), two (lognormal), a few (gamma), none (constant).
Seconds sample(const TimeDistribution& time, RandomStream& stream);

/// A count with the probability that it occurs.
struct CountWeight {
  std::uint64_t count = 0;
  double weight = 0.0;  ///< > 0 [1]
};

/// A count that may vary from draw to draw, as a finite table: what is drawn and what formulas expect of it are sums
/// over the same entries, so that the two cannot disagree.
class CountDistribution {
 public:
  /// Always the same count. Not explicit: a plain number is a distribution.
  CountDistribution(std::uint64_t constant = 1) : table_{{constant, 1.0}}, cumulative_{1.0} {}

  /// Poisson. Counts far from the mean, together less likely than 1e-15, are left out.
  /// @param mean  0 < mean <= 1e6
  /// @throws std::invalid_argument  a mean outside
  static CountDistribution poisson(double mean);
  /// Geometric from 0 on: P(n) = (1 − q)·q^n with q = mean/(1 + mean). Counts above a bound, together less likely than
  /// 1e-15, are left out.
  /// @param mean  0 < mean <= 1000
  /// @throws std::invalid_argument  a mean outside
  static CountDistribution geometric(double mean);
  /// Lognormal, as 1,000 equally likely quantiles ((i + 1/2)/1000), each rounded to a whole number. Its mean is a
  /// little below the given one, since the last quantile stands for a longer tail (0.3 % at cv 1).
  /// @param mean  of the count, not of its logarithm, 0 < mean <= 1e8  @param cv  coefficient of variation, 0 < cv <=
  /// 10
  /// @throws std::invalid_argument  parameters outside
  static CountDistribution lognormal(double mean, double cv);
  /// One of the listed counts, each as likely as the others. @throws std::invalid_argument  an empty list
  static CountDistribution values(const std::vector<std::uint64_t>& counts);

  /// The counts in ascending order, each once; their weights add up to 1.
  const std::vector<CountWeight>& table() const { return table_; }
  std::uint64_t smallest() const { return table_.front().count; }
  std::uint64_t largest() const { return table_.back().count; }
  bool is_constant() const { return table_.size() == 1; }

  double mean() const;
  double variance() const;

  /// The count that a uniform number of (0, 1) stands for. Cost: O(log table)
  std::uint64_t at(double uniform) const;

 private:
  explicit CountDistribution(std::vector<CountWeight> table);

  std::vector<CountWeight> table_;
  std::vector<double> cumulative_;
};

}  // namespace saturn
