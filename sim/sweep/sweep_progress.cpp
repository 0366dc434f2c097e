#include "sim/sweep/sweep_progress.hpp"

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

namespace {

constexpr std::chrono::milliseconds least_pause{100};
constexpr std::chrono::milliseconds longest_pause{1000};

}  // namespace

SweepMeter::SweepMeter(std::uint64_t tasks, const std::function<void(const SweepProgress&)>& report)
    : report_(report), rate_(tasks), told_(begun_ - longest_pause) {
  progress_.tasks = tasks;
}

void SweepMeter::note_point(bool failed) {
  ++progress_.done;
  if (failed) ++progress_.failed;
  changed_ = true;
}

void SweepMeter::note_workers(std::size_t workers) {
  changed_ = changed_ || progress_.workers != workers;
  progress_.workers = static_cast<unsigned>(workers);
}

void SweepMeter::note_stopping() {
  changed_ = changed_ || !progress_.stopping;
  progress_.stopping = true;
}

SweepMeter::Clock::time_point SweepMeter::due() const {
  return told_ + (changed_ ? least_pause : longest_pause);
}

void SweepMeter::tell_if_due() {
  if (Clock::now() >= due()) tell();
}

void SweepMeter::tell() {
  told_ = Clock::now();
  changed_ = false;
  progress_.elapsed_s = std::chrono::duration<double>(told_ - begun_).count();
  progress_.remaining_s = rate_.remaining_s(progress_.done, progress_.elapsed_s);
  if (report_) report_(progress_);
}

}  // namespace saturn
