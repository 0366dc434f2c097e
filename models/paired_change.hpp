#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/estimate.hpp"
#include "models/run_outcome.hpp"

namespace saturn {

/// By how much one scenario differs from another that shares its random numbers: each number over the original's, less
/// 1 [1].
struct PairedChange {
  Estimate events_per_s;  ///< of the events that queues refuse nothing, by the share of requests that they serve
  Estimate event_time;
  std::optional<Estimate> latency;      ///< absent where the original answered no request of the models
  std::optional<Estimate> latency_p99;  ///< likewise
};

/// Pairs replication i of the one with replication i of the other; as many pairs as both have. Random numbers that both
/// share drop out, so small changes show in few replications. With a single pair the two runs' widths from batch means
/// are taken for independent, which is too wide rather than too narrow for runs that are alike.
/// @param original    (n) replications, n >= 1
/// @param variant     (m) replications of the variant, m >= 1, with the same models
/// @param models      names of those whose latency is compared, weighted by their requests
/// @param confidence  in (0, 1)
/// @throws std::invalid_argument  no replications, or a confidence outside (0, 1)
PairedChange paired_change(std::span<const RunOutcome> original, std::span<const RunOutcome> variant,
                           const std::vector<std::string>& models, double confidence);

/// Nobody decides by less than a hundredth of a per cent [1].
inline constexpr double least_difference = 1e-4;

/// What a relative change amounts to: a difference is beyond its interval and not below least_difference.
enum class Verdict { gains, no_difference, loses };
Verdict verdict_of(const Estimate& relative_change);

}  // namespace saturn
