#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/scenario.hpp"

/// How the items of a stage are divided into requests.
namespace saturn {

/// Requests for a number of items: all but the last carry request_batch items, the last the rest.
struct RequestSplit {
  std::uint64_t requests = 0;    ///< 0 for no items
  std::uint64_t last_items = 0;  ///< 1..request_batch; 0 for no items
};
/// @throws std::invalid_argument  empty requests
RequestSplit split_requests(std::uint64_t items, std::uint64_t request_batch);

/// Equal requests of a stage.
struct RequestGroup {
  double count = 0.0;       ///< expected number of them in an event, > 0
  std::uint64_t items = 0;  ///< that each carries
};
/// The requests of an event by their size, the largest size first, expected over the numbers of items that it may have.
std::vector<RequestGroup> request_groups(const InferStage& stage);

/// Expected number of requests of an event.
double mean_requests(const InferStage& stage);
/// Most requests that an event may send.
std::uint64_t most_requests(const InferStage& stage);
/// True when every request carries request_batch items.
bool sends_full_requests_only(const InferStage& stage);

}  // namespace saturn
