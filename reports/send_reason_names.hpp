#pragma once

#include <array>
#include <string_view>

#include "models/batching_rules.hpp"

namespace saturn {

/// What a reason for sending a batch is called in files, and by people.
struct SendReasonName {
  std::string_view key;
  std::string_view words;
};

/// By SendReason.
constexpr std::array<SendReasonName, send_reasons> send_reason_names{{
    {"single", "request alone"},
    {"full", "full"},
    {"preferred", "preferred size"},
    {"delay_over", "delay over"},
    {"instance_idle", "at once"},
}};

}  // namespace saturn
