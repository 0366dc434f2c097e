#pragma once

#include "sim/cli/exit_code.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/cli/sweep_study.hpp"

namespace saturn {

/// Prepares a sweep's folder for a batch system: the plan, the scenario, and the files that submit and merge it.
/// @throws InputError
ExitCode write_batch_files(const SweepStudy& study, const SweepOptions& options);

}  // namespace saturn
