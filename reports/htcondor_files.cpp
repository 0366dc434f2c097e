#include <algorithm>
#include <cmath>

#include "reports/batch_scripts.hpp"
#include "reports/shell_word.hpp"

namespace saturn {

namespace {

// Paths are relative: a job starts in a folder of its own with copies of what it needs. --foreground keeps timeout from
// passing a signal on twice. Its code 124 is the job's checkpoint: HTCondor brings the results home, and goes on.
constexpr std::string_view htcondor_shard_pattern = R"sh(#!/bin/sh
# Computes one shard in a folder of its own: sh shard.sh SHARD [OPTION of saturn sweep]...
# Interrupted or killed, it goes on where it was when it is called again and that folder is there.
@about@
set -eu
shard=${1:?"which shard, from 1 to @shards@?"}
shift
here=$(pwd)
program=@program@
if [ -x inputs/saturn ]; then program=$here/inputs/saturn; fi
if [ -d inputs/lib ]; then export LD_LIBRARY_PATH="$here/inputs/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi
# A worker is one thread; cores are used by workers.
export OMP_NUM_THREADS=1
folder=$here/$(printf 'shard-%0@digits@d' "$shard")
mkdir -p "$folder"@change_directory@
# Elsewhere nobody would start the shard again after its checkpoint.
checkpoint='timeout --foreground --signal=TERM @save_s@'
if [ -z "${_CONDOR_JOB_AD:-}" ]; then checkpoint=; fi
exec $checkpoint "$program" @words@ \
  --out "$folder" --shard "$shard/@shards@" --take-over --quiet "$@"
)sh";

constexpr std::string_view htcondor_merge_pattern = R"sh(#!/bin/sh
# Makes points.csv of what the shards have brought, and says which points are missing.
@about@
set -eu
here=$(pwd)
cd @directory@
exec @program@ merge @folder@ "$here"/shard-[0-9]* "$@"
)sh";

// File transfer is asked for even where the file system is shared: condor_submit refuses ON_EXIT_OR_EVICT, which brings
// results home from an evicted job, together with IF_NEEDED.
constexpr std::string_view htcondor_shard_job_pattern = R"sh(@about@
# One shard. sweep.dag submits all; one by hand: condor_submit shard=3 folder=@third@ shard.sub
universe                = vanilla
executable              = shard.sh
arguments               = $(shard) --workers @cores@
request_cpus            = @cores@
request_memory          = @memory_mib@ MB
request_disk            = @disk_mib@ MB
should_transfer_files   = YES
when_to_transfer_output = ON_EXIT_OR_EVICT
transfer_input_files    = inputs, $(folder)
transfer_output_files   = $(folder)
checkpoint_exit_code    = 124
transfer_checkpoint_files = $(folder)
output                  = logs/$(folder).out
error                   = logs/$(folder).err
log                     = logs/sweep.log
queue
)sh";

constexpr std::string_view htcondor_merge_job_pattern = R"sh(@about@
# The merge, on the machine from which the sweep is submitted.
universe   = local
executable = merge.sh
output     = logs/merge.out
error      = logs/merge.err
log        = logs/sweep.log
queue
)sh";

constexpr std::string_view htcondor_submit_pattern = R"sh(#!/bin/sh
# Submits all shards, and the merge that follows them: sh submit.sh [OPTION of condor_submit_dag]...
# Again: finished points are kept, so that only unfinished shards have work.
@about@
set -eu
cd -- "$(dirname -- "$0")"
if [ -e sweep.dag.lock ]; then
  echo "submit.sh: sweep.dag.lock is there: this sweep has not ended (condor_q). If it has, delete the file." >&2
  exit 1
fi
mkdir -p logs inputs
chmod +x shard.sh merge.sh
shard=1
while [ "$shard" -le @shards@ ]; do
  mkdir -p "$(printf 'shard-%0@digits@d' "$shard")"
  shard=$((shard + 1))
done
exec condor_submit_dag -force "$@" sweep.dag
)sh";

std::string dag_text(const BatchSweep& sweep, const std::string& about) {
  // Code 4 says that points are less precise than asked, which another attempt would not change.
  std::string text = about + "\n# The merge follows when every shard has ended, well or not.\n";
  for (std::uint64_t shard = 1; shard <= sweep.shards; ++shard) {
    const std::string number = std::to_string(shard);
    const std::string node = "shard" + number;
    text += "JOB " + node + " shard.sub\n";
    text += "VARS " + node + " shard=\"" + number + "\" folder=\"" + shard_folder(shard, sweep.shards) + "\"\n";
    text += "RETRY " + node + " 10 UNLESS-EXIT 4\n";
  }
  return text + "FINAL merge merge.sub\n";
}

/// The scenario and what it names travel with the job as copies; without copies it is read where the command was given.
BatchSweep with_copied_scenario(BatchSweep sweep) {
  if (!sweep.inputs.empty()) sweep.scenario = "inputs/" + sweep.inputs.front().name;
  return sweep;
}

/// Where no copies travel, paths mean what they did where the command was given; a shipped scenario needs none.
std::string change_directory(const BatchSweep& sweep) {
  const std::string directory = shell_word(sweep.directory);
  return sweep.inputs.empty() ? "\nif [ -d " + directory + " ]; then cd " + directory + "; fi" : "";
}

/// How long a job computes before it brings home what it has [s]: what an eviction may cost.
unsigned saving_s(Seconds time) {
  return static_cast<unsigned>(std::clamp(time.value / 4.0, 15.0, 1800.0));
}

/// Result files hold some kilobytes a point.
std::uint64_t disk_mib(const BatchSweep& sweep) {
  constexpr std::uint64_t points_a_mebibyte = 64;
  return 1024 + sweep.points / sweep.shards / points_a_mebibyte;
}

}  // namespace

std::vector<BatchFile> htcondor_files(const BatchSweep& asked) {
  const BatchSweep sweep = with_copied_scenario(asked);
  auto values = batch_values(sweep);
  values["digits"] = std::to_string(shard_folder(1, sweep.shards).size() - std::string_view("shard-").size());
  values["third"] = shard_folder(std::min<std::uint64_t>(3, sweep.shards), sweep.shards);
  values["time_s"] = std::to_string(static_cast<std::uint64_t>(std::ceil(sweep.time.value)));
  values["save_s"] = std::to_string(saving_s(sweep.time));
  values["disk_mib"] = std::to_string(disk_mib(sweep));
  values["change_directory"] = change_directory(sweep);
  std::vector<BatchFile> files{{"shard.sh", filled_text(htcondor_shard_pattern, values)},
                               {"merge.sh", filled_text(htcondor_merge_pattern, values)},
                               {"shard.sub", filled_text(htcondor_shard_job_pattern, values)},
                               {"merge.sub", filled_text(htcondor_merge_job_pattern, values)},
                               {"sweep.dag", dag_text(sweep, values["about"])},
                               {"submit.sh", filled_text(htcondor_submit_pattern, values)},
                               local_script(sweep),
                               htcondor_readme(values)};
  for (const BatchFile& input : sweep.inputs) files.push_back({"inputs/" + input.name, input.text});
  return files;
}

}  // namespace saturn
