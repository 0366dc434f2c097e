#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/call_window.hpp"
#include "sim/engine/recording/meters.hpp"
#include "sim/engine/recording/run_tracer.hpp"
#include "sim/engine/serving/inference_service.hpp"
#include "sim/engine/simulate.hpp"

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

/// A stage of an event as the engine runs it.
struct StagePlan {
  std::vector<std::uint16_t> needs{};  ///< windows of the asynchronous stages that it waits for
  /// Nothing in the last entry of an event, which is its end.
  std::variant<std::monostate, TimeDistribution, InferPlan> work{};
  double mean_s = 0.0;  ///< of computing
};

/// A pool of jobs as the engine runs it.
struct PoolPlan {
  std::uint16_t site = 0;
  std::vector<StagePlan> stages{};          ///< and the event's end, which needs all that is asynchronous
  std::vector<const InferPlan*> windows{};  ///< asynchronous stages, in the order of the event
  /// Windows that no stream uses, by asynchronous stage.
  std::unique_ptr<std::vector<std::vector<CallWindow*>>> spare{};
  std::uint32_t widest_blocking = 1;    ///< most requests in flight of a blocking stage
  std::uint64_t events_per_stream = 0;  ///< 0: jobs without end
  double job_setup_s = 0.0;             ///< CPU time
  bool draws_requests = false;          ///< numbers or lengths of items are drawn
  bool draws_times = false;             ///< of computing, in a closed loop
  Arrivals* arrivals = nullptr;         ///< where its events come from; null: its streams begin them themselves
};

/// The event that a stream is found in when it begins.
struct EventUnderWay {
  std::size_t stage = 0;    ///< which computes
  double left_s = 0.0;      ///< of it
  double past_s = 0.0;      ///< since the event began; earlier stages that wait for servers are left out
  double of_stage_s = 0.0;  ///< of it, in this stage
  double surplus_s = 0.0;   ///< drawn computing times beyond their known means
};

/// One stream of a job.
struct StreamPlan {
  std::uint32_t entity = 0;                    ///< number of the stream over all pools; names its random numbers
  double start = 0.0;                          ///< date at which it begins [s]
  double slowness = 1.0;                       ///< 1 over the speed of the job's node
  Cores* cores = nullptr;                      ///< that it shares with the job's other streams; null for one of its own
  std::uint64_t first_events = 0;              ///< after which its first job ends, where jobs end
  std::optional<EventUnderWay> first_event{};  ///< absent: it begins with a fresh one
};

/// What a client needs of its surroundings.
struct ClientWorld {
  Calendar& calendar;
  Timers& timers;
  DelayedSends& delayed;
  InferenceService& service;
  FrameArena& frames;
  const Replica& replica;
  RunTracer* tracer = nullptr;  ///< is told what clients compute; null: nobody is
};

/// A coroutine that runs for ever, and is destroyed in its sleep when its owner goes.
class Client {
 public:
  struct promise_type {
    // A coroutine's promise sees its arguments, so the frame comes from the run's own arena, without a global.
    static void* operator new(std::size_t bytes, ClientWorld& world, const PoolPlan&, PoolMeter&, const StreamPlan&) {
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

/// One stream of a job: begins at its start, then runs one event after the other, job after job. Where events
/// arrive from outside, it is ready at once, and waits for each of them.
/// @param stream  need not outlive the call
Client run_client(ClientWorld& world, const PoolPlan& pool, PoolMeter& meter, const StreamPlan& stream);

}  // namespace saturn
