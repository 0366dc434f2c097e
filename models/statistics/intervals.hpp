#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/results/estimate.hpp"

namespace saturn {

/// Two-sided Student-t interval of a mean.
/// @param values      (n) independent, n >= 1
/// @param confidence  in (0, 1)
/// @returns the mean and its interval; with one value the interval is the whole line, because nothing bounds it
/// @throws std::invalid_argument  no values, or a confidence outside (0, 1)
Estimate student_interval(std::span<const double> values, double confidence);

/// The confidence whose Student factor makes an interval hold what it says although replications went on until it was
/// narrow: of 1 - confidence only 0.7 is spent. Intervals that are narrow by chance end a run early, which takes up to
/// 4 of 95 % from plain Student intervals, and nothing where every interval is narrow; see docs/models/statistics.md.
/// @param confidence  in (0, 1)
double stopped_confidence(double confidence);

/// Two-sided Student-t interval of a ratio of two means whose values come in pairs: the ratio estimator with its
/// linearised variance, so that what a pair has in common drops out.
/// @param above       (n) numerators, n >= 1
/// @param below       (n) denominators, their mean not 0
/// @param confidence  in (0, 1)
/// @returns Σ above / Σ below and its interval [unit of above over unit of below]; with one pair the whole line
/// @throws std::invalid_argument  no pairs, not as many above as below, denominators of mean 0, or a confidence outside
///                                (0, 1)
/// Source  W. G. Cochran, "Sampling Techniques", 3rd edition (1977), section 6.4
Estimate ratio_interval(std::span<const double> above, std::span<const double> below, double confidence);

/// Slope of a straight line through equidistant values, by least squares, with its two-sided Student-t interval for
/// independent residuals.
/// @param values      (n) n >= 3
/// @param step        distance between them, > 0
/// @param confidence  in (0, 1)
/// @returns [unit of the values over that of the step]
/// @throws std::invalid_argument  fewer than 3 values, a step that is not above 0, or a confidence outside (0, 1)
Estimate slope_interval(std::span<const double> values, double step, double confidence);

/// A single series in batches of equally many slices, in the order of time: what an interval needs of it.
struct BatchMeans {
  std::vector<double> sums;    ///< (m) of values, each as often as its weight
  std::vector<double> events;  ///< (m) sum of the weights

  bool operator==(const BatchMeans&) const = default;
};

/// @param series   (n) mean of each slice
/// @param weights  (n) events of each slice, >= 0; empty: all alike
/// @returns 20 batches, or as many as there are slices, when fewer
/// @throws std::invalid_argument  weights of another number than the series
BatchMeans in_batches(std::span<const double> series, std::span<const double> weights = {});

/// Half-width over mean [1] of the interval of an event-weighted mean from a single series. What neighbouring batches
/// have in common widens it by √((1 + r)/(1 − r)), where r is the correlation of neighbours with its bias of −1/batches
/// undone, from 0 to 0.9.
/// @param confidence  in (0, 1)
/// @returns infinity of fewer than 2 batches, or without events, or where the mean is 0, because nothing is known then
/// @throws std::invalid_argument  a confidence outside (0, 1)
/// Source  correlated batch means as those of a first-order autoregressive process: A. Tafazzoli & J. R. Wilson,
/// IIE Transactions 43 (2011) 110
double batch_means_relative_width(const BatchMeans& batches, double confidence);

/// Half-width over the mean's size [1]; infinity when the mean is 0.
double relative_half_width(const Estimate& estimate);

/// Whether values with intervals may all be equal: their weighted squares about their common mean are no more than
/// chance makes of equal ones 99 times in 100.
/// @param values  (n) finite; one without an interval is exact, and so never equal to others by chance
/// @returns false for n < 2
/// Source  W. G. Cochran, Biometrics 10 (1954) 101
bool may_all_be_equal(std::span<const Estimate> values);

/// How strongly two series rise together, by their ranks alone.
struct RankCorrelation {
  double rho = 0.0;      ///< Spearman's, in [-1, 1]
  double p_value = 1.0;  ///< chance of a rho at least as large in size, of either sign, when the order is random
};

/// Spearman's rank correlation; equal values share their mean rank.
/// The p-value counts all orders for n <= 9, and for more values takes t = rho·sqrt((n−2)/(1−rho²)) as Student's t with
/// n − 2 degrees of freedom.
/// @param x, y  (n) each, finite
/// @returns nothing for n < 3 or when all values of a series are equal: then there is no order
/// @throws std::invalid_argument  series of different length
/// Source  M. G. Kendall, J. D. Gibbons, Rank Correlation Methods, 5th ed. (1990)
std::optional<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y);

}  // namespace saturn
