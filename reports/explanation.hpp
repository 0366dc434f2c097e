#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/paired_change.hpp"

namespace saturn {

/// One change of a scenario, simulated with the random numbers of the original.
struct ExplainedChange {
  std::string change;                  ///< in words: "emtrk: 2 instances on each device, not 1"
  std::vector<std::string> settings;   ///< "/json/pointer=value", the changes that make the variant
  std::string options;                 ///< the same as options of a command line: "--set /models/emtrk/instances=2"
  std::optional<PairedChange> effect;  ///< absent when the simulation gave no result
  std::string why_not;                 ///< why it is absent
};

/// A change that was not simulated, and why.
struct LeftOutChange {
  std::string change;
  std::string why;
};

/// What `run --explain` adds.
struct Explanation {
  std::vector<ExplainedChange> changes;
  std::vector<LeftOutChange> left_out;
};

/// The changes by falling gain in throughput; those without a result last, and equal ones in the order given.
void sort_by_gain(std::vector<ExplainedChange>& changes);

/// "gains", "no difference" or "loses".
std::string word_of(Verdict verdict);

}  // namespace saturn
