#pragma once

#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// A scenario that differs from another in one thing. What it is like is what the reader makes of the settings, so it
/// cannot differ from what the same `--set` options give.
struct Neighbour {
  std::string what;                ///< in words: "emtrk: 2 instances on each device, not 1"
  std::vector<Override> settings;  ///< one or more, of the original
  std::vector<std::string> calls;  ///< models that jobs call and whose requests meet the change, ascending
};

/// A change that makes no sense for this scenario.
struct NoNeighbour {
  std::string what;
  std::string why;
};

struct Neighbours {
  std::vector<Neighbour> changes;
  std::vector<NoNeighbour> left_out;
};

/// The changes worth trying. For each model with instances that jobs reach: one instance more on each device, and one
/// less; batching on, where it is off and two of the largest requests fit into max_batch_size, with batches as large as
/// that and the service law allow; where it is on, twice the max_queue_delay (from 0: a tenth of the time that a batch
/// of max_batch_size takes on the slowest of its device types, in two digits) and the next larger batch: twice the
/// largest preferred size, up to max_batch_size, or where the preferred sizes reach that, or there are none, twice
/// max_batch_size, as far as the service law is trusted; and no preferred sizes, where there are some; else half of
/// max_batch_size, or the largest request if that is more; and no delay, where there is one. Laws without a cost per
/// item are trusted for no larger batch. Where devices share a queue and batches are not formed ahead, in place of half
/// the batch what keeps an idle device from taking all that waits.
/// For each server that jobs reach: one device more in each node, and one less.
/// @param scenario  as the reader gives it
Neighbours neighbours(const Scenario& scenario);

}  // namespace saturn
