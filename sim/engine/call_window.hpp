#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/random_stream.hpp"
#include "sim/engine/inference_service.hpp"

namespace saturn {

/// An inference stage as the engine needs it.
struct InferPlan {
  std::uint16_t model = 0;
  std::uint32_t requests = 0;    ///< an event's
  std::uint32_t batch = 0;       ///< items of each, but for the last
  std::uint32_t last_items = 0;  ///< items of the last
  std::uint32_t in_flight = 1;
  std::uint16_t priority = 0;    ///< 0: the model's default
  std::vector<float> lengths{};  ///< of an item; empty: 1
  double cpu_s_per_item = 0.0;   ///< what an inference costs on the job's own core, when the server refuses it
};

/// co_await CallWindow(...): sends all requests of a stage, with at most `in_flight` of them unanswered at a time, and
/// resumes when the last answer is there, with the number of items that the server refused. Blocking calls need no
/// memory beyond the coroutine's own frame.
class CallWindow {
 public:
  CallWindow(InferenceService& service, const Calendar& calendar, const InferPlan& plan, RandomStream& lengths,
             std::uint16_t site, std::uint32_t client)
      : service_(service), calendar_(calendar), plan_(plan), lengths_(lengths), unsent_(plan.requests) {
    first_.window = this;
    first_.model = plan.model;
    first_.site = site;
    first_.client = client;
    first_.priority = plan.priority;
    const std::uint32_t wide = std::min(plan.in_flight, plan.requests);
    if (wide > 1) {
      others_ = std::make_unique<Call[]>(wide - 1);
      std::fill_n(others_.get(), wide - 1, first_);
    }
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> client) {
    client_ = client;
    const std::uint32_t wide = std::min(plan_.in_flight, plan_.requests);
    outstanding_ = wide;
    send_next(first_, calendar_.now());
    for (std::uint32_t i = 1; i < wide; ++i) send_next(others_[i - 1], calendar_.now());
  }
  std::uint64_t await_resume() const noexcept { return refused_items_; }

  void answered(Call& call, double now) {
    if (call.rejected) refused_items_ += call.items;
    if (unsent_ > 0) {
      send_next(call, now);
    } else if (--outstanding_ == 0) {
      client_.resume();
    }
  }

 private:
  void send_next(Call& call, double now) {
    --unsent_;
    call.items = unsent_ == 0 ? plan_.last_items : plan_.batch;
    if (!plan_.lengths.empty()) {
      const auto kinds = static_cast<double>(plan_.lengths.size());
      call.length = plan_.lengths[static_cast<std::size_t>(lengths_.uniform() * kinds)];
    }
    service_.send(call, now);
  }

  InferenceService& service_;
  const Calendar& calendar_;
  const InferPlan& plan_;
  RandomStream& lengths_;
  std::coroutine_handle<> client_;
  std::uint64_t refused_items_ = 0;
  std::uint32_t unsent_;
  std::uint32_t outstanding_ = 0;
  Call first_;
  std::unique_ptr<Call[]> others_;
};

}  // namespace saturn
