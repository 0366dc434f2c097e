#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/engine/arrivals.hpp"
#include "sim/engine/call_window.hpp"
#include "sim/engine/inference_service.hpp"
#include "sim/engine/meters.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/engine/timers.hpp"

namespace saturn {

/// Memory for coroutine frames: handed out from large blocks, returned all at once.
class FrameArena {
 public:
  void* allocate(std::size_t bytes);
  std::size_t allocated_bytes() const { return allocated_; }

 private:
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t left_ = 0;
  std::byte* next_ = nullptr;
  std::size_t allocated_ = 0;
};

/// A pool of jobs as the engine runs it.
struct PoolPlan {
  std::uint16_t site = 0;
  std::vector<std::variant<TimeDistribution, InferPlan>> stages;
  Arrivals* arrivals = nullptr;  ///< where its events come from; null: its loops begin them themselves
};

/// What a client needs of its surroundings.
struct ClientWorld {
  Calendar& calendar;
  Timers& timers;
  InferenceService& service;
  FrameArena& frames;
  const Replica& replica;
};

/// A coroutine that runs for ever, and is destroyed in its sleep when its owner goes.
class Client {
 public:
  struct promise_type {
    // A coroutine's promise sees its arguments, so the frame comes from the run's own arena, without a global.
    static void* operator new(std::size_t bytes, ClientWorld& world, const PoolPlan&, PoolMeter&, std::uint32_t,
                              double) {
      return world.frames.allocate(bytes);
    }
    static void operator delete(void*, std::size_t) noexcept {}
    Client get_return_object() { return Client(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const { throw; }
  };

  Client(Client&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Client& operator=(Client&&) = delete;
  ~Client() {
    if (frame_) frame_.destroy();
  }

 private:
  explicit Client(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

/// One event loop of a job: waits until `start` [s], then runs one event after the other. Where events arrive from
/// outside, it is ready at once, and waits for each of them.
/// @param entity  number of the event loop over all pools; names its random stream
Client run_client(ClientWorld& world, const PoolPlan& pool, PoolMeter& meter, std::uint32_t entity, double start);

}  // namespace saturn
