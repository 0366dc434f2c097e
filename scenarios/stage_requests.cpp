#include "scenarios/stage_requests.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

namespace saturn {

RequestSplit split_requests(std::uint64_t items, std::uint64_t request_batch) {
  if (request_batch == 0) throw std::invalid_argument("split_requests: empty requests");
  if (items == 0) return {};
  const std::uint64_t requests = (items - 1) / request_batch + 1;
  return {.requests = requests, .last_items = items - (requests - 1) * request_batch};
}

std::vector<RequestGroup> request_groups(const InferStage& stage) {
  std::map<std::uint64_t, double, std::greater<>> counts;
  for (const CountWeight& entry : stage.items.table()) {
    const RequestSplit split = split_requests(entry.count, stage.request_batch);
    if (split.requests == 0) continue;
    if (split.requests > 1) counts[stage.request_batch] += entry.weight * static_cast<double>(split.requests - 1);
    counts[split.last_items] += entry.weight;
  }
  std::vector<RequestGroup> groups;
  for (const auto& [items, count] : counts) groups.push_back({.count = count, .items = items});
  return groups;
}

double mean_requests(const InferStage& stage) {
  double mean = 0.0;
  for (const CountWeight& entry : stage.items.table())
    mean += entry.weight * static_cast<double>(split_requests(entry.count, stage.request_batch).requests);
  return mean;
}

std::uint64_t most_requests(const InferStage& stage) {
  return split_requests(stage.items.largest(), stage.request_batch).requests;
}

bool sends_full_requests_only(const InferStage& stage) {
  const auto& table = stage.items.table();
  return std::all_of(table.begin(), table.end(),
                     [&](const CountWeight& entry) { return entry.count % stage.request_batch == 0; });
}

}  // namespace saturn
