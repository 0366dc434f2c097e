#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

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

}  // namespace saturn
