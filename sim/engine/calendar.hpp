#pragma once

#include <bit>
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

  /// The earliest event of the source is now at `date` [s], >= 0; `never` for none. Equal dates go by the source's
  /// number.
  void reschedule(std::size_t source, double date) {
    std::size_t node = leaves_ + source;
    Entry first{bits(date), source};
    tree_[node] = first;
    while (node > 1) {
      // Who wins is as good as random, which a processor guesses badly: chosen without a branch.
      const Entry& sibling = tree_[node ^ 1];
      const bool sibling_wins = sibling.date < first.date + (node & 1);
      first.date = sibling_wins ? sibling.date : first.date;
      first.source = sibling_wins ? sibling.source : first.source;
      node >>= 1;
      if (tree_[node].source == first.source && tree_[node].date == first.date) return;
      tree_[node] = first;
    }
  }

  /// Date of the earliest event [s], or `never`.
  double next_date() const { return std::bit_cast<double>(tree_[1].date); }
  /// Date of the event that is being handled [s]: exact, whatever clock the engine shows meanwhile.
  double now() const { return now_; }
  /// Events handled so far.
  std::uint64_t handled() const { return handled_; }

  /// Handles all events up to `date` inclusive [s], also those that come up on the way, unless stop() is called.
  void run_until(double date) {
    while (!stopped_ && next_date() <= date) {
      now_ = next_date();
      ++handled_;
      sources_[tree_[1].source]->fire(now_);
    }
  }

  /// Leaves run_until() after the event that is being handled; nothing runs any more.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  /// Of a date that is not negative: numbers in the same order, which integer registers compare.
  static std::uint64_t bits(double date) { return std::bit_cast<std::uint64_t>(date + 0.0); }

  struct Entry {
    std::uint64_t date = bits(never);
    std::uint64_t source = 0;
  };
  std::vector<Source*> sources_;
  std::vector<Entry> tree_ = std::vector<Entry>(2);
  std::size_t leaves_ = 1;
  double now_ = 0.0;
  std::uint64_t handled_ = 0;
  bool stopped_ = false;
};

}  // namespace saturn
