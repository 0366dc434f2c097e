#include "sim/study/monitor.hpp"

namespace saturn {

void Monitor::note(const std::string& /*lines*/) {}
void Monitor::warn(const std::string& /*lines*/) {}
void Monitor::preview(const std::function<std::string()>& /*lines*/) {}
void Monitor::doing(const std::string& /*what*/) {}
void Monitor::begin_simulations() {}
void Monitor::simulated(std::uint32_t /*done*/, std::uint32_t /*expected*/) {}
void Monitor::end_simulations() {}
void Monitor::swept(const SweepProgress& /*progress*/) {}

Progress::Progress(Monitor& monitor) : monitor_(&monitor) {
  monitor.begin_simulations();
}

Progress::~Progress() {
  end();
}

std::function<void(std::uint32_t, std::uint32_t)> Progress::callback() {
  return [monitor = monitor_](std::uint32_t done, std::uint32_t expected) { monitor->simulated(done, expected); };
}

void Progress::end() {
  if (monitor_ != nullptr) monitor_->end_simulations();
  monitor_ = nullptr;
}

}  // namespace saturn
