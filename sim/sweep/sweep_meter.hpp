#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_rate.hpp"

namespace saturn {

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
