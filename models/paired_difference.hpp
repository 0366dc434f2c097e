#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/measures.hpp"
#include "models/results.hpp"

namespace saturn {

/// A number of two scenarios A and B that share their random numbers.
struct PairedDifference {
  Estimate a;
  Estimate b;
  Estimate difference;  ///< B less A, replication by replication
  /// Chance that A is the better one, if nothing was known before: that the mean difference has the sign that favours
  /// A, by Student's law. 0.5 says nothing; it is no chance that a single event is better. Absent: one pair of drawn
  /// runs, or scenarios that have nothing in common.
  std::optional<double> a_better;
};

/// @param a, b        (n) by replication, paired by their random numbers, n >= 1
/// @param confidence  in (0, 1)
/// @param stopping    as for summarise(); with nothing_drawn one pair tells all, and the intervals are points
/// @throws std::invalid_argument  no pairs, not as many of one as of the other, or a confidence outside (0, 1)
PairedDifference paired_difference(std::span<const double> a, std::span<const double> b, Better better,
                                   double confidence, Stopping stopping);

/// One line of a comparison.
struct ComparedNumber {
  std::string name;  ///< "event time", "p99 latency of emtrk"
  std::string unit;  ///< "s", "events/s", "USD"
  Better better = Better::less;
  PairedDifference paired;
};

/// What is known of the number that decides.
enum class Decision { a_better, b_better, no_difference, undecided };

/// @param least  relative difference below which nobody decides [1]
/// A difference counts when the interval that spends a tenth of 1 − confidence excludes 0: after several looks at
/// growing numbers of pairs the plain interval would exclude 0 too often by chance. There is none when the printed
/// interval lies within ± least of A's mean.
Decision decision_of(const ComparedNumber& number, double least);

}  // namespace saturn
