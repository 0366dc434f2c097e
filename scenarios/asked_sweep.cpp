#include "scenarios/sweep_space.hpp"

namespace saturn {

SweepText asked_sweep(const SweepText& options, const ReadScenario& read) {
  if (!options.axes.empty() || !read.scenario.sweep) return options;
  SweepText asked = *read.scenario.sweep;
  asked.places = {.axes = "/sweep/axes", .where = "/sweep/where", .sample = "/sweep/sample"};
  if (!options.where.empty()) {
    asked.where = options.where;
    asked.places.where.clear();
  }
  if (options.sample) {
    asked.sample = options.sample;
    asked.sampling = options.sampling;
    asked.places.sample.clear();
  }
  return asked;
}

}  // namespace saturn
