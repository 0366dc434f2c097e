#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/laws/distribution.hpp"
#include "models/laws/random_stream.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/serving/inference_service.hpp"

namespace saturn {

/// An inference stage as the engine needs it.
struct InferPlan {
  std::uint16_t model = 0;
  CountDistribution items{};        ///< an event's
  std::uint32_t batch = 0;          ///< items of each request, but for the last
  std::uint32_t in_flight = 1;      ///< not more than an event has requests
  std::uint16_t priority = 0;       ///< 0: the model's default
  std::vector<float> lengths{};     ///< of an item; empty: 1
  double cpu_s_per_item = 0.0;      ///< what an inference costs on the job's own core, when the server refuses it
  double cost_s_per_request = 0.0;  ///< of sending, on the job's own core, as the next
  double cost_s_per_item = 0.0;
  bool asynchronous = false;
  std::uint16_t stage = 0;   ///< its place in the event
  std::uint16_t window = 0;  ///< number of its window among the asynchronous stages

  bool costs_to_send() const { return cost_s_per_request > 0.0 || cost_s_per_item > 0.0; }
};

/// The requests of one pass of a stage, of which at most `in_flight` are unanswered at a time. Used again for other
/// passes; needs no memory beyond what it is given once.
///
/// Who sends: where sending costs nothing, the window itself, as many as there is room for; else the stream, one
/// after the other (`send_next`), until it leaves an asynchronous stage to itself (`leave`): what follows is then sent
/// as late after an answer has made room as its serialisation takes.
class CallWindow {
 public:
  /// @param others  calls beside the first: as many as the widest stage has in flight, less one
  CallWindow(InferenceService& service, DelayedSends& delayed, std::span<Call> others)
      : service_(service), delayed_(delayed), others_(others) {}
  CallWindow(const CallWindow&) = delete;
  CallWindow& operator=(const CallWindow&) = delete;
  ~CallWindow() = default;

  /// From now on the window works for this stream. @param lengths  of its requests; null where no plan has lengths
  void belong_to(std::uint32_t client, std::uint16_t site, RandomStream* lengths) {
    first_.client = client;
    first_.site = site;
    lengths_ = lengths;
  }

  /// Begins a pass whose requests all wait to be sent. @param items  > 0  @param slowness  multiplies costs
  void begin(const InferPlan& plan, std::uint64_t items, double slowness) {
    plan_ = &plan;
    slowness_ = slowness;
    unsent_ = static_cast<std::uint32_t>((items - 1) / plan.batch + 1);
    last_items_ = static_cast<std::uint32_t>(items - std::uint64_t{unsent_ - 1} * plan.batch);
    refused_items_ = 0;
    by_loop_ = plan.asynchronous ? std::min(plan.in_flight, unsent_) : unsent_;
    sender_ = plan.costs_to_send() ? Sender::stream : Sender::window;
    free_ = nullptr;
    for (std::size_t i = std::min(plan.in_flight, unsent_) - 1; i > 0; --i) prepare(others_[i - 1]);
    prepare(first_);
  }

  /// Sends all that there is room for, in one go.
  void send_all(double now) {
    while (unsent_ > 0 && free_ != nullptr) send(take_free(), now);
  }

  /// True while the stream has requests to serialise.
  bool loop_sends() const { return by_loop_ > 0; }
  /// Time that serialising the next request takes [s].
  double next_cost_s() const {
    return slowness_ * (plan_->cost_s_per_request + static_cast<double>(next_items()) * plan_->cost_s_per_item);
  }
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

  /// An answer is on its way: asks for the frame of the stream that waits for it.
  void prefetch_waiter() const { prefetch(waiter_.address(), client_frame_lines); }

  bool done() const { return unsent_ == 0 && outstanding_ == 0; }
  /// Items that servers refused; told once.
  std::uint64_t take_refused() { return std::exchange(refused_items_, 0); }

  /// co_await answered(): resumes when the last answer is there.
  auto answered() { return Awaiter{*this, false}; }
  /// co_await room(): resumes when a request may be sent.
  auto room() { return Awaiter{*this, true}; }

  void answered(Call& call, double now) {
    if (call.rejected) refused_items_ += call.items;
    --outstanding_;
    if (unsent_ > 0 && sender_ == Sender::window) {
      send(call, now);
    } else if (unsent_ > 0 && sender_ == Sender::delayed) {
      send_delayed(call, now);
    } else {
      call.next = free_;
      free_ = &call;
      if (waiter_ && (waits_for_room_ || outstanding_ == 0)) std::exchange(waiter_, {}).resume();
    }
  }

  /// A delayed call's serialisation is over.
  void serialised(Call& call, double now) { service_.send(call, now); }

 private:
  enum class Sender : std::uint8_t { window, stream, delayed };

  struct Awaiter {
    CallWindow& window;
    bool for_room;
    bool await_ready() const noexcept { return for_room ? window.free_ != nullptr : window.done(); }
    void await_suspend(std::coroutine_handle<> stream) const noexcept {
      window.waiter_ = stream;
      window.waits_for_room_ = for_room;
    }
    void await_resume() const noexcept {}
  };

  void prepare(Call& call) {
    call.window = this;
    call.site = first_.site;
    call.client = first_.client;
    call.model = plan_->model;
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
    if (plan_->lengths.empty()) return;
    const auto kinds = static_cast<double>(plan_->lengths.size());
    call.length = plan_->lengths[static_cast<std::size_t>(lengths_->uniform() * kinds)];
  }
  void send(Call& call, double now) {
    fill(call);
    service_.send(call, now);
  }
  void send_delayed(Call& call, double now) {
    const double cost_s = next_cost_s();
    fill(call);
    delayed_.send(call, now + cost_s);
  }

  InferenceService& service_;
  DelayedSends& delayed_;
  RandomStream* lengths_ = nullptr;
  const InferPlan* plan_ = nullptr;
  std::span<Call> others_;
  Call* free_ = nullptr;
  std::coroutine_handle<> waiter_;
  std::uint64_t refused_items_ = 0;
  double slowness_ = 1.0;
  std::uint32_t unsent_ = 0;
  std::uint32_t outstanding_ = 0;
  std::uint32_t last_items_ = 0;
  std::uint32_t by_loop_ = 0;
  Sender sender_ = Sender::window;
  bool waits_for_room_ = false;
  Call first_;
};

}  // namespace saturn
