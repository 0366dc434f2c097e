#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/system.hpp"

/// Devices that draw from one queue: one that is idle takes all that waits, up to the limit of a batch, and the others
/// go without until it ends. docs/models/batching.md, "Several devices".

namespace saturn {

/// A queue whose devices may starve.
struct SharedQueue {
  std::string model;
  std::string server;
  std::uint64_t devices = 0;   ///< or slices of devices that draw from it, >= 2
  std::uint64_t request = 1;   ///< items of the largest request
  std::uint64_t requests = 0;  ///< that all jobs may have in flight to this queue
  std::uint64_t taken = 0;     ///< items of them that one idle device may take
  std::uint64_t enough = 1;    ///< items whose batch costs an item at most a tenth more than the largest batch
};

/// Items, by whole requests, about the fewest, whose batch costs an item at most a tenth more than that of `largest`.
/// @param request  items of a request, >= 1  @param longest  length of the longest items
std::uint64_t enough_items(const Model& model, std::uint64_t request, double longest, std::uint64_t largest);

/// Queues whose devices can starve, told by the scenario alone: batches are formed for an idle device and may hold at
/// least twice a device's share of what the jobs can have in flight, such a batch takes half as long again as one of
/// that share, or more, and one device alone would not do.
std::vector<SharedQueue> starving_queues(const System& system);

/// Queues whose devices starved in a run: they were idle for a tenth of the time or more, although the batch that an
/// item was executed in held a request for each of them, on average, and took half as long again as one request alone;
/// and events took 2 % longer than t_ideal.
std::vector<SharedQueue> starved_queues(const System& system, const Results& results);

/// "Devices may starve: ...", with the three ways out.
std::string in_words(const SharedQueue& queue);

/// The same scenario after a burst: all jobs begin at random moments within half of their unloaded event time.
Scenario after_burst(const System& system);

}  // namespace saturn
