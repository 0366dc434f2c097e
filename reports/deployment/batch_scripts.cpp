#include "reports/deployment/batch_scripts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <stdexcept>

#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t batch_mebibyte = 1u << 20u;

// Each shard is one call of shard.sh, whoever makes it. GNU parallel is told by its version: moreutils has another
// program of that name.
constexpr std::string_view local_pattern = R"sh(#!/bin/sh
# Computes all shards on this machine, then merges them: sh run-local.sh [SHARDS AT A TIME]
# Interrupted or killed, it goes on where it was when it is called again.
@about@
set -u
cd -- "$(dirname -- "$0")" || exit 2
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
at_once=${1:-$(( (cores + @cores@ - 1) / @cores@ ))}
mkdir -p logs
trap 'exit 130' INT TERM

shard=1
while [ "$shard" -le @shards@ ]; do
  echo "$shard"
  shard=$((shard + 1))
done |
  if parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    # An interrupt lets running points finish: the shards have half a minute for it.
    parallel --will-cite --termseq TERM,30000,KILL -j "$at_once" \
      'sh ./shard.sh {} --workers @cores@ >>logs/shard-{}.txt 2>&1'
  else
    xargs -P "$at_once" -I '{}' sh -c 'sh ./shard.sh {} --workers @cores@ >>logs/shard-{}.txt 2>&1'
  fi || echo "run-local.sh: some shards did not finish; see logs/" >&2
exec sh ./merge.sh
)sh";

bool is_value_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

std::string sweep_words(const BatchSweep& sweep) {
  std::string words = "sweep " + shell_word(sweep.scenario);
  for (const std::string& option : sweep.options) {
    // An option and its value share a line.
    words += (option.starts_with("--") ? " \\\n  " : " ") + shell_word(option);
  }
  return words;
}

}  // namespace

std::string filled_text(std::string_view pattern, const BatchValues& values) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t begin = pattern.find('@');
    const std::size_t end = begin == std::string_view::npos ? begin : pattern.find('@', begin + 1);
    if (end == std::string_view::npos) break;
    const std::string_view name = pattern.substr(begin + 1, end - begin - 1);
    if (!is_value_name(name)) {
      text += pattern.substr(0, end);
      pattern.remove_prefix(end);
      continue;
    }
    const auto value = values.find(name);
    if (value == values.end()) throw std::logic_error("batch files: no value of " + std::string(name));
    text.append(pattern.substr(0, begin)).append(value->second);
    pattern.remove_prefix(end + 1);
  }
  return text.append(pattern);
}

BatchValues batch_values(const BatchSweep& sweep) {
  const std::string title = sweep.title.empty() ? "A sweep" : sweep.title;
  std::string about = title + ": " + whole_text(sweep.points) + " points in " + whole_text(sweep.shards) +
                      " shards. Made by saturn " + sweep.version + ".";
  // HTCondor goes on with a comment in the next line where this one ends in a backslash.
  std::replace(about.begin(), about.end(), '\\', '/');
  about = yaml_comment(about);
  if (about.ends_with('\n')) about.pop_back();
  return {{"about", about},
          {"directory", shell_word(sweep.directory)},
          {"folder", shell_word(sweep.folder)},
          {"program", shell_word(sweep.program)},
          {"words", sweep_words(sweep)},
          {"shards", std::to_string(sweep.shards)},
          {"points", whole_text(sweep.points)},
          {"cores", std::to_string(sweep.cores)},
          {"memory_mib", std::to_string((sweep.memory + batch_mebibyte - 1) / batch_mebibyte)},
          {"title", title},
          {"version", sweep.version}};
}

BatchFile local_script(const BatchSweep& sweep) {
  return {"run-local.sh", filled_text(local_pattern, batch_values(sweep))};
}

std::string shard_folder(std::uint64_t shard, std::uint64_t shards) {
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(shards).size());
  return fmt::format("shard-{:0{}}", shard, digits);
}

std::uint64_t merge_memory_mib(const BatchSweep& sweep) {
  constexpr std::uint64_t bytes_a_point = 16384;
  return 1024 + sweep.points / (batch_mebibyte / bytes_a_point);
}

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
