#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/serving/fair_sharing.hpp"
#include "models/values/containers.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_queue.hpp"
#include "sim/engine/recording/meters.hpp"

namespace saturn {

/// Virtual time of flows that have the same rate: the data that each of them has received since some moment.
struct FlowClock {
  double value = 0.0;  ///< at `date` [byte]
  double rate = 0.0;   ///< [byte/s]
  double date = 0.0;   ///< [s]

  /// @param now  [s], not before `date`  @returns [byte]
  double at(double now) const { return value + rate * (now - date); }

  void advance(double now) {
    value = at(now);
    date = now;
  }

  /// The date at which the clock shows `end` [byte]; `date` if it has already passed it by a rounding error.
  double due(double end) const {
    const double wait = (end - value) / rate;
    return date + (wait > 0.0 ? wait : 0.0);
  }
};

/// Calls by the virtual time (or the date) at which their transfers end; equal times leave in the order in which they
/// came. Cost: O(1) while transfers end in the order in which they began (equal sizes), else O(log transfers).
class TransferQueue : public DatedQueue<Call*> {
 public:
  Entry pop() {
    const Entry first = DatedQueue::pop();
    constexpr std::size_t ahead = 4;
    if (const Entry* later = soon(ahead)) {
      prefetch_call(*later->value);
      prefetch_waiter(*soon(1)->value);
    }
    return first;
  }

  /// Sum over the calls of the time since their present phase began [s].
  double age_sum(double now) const {
    double sum = 0.0;
    for_each([&](const Entry& transfer) { sum += now - transfer.value->phase_start; });
    return sum;
  }
};

class FairLeg;

/// The classes that one link holds back. Their flows have the same rate, so one clock serves them all, and only the
/// earliest end among them stands in the calendar: when the link's level changes, nothing is done per class or flow.
class FlowGroup final : private Source {
 public:
  explicit FlowGroup(Calendar& calendar) : calendar_(calendar), source_(calendar.add(*this)) {}

  const FlowClock& clock() const { return clock_; }
  void set_rate(double rate, double now);
  /// A class of the group has its first transfer. @returns what the clock shows now [byte]
  double begin(double now);

  /// @returns the leg's place in the group
  std::size_t add(FairLeg& leg);
  void remove(std::size_t place);
  /// The leg's next transfer ends when the group's clock shows `end` [byte]; Tournament::none for no transfer.
  void set_end(std::size_t place, double end);

  /// Enters the earliest end into the calendar, if it has changed.
  void reschedule();

 private:
  void fire(double now) override;

  Calendar& calendar_;
  std::size_t source_;
  FlowClock clock_;
  std::vector<FairLeg*> legs_;  // by place
  std::vector<std::size_t> free_places_;
  Tournament ends_;
  double next_ = Tournament::none;  // the least of them
  bool changed_ = false;            // since the calendar was told
};

/// The legs of a run and the fair sharing between them.
///
/// A link that could carry all calls of its legs at their caps, those that still travel included, holds nobody back:
/// legs of such links alone need no fair sharing, and are not part of it (see FairLeg).
class FlowNetwork {
 public:
  FairSharing& sharing() { return sharing_; }
  /// Enters the leg of the flow class that was added last.
  void add(FairLeg& leg);

  /// All legs are there, and no link will change its speed: those that never hold anybody back are left out.
  void seal();

  /// From now on a link carries this share of its capacity. Nothing sets out over one that carries nothing, and what is
  /// under way stands still.
  /// @param share  in [0, 1]
  void set_speed(std::size_t link, double share, Calendar& calendar, double now);

  void started(std::size_t flow_class, Calendar& calendar, double now) {
    if (sharing_.start(flow_class)) apply(calendar, now);
  }
  void finished(std::size_t flow_class, Calendar& calendar, double now) {
    if (sharing_.finish(flow_class)) apply(calendar, now);
  }

  /// What the flows of a class have for themselves, where no other class crosses its links [byte/s]; else 0.
  double own_capacity(std::size_t flow_class) const;

  /// A call is about to set out: from now on it may want its class's cap of every link of the leg.
  void sets_out(std::size_t flow_class, double now) {
    const Claim& claim = claims_[flow_class];
    for (const std::size_t l : claim.links) {
      Claimed& link = claimed_[l];
      link.bytes_per_s += claim.bytes_per_s;
      ++link.calls;
      if (link.bytes_per_s > link.capacity && !link.may_fill) may_fill(link, now);
    }
  }
  /// A call has arrived.
  void arrives(std::size_t flow_class, double now) {
    const Claim& claim = claims_[flow_class];
    for (const std::size_t l : claim.links) {
      Claimed& link = claimed_[l];
      link.bytes_per_s -= claim.bytes_per_s;
      if (link.may_fill && !link.closed && 2 * link.bytes_per_s <= link.capacity && link.calls >= link.changes_after)
        has_room(link, now);
    }
  }

 private:
  /// What one call of a class claims of its links: whole numbers, so that nothing adds up.
  struct Claim {
    std::uint64_t bytes_per_s = 0;
    std::vector<std::size_t> links{};
  };
  /// What all calls claim of a link.
  struct Claimed {
    std::uint64_t bytes_per_s = 0;
    std::uint64_t capacity = 0;
    std::uint64_t calls = 0;          // that have set out so far
    std::uint64_t changes_after = 0;  // of them: what a change costs is spread over many
    std::vector<FairLeg*> legs{};
    bool may_fill = false;
    bool closed = false;  // nothing passes
    double whole = 0.0;   // capacity when nothing has happened to it [byte/s]; 0: nothing ever has
  };

  [[gnu::cold, gnu::noinline]] void may_fill(Claimed& link, double now);
  [[gnu::cold, gnu::noinline]] void has_room(Claimed& link, double now);
  [[gnu::noinline]] void apply(Calendar& calendar, double now);
  void make_group(std::size_t link, Calendar& calendar);
  FlowGroup& group(std::size_t link, Calendar& calendar) {
    if (groups_.size() <= link || !groups_[link]) make_group(link, calendar);
    return *groups_[link];
  }

  FairSharing sharing_;
  std::vector<FairLeg*> legs_;
  std::vector<std::unique_ptr<FlowGroup>> groups_;  // by link; null until the link first holds somebody back
  std::vector<Claim> claims_;                       // by class
  std::vector<Claimed> claimed_;                    // by link
  bool sealed_ = false;
};

/// What a call carries over a leg [byte]. @param bytes  per item, by model's number [byte]
inline double data_of(const Call& call, const std::vector<double>& bytes) {
  // An answer that says no carries no data.
  return call.rejected ? 0.0 : bytes[call.model] * call.items;
}

/// One direction of a route: a latency that all calls share, then a transfer that shares the links with others.
/// Every call goes to the receiver at the far end once its last byte is there.
class NetworkLeg {
 public:
  NetworkLeg() = default;
  NetworkLeg(const NetworkLeg&) = delete;
  NetworkLeg& operator=(const NetworkLeg&) = delete;
  virtual ~NetworkLeg() = default;

  /// Takes a call over at the near end, which has a window. @param now  the calendar's present [s]
  virtual void begin(Call& call, double now) = 0;

  /// Calls between begin() and their receiver. Cost: O(calls present)
  virtual StationMeter meter(double now) const = 0;
  virtual double carried_bytes(double now) const = 0;   ///< by transfers so far [byte]
  virtual double transfers_area(double now) const = 0;  ///< integral of the number of transfers [s]
};

/// A leg whose transfers all go at the max-min fair rate of their class.
/// The transfers are a processor-sharing queue in virtual time: v is the data that each flow has received since the
/// class was last empty, a flow that starts at v with b bytes ends at v + b, and nothing is done per flow when the rate
/// changes. While none of its links can fill, the leg is free: latency and transfer of a call are one date, known when
/// it sets out, and no flow is counted. Else v is a clock of the leg's own while no link holds its flows back, or only
/// links that no other leg crosses; else the clock of the link's group and a constant. Cost of a call: O(1) while flows
/// end in the order in which they began (equal sizes), else O(log flows).
/// Begins a cache line, so that what a call touches is in as few of them wherever the leg was made.
class alignas(64) FairLeg final : public NetworkLeg, private Source {
 public:
  /// @param latency   [s], >= 0
  /// @param bytes     per item, by model's number [byte], >= 0; a call without bytes has only the latency
  /// @param receiver  takes the calls over at the far end
  FairLeg(Calendar& calendar, FlowNetwork& network, std::size_t flow_class, double latency, std::vector<double> bytes,
          CallReceiver& receiver);

  void begin(Call& call, double now) override;
  StationMeter meter(double now) const override;
  double carried_bytes(double now) const override;
  double transfers_area(double now) const override;

 private:
  friend class FlowGroup;
  friend class FlowNetwork;

  struct Due {
    double date;
    Call* call;
  };

  void fire(double now) override;
  void travelled(double now);
  void start_transfer(Call& call, double now);
  void begin_flow(Call& call, double size, double now);
  void travel(Call& call, double now);
  // A link of the leg lets nothing pass any more; or it does again.
  void close() { ++closed_links_; }
  void open(double now);
  void transferred(double now);
  void deliver(Call& call, double now);
  // The number of flows has changed by one.
  void flows_changed(bool more, double virtual_now, double now);
  // The leg's flows share what its links have for them alone; v is the leg's own clock, which shows virtual_now.
  // A leg that becomes free meanwhile enters its own dates afterwards.
  void share_own(double virtual_now, double now);
  [[gnu::noinline]] void share_with_others(bool more, double now);
  // Some link of the leg has another speed.
  void speed_changed(double now);
  // A link of the leg may fill from now on; or it does no longer.
  void may_be_held_back(double now);
  void goes_at_cap(double now);
  void count_free(double date, Call& call, double now);
  double free_s(const TransferQueue::Entry& arrival, double now) const;
  double free_area(double now) const;
  void leave_group(double now);
  void join_group(FlowGroup* group, double now);
  double virtual_time(double now) const { return (group_ ? group_->clock() : own_).at(now) + offset_; }
  void count(double virtual_now, double now);
  void enter_next_end();
  void reschedule();
  void enter_dates();

  Calendar& calendar_;
  FlowNetwork& network_;
  std::size_t flow_class_;
  double latency_;
  std::vector<double> bytes_;
  CallReceiver& receiver_;

  std::size_t source_;
  double next_travelled_ = Calendar::never;  // date at which the first of travelling_ has passed the latency
  double next_alone_ = Calendar::never;      // date of the next end of a transfer, while group_ is null or the leg free
  bool firing_ = false;                      // the calendar is told at the end
  std::uint32_t filling_links_ = 0;          // of its links, those that may fill; 0: the leg is free
  std::uint32_t closed_links_ = 0;           // of its links, those that let nothing pass

  double cap_;                 // [byte/s]
  double own_capacity_ = 0.0;  // once a link may have filled: of links that no other leg crosses; else 0 [byte/s]
  double free_since_ = 0.0;    // date [s]
  TransferQueue free_;    // while the leg is free: calls by the dates at which they arrive; their first is next_alone_
  Ring<Due> travelling_;  // else those that travel,
  Ring<Call*> held_;      // while a link is closed: those that have not set out
  TransferQueue transfers_;     // and those whose transfers have begun
  FlowClock own_;               // while group_ is null
  FlowGroup* group_ = nullptr;  // of the link that holds the flows back
  std::size_t place_ = 0;       // in the group
  double offset_ = 0.0;         // v minus what the clock shows [byte]
  std::uint32_t flows_ = 0;

  PresenceMeter present_;
  double transfers_area_ = 0.0;   // up to counted_
  double carried_ = 0.0;          // up to counted_
  double counted_ = 0.0;          // date at which flows_ last changed, or later
  double counted_virtual_ = 0.0;  // v at that date
};

}  // namespace saturn
