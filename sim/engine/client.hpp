#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <variant>
#include <vector>

#include "models/laws/distribution.hpp"
#include "models/laws/random_stream.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call_window.hpp"
#include "sim/engine/recording/meters.hpp"
#include "sim/engine/recording/run_tracer.hpp"
#include "sim/engine/serving/inference_service.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/engine/timers.hpp"

namespace saturn {

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
  std::uint64_t events_per_stream = 0;      ///< 0: jobs without end
  double job_setup_s = 0.0;                 ///< CPU time
  bool draws_requests = false;              ///< numbers or lengths of items are drawn
  bool draws_times = false;                 ///< of computing, in a closed loop
  Arrivals* arrivals = nullptr;             ///< where its events come from; null: its streams begin them themselves
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
  InferenceService& service;
  WindowShelves& windows;
  const Replica& replica;
  RunTracer* tracer = nullptr;  ///< is told what clients compute; null: nobody is
  /// Of what only some streams have.
  std::pmr::monotonic_buffer_resource memory{};
};

/// What the clients of a pool have in common.
struct PoolOfClients {
  ClientWorld& world;
  const PoolPlan& plan;
  PoolMeter& meter;
};

/// One stream of a job: begins at its start, then runs one event after the other, job after job. Where events arrive
/// from outside, it is ready at once, and waits for each of them.
///
/// It is a state machine in two cache lines: `next_` is the step with which it goes on when somebody wakes it: the
/// timers, a window, its job's cores or the arrivals.
class alignas(64) Client {
 public:
  /// @param pool  outlives the client
  Client(PoolOfClients& pool, const StreamPlan& stream);

  /// Called once, at the place where the client stays. @param stream  the same; need not outlive the call
  void begin(const StreamPlan& stream);

  /// What it slept for has come.
  void go_on();

 private:
  enum class Step : std::uint8_t {
    started,
    job,
    set_up,
    set_up_over,
    event,
    arrived,
    stage,
    need_answered,
    infer_refused,
    need_over,
    work,
    computed,
    send,
    room,
    serialised,
    sent,
    answered,
    stage_over,
    event_over
  };
  /// What few streams need: kept apart from what every event reads.
  struct RareParts {
    RareParts(const Replica& replica, const StreamPlan& stream, Client& client);
    RandomStream lengths;
    RandomStream counts;
    CoreHold core;
    std::optional<EventUnderWay> under_way;
  };

  // Each is what its step does. @returns whether the client is still awake
  bool started();
  bool job();
  bool set_up();
  bool set_up_over();
  bool event();
  bool arrived();
  bool stage();
  bool need_answered();
  bool infer_refused();
  bool need_over();
  bool work();
  bool compute(const StagePlan& stage, const TimeDistribution& time);
  bool infer(const InferPlan& plan);
  bool computed();
  bool send();
  bool room();
  bool serialised();
  bool sent();
  bool answered();
  bool stage_over();
  bool event_over();

  bool go_on_with(Step step) {
    next_ = step;
    return true;
  }
  bool compute_until(Step then, std::size_t stage, double duration_s);
  bool take_core(Step then);
  void give_core_back();
  double refused_s(CallWindow& window, const InferPlan& plan) const;
  const InferPlan& plan_of_stage() const;
  double now() const { return pool_->world.calendar.now(); }

  PoolOfClients* pool_;
  RandomStream cpu_times_;
  double event_start_ = 0.0;  // or of setting the job up
  double stage_start_ = 0.0;
  double surplus_s_ = 0.0;  // of drawn computing times over their means
  // The second line.
  double slowness_;
  double held_s_ = 0.0;            // of the time that is computed: its surplus; or to be computed once there is a core
  std::uint64_t events_left_ = 0;  // of the job
  CallWindow* window_ = nullptr;   // of the stage that sends
  CallWindow** asynchronous_ = nullptr;  // by number; null while the stage is not under way
  RareParts* rare_ = nullptr;
  std::uint32_t entity_;
  std::uint16_t stage_ = 0;
  std::uint16_t need_ = 0;
  Step next_ = Step::started;
};
static_assert(sizeof(Client) == client_lines * 64);

}  // namespace saturn
