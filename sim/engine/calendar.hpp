#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace saturn {

/// Asks the processor for the cache lines at an address that will be needed soon; has no effect on results.
inline void prefetch(const void* address, std::size_t lines) {
  constexpr std::size_t line_bytes = 64;
  const char* line = static_cast<const char*>(address);
  for (std::size_t i = 0; i < lines; ++i) __builtin_prefetch(line + i * line_bytes, 1);
}

/// Of a client.
inline constexpr std::size_t client_lines = 1;

/// Min-heap of values by date, which is not negative, four children a node; equal dates leave in the order in which
/// they came. Four children halve the depth, and the four dates that a step compares lie side by side.
template <class Value>
class DatedHeap {
 public:
  struct Entry {
    double date;
    std::uint64_t order;
    Value value;
  };

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& top() const { return entries_.front(); }
  const std::vector<Entry>& entries() const { return entries_; }  ///< in no order that means anything
  void reserve(std::size_t n) { entries_.reserve(n); }

  /// Cost: O(log n)
  void push(double date, Value value) {
    const Entry entry{date + 0.0, order_++, value};
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!before(entry, entries_[parent])) break;
      entries_[hole] = entries_[parent];
      hole = parent;
    }
    entries_[hole] = entry;
  }

  /// Cost: O(log n)
  Value pop() {
    const Value value = entries_.front().value;
    const Entry last = entries_.back();
    entries_.pop_back();
    const std::size_t n = entries_.size();
    if (n == 0) return value;
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = 4 * hole + 1;
      if (first >= n) break;
      const std::size_t best = first + 4 <= n ? least_of_four(first) : least(first, n);
      if (!before(entries_[best], last)) break;
      entries_[hole] = entries_[best];
      hole = best;
    }
    entries_[hole] = last;
    return value;
  }

  /// Takes those out whose value `remove` says true of. Cost: O(n log n)
  template <class Remove>
  void remove_if(Remove&& remove) {
    std::erase_if(entries_, [&](const Entry& entry) { return remove(entry.value); });
    // What is in order is a heap.
    std::sort(entries_.begin(), entries_.end(), before);
  }

 private:
  std::size_t least(std::size_t first, std::size_t end) const {
    std::size_t best = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (before(entries_[child], entries_[best])) best = child;
    return best;
  }
  // Which is the least is as good as random, which a processor guesses badly: chosen without a branch.
  std::size_t least_of_four(std::size_t first) const {
    const Entry* four = &entries_[first];
    const std::size_t left = before(four[1], four[0]) ? 1 : 0;
    const std::size_t right = before(four[3], four[2]) ? 3 : 2;
    return first + (before(four[right], four[left]) ? right : left);
  }

  // Dates that are not negative are ordered as their bits are; with the order of arrival below them two entries are
  // compared as one number.
  __extension__ using Key = unsigned __int128;
  static Key key(const Entry& entry) { return Key{std::bit_cast<std::uint64_t>(entry.date)} << 64U | entry.order; }
  static bool before(const Entry& a, const Entry& b) { return key(a) < key(b); }

  std::vector<Entry> entries_;
  std::uint64_t order_ = 0;
};

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
/// (a ring where they come in order, a heap where they do not), the tournament finds the source that is next. Its
/// lowest rounds are played by blocks of sources at once, and where there are at most two only when it is asked who is
/// next. Cost of an event: O(log sources), beside the source's own.
class Calendar {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  Calendar();

  /// Enters a source; it must outlive the calendar's last step. @returns its number
  std::size_t add(Source& source);

  /// The earliest event of the source is now at `date` [s], >= 0; `never` for none. Equal dates go by the source's
  /// number.
  void reschedule(std::size_t source, double date) {
    dates_[source] = bits(date);
    if (leaves_ > 2) play(source);
  }

  /// Date of the earliest event [s], or `never`.
  double next_date() const { return date_of(next()); }
  /// Date of the event that is being handled [s]: exact, whatever clock the engine shows meanwhile.
  double now() const { return now_; }
  /// Events handled so far.
  std::uint64_t handled() const { return handled_; }

  /// Handles all events up to `date` inclusive [s], also those that come up on the way, unless stop() is called.
  void run_until(double date) {
    while (!stopped_) {
      const std::size_t source = next();
      if (date_of(source) > date) return;
      now_ = date_of(source);
      ++handled_;
      sources_[source]->fire(now_);
    }
  }

  /// Leaves run_until() after the event that is being handled; nothing runs any more.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  static constexpr std::size_t block = 8;

  /// Of a date that is not negative: numbers in the same order, which integer registers compare.
  static std::uint64_t bits(double date) { return std::bit_cast<std::uint64_t>(date + 0.0); }
  double date_of(std::size_t source) const { return std::bit_cast<double>(dates_[source]); }

  std::size_t next() const {
    if (leaves_ > 2) return winners_[1];
    return leaves_ == 1 ? first_of(0) : earlier(first_of(0), first_of(1));
  }

  // Who wins is as good as random, which a processor guesses badly: chosen without a branch.
  std::size_t earlier(std::size_t a, std::size_t b) const { return dates_[b] < dates_[a] ? b : a; }

  /// The source of a block whose date is the earliest, of equal ones the first.
  std::size_t first_of(std::size_t number) const {
    static_assert(block == 8);
    const std::size_t i = number * block;
    return earlier(earlier(earlier(i, i + 1), earlier(i + 2, i + 3)),
                   earlier(earlier(i + 4, i + 5), earlier(i + 6, i + 7)));
  }

  void make_room();

  /// The date of this source has changed.
  void play(std::size_t source) {
    std::size_t node = leaves_ + source / block;
    std::size_t first = first_of(source / block);
    std::uint64_t first_date = dates_[first];
    for (;;) {
      // Another source won here before too, and its date is what it was.
      if (winners_[node] == first && first != source) return;
      winners_[node] = static_cast<std::uint32_t>(first);
      if (node == 1) return;
      const std::size_t sibling = winners_[node ^ 1];
      const std::uint64_t sibling_date = dates_[sibling];
      const bool sibling_wins = sibling_date < first_date + (node & 1);
      first_date = sibling_wins ? sibling_date : first_date;
      first = sibling_wins ? sibling : first;
      node >>= 1;
    }
  }

  std::vector<Source*> sources_;
  std::vector<std::uint64_t> dates_;    // of the sources, and `never` where a block has none, in whole blocks
  std::vector<std::uint32_t> winners_;  // sources; node n stands above 2n and 2n + 1, the last `leaves_` above a block
  std::size_t leaves_ = 1;              // a power of two
  double now_ = 0.0;
  std::uint64_t handled_ = 0;
  bool stopped_ = false;
};

}  // namespace saturn
