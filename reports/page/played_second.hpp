#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/recording/run_trace.hpp"

namespace saturn {

/// A batch as it is played. Times count from the begin of what is played, and may lie outside it.
struct PlayedBatch {
  std::uint32_t instance = 0;  ///< index into PlayedSecond::instances
  std::uint32_t model = 0;     ///< index into PlayedSecond::models
  std::uint32_t items = 0;
  double begin_s = 0.0;
  double end_s = 0.0;
};

/// From a moment on, so many requests wait for a model, until its next change.
struct PlayedWait {
  std::uint32_t model = 0;  ///< index into PlayedSecond::models
  double at_s = 0.0;
  std::uint32_t waiting = 0;
};

/// One second of a run to be played: queues, batches and the instances that execute them.
struct PlayedSecond {
  double from_s = 0.0;    ///< simulated time at which it begins [s]
  double length_s = 0.0;  ///< at most a second; less where less was recorded [s]
  std::vector<std::string> models{};
  std::vector<std::string> instances{};  ///< of servers, "cloud/gpu, device 0"
  std::size_t more_instances = 0;        ///< that are left out
  std::vector<PlayedBatch> batches{};    ///< by begin
  std::vector<PlayedWait> waits{};       ///< by time; the first ones at 0
};

/// The second from the first batch on; nothing to play (length 0) where no batch was executed.
PlayedSecond played_second(const RunTrace& trace);

/// The place of the player, with its data.
std::string player_html(const PlayedSecond& second);

}  // namespace saturn
