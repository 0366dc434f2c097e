#pragma once

#include <cstdint>
#include <deque>

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

}  // namespace saturn
