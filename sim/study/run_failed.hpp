#pragma once

#include <stdexcept>
#include <string>

#include "models/results/results.hpp"
#include "sim/run/run_failure.hpp"
#include "sim/study/reply.hpp"

namespace saturn {

/// A simulation gave no result. Its text says why and how to repeat that one run.
class RunFailed : public std::runtime_error {
 public:
  explicit RunFailed(const RunFailure& failure);

  /// Interrupted, the limits of the user or the machine (input), or our bug.
  ExitCode exit_code() const { return exit_code_; }

 private:
  ExitCode exit_code_;
};

/// Refuses results that break a law which every run must satisfy.
/// @throws std::logic_error  naming the laws, with the command that reproduces them
void refuse_broken_laws(const Results& summary, const std::string& command);

}  // namespace saturn
