#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

#include "sim/sweep/run_sweep.hpp"

namespace saturn {

/// Foretells how long a sweep still takes, from the last half of the time that it has taken (30 s at least): points
/// that are computed late may take longer than the first.
class SweepRate {
 public:
  /// @param tasks  points in all
  explicit SweepRate(std::uint64_t tasks) : tasks_(tasks) {}

  /// @param done       points so far, never less than before
  /// @param elapsed_s  time so far [s], never less than before
  /// @returns [s]; 0 before the first point is done
  double remaining_s(std::uint64_t done, double elapsed_s);

 private:
  struct Sample {
    double elapsed_s;
    std::uint64_t done;
  };

  std::uint64_t tasks_;
  std::deque<Sample> samples_{{0.0, 0}};
};

/// Counts how far a sweep is and tells of it: when something changed, at most ten times a second, and once a second
/// at least. Time comes from a clock that nobody sets.
class SweepMeter {
 public:
  using Clock = std::chrono::steady_clock;

  SweepMeter(std::uint64_t tasks, const std::function<void(const SweepProgress&)>& report);

  void note_point(bool failed);
  void note_workers(std::size_t workers);
  void note_stopping();

  /// Tells of it if it is time to.
  void tell_if_due();
  /// Tells of it in any case.
  void tell();

  /// When it will be time to tell of it.
  Clock::time_point due() const;
  const SweepProgress& progress() const { return progress_; }

 private:
  const std::function<void(const SweepProgress&)>& report_;
  SweepProgress progress_{};
  SweepRate rate_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point told_{};
  bool changed_ = true;
};

}  // namespace saturn
