#pragma once

#include <cstddef>
#include <cstdint>
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

class Client;

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
  bool jobs_replaced = true;                ///< where they end
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
};

/// What the clients of a pool have in common, and tables of what they have beside their state: most are empty where the
/// pool has no use for them.
struct PoolOfClients {
  ClientWorld& world;
  const PoolPlan& plan;
  PoolMeter& meter;
  const Client* clients = nullptr;  ///< the first; the others stand behind it
  std::uint32_t first = 0;          ///< its number over all pools
  std::uint64_t count = 0;

  // By the client's place in the pool.
  std::vector<EventUnderWay> under_way{};    ///< the first event of each, where it is one under way
  std::vector<double> slowness{};            ///< 1 over the speed of its node, where one is not 1
  std::vector<std::uint64_t> events_left{};  ///< of the present job, where jobs end
  std::vector<CoreHold> cores{};             ///< where streams share them
  std::vector<RandomStream> counts{};        ///< of items, as the next where requests are drawn
  std::vector<RandomStream> lengths{};       ///< of items
  std::vector<CallWindow*> asynchronous{};   ///< of each, by number; null while the stage is not under way
  std::vector<char> failing{};               ///< its event is lost, where a stage may end jobs
  std::vector<char> infers_itself{};         ///< its job has started a server of its own, where that takes time

  /// Enters what the tables have of a stream. Called in the order of the streams.
  void add(const StreamPlan& stream, Client& client);
};

/// One stream of a job: begins at its start, then runs one event after the other, job after job. Where events arrive
/// from outside, it is ready at once, and waits for each of them.
///
/// It is a state machine in one cache line: `next_` is the step with which it goes on when somebody wakes it: the
/// timers, a window, its job's cores or the arrivals. What few streams need stands in the tables of its pool.
class alignas(64) Client {
 public:
  /// @param pool  outlives the client
  explicit Client(PoolOfClients& pool);

  /// Called once, at the place where the client stays. @param stream  the same; need not outlive the call
  void begin(const StreamPlan& stream);

  /// What it slept for has come.
  void go_on();

  /// Number of the stream over all pools.
  std::uint32_t entity() const { return pool_->first + static_cast<std::uint32_t>(place()); }
  /// 1 over the speed of its node.
  double slowness() const { return pool_->slowness.empty() ? 1.0 : pool_->slowness[place()]; }
  /// Of its requests' items; only where the pool draws them.
  RandomStream& lengths() const { return pool_->lengths[place()]; }

 private:
  enum class Step : std::uint8_t {
    started,
    found,
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
    work_found,
    computed,
    send,
    room,
    serialised,
    sent,
    answered,
    stage_over
  };
  // Each is what its step does. @returns whether the client is still awake
  bool started();
  bool found();
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
  bool work_found();
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
  bool next_job();
  bool fail_event();
  bool event_failed();

  bool go_on_with(Step step) {
    next_ = step;
    return true;
  }
  void begin_counting_event();
  bool compute_until(Step then, std::size_t stage, double duration_s);
  bool take_core(Step then);
  void give_core_back();
  double refused_s(CallWindow& window, const InferPlan& plan);
  const InferPlan& plan_of_stage() const;
  CallWindow*& asynchronous(std::size_t window) {
    return pool_->asynchronous[place() * pool_->plan.windows.size() + window];
  }
  std::size_t place() const { return static_cast<std::size_t>(this - pool_->clients); }
  double now() const { return pool_->world.calendar.now(); }

  PoolOfClients* pool_;
  double event_start_ = 0.0;  // or of setting the job up
  double stage_start_ = 0.0;
  double surplus_s_ = 0.0;  // of drawn computing times over their means
  // Of the present stage.
  union Present {
    double held_s = 0.0;  // of the time that is computed: its surplus; or to be computed once there is a core
    CallWindow* window;   // of the stage that sends
  };
  Present present_{};
  RandomStream::Position cpu_times_ = RandomStream::begin(Purpose::cpu_stage);
  std::uint16_t stage_ = 0;
  std::uint16_t need_ = 0;
  Step next_ = Step::started;
};
static_assert(sizeof(Client) == client_lines * 64);

}  // namespace saturn
