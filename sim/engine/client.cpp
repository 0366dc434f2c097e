#include "sim/engine/client.hpp"

#include "models/distribution.hpp"
#include "models/random_stream.hpp"

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

Client run_client(ClientWorld& world, const PoolPlan& pool, PoolMeter& meter, std::uint32_t entity, double start) {
  RandomStream cpu_times(world.replica.seed, world.replica.index, entity, Purpose::cpu_stage);
  RandomStream lengths(world.replica.seed, world.replica.index, entity, Purpose::item_length);
  Arrivals* const arrivals = pool.arrivals;
  if (arrivals == nullptr) co_await world.timers.until(start);
  for (;;) {
    double event_start = world.calendar.now();
    if (arrivals != nullptr) {
      event_start = co_await arrivals->next();
    } else {
      ++meter.open;
      meter.open_starts += event_start;
    }
    double stage_start = world.calendar.now();
    for (std::size_t stage = 0; stage < pool.stages.size(); ++stage) {
      if (const auto* cpu = std::get_if<TimeDistribution>(&pool.stages[stage])) {
        co_await world.timers.until(stage_start + sample(*cpu, cpu_times).value);
      } else {
        const InferPlan& plan = std::get<InferPlan>(pool.stages[stage]);
        const std::uint64_t refused =
            co_await CallWindow(world.service, world.calendar, plan, lengths, pool.site, entity);
        // What the servers refuse, the job infers itself where the scenario says how long that takes.
        if (refused > 0 && plan.cpu_s_per_item > 0.0)
          co_await world.timers.until(world.calendar.now() + static_cast<double>(refused) * plan.cpu_s_per_item);
      }
      const double now = world.calendar.now();
      meter.stage_sums[stage] += now - stage_start;
      ++meter.stage_passes[stage];
      stage_start = now;
    }
    if (arrivals != nullptr) arrivals->ended();
    --meter.open;
    meter.open_starts -= event_start;
    meter.event_times.add(stage_start - event_start);
  }
}

}  // namespace saturn
