#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace saturn {

/// Something that has timed events of its own, in its own order, and tells the calendar the date of the earliest.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// Handle the earliest event, which is due now, and give the calendar the date of the next.
  virtual void fire(double now) = 0;
};

/// All timed events of a run, as a tournament of sources: each source keeps its events in the structure that suits them
/// (a ring where they come in order, a heap where they do not), the tournament finds the source that is next.
/// Cost of an event: O(log sources), beside the source's own.
class Calendar {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// Enters a source; it must outlive the calendar's last step. @returns its number
  std::size_t add(Source& source);

  /// The earliest event of the source is now at `date` [s]; `never` for none. Equal dates go by the source's number.
  void reschedule(std::size_t source, double date) {
    std::size_t node = leaves_ + source;
    tree_[node] = {date, static_cast<std::uint32_t>(source)};
    while (node > 1) {
      node >>= 1;
      const Entry& left = tree_[2 * node];
      const Entry& right = tree_[2 * node + 1];
      tree_[node] = right.date < left.date ? right : left;
    }
  }

  /// Date of the earliest event [s], or `never`.
  double next_date() const { return tree_[1].date; }
  /// Date of the event that is being handled [s]: exact, whatever clock the engine shows meanwhile.
  double now() const { return now_; }
  /// Events handled so far.
  std::uint64_t handled() const { return handled_; }

  /// Handles all events up to `date` inclusive [s], also those that come up on the way, unless stop() is called.
  void run_until(double date) {
    while (!stopped_ && tree_[1].date <= date) {
      now_ = tree_[1].date;
      ++handled_;
      sources_[tree_[1].source]->fire(now_);
    }
  }

  /// Leaves run_until() after the event that is being handled; nothing runs any more.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  struct Entry {
    double date = never;
    std::uint32_t source = 0;
  };
  std::vector<Source*> sources_;
  std::vector<Entry> tree_ = std::vector<Entry>(2);
  std::size_t leaves_ = 1;
  double now_ = 0.0;
  std::uint64_t handled_ = 0;
  bool stopped_ = false;
};

}  // namespace saturn
