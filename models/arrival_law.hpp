#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "models/units.hpp"

/// How events arrive from outside, for pools of jobs that do not make their own (open loop). Date 0 is the beginning of
/// the run.
namespace saturn {

/// A Poisson process: independent arrivals at a constant rate.
struct PoissonArrivals {
  Rate rate;  ///< > 0
};
/// Evenly spaced; the n-th (from 0) at (n + 1/2)/rate.
struct ConstantArrivals {
  Rate rate;  ///< > 0
};
/// A renewal process with gamma-distributed gaps; the first arrival is one gap after date 0.
struct GammaArrivals {
  Rate rate;        ///< one over the mean gap, > 0
  double cv = 1.0;  ///< of the gaps, > 0; 1: Poisson, above: bursts
};
/// Recorded dates, shared because they may be many.
struct RecordedDates {
  std::vector<double> dates_s;  ///< (n) relative to the first, which is 0; ascending, n >= 2, the last > 0
  std::string fingerprint;      ///< of the file's content: size and FNV-1a hash
};
/// A recording, from its first arrival at date 0; it begins again one mean gap after its last arrival.
struct TraceArrivals {
  std::string file;
  std::shared_ptr<const RecordedDates> recorded{};  ///< set by the reader
};
/// A point of a rate profile.
struct RatePoint {
  Seconds at;
  Rate rate;
};
/// A Poisson process whose rate is piecewise linear between points and repeats with a period. Between the last point
/// and the first of the next period the rate is linear too.
struct ProfileArrivals {
  std::vector<RatePoint> points;  ///< (n) n >= 2, strictly ascending, within [0, period], some rate > 0
  Seconds period{86400.0};
};

/// How events arrive.
using ArrivalLaw = std::variant<PoissonArrivals, ConstantArrivals, GammaArrivals, TraceArrivals, ProfileArrivals>;

/// Long-run arrivals per time [1/s]; of a trace (n − 1) over its last date.
Rate mean_rate(const ArrivalLaw& law);

/// How much the number of arrivals in a long time scatters: its variance over its mean. 0 for constant arrivals, 1 for
/// a Poisson process and a profile (whose own course is no chance), cv² for gamma gaps, and for a trace cv² of its
/// gaps.
double dispersion(const ArrivalLaw& law);

/// True when arrivals are drawn: Poisson, gamma, profile. Constant arrivals and traces are the same in every run.
bool is_drawn(const ArrivalLaw& law);

/// True when the rate is meant to vary with time: profiles and traces.
bool varies(const ArrivalLaw& law);

/// After which time the arrivals begin again [s]; 0 when they do not.
Seconds repetition(const ArrivalLaw& law);

}  // namespace saturn
