#include "sim/engine/client.hpp"

#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/laws/distribution.hpp"
#include "models/laws/random_stream.hpp"

namespace saturn {

void* FrameArena::allocate(std::size_t bytes) {
  constexpr std::size_t alignment = alignof(std::max_align_t);
  constexpr std::size_t block = std::size_t{1} << 20;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (bytes > left_) {
    const std::size_t size = bytes > block ? bytes : block;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    next_ = blocks_.back().get();
    left_ = size;
  }
  void* frame = next_;
  next_ += bytes;
  left_ -= bytes;
  allocated_ += bytes;
  return frame;
}

namespace {

/// The windows of one stream: one for its blocking stages, which follow one another, and one for each asynchronous
/// stage that is under way. All memory comes from the run's arena.
class Windows {
 public:
  Windows(ClientWorld& world, const PoolPlan& pool, RandomStream* lengths, std::uint32_t client)
      : world_(world),
        pool_(pool),
        lengths_(lengths),
        client_(client),
        blocking_(world.service, world.delayed, calls(world, pool.widest_blocking)) {
    blocking_.belong_to(client, pool.site, lengths);
    if (pool.windows.empty()) return;
    asynchronous_ = static_cast<Slot*>(world.frames.allocate(pool.windows.size() * sizeof(Slot)));
    std::uninitialized_value_construct_n(asynchronous_, pool.windows.size());
  }
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;
  // The arena frees what nothing has to destroy.
  static_assert(std::is_trivially_destructible_v<CallWindow> && std::is_trivially_destructible_v<Call>);
  ~Windows() = default;

  /// For a pass that begins.
  CallWindow& of(const InferPlan& plan) {
    if (!plan.asynchronous) return blocking_;
    CallWindow& window = taken(plan);
    window.belong_to(client_, pool_.site, lengths_);
    asynchronous_[plan.window].window = &window;
    return window;
  }
  /// Of an asynchronous stage; null when its pass sent nothing.
  CallWindow* asynchronous(std::size_t number) { return asynchronous_[number].window; }
  /// Gives the window of a pass that is over back to the pool's streams.
  void give_back(std::size_t number) {
    (*pool_.spare)[number].push_back(std::exchange(asynchronous_[number].window, nullptr));
  }

 private:
  struct Slot {
    CallWindow* window = nullptr;  // null while the stage is not under way
  };

  // Few of a pool's streams have a stage under way at a time. Handed on among them, the same few windows stay in the
  // caches, and memory is needed for these alone.
  CallWindow& taken(const InferPlan& plan) {
    std::vector<CallWindow*>& spare = (*pool_.spare)[plan.window];
    if (spare.empty())
      return *new (world_.frames.allocate(sizeof(CallWindow)))
          CallWindow(world_.service, world_.delayed, calls(world_, plan.in_flight));
    CallWindow& window = *spare.back();
    spare.pop_back();
    return window;
  }

  /// Those beside the window's own first.
  static std::span<Call> calls(ClientWorld& world, std::uint32_t in_flight) {
    if (in_flight <= 1) return {};
    const std::size_t count = in_flight - 1;
    Call* first = static_cast<Call*>(world.frames.allocate(count * sizeof(Call)));
    std::uninitialized_default_construct_n(first, count);
    return {first, count};
  }

  ClientWorld& world_;
  const PoolPlan& pool_;
  RandomStream* lengths_;
  std::uint32_t client_;
  Slot* asynchronous_ = nullptr;  // by the number of the stage
  CallWindow blocking_;
};

/// What few streams need: kept out of the coroutine's frame, of which every event reads all.
struct RareParts {
  RareParts(const ClientWorld& world, const StreamPlan& stream)
      : lengths(world.replica.seed, world.replica.index, stream.entity, Purpose::item_length),
        counts(world.replica.seed, world.replica.index, stream.entity, Purpose::item_count),
        core(stream.cores, world.calendar) {}

  RandomStream lengths;
  RandomStream counts;
  CoreHold core;
};
static_assert(std::is_trivially_destructible_v<RareParts>);

RareParts* rare_parts(ClientWorld& world, const PoolPlan& pool, const StreamPlan& stream) {
  if (stream.cores == nullptr && !pool.draws_requests) return nullptr;
  return new (world.frames.allocate(sizeof(RareParts))) RareParts(world, stream);
}

std::uint64_t items_of(const InferPlan& plan, RareParts* rare) {
  return plan.items.is_constant() ? plan.items.largest() : plan.items.at(rare->counts.uniform());
}

/// Time that the stream takes to infer itself what the servers refused, where the scenario says how long that takes
/// [s].
double refused_s(CallWindow& window, const InferPlan& plan, double slowness) {
  return static_cast<double>(window.take_refused()) * plan.cpu_s_per_item * slowness;
}

/// What outlasts the stream's plan, without a place in the coroutine's frame; null where there is none.
const EventUnderWay* kept(ClientWorld& world, const std::optional<EventUnderWay>& event) {
  if (!event) return nullptr;
  return new (world.frames.allocate(sizeof(EventUnderWay))) EventUnderWay(*event);
}

/// Date at which a client that computes from now on for so long is done [s]; the trace is told.
/// @param stage  of the event; beyond the last: the job's set-up
double computed_at(const ClientWorld& world, std::uint32_t client, std::size_t stage, double duration_s) {
  const double now = world.calendar.now();
  if (world.tracer != nullptr) world.tracer->computes(client, stage, now, now + duration_s);
  return now + duration_s;
}

}  // namespace

Client run_client(ClientWorld& world, const PoolPlan& pool, PoolMeter& meter, const StreamPlan& stream) {
  RandomStream cpu_times(world.replica.seed, world.replica.index, stream.entity, Purpose::cpu_stage);
  RareParts* const rare = rare_parts(world, pool, stream);
  CoreHold* const core = stream.cores == nullptr ? nullptr : &rare->core;
  Windows windows(world, pool, rare == nullptr ? nullptr : &rare->lengths, stream.entity);
  // The plan is gone after the first sleep.
  const std::uint32_t entity = stream.entity;
  const double slowness = stream.slowness;
  std::uint64_t events_left = stream.first_events;
  const EventUnderWay* under_way = kept(world, stream.first_event);
  if (pool.arrivals == nullptr) {
    meter.pause(0.0);
    co_await world.timers.until(stream.start);
    // What has passed of the first event counts as its time, and as none of the pause before it.
    meter.go_on(0.0, world.calendar.now() - (under_way == nullptr ? 0.0 : under_way->past_s));
  }
  for (;;) {
    // A job begins.
    if (pool.events_per_stream > 0 && events_left == 0) {
      const double set_up_start = world.calendar.now();
      meter.pause(set_up_start);
      world.service.reconnect(entity);
      if (core != nullptr) co_await core->take();
      co_await world.timers.until(computed_at(world, entity, pool.stages.size(), pool.job_setup_s * slowness));
      if (core != nullptr) core->give_back();
      meter.go_on(set_up_start, world.calendar.now());
      meter.set_up_sum += world.calendar.now() - set_up_start;
      events_left = pool.events_per_stream;
    }

    // An event begins.
    double event_start = world.calendar.now();
    double stage_start = event_start;
    double surplus_s = 0.0;  // of drawn computing times over their means
    std::size_t s = 0;
    if (under_way != nullptr) {
      event_start -= under_way->past_s;
      stage_start -= under_way->of_stage_s;
      surplus_s = under_way->surplus_s;
      s = under_way->stage;
    }
    if (pool.arrivals != nullptr) {
      event_start = co_await pool.arrivals->next();
      stage_start = world.calendar.now();
    } else {
      ++meter.open;
      meter.open_starts += event_start;
    }

    for (; s < pool.stages.size(); ++s) {
      const StagePlan& stage = pool.stages[s];
      for (const std::uint16_t needed : stage.needs) {
        CallWindow* const window = windows.asynchronous(needed);
        if (window == nullptr) continue;
        const InferPlan& plan = *pool.windows[needed];
        if (!window->done()) {
          if (core != nullptr) core->give_back();
          co_await window->answered();
        }
        const double busy_s = refused_s(*window, plan, slowness);
        windows.give_back(needed);
        if (busy_s > 0.0) {
          if (core != nullptr) co_await core->take();
          co_await world.timers.until(computed_at(world, entity, plan.stage, busy_s));
        }
        meter.stage_sums[plan.stage] += world.calendar.now() - stage_start;
        stage_start = world.calendar.now();
      }
      if (std::holds_alternative<std::monostate>(stage.work)) break;

      if (core != nullptr) co_await core->take();
      if (const auto* cpu = std::get_if<TimeDistribution>(&stage.work)) {
        double drawn_s = 0.0;
        double beyond_s = 0.0;
        if (under_way == nullptr) {
          drawn_s = sample(*cpu, cpu_times).value * slowness;
          if (pool.draws_times) beyond_s = drawn_s - stage.mean_s * slowness;
          surplus_s += beyond_s;
        } else {
          drawn_s = under_way->left_s;
          beyond_s = under_way->of_stage_s + drawn_s - stage.mean_s * slowness;
          under_way = nullptr;
        }
        co_await world.timers.until(computed_at(world, entity, s, drawn_s));
        // With the stage's own time, so that a window counts both or neither.
        meter.stage_surplus[s] += beyond_s;
      } else {
        const InferPlan& plan = std::get<InferPlan>(stage.work);
        const std::uint64_t items = items_of(plan, rare);
        if (items > 0) {
          CallWindow& window = windows.of(plan);
          window.begin(plan, items, slowness);
          if (plan.costs_to_send()) {
            while (window.loop_sends()) {
              co_await window.room();
              co_await world.timers.until(computed_at(world, entity, s, window.next_cost_s()));
              window.send_next(world.calendar.now());
            }
            if (plan.asynchronous) window.leave(world.calendar.now());
          } else {
            window.send_all(world.calendar.now());
          }
          if (!plan.asynchronous) {
            co_await window.answered();
            const double busy_s = refused_s(window, plan, slowness);
            if (busy_s > 0.0) co_await world.timers.until(computed_at(world, entity, s, busy_s));
          }
        }
      }
      const double now = world.calendar.now();
      meter.stage_sums[s] += now - stage_start;
      ++meter.stage_passes[s];
      stage_start = now;
    }

    // The event ends.
    if (core != nullptr) core->give_back();
    if (pool.arrivals != nullptr) pool.arrivals->ended();
    --meter.open;
    meter.open_starts -= event_start;
    meter.event_times.add(stage_start - event_start);
    if (pool.draws_times) {
      meter.surplus_sum += surplus_s;
      meter.slowness_sum += slowness;
    }
    if (pool.events_per_stream > 0 && --events_left == 0) ++meter.streams_ended;
  }
}

}  // namespace saturn
