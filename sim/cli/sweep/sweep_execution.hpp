#pragma once

#include "sim/cli/exit_code.hpp"
#include "sim/cli/sweep/sweep_options.hpp"
#include "sim/cli/sweep/sweep_study.hpp"

namespace saturn {

/// Computes what is missing of a sweep in its folder, or a shard of it, and prints what there is then.
/// @throws InputError
ExitCode execute_sweep(const SweepStudy& study, const SweepOptions& options);

/// The points, their number, and how long they will take, tried out on a few of them. Writes nothing.
ExitCode list_points(const SweepStudy& study, const SweepOptions& options);

/// Makes the folder of a sweep known, so that shards and merge find it: plan.jsonl and provenance.json.
/// @returns the plan that stands in it now
/// @throws InputError  sweep.another (the folder holds another sweep; --force replaces its plan)
SweepPlan prepare_folder(const SweepStudy& study, const SweepOptions& options, const std::filesystem::path& folder);

}  // namespace saturn
