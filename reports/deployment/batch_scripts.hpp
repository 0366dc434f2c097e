#pragma once

#include <map>
#include <string>
#include <string_view>

#include "reports/deployment/batch_files.hpp"

/// What the files of all batch systems have in common.

namespace saturn {

/// What stands in the places of names.
using BatchValues = std::map<std::string, std::string, std::less<>>;

/// A text with the values in the places of "@name@". Values are not looked at again.
/// @throws std::logic_error  a name without a value
std::string filled_text(std::string_view pattern, const BatchValues& values);

/// The values that every pattern may use: about, directory, folder, program, words (scenario and options of the sweep,
/// one a line), shards, points, cores, memory_mib, title, version; all but title as a shell reads them.
BatchValues batch_values(const BatchSweep& sweep);

/// run-local.sh: all shards on this machine, by GNU parallel or xargs, then the merge.
BatchFile local_script(const BatchSweep& sweep);

/// "shard-0003", in as many digits as the last shard needs and at least four.
std::string shard_folder(std::uint64_t shard, std::uint64_t shards);

/// Memory of the job that merges [MiB]: it holds the results of all points.
std::uint64_t merge_memory_mib(const BatchSweep& sweep);

/// README.md, of batch_values with time_s and, for Slurm, lead_s; for HTCondor, third (folder of the third shard)
BatchFile slurm_readme(const BatchValues& values);
BatchFile htcondor_readme(const BatchValues& values);

}  // namespace saturn
