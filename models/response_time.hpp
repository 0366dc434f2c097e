#pragma once

namespace saturn {

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
