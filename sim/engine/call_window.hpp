#pragma once

#include <cstdint>
#include <memory_resource>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/laws/distribution.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/serving/inference_service.hpp"

namespace saturn {

class Client;
class TriedCalls;

/// An inference stage as the engine needs it, with what all its windows have in common.
struct InferPlan {
  InferenceService* service = nullptr;  ///< that its requests go to
  TriedCalls* tries = nullptr;          ///< what tries them again; null: nothing can happen to them
  DelayedSends* delayed = nullptr;      ///< those that are serialised while their event goes on
  std::uint16_t site = 0;               ///< of the job
  std::uint16_t model = 0;
  CountDistribution items{};        ///< an event's
  std::uint32_t batch = 0;          ///< items of each request, but for the last
  std::uint32_t in_flight = 1;      ///< not more than an event has requests
  std::uint16_t priority = 0;       ///< 0: the model's default
  std::vector<float> lengths{};     ///< of an item; empty: 1
  double cpu_s_per_item = 0.0;      ///< what an inference costs on the job's own core, when the server refuses it
  double start_up_s = 0.0;          ///< of what does so, once in each job
  bool job_ends = false;            ///< with the event, when nobody does the work of a call
  double cost_s_per_request = 0.0;  ///< of sending, on the job's own core, as the next
  double cost_s_per_item = 0.0;
  bool asynchronous = false;
  bool sequence_of_event = false;  ///< the requests of each pass are a sequence of a stateful model
  std::uint16_t stage = 0;         ///< its place in the event
  std::uint16_t window = 0;        ///< number of its window among the asynchronous stages
  std::uint16_t shelf = 0;         ///< of the windows with as many calls

  bool costs_to_send() const { return cost_s_per_request > 0.0 || cost_s_per_item > 0.0; }
};

/// The requests of one pass of a stage, of which at most `in_flight` are unanswered at a time. Used again for other
/// passes, of whatever stream has one next: the same few windows stay in the caches.
///
/// Who sends: where sending costs nothing, the window itself, as many as there is room for; else the stream, one
/// after the other (`send_next`), until it leaves an asynchronous stage to itself (`leave`): what follows is then sent
/// as late after an answer has made room as its serialisation takes.
///
/// In memory: a cache line with what the window knows, two with its first call, and behind them its other calls.
class alignas(64) CallWindow {
 public:
  CallWindow() = default;
  CallWindow(const CallWindow&) = delete;
  CallWindow& operator=(const CallWindow&) = delete;
  ~CallWindow() = default;

  /// Begins a pass of a stream's stage, whose requests all wait to be sent. @param items  > 0
  void begin(const InferPlan& plan, Client& stream, std::uint64_t items);

  /// Sends all that there is room for, in one go.
  void send_all(double now) {
    while (unsent_ > 0 && free_ != nullptr) send(take_free(), now);
  }

  /// True while the stream has requests to serialise.
  bool loop_sends() const { return by_loop_ > 0; }
  /// Time that serialising the next request takes [s].
  double next_cost_s() const;
  /// Sends the next request, for which there is room.
  void send_next(double now) {
    --by_loop_;
    send(take_free(), now);
  }
  /// The stream goes on with its event.
  void leave(double now) {
    sender_ = Sender::delayed;
    while (unsent_ > 0 && free_ != nullptr) send_delayed(take_free(), now);
  }

  /// An answer is on its way: asks for the stream that waits for it.
  void prefetch_waiter() const { prefetch(stream_, client_lines); }

  bool done() const { return unsent_ == 0 && outstanding_ == 0; }
  bool has_room() const { return free_ != nullptr; }
  /// Items that servers refused; told once.
  std::uint64_t take_refused() { return std::exchange(refused_items_, 0); }
  /// A call of the pass has failed for good.
  bool failed() const { return failed_; }

  /// The stream goes on when the last answer is there.
  void wake_when_done() { waits_for_ = Awaited::all; }
  /// The stream goes on when a request may be sent.
  void wake_at_room() { waits_for_ = Awaited::room; }

  void answered(Call& call, double now) {
    if (call.rejected) refused(call);
    --outstanding_;
    if (unsent_ > 0 && sender_ == Sender::window) {
      send(call, now);
    } else if (unsent_ > 0 && sender_ == Sender::delayed) {
      send_delayed(call, now);
    } else {
      call.next = free_;
      free_ = &call;
      if (waits_for_ == Awaited::room || (waits_for_ == Awaited::all && outstanding_ == 0)) wake();
    }
  }

  /// A delayed call's serialisation is over.
  void serialised(Call& call, double now) { hand_over(call, now); }

 private:
  enum class Sender : std::uint8_t { window, stream, delayed };
  enum class Awaited : std::uint8_t { nothing, room, all };

  void wake();

  void prepare(Call& call, std::uint32_t client) {
    call.window = this;
    call.site = plan_->site;
    call.client = client;
    call.model = plan_->model;
    call.group = plan_->model;
    call.priority = plan_->priority;
    call.length = 1.0F;
    call.next = free_;
    free_ = &call;
  }
  Call& take_free() {
    Call& call = *free_;
    free_ = call.next;
    return call;
  }
  std::uint32_t next_items() const { return unsent_ == 1 ? last_items_ : plan_->batch; }
  void fill(Call& call) {
    call.items = next_items();
    --unsent_;
    ++outstanding_;
    if (!plan_->lengths.empty()) call.length = draw_length();
    call.ends_sequence = plan_->sequence_of_event && unsent_ == 0;
  }
  float draw_length();
  void send(Call& call, double now) {
    fill(call);
    hand_over(call, now);
  }
  void hand_over(Call& call, double now) {
    if (plan_->tries == nullptr) {
      plan_->service->send(call, now);
    } else {
      send_tried(call, now);
    }
  }
  void send_tried(Call& call, double now);
  void refused(const Call& call) {
    if (call.role == CallRole::failed) {
      failed_ = true;
    } else {
      refused_items_ += call.items;
    }
  }
  void send_delayed(Call& call, double now) {
    const double cost_s = next_cost_s();
    fill(call);
    plan_->delayed->send(call, now + cost_s);
  }

  const InferPlan* plan_ = nullptr;
  Client* stream_ = nullptr;
  Call* free_ = nullptr;
  std::uint64_t refused_items_ = 0;
  std::uint32_t unsent_ = 0;
  std::uint32_t outstanding_ = 0;
  std::uint32_t last_items_ = 0;
  std::uint32_t by_loop_ = 0;
  Sender sender_ = Sender::window;
  Awaited waits_for_ = Awaited::nothing;  // the stream, which sleeps
  bool failed_ = false;
  alignas(64) Call first_;
};
static_assert(sizeof(CallWindow) == 64 + sizeof(Call) && sizeof(Call) == 128);

/// The windows that no pass uses, by the number of their calls.
class WindowShelves {
 public:
  /// @param in_flight  calls of a window, > 0  @returns the number of the shelf with such windows
  std::uint16_t shelf(std::uint32_t in_flight);

  CallWindow& take(std::uint16_t shelf) {
    std::vector<CallWindow*>& spare = shelves_[shelf].spare;
    if (spare.empty()) return make(shelf);
    CallWindow& window = *spare.back();
    spare.pop_back();
    return window;
  }
  void give_back(std::uint16_t shelf, CallWindow& window) { shelves_[shelf].spare.push_back(&window); }

 private:
  struct Shelf {
    std::uint32_t in_flight = 1;
    std::vector<CallWindow*> spare{};
  };
  CallWindow& make(std::uint16_t shelf);

  std::vector<Shelf> shelves_;
  // All are freed at once; nothing of them has to be destroyed.
  static_assert(std::is_trivially_destructible_v<CallWindow> && std::is_trivially_destructible_v<Call>);
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace saturn
