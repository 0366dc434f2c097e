#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/arrival_law.hpp"
#include "models/distribution.hpp"
#include "models/profile_rate.hpp"
#include "models/random_stream.hpp"

namespace saturn {

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

  const ArrivalLaw& law_;
  RandomStream random_;
  TimeDistribution gap_;           // of renewal processes
  double last_s_ = 0.0;            // date of the last arrival of a renewal process
  std::uint64_t count_ = 0;        // arrivals so far; of a trace: within this pass
  std::uint64_t pass_ = 0;         // of the trace, or of the profile's period
  std::vector<RateStretch> path_;  // of the profile
  std::size_t stretch_ = 0;
  double done_ = 0.0;  // expected arrivals of the stretch that lie behind
};

}  // namespace saturn
