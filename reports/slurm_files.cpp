#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "reports/batch_scripts.hpp"

namespace saturn {

namespace {

constexpr std::string_view slurm_shard_pattern = R"sh(#!/bin/sh
# Computes one shard: sh shard.sh SHARD [OPTION of saturn sweep]...
# Interrupted or killed, it goes on where it was when it is called again.
@about@
set -eu
shard=${1:?"which shard, from 1 to @shards@?"}
shift
# A worker is one thread; cores are used by workers.
export OMP_NUM_THREADS=1
cd @directory@
exec @program@ @words@ \
  --out @folder@ --shard "$shard/@shards@" --take-over --quiet "$@"
)sh";

constexpr std::string_view slurm_merge_pattern = R"sh(#!/bin/sh
# Makes points.csv of what the shards have computed, and says which points are missing.
@about@
set -eu
cd @directory@
exec @program@ merge @folder@ "$@"
)sh";

// The signal goes to this shell alone (B:), so that saturn gets it once; a second one would stop it at once. A
// cancelled job's signal reaches every process of the job, so that the shell has nothing to pass on. No srun: a step
// would add a process between, and a controller to wait for.
constexpr std::string_view slurm_array_pattern = R"sh(#!/bin/bash
@about@
#SBATCH --job-name=saturn-sweep
#SBATCH --array=1-@shards@
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@cores@
#SBATCH --mem=@memory_mib@M
#SBATCH --time=@time@
#SBATCH --signal=B:USR1@@lead_s@
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=logs/shard-%a.txt
cd "$SLURM_SUBMIT_DIR" || exit 2
if [ ! -e shard.sh ]; then
  echo "array.sbatch: submit it from its folder, for example by submit.sh" >&2
  exit 2
fi
echo "shard $SLURM_ARRAY_TASK_ID: job $SLURM_JOB_ID on $SLURMD_NODENAME, start $(( ${SLURM_RESTART_COUNT:-0} + 1 ))"

time_is_short=no
trap 'woken=yes time_is_short=yes; [ -z "$!" ] || kill -TERM $!' USR1
trap 'woken=yes' TERM
sh ./shard.sh "$SLURM_ARRAY_TASK_ID" --workers "$SLURM_CPUS_PER_TASK" &
woken=yes
while [ $woken = yes ]; do
  woken=no
  wait $!
  status=$?
done

# Out of time with points left: what is done is saved, and the job queues for more.
if [ $time_is_short = yes ] && [ "$status" -eq 130 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ]; then
  echo "shard $SLURM_ARRAY_TASK_ID: out of time, queues again"
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
)sh";

constexpr std::string_view slurm_merge_job_pattern = R"sh(#!/bin/bash
@about@
#SBATCH --job-name=saturn-merge
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=@merge_mib@M
#SBATCH --time=00:30:00
#SBATCH --requeue
#SBATCH --output=logs/merge.txt
cd "$SLURM_SUBMIT_DIR" || exit 2
exec sh ./merge.sh
)sh";

constexpr std::string_view slurm_submit_pattern = R"sh(#!/bin/sh
# Submits all shards, and the merge that follows them: sh submit.sh [OPTION of sbatch]...
# Again: finished points are kept, so that only unfinished shards have work.
@about@
set -eu
cd -- "$(dirname -- "$0")"
for job in $(cat job-ids 2>/dev/null); do
  if [ -n "$(squeue --noheader --jobs "$job" 2>/dev/null)" ]; then
    echo "submit.sh: job $job of this sweep has not ended; wait for it, or: scancel $job" >&2
    exit 1
  fi
done
mkdir -p logs
array=$(sbatch --parsable "$@" array.sbatch)
array=${array%%;*}
echo "$array" >job-ids
merge=$(sbatch --parsable "$@" --dependency="afterany:$array" merge.sbatch)
merge=${merge%%;*}
echo "$merge" >>job-ids
echo "shards: job $array"
echo "merge: job $merge"
)sh";

/// "1-02:30:00" of days, hours and minutes, never less than asked.
std::string slurm_time(Seconds time) {
  constexpr double longest_min = 525600.0;
  const auto minutes = static_cast<unsigned>(std::clamp(std::ceil(time.value / 60.0), 1.0, longest_min));
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

/// How long before its end a job is told [s]: long enough for the points that are running.
unsigned warning_s(Seconds time) {
  return static_cast<unsigned>(std::clamp(time.value / 4.0, 15.0, 300.0));
}

}  // namespace

std::vector<BatchFile> slurm_files(const BatchSweep& sweep) {
  auto values = batch_values(sweep);
  values["time"] = slurm_time(sweep.time);
  values["lead_s"] = std::to_string(warning_s(sweep.time));
  values["merge_mib"] = std::to_string(merge_memory_mib(sweep));
  return {{"shard.sh", filled_text(slurm_shard_pattern, values)},
          {"merge.sh", filled_text(slurm_merge_pattern, values)},
          {"array.sbatch", filled_text(slurm_array_pattern, values)},
          {"merge.sbatch", filled_text(slurm_merge_job_pattern, values)},
          {"submit.sh", filled_text(slurm_submit_pattern, values)},
          local_script(sweep),
          slurm_readme(values)};
}

}  // namespace saturn
