#pragma once

#include <cstddef>
#include <span>

namespace saturn {

/// Where a series forgets how it began.
struct WarmUpCut {
  std::size_t cut = 0;  ///< values to remove from the beginning, a multiple of 5, at most half of the series
  /// False when a cut in the second half would bring MSER's statistic below two thirds of its best in the first half:
  /// the series is too short for its transient, or drifts. Then `cut` is still the best within the first half.
  bool steady = true;
  /// What that better cut would change of the mean of what is left, relative to it; 0 where the series is steady [1].
  double drift = 0.0;
};

/// What is known of the side from which a series comes to its steady state.
enum class Transient {
  either,
  /// From below, as a queue that is empty at first and fills: only beginnings with a mean below that of the rest are
  /// tried. A burst at the beginning would be cut else, which leaves too small a mean where values are skewed: event
  /// times of an M/M/1 queue at load 0.8 come out 1.9 % too small, without an error of the mean that would tell.
  from_below,
};

/// MSER-5: cuts where the standard error of the mean of what is left, over means of 5 values, is smallest.
/// Differences below 1e-11 of the largest value count as rounding noise, so that a constant series is not cut. Cuts
/// that leave less than a quarter of the series, or fewer than 5 means, are not tried: their spread is small by chance.
/// A series of fewer than 50 values shows no drift that could be told from chance; it is left whole and called steady.
/// False alarms of a steady series without correlation between its values: 4 % for 60 to 100 values, below 1 % from 200
/// values on; with a correlation of 0.9 between neighbours 14 %, 4 % and below 1 % for 100, 200 and 400 values.
/// @param series     (n) finite values in the order of time
/// @param transient  which beginnings may be cut
/// Source: White, Cobb & Spratt, Proc. 2000 Winter Simulation Conference, 755
/// Cost: O(n)
WarmUpCut mser5_cut(std::span<const double> series, Transient transient = Transient::either);

/// Two estimates of a closed pool's mean event time R from one window, where computing times of known mean are drawn.
struct ResponseTimeEstimates {
  double clients = 0.0;  ///< N
  double ideal_s = 0.0;  ///< t_ideal: the event time with no waiting [s]
  /// The known mean of the computing times and the measured mean of the rest [s]. What was drawn long or short by
  /// chance drops out of the first part; the rest still answers to it, since longer computing leaves less to wait for.
  double by_rest_s = 0.0;
  /// N/X − Z by Little's law of the whole loop, with the measured rate X [s]. It answers to what was drawn, less so the
  /// nearer a server is to saturation.
  double by_rate_s = 0.0;
};

/// The mean of the two in which, to first order, what was drawn by chance drops out: β·by_rest + (1 − β)·by_rate with
/// β = dR/dZ = 1/(1 + L·(L + 1)/N), the share of a longer computing time that lengthens the loop, where L = N·(1 −
/// t_ideal/R) clients wait. β follows from Schweitzer's fixed point R − Z = D·(1 + (N − 1)/N·L) at one server. It need
/// not be exact: any mean of the two is right, and β only makes it precise.
/// @returns [s]
/// Source  control variates: Lavenberg & Welch, Management Science 27 (1981) 322; fixed point: P. J. Schweitzer,
/// Int. Conf. Stochastic Control and Optimization (1979)
double response_time_s(const ResponseTimeEstimates& estimates);

}  // namespace saturn
