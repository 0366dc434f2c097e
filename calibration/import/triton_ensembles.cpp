#include <algorithm>
#include <cmath>

#include "calibration/import/triton_counters.hpp"

namespace saturn {

namespace {

double sum_of(const ServerCounters& counters, const char* name) {
  const auto found = counters.sums_s.find(name);
  return found == counters.sums_s.end() ? 0.0 : found->second;
}

double compute_of(const ServerCounters& counters) {
  return sum_of(counters, "compute_input_s") + sum_of(counters, "compute_infer_s") +
         sum_of(counters, "compute_output_s");
}

bool knows_compute(const ServerCounters& counters) {
  return counters.sums_s.contains("compute_infer_s");
}

// Triton adds the times of the steps to those of the ensemble; each counter is rounded to microseconds by itself.
std::string steps_that_add_up(const std::vector<ServerCounters>& all, const ServerCounters& one) {
  std::string names;
  std::size_t steps = 0;
  double compute = 0.0;
  for (const ServerCounters& other : all) {
    if (&other == &one || other.ensemble || other.requests != one.requests) continue;
    names += (names.empty() ? "" : ", ") + other.model;
    compute += compute_of(other);
    ++steps;
  }
  const bool equal = std::abs(compute - compute_of(one)) <= 1e-3 * compute;
  return steps >= 2 && compute > 0.0 && equal ? names : "";
}

std::string why_ensemble(const std::vector<ServerCounters>& all, const ServerCounters& one, bool without_gpu) {
  if (one.items <= 0.0 || one.executions <= 0.0) return "it executed no batch of its own";
  if (knows_compute(one) && compute_of(one) <= 0.0) return "it has no compute time of its own";
  if (without_gpu) return "it names no GPU, while other models do: an ensemble, or a model on CPUs";
  const std::string steps = steps_that_add_up(all, one);
  if (!steps.empty()) return "its compute times are the sum of those of " + steps;
  return "";
}

}  // namespace

void mark_ensembles(std::vector<ServerCounters>& counters, const std::vector<std::string>& without_gpu,
                    std::vector<std::string>& notes) {
  for (ServerCounters& one : counters) {
    const bool no_gpu = std::find(without_gpu.begin(), without_gpu.end(), one.model) != without_gpu.end();
    const std::string why = why_ensemble(counters, one, no_gpu);
    if (why.empty()) continue;
    one.ensemble = true;
    notes.push_back(one.model + " is taken for an ensemble, and no service law follows from it: " + why + ".");
  }
}

}  // namespace saturn
