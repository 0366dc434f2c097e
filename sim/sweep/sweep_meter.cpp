#include "sim/sweep/sweep_meter.hpp"

namespace saturn {
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
