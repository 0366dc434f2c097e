#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/serving/service_order.hpp"
#include "reports/answer/answer.hpp"

namespace saturn {

/// Batches of `least` to `most` items.
struct BatchRow {
  std::uint32_t least = 1;
  std::uint32_t most = 1;
  double batches = 0.0;
  double items = 0.0;
};

/// A histogram's rows, sizes ascending, none empty: every size for itself when there are at most 16 of them, else
/// ranges 1, 2, 3 to 4, 5 to 8, ... whose upper ends are powers of two; where these are more than 16, each takes in so
/// many of its neighbours that 16 suffice.
/// @param batches  counts by items
std::vector<BatchRow> grouped_batches(const std::map<std::uint32_t, std::uint64_t>& batches);

/// Adds every number of each model with its batches, at "models"; for people rates and latencies, where the time of a
/// request goes, and the batches of each model whose batches differ in size or are formed dynamically.
void add_models(Answer& answer, const std::vector<ModelResults>& models, const std::vector<std::string>& root);

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
