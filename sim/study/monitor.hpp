#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/sweep/run_sweep.hpp"

namespace saturn {

/// What a study says while it works. The caller decides what of it is shown, and where; this one shows nothing.
class Monitor {
 public:
  Monitor() = default;
  virtual ~Monitor() = default;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Lines for whoever is not after silence: warnings, notes, what was written. They end with a newline, as do those of
  /// the next two.
  virtual void note(const std::string& /*lines*/) {}
  /// Something that was asked for is missing: to be shown in any case.
  virtual void warn(const std::string& /*lines*/) {}
  /// What is known before the answer is there, for people who would have to wait for it.
  /// @param lines  called only where they are shown
  virtual void preview(const std::function<std::string()>& /*lines*/) {}
  /// Asks whoever sits at a terminal.
  /// @param assumed  what an empty answer stands for
  /// @returns the answer, maybe empty; none where nobody can answer
  virtual std::optional<std::string> ask(const std::string& /*question*/, const std::string& /*assumed*/) {
    return std::nullopt;
  }
  /// What is being done now: "the saturation curve".
  virtual void doing(const std::string& /*what*/) {}
  /// A group of simulations begins, goes on, and ends.
  virtual void begin_simulations() {}
  virtual void simulated(std::uint32_t /*done*/, std::uint32_t /*expected*/) {}
  virtual void end_simulations() {}
  /// How far a sweep is.
  virtual void swept(const SweepProgress& /*progress*/) {}
};

/// A group of simulations that a monitor counts for as long as this lives.
class Progress {
 public:
  explicit Progress(Monitor& monitor) : monitor_(&monitor) { monitor.begin_simulations(); }
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// For RunOptions::progress; to be called while this lives.
  std::function<void(std::uint32_t, std::uint32_t)> callback() {
    return [monitor = monitor_](std::uint32_t done, std::uint32_t expected) { monitor->simulated(done, expected); };
  }
  /// Says that the group has ended, before this does.
  void end() {
    if (monitor_ != nullptr) monitor_->end_simulations();
    monitor_ = nullptr;
  }

 private:
  Monitor* monitor_;  ///< none when it has ended
};

}  // namespace saturn
