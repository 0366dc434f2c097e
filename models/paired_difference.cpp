#include "models/paired_difference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/intervals.hpp"
#include "models/quantiles.hpp"

namespace saturn {

namespace {

constexpr double spent_on_deciding = 0.1;

Estimate interval(std::span<const double> values, double confidence, Stopping stopping) {
  const double factor = stopping == Stopping::by_width ? stopped_confidence(confidence) : confidence;
  Estimate result = student_interval(values, factor);
  result.confidence = confidence;
  if (stopping == Stopping::nothing_drawn) result.low = result.high = result.mean;
  return result;
}

/// Chance that a mean lies below 0, given an interval of it.
/// @param factor_confidence  of the Student factor that the interval was made with
double chance_below_zero(const Estimate& estimate, double factor_confidence) {
  const double half = estimate.half_width();
  if (half == 0.0) return estimate.mean < 0.0 ? 1.0 : estimate.mean > 0.0 ? 0.0 : 0.5;
  const double freedom = estimate.replications - 1.0;
  const double factor = student_quantile_above(freedom, (1.0 - factor_confidence) / 2);
  return student_below(freedom, -estimate.mean * factor / half);
}

}  // namespace

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b, Better better,
                                   double confidence, Stopping stopping) {
  if (a.size() != b.size()) throw std::invalid_argument("paired_difference: as many of A as of B are needed");
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(b[i] - a[i]);
  PairedDifference result{.a = interval(a, confidence, stopping),
                          .b = interval(b, confidence, stopping),
                          .difference = interval(differences, confidence, stopping),
                          .a_better = {}};
  if (!std::isfinite(result.difference.half_width())) return result;
  const double used = stopping == Stopping::by_width ? stopped_confidence(confidence) : confidence;
  const double below = chance_below_zero(result.difference, used);
  result.a_better = better == Better::less ? 1.0 - below : below;
  return result;
}

Decision decision_of(const ComparedNumber& number, double least) {
  const Estimate& difference = number.paired.difference;
  if (!number.paired.a_better) return Decision::undecided;
  const double within = least * std::abs(number.paired.a.mean);
  if (std::max(std::abs(difference.low), std::abs(difference.high)) <= within) return Decision::no_difference;
  const double spent = spent_on_deciding * (1.0 - difference.confidence) / 2;
  if (*number.paired.a_better >= 1.0 - spent) return Decision::a_better;
  if (*number.paired.a_better <= spent) return Decision::b_better;
  return Decision::undecided;
}

}  // namespace saturn
