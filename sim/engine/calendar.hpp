#pragma once

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
/// (a ring where they come in order, a heap or a wheel where they do not), the tournament finds the source that is
/// next. Its lowest rounds are played by blocks of sources at once, and where there are at most two only when it is
/// asked who is next. Cost of an event: O(log sources), beside the source's own.
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

  std::size_t earlier(std::size_t a, std::size_t b) const { return dates_[b] < dates_[a] ? b : a; }

  /// The source of a block whose date is the earliest, of equal ones the first. Compared with branches: what a
  /// processor guesses from the events before lets it go on, where a choice without one would be waited for at every
  /// event.
  std::size_t first_of(std::size_t number) const {
    std::size_t first = number * block;
    std::uint64_t date = dates_[first];
    for (std::size_t i = first + 1; i < (number + 1) * block; ++i) {
      if (dates_[i] < date) [[unlikely]] {
        date = dates_[i];
        first = i;
      }
    }
    return first;
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
