#pragma once

#include <cstdint>
#include <string>

#include "models/results/run_outcome.hpp"

/// Laws that every run satisfies whatever its input, as pure functions of what was counted. They hold exactly in every
/// window, since the stays that reach over its edges are counted too; only rounding errors are tolerated.

namespace saturn {

/// Counts at one station, over a window.
struct StationCounts {
  std::string name;
  double present_area = 0.0;   ///< integral of the number present [s]
  double sojourn_sum_s = 0.0;  ///< time present of those that left in the window, by their own stamps [s]
  double age_before_s = 0.0;   ///< time present so far of those present at the window's beginning [s]
  double age_after_s = 0.0;    ///< the same at its end [s]
  double busy_area = 0.0;      ///< integral of the units in use [s]
  double work_sum_s = 0.0;     ///< service of those that left in the window [s]
  double work_before_s = 0.0;  ///< service received so far by those in service at the window's beginning [s]
  double work_after_s = 0.0;   ///< the same at its end [s]
  std::uint64_t present_before = 0;
  std::uint64_t present_after = 0;
  std::uint64_t arrivals = 0;
  std::uint64_t departures = 0;
  double clock_error_s = 0.0;            ///< what rounding of the clock can add up to, over all that came and left [s]
  std::uint64_t idle_while_waiting = 0;  ///< times that somebody waited although a unit was free

  StationCounts& operator+=(const StationCounts& other);
};

/// Those who came either left or are still there.
Check check_conservation(const StationCounts& station);

/// Little's law L = λ·W: the integral of the number present equals the time that they were present by their own stamps.
/// Source: J. Little, Operations Research 9 (1961) 383.
Check check_little(const StationCounts& station);

/// Utilisation law: busy time equals the service that was given.
Check check_utilisation(const StationCounts& station);

/// No unit is idle while somebody waits for it.
Check check_work_conserving(const StationCounts& station);

/// A station cannot give more service than its units have time. @param units  c  @param window_s  [s]
Check check_capacity(const std::string& name, double busy_area, double units, double window_s);

/// Interactive response-time law N = X·R: every client is always in one event or between two, so the times of the
/// events and those between them fill the window N times.
/// @param event_time_s  spent within the window in all events and between them, also in those that reach over its edges
///                      [s]
Check check_response_time(const std::string& name, double clients, double window_s, double event_time_s);

/// What was printed of the streams of a closed pool, beside what was counted of them.
struct WholeLoop {
  std::string name;
  double clients = 0.0;       ///< N
  double window_s = 0.0;      ///< [s]
  double events = 0.0;        ///< that ended in the window
  double event_time_s = 0.0;  ///< R, as printed [s]
  double between_s = 0.0;     ///< time that the streams spent between events, all together [s]
  double at_edges_s = 0.0;    ///< age of the events under way at either edge of the window, all together [s]
  double spread_s = 0.0;      ///< standard deviation of an event's drawn computing times, whose mean is known [s]
  double longest_s = 0.0;     ///< longest event [s]
};

/// Little's law of the whole loop, R = N/X − Z, of the printed R and the counted X. Events that reach over the window's
/// edges are in one of the two alone. Where R is built on the known mean of what is drawn, the sum of the drawn times
/// may differ from it by chance: by Bernstein's inequality, for times up to the longest, 6 standard deviations and 12
/// of the longest are exceeded once in 10^7 runs.
/// Source  S. N. Bernstein (1946); S. Boucheron, G. Lugosi, P. Massart, "Concentration Inequalities" (2013), 2.8
Check check_whole_loop(const WholeLoop& loop);

/// One pool that events reach from outside, beside its bounds.
struct OpenPoolBounds {
  std::string name;
  double streams = 0.0;             ///< streams
  double event_time_s = 0.0;        ///< measured mean, the time in the buffer included [s]
  double ideal_event_time_s = 0.0;  ///< least event time when nobody waits [s]
  double events = 0.0;              ///< that ended in the window
  double capacity_events = 0.0;     ///< that the bound of the capacity allows in the window
  double relative_scatter = 0.0;    ///< as of BoundedPool
};

/// R >= t_ideal and X <= capacity. An event is in service at either edge of the window in every stream at most, and six
/// standard errors of what was drawn are allowed.
Check check_open_bounds(const OpenPoolBounds& pool);

/// One pool's measurement beside the asymptotic bounds of its closed network.
struct BoundedPool {
  std::string name;
  double clients = 0.0;
  double event_time_s = 0.0;        ///< measured mean, what lies between two events of a client included [s]
  double events_per_s = 0.0;        ///< measured [1/s]
  double events = 0.0;              ///< that ended in the window
  double least_event_time_s = 0.0;  ///< bound on R [s]
  double relative_scatter = 0.0;    ///< coefficient of variation of an event's drawn times, 0 when none is drawn
  double edge_events = 1.0;         ///< that a client may gain at the window's edges
};

/// Asymptotic bounds R(N) >= max(t_ideal, N·D), X(N) <= N/R. They hold for expectations; a window misses them by at
/// most an event at either edge of each client (more, where it sets a job up that takes longer) and by chance, for
/// which six standard errors of what was drawn are allowed (a false alarm in 10^9 runs).
Check check_bounds(const BoundedPool& pool);

}  // namespace saturn
