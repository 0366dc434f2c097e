#include "models/saturation_formula.hpp"

#include <algorithm>

namespace saturn {

double SaturationFormula::ideal_event_time_s() const {
  return cpu_s + gpu_s + latency_s;
}

double SaturationFormula::event_time_s() const {
  return cpu_s + gpu_s * (1.0 + std::max(0.0, clients / gpus - ideal_event_time_s() / gpu_s)) + latency_s;
}

double SaturationFormula::clients_per_gpu() const {
  return ideal_event_time_s() / gpu_s;
}

}  // namespace saturn
