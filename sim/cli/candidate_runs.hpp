#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/cli/common_options.hpp"
#include "sim/plan/search.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

/// Simulations that a search or a sensitivity asks for. One that gives no result is that candidate's own misfortune; an
/// interrupt and a broken law end everything.
class CandidateRuns {
 public:
  /// @param options  its `command` reproduces the user's scenario
  explicit CandidateRuns(RunOptions options) : options_(std::move(options)) {}

  /// (n) one result a scenario, in order.
  /// @throws RunFailed         interrupted
  /// @throws std::logic_error  a law is broken, with the command that repeats it
  std::vector<SearchedRun> evaluate(std::span<const SearchedScenario> scenarios);

 private:
  RunOptions options_;
};

/// A command with more --set options.
std::string with_settings(std::string command, const std::vector<Override>& settings);

}  // namespace saturn
