#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/plan/needed_devices.hpp"

/// What the first figure of a report is drawn from.

namespace saturn {

/// Devices needed against the load, and the scenario's own place there.
struct NeedStudy {
  DeviceNeed need{};
  std::string device_word = "GPU";
  std::string stream_word = "job";         ///< what the load counts; where events arrive, it is their rate
  std::optional<std::uint64_t> planned{};  ///< devices that a plan confirmed for the scenario's own load
  double planned_tolerance = 0.01;         ///< of that plan [1]
};

}  // namespace saturn
