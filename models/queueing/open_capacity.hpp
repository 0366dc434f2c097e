#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"

namespace saturn {

/// What a pool that events reach from outside can serve at most, by the demands alone.
struct OpenCapacity {
  double offered_per_s = 0.0;   ///< λ, the long-run rate of arrivals [1/s]
  double capacity_per_s = 0.0;  ///< C: the rate at which the first resource, or the streams, would be busy always
  std::string limit;            ///< name of that resource, or "streams"
  double load() const { return offered_per_s / capacity_per_s; }
};

/// C = min over resources r of (1 − load of the other open classes at r)/D_r, and of streams/t_ideal; at least 0.
/// Closed classes are left out: they take what open ones leave, so C bounds from above. Demands are those of the best
/// batches and, where the load chooses the server, of the best split (free calls of the others are left out), which
/// bounds from above as well.
/// @param job_class  of an open class, index into network.classes
/// @throws std::invalid_argument  a class without arrivals
OpenCapacity open_capacity(const ClosedNetwork& network, std::size_t job_class);

/// C of the class with all resources to itself [1/s]: what no window's rate can pass.
double own_capacity_per_s(const ClosedNetwork& network, std::size_t job_class);

/// Mean event time of an open network of product form, no limit on streams: the think time plus, at every station,
/// work·(mean number in M/M/c)/(offered load), exact for exponential service and Poisson arrivals [s].
/// Source: Baskett, Chandy, Muntz & Palacios, J. ACM 22 (1975) 248
/// @returns nothing when a station or the streams are saturated, or when the network has other classes than this one
std::optional<double> open_event_time_s(const ClosedNetwork& network);

/// What becomes of the events that arrive at a pool from outside.
enum class OpenVerdict {
  stable,      ///< they are served, and the number present does not grow
  backlogged,  ///< they could be served on average, but more are present at the window's end than chance explains
  overloaded,  ///< more arrive than can be served: the number present grows for ever, or the buffer loses the rest
};

/// "stable", "backlogged", "overloaded".
const char* name_of(OpenVerdict verdict);

/// What a verdict rests on: the bound, and what was seen in a window.
struct OpenEvidence {
  double offered_per_s = 0.0;   ///< long-run rate of arrivals [1/s]
  double capacity_per_s = 0.0;  ///< bound of what can be served [1/s]
  double dispersion = 1.0;      ///< variance over mean of the number of arrivals in a long time [1]
  bool varies = false;          ///< the rate is meant to vary with time
  double window_s = 0.0;        ///< > 0 [s]
  double arrivals = 0.0;        ///< in the window
  double lost = 0.0;            ///< of them
  std::vector<double> present;  ///< mean number of events present in (n) equal successive parts of the window, n >= 3
  double waiting_mean = 0.0;    ///< mean number that wait for a stream
  std::optional<double> buffer{};  ///< how many may wait; absent: no limit
};

/// Slope of the number of events present with its interval, by least squares over the parts of the window [1/s].
struct BacklogGrowth {
  double per_s = 0.0;
  double low = 0.0;  ///< of the interval with 99.9 % confidence
  double high = 0.0;
  /// The interval lies above 0, and the growth over the window is beyond three standard deviations of arrivals and
  /// services by chance, 3·√((1 + dispersion)·arrivals): the parts of a window are not independent, so that the
  /// interval alone would see growth in every slow swing.
  bool beyond_chance = false;
};
BacklogGrowth backlog_growth(const OpenEvidence& evidence);

/// The verdict, in this order:
/// overloaded  when the offered rate is above the capacity;
///             when the number present grows beyond chance by at least 1 % of the offered rate, or events are lost from
///             a buffer that is more than half full on average, unless the rate is meant to vary;
/// backlogged  when the number present grows beyond chance otherwise, or such a buffer loses events while the rate
/// varies; stable      in all other cases, also when a buffer that is mostly empty loses events now and then.
OpenVerdict verdict_of(const OpenEvidence& evidence);

}  // namespace saturn
