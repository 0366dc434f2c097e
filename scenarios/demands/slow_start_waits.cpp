#include "scenarios/demands/slow_start_waits.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "models/serving/congestion_window.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

SlowStartWaits slow_start_waits(const NetworkPath& path, const ItemBytes& item, const RequestSplit& split,
                                const InferStage& stage, Seconds pause) {
  SlowStartWaits waits;
  if (!path.slow_start) return waits;
  const auto add = [&](Bytes bytes, Bandwidth cap) {
    CongestionWindow window(*path.slow_start, cap.value, path.round_trip_time.value);
    // No window is larger than a full one that has rested so long.
    window.fill();
    window.rest(pause.value);
    for (std::uint64_t request = 1; request <= split.requests && !window.is_full(); ++request) {
      const std::uint64_t items = request < split.requests ? stage.request_batch : split.last_items;
      const double wait_s = window.send(bytes.value * static_cast<double>(items));
      waits.total_s += wait_s;
      if (request == 1) waits.first_s += wait_s;
    }
  };
  add(item.request, path.send_cap);
  add(item.answer, path.receive_cap);
  return waits;
}

Seconds certain_pause(const JobPool& pool, std::size_t stage) {
  const std::size_t stages = pool.event.size();
  const double fastest = fastest_speed(pool.speed, pool.count);
  Seconds pause{};
  bool between = true;
  for (std::size_t back = 1; back <= stages; ++back) {
    const Stage& before = pool.event[(stage + stages - back) % stages];
    if (const auto* cpu = std::get_if<CpuStage>(&before)) {
      if (between && variance(cpu->time) == 0.0) pause += mean(cpu->time) / fastest;
    } else {
      between = false;
      if (std::get<InferStage>(before).asynchronous) return {};
    }
  }
  return pause;
}

}  // namespace saturn
