#include "sim/cli/progress.hpp"

#include <iostream>
#include <unistd.h>

#include "reports/number_text.hpp"
#include "sim/cli/standard_files.hpp"

namespace saturn {

Progress::Progress(bool quiet, bool timing) : shown_(!quiet && isatty(STDERR_FILENO) == 1), timing_(timing) {}

Progress::~Progress() {
  end();
}

std::function<void(std::uint32_t, std::uint32_t)> Progress::callback() {
  if (!shown_) return {};
  return [this](std::uint32_t done, std::uint32_t expected) {
    done_ = done;
    terminal_line() << "\r\033[K" << done << " of " << expected << " simulations" << std::flush;
  };
}

void Progress::end() {
  if (!shown_ || ended_) return;
  ended_ = true;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  terminal_line() << "\r\033[K";
  if (timing_ && done_ > 0) {
    std::cerr << done_ << " simulations in " << number_text(passed.count(), 2) << " s\n";
  }
  std::cerr << std::flush;
}

}  // namespace saturn
