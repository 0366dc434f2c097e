#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep_space.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

/// A sweep that was understood.
struct SweepStudy {
  ReadScenario read{};
  SweepSpace space{};
  PointAsked asked{};
};

/// Reads the scenario and understands axes, conditions and samples.
/// @throws InputError
SweepStudy understood(const SweepOptions& options);

/// What the scenario refuses, if anything, unless such points are to become rows.
/// @param points  to look at; empty: all
/// @throws InputError  every complaint with the values of its point, and how many more there are
void refuse_points(const SweepStudy& study, const SweepOptions& options);

/// What plan.jsonl begins with.
SweepHeader header_of(const SweepStudy& study, const SweepOptions& options);

/// The id of a point. Cost: some 0.2 ms
std::string id_of(const SweepStudy& study, std::uint64_t point);

/// Header, ids and values of all points.
SweepPlan plan_of(const SweepStudy& study, const SweepOptions& options);

/// The points in the order in which they are computed: a coarse picture first.
std::vector<std::uint64_t> order_of(const SweepSpace& space);

/// The same, of one shard: every so many-th.
std::vector<std::uint64_t> order_of(const SweepSpace& space, const Shard& shard);

}  // namespace saturn
