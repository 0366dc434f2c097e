#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/log_histogram.hpp"

namespace saturn {

/// Executed batches by their number of items. Few different sizes occur, mostly the same as the time before.
class BatchSizes {
 public:
  void add(std::uint32_t items) {
    if (last_ < counts_.size() && counts_[last_].first == items) {
      ++counts_[last_].second;
      return;
    }
    for (last_ = 0; last_ < counts_.size(); ++last_)
      if (counts_[last_].first == items) break;
    if (last_ == counts_.size()) counts_.emplace_back(items, 0);
    ++counts_[last_].second;
  }
  const std::vector<std::pair<std::uint32_t, std::uint64_t>>& counts() const { return counts_; }

 private:
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts_;
  std::size_t last_ = 0;
};

/// What is counted of a model from date 0 on.
struct ModelMeter {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t items = 0;  ///< of answered requests
  double send_sum = 0.0;    ///< [s], as the next three: of all requests that have passed that phase
  double queue_sum = 0.0;
  double compute_sum = 0.0;
  double receive_sum = 0.0;
  std::array<std::uint64_t, 4> passed{};  ///< requests that have passed each phase
  LogHistogram latency;
  BatchSizes batches;
};

/// What is counted of a pool of jobs from date 0 on.
struct PoolMeter {
  std::vector<double> stage_sums;  ///< time in each stage, of the stages that were passed [s]
  std::vector<std::uint64_t> stage_passes;
  LogHistogram event_times;  ///< of all events that have ended
  std::uint64_t open = 0;    ///< events under way
  double open_starts = 0.0;  ///< sum of the dates at which they began [s]

  /// Time that the events under way have taken so far, all together [s].
  double open_age(double now) const { return static_cast<double>(open) * now - open_starts; }
};

}  // namespace saturn
