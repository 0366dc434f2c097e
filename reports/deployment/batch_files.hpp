#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/values/units.hpp"

/// A sweep as files for a batch system: each shard is a job, a merge follows. Whatever characters names and values
/// hold, the scripts hand them on as they are. What is guaranteed, and how it is used: docs/sweep-clusters.md.
/// Source  Slurm: sbatch(1), scancel(1) and slurm.conf(5) of 22.05; HTCondor: condor_submit(1) and DAGMan of its manual

namespace saturn {

/// What stands in the places of names.
using TemplateValues = std::map<std::string, std::string, std::less<>>;

/// A file of reports/deployment/templates/, which are compiled into the program, with the values in the places of
/// "@name@". Values are not looked at again.
/// @param name  without ".in": "slurm-shard.sh"
/// @throws std::logic_error  no such file, or a name without a value
std::string filled_template(const std::string& name, const TemplateValues& values);

/// A file that is to be written.
struct BatchFile {
  std::string name{};  ///< relative to the folder of the batch files
  std::string text{};
};

/// What the files are to do.
struct BatchSweep {
  std::string program = "saturn";      ///< a name in PATH, or an absolute path
  std::string scenario{};              ///< as the user named it
  std::vector<std::string> options{};  ///< of `saturn sweep`, but --out, --shard, --take-over, --workers, --quiet
  std::string directory{};             ///< absolute: where the command was given, so that its paths are right
  std::string folder{};                ///< of the sweep, absolute or relative to `directory`
  std::vector<BatchFile> inputs{};     ///< HTCondor: the scenario first, then files that it names, by their paths from
                                       ///< its folder; empty: the scenario is read where the command was given
  std::string title{};                 ///< of the scenario
  std::string version{};               ///< of the program
  std::uint64_t points = 0;            ///< of the whole sweep
  std::uint64_t shards = 1;            ///< >= 1
  unsigned cores = 1;                  ///< of a job, >= 1: so many workers
  std::uint64_t memory = 4ull << 30;   ///< of a job [byte]
  Seconds time{3600.0};                ///< of a job, >= 60 s; a shard that needs more goes on in another job
};

/// shard.sh, merge.sh, array.sbatch, merge.sbatch, submit.sh, run-local.sh, README.md
std::vector<BatchFile> slurm_files(const BatchSweep& sweep);

/// shard.sh, merge.sh, shard.sub, merge.sub, sweep.dag, submit.sh, run-local.sh, README.md, inputs/...
std::vector<BatchFile> htcondor_files(const BatchSweep& sweep);

}  // namespace saturn
