#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"
#include "models/results/measures.hpp"
#include "models/results/results.hpp"
#include "models/results/run_outcome.hpp"

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

/// By how much one scenario differs from another that shares its random numbers: each number over the original's, less
/// 1 [1].
struct PairedChange {
  Estimate events_per_s;  ///< of the events that no refusal spoils, by the share of requests that are served
  Estimate event_time;
  std::optional<Estimate> latency;      ///< mean of all requests of the models; absent where the original answered none
  std::optional<Estimate> latency_p99;  ///< of the model, among them, whose 99 % is the largest in the original
};

/// Pairs replication i of the one with replication i of the other; as many pairs as both have. Random numbers that both
/// share drop out, so small changes show in few replications. With a single pair the two runs' widths from batch means
/// are taken for independent, which is too wide rather than too narrow for runs that are alike; changes of latencies
/// then have no interval, unless nothing is drawn.
/// @param original    (n) replications, n >= 1
/// @param variant     (m) replications of the variant, m >= 1, with the same models
/// @param models      names of those whose latency is compared
/// @param spoiling    names of those whose refused requests end events that are worth nothing
/// @param confidence  in (0, 1)
/// @param stopping    of the original: nothing_drawn where a single run tells all
/// @throws std::invalid_argument  no replications, or a confidence outside (0, 1)
PairedChange paired_change(std::span<const RunOutcome> original, std::span<const RunOutcome> variant,
                           const std::vector<std::string>& models, const std::set<std::string>& spoiling,
                           double confidence, Stopping stopping = Stopping::by_number);

/// Nobody decides by less than a hundredth of a per cent [1].
inline constexpr double least_difference = 1e-4;

/// What a relative change amounts to: a difference is beyond its interval and not below least_difference.
enum class Verdict { gains, no_difference, loses };
Verdict verdict_of(const Estimate& relative_change);

}  // namespace saturn
