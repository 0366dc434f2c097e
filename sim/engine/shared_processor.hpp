#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/engine/calendar.hpp"
#include "sim/engine/dated_heap.hpp"

namespace saturn {

/// How fast each of n jobs runs that are worked on together.
class SharedSpeed {
 public:
  /// `units` equal processors: full speed up to that many jobs, then an equal share. @param units > 0, need not be
  /// whole
  /// @param contention  share by which all are slowed down besides, as soon as they are several; >= 0
  static SharedSpeed units(double units, double contention = 0.0) { return SharedSpeed(units, 0.0, contention); }
  /// n jobs run at n^−exponent of the full speed each. @param exponent in [0, 1]: independent to sharing everything
  static SharedSpeed interference(double exponent) { return SharedSpeed(0.0, exponent, 0.0); }

  double of(std::size_t jobs) const {
    const auto n = static_cast<double>(jobs);
    if (units_ > 0.0) return (n <= units_ ? 1.0 : units_ / n) / (jobs > 1 ? 1.0 + contention_ : 1.0);
    return std::pow(n, -exponent_);
  }

 private:
  SharedSpeed(double units, double exponent, double contention)
      : units_(units), exponent_(exponent), contention_(contention) {}
  double units_;
  double exponent_;
  double contention_;
};

/// Jobs that are all worked on at once, each at the same speed, which depends on their number: a processor-sharing
/// queue in virtual time. v is the work that each job has received since the station was last empty; a job of work w
/// that comes at v ends at v + w. Cost of a job: O(log jobs).
/// @tparam Job    small plain value
/// @tparam Owner  has `void work_done(Job, double occupied, double now)`, with the share of the station's busy time
/// that the
///                job had [s]
template <class Job, class Owner>
class SharedProcessor final : private Source {
 public:
  /// @param units  that can be busy at once, > 0
  SharedProcessor(Calendar& calendar, SharedSpeed speed, double units, Owner& owner)
      : calendar_(calendar), speed_(speed), units_(units), owner_(owner), source_(calendar.add(*this)) {}

  /// @param work  [s] at full speed, > 0
  void begin(Job job, double work, double now) {
    advance(now);
    jobs_.push(virtual_ + work, {job, occupied_});
    reschedule();
  }

  /// From now on all run at `pace` times their speed, for what goes on around the station. @param pace  > 0
  void set_pace(double pace, double now) {
    advance(now);
    pace_ = pace;
    reschedule();
  }

  std::size_t size() const { return jobs_.size(); }
  /// Time so far during which there were jobs, each of its units counted [s].
  double busy_area(double now) const {
    return busy_area_ + std::min(units_, static_cast<double>(jobs_.size())) * (now - updated_);
  }

  /// visit(Job, share of the station's busy time that it has had so far [s]) for every job. Cost: O(jobs)
  template <class Visit>
  void for_each(double now, Visit&& visit) const {
    const double occupied = occupied_ + share() * (now - updated_);
    for (const auto& entry : jobs_.entries()) visit(entry.value.job, occupied - entry.value.occupied);
  }

 private:
  struct Entry {
    Job job;
    double occupied;  // the station's clock of busy time per job, at its arrival
  };

  double rate() const { return jobs_.empty() ? 0.0 : speed_.of(jobs_.size()) * pace_; }
  // Busy time that each job stands for.
  double share() const {
    const auto n = static_cast<double>(jobs_.size());
    return jobs_.empty() ? 0.0 : std::min(1.0, units_ / n);
  }

  void advance(double now) {
    const double elapsed = now - updated_;
    busy_area_ += std::min(units_, static_cast<double>(jobs_.size())) * elapsed;
    occupied_ += share() * elapsed;
    virtual_ += rate() * elapsed;
    updated_ = now;
  }

  void fire(double now) override {
    advance(now);
    // The job ends at its own virtual time exactly; what rounding made of v is not carried on.
    virtual_ = jobs_.top().date;
    const Entry done = jobs_.pop();
    const double occupied = occupied_ - done.occupied;
    if (jobs_.empty()) virtual_ = 0.0;
    reschedule();
    owner_.work_done(done.job, occupied, now);
  }

  void reschedule() {
    if (jobs_.empty()) {
      calendar_.reschedule(source_, Calendar::never);
      return;
    }
    const double wait = (jobs_.top().date - virtual_) / rate();
    calendar_.reschedule(source_, updated_ + (wait > 0.0 ? wait : 0.0));
  }

  Calendar& calendar_;
  SharedSpeed speed_;
  double units_;
  Owner& owner_;
  std::size_t source_;
  DatedHeap<Entry> jobs_;
  double pace_ = 1.0;
  double virtual_ = 0.0;
  double updated_ = 0.0;
  double busy_area_ = 0.0;
  double occupied_ = 0.0;
};

}  // namespace saturn
