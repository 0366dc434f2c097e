#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "models/results/results.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

/// A line on stderr that counts finished simulations, on a terminal only; it is wiped when it ends.
class Progress {
 public:
  Progress(bool quiet, bool timing);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// For RunOptions::progress; empty where nothing is shown. Lives as long as this object.
  std::function<void(std::uint32_t, std::uint32_t)> callback();

  /// Wipes the line and, where timing is wanted, says how long the simulations took.
  void end();

 private:
  bool shown_;
  bool timing_;
  bool ended_ = false;
  std::uint32_t done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

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
