#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "models/laws/distribution.hpp"
#include "models/laws/random_stream.hpp"
#include "models/values/units.hpp"

namespace saturn {

// How events arrive from outside, for pools of jobs that do not make their own (open loop). Date 0 is the beginning of
// the run.

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

/// Poisson arrivals at one rate while a source is on and at another while it is off, in turn (an interrupted, or a
/// switched, Poisson process). A run finds the source in the middle of a period, so that it is stationary from date 0
/// on.
struct OnOffArrivals {
  Rate rate;                             ///< while on, > 0
  Rate rate_off{};                       ///< while off
  TimeDistribution on = ConstantTime{};  ///< length of a period, of mean > 0
  TimeDistribution off = ConstantTime{};
};

/// How events arrive.
using ArrivalLaw =
    std::variant<PoissonArrivals, ConstantArrivals, GammaArrivals, TraceArrivals, ProfileArrivals, OnOffArrivals>;

/// Long-run arrivals per time [1/s]; of a trace (n − 1) over its last date.
Rate mean_rate(const ArrivalLaw& law);

/// How much the number of arrivals in a long time scatters: its variance over its mean. 0 for constant arrivals, 1 for
/// a Poisson process and a profile (whose own course is no chance), cv² for gamma gaps, and for a trace cv² of its
/// gaps. With periods on and off of means a and b and variances A and B, 1 + (difference of the rates)²·(b²A + a²B) /
/// (a + b)³ / mean rate. Source  D. R. Cox, "Renewal Theory" (1962), section 7.4
double dispersion(const ArrivalLaw& law);

/// True when arrivals are drawn: Poisson, gamma, profile, on and off. Constant arrivals and traces are the same in
/// every run.
bool is_drawn(const ArrivalLaw& law);

/// True when the rate is meant to vary with time: profiles and traces.
bool varies(const ArrivalLaw& law);

/// After which time the arrivals begin again [s]; 0 when they do not.
Seconds repetition(const ArrivalLaw& law);

/// A stretch of a profile on which the rate is a straight line.
struct RateStretch {
  double begin_s = 0.0;   ///< within the period [s]
  double length_s = 0.0;  ///< > 0 [s]
  double rate = 0.0;      ///< at its beginning [1/s]
  double slope = 0.0;     ///< [1/s²]
  double events = 0.0;    ///< integral of the rate over it [1]

  /// Time x from the beginning at which `amount` events are expected to have come: rate·x + slope·x²/2 = amount,
  /// solved without cancellation. @param amount  in [0, events] @returns [s], at most length_s
  double time_of(double amount) const;
};

/// The stretches of one period, in order, without gaps: from date 0 to the period.
std::vector<RateStretch> stretches(const ProfileArrivals& profile);

/// Expected arrivals in one period [1].
double events_per_period(const ProfileArrivals& profile);

/// The dates at which events arrive, one after the other.
class ArrivalStream {
 public:
  /// @param law     must outlive the stream
  /// @param random  of Purpose::arrival; not used when nothing is drawn
  ArrivalStream(const ArrivalLaw& law, const RandomStream& random);

  /// The next date [s], not before the one before. Profiles: exact inversion of the integrated rate at unit-exponential
  /// steps, so that the expected number of arrivals in a period is the integral of the rate.
  double next();

 private:
  double next_of_trace(const TraceArrivals& trace);
  double next_of_profile();
  double next_of_periods(const OnOffArrivals& law);

  const ArrivalLaw& law_;
  RandomStream random_;
  TimeDistribution gap_;           // of renewal processes
  double last_s_ = 0.0;            // date of the last arrival of a renewal process
  std::uint64_t count_ = 0;        // arrivals so far; of a trace: within this pass
  std::uint64_t pass_ = 0;         // of the trace, or of the profile's period
  std::vector<RateStretch> path_;  // of the profile
  std::size_t stretch_ = 0;
  double done_ = 0.0;  // expected arrivals of the stretch that lie behind
  bool on_ = true;     // the present period of a source that goes on and off
  double period_ends_s_ = 0.0;
};

}  // namespace saturn
