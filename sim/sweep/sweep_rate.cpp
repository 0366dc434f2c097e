#include "sim/sweep/sweep_rate.hpp"

#include <algorithm>

namespace saturn {
namespace {

constexpr double shortest_window_s = 30.0;

}  // namespace

double SweepRate::remaining_s(std::uint64_t done, double elapsed_s) {
  const double begin = elapsed_s - std::max(shortest_window_s, elapsed_s / 2.0);
  while (samples_.size() > 1 && samples_[1].elapsed_s <= begin) samples_.pop_front();
  // Of a sweep that takes days, a few hundred samples say as much as all.
  if (elapsed_s - samples_.back().elapsed_s >= std::max(1.0, elapsed_s / 200.0)) samples_.push_back({elapsed_s, done});
  if (done == 0 || done >= tasks_) return 0.0;
  const Sample& since = samples_.front();
  const bool moved = done > since.done && elapsed_s > since.elapsed_s;
  const double rate = moved ? static_cast<double>(done - since.done) / (elapsed_s - since.elapsed_s)
                            : static_cast<double>(done) / elapsed_s;
  return rate > 0.0 ? static_cast<double>(tasks_ - done) / rate : 0.0;
}

}  // namespace saturn
