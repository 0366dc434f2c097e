#!/usr/bin/env bash
# Sweeps on a real Slurm, of two nodes on this machine (scripts/slurm-local.sh): whatever happens to the jobs,
# points.csv has the bytes of an undisturbed sweep. Builds nothing. Packages: slurm_packages of scripts/packages.sh.
# Usage: scripts/test-slurm.sh [PROGRAM]      default: build/release/sim/cli/saturn
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

saturn=$(realpath -- "${1:-build/release/sim/cli/saturn}")
[[ -x $saturn ]] || { echo "test-slurm: no program at $saturn; build it, or name another" >&2; exit 64; }
command -v parallel >/dev/null || { echo "test-slurm: GNU parallel is missing (Debian: parallel)" >&2; exit 1; }

# Points of about half a second on one core, so that every shard takes long enough to be disturbed.
points=48
sweep=(protodune-big-batch --set /run/cycles=72 --axis "/jobs/0/count=10:480:10" --seed 7)
shards=4

work=$(mktemp -d "${TMPDIR:-/tmp}/saturn-slurm-XXXXXX")
# munged wants a socket that every user could reach.
chmod 755 "$work"
cluster=$work/cluster
checks=0
failures=0

finish() {
  local code=$?
  trap - EXIT
  scripts/slurm-local.sh stop "$cluster" >/dev/null 2>&1 || true
  if [[ $code -eq 0 && $failures -eq 0 ]]; then rm -rf "$work"; else echo "everything is left in $work" >&2; fi
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

# check SENTENCE COMMAND...
check() {
  local sentence=$1
  shift
  checks=$(( checks + 1 ))
  if "$@" >>"$work/checks.txt" 2>&1; then
    printf '%4d s  ok      %s\n' "$SECONDS" "$sentence"
  else
    failures=$(( failures + 1 ))
    printf '%4d s  FAILED  %s\n' "$SECONDS" "$sentence"
  fi
}

# wait_until SECONDS WHAT COMMAND...
wait_until() {
  local end=$(( SECONDS + $1 )) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if (( SECONDS > end )); then
      echo "test-slurm: waited too long for $what" >&2
      squeue >&2 || true
      exit 1
    fi
    sleep 0.2
  done
}

result_lines() { cat "$work/$1"/points/results/*.jsonl 2>/dev/null | wc -l; }
has_results() { (( $(result_lines "$1") >= $2 )); }
is_mid_run() { (( $(result_lines "$1") < points )); }
has_each_result_once() { (( $(result_lines "$1") == points )); }
has_results_twice() { (( $(result_lines "$1") > points )); }
has_ended() { [[ -z $(squeue --noheader --jobs "$1") ]]; }
has_same_bytes() { cmp "$work/undisturbed/points.csv" "$work/$1/points/points.csv"; }
log_has() { grep -q -e "$3" "$work/$1/batch/logs/shard-$2.txt"; }
# Of a shard that was on a node: the number.
shard_on() {
  local log
  log=$(grep -l "on $2, start 1" "$work/$1"/batch/logs/shard-*.txt | head -n 1)
  log=${log##*/shard-}
  echo "${log%.txt}"
}
nodes_are_up() { [[ $(sinfo --noheader --nodes n1,n2 --format '%T %D') == "idle 2" ]]; }

make_sweep() {
  mkdir -p "$work/$1"
  "$saturn" sweep "${sweep[@]}" --out "$work/$1/points" --slurm "$work/$1/batch" --shards $shards --workers 1 --quiet
}

# Sets array and merge to the numbers of the jobs.
submit() {
  sh "$work/$1/batch/submit.sh" >>"$work/checks.txt"
  { read -r array; read -r merge; } <"$work/$1/batch/job-ids"
}

submit_and_disturb() {
  make_sweep "$1"
  submit "$1"
  wait_until 60 "first results of $1" has_results "$1" 8
}

wait_for_merge() {
  wait_until 150 "the shards of $1" has_ended "$array"
  wait_until 60 "the merge of $1" has_ended "$merge"
}

array_and_merge() {
  make_sweep array
  submit array
  wait_for_merge array
  check "array and merge: the bytes of the undisturbed sweep" has_same_bytes array
  check "array and merge: both nodes had shards" test -n "$(shard_on array n1)" -a -n "$(shard_on array n2)"
}

cancel_and_resubmit() {
  submit_and_disturb cancel
  scancel "$array" "$merge"
  wait_until 30 "the cancelled shards" has_ended "$array"
  check "cancel: it was in mid-run" is_mid_run cancel
  check "cancel: a second submission is possible at once" submit cancel
  wait_for_merge cancel
  check "cancel and resubmit: the bytes of the undisturbed sweep" has_same_bytes cancel
  check "cancel and resubmit: no point was computed twice" has_each_result_once cancel
}

requeue() {
  submit_and_disturb requeue
  scontrol requeue "${array}_1"
  scancel --batch --signal=USR1 "${array}_2"
  check "requeue: it was in mid-run" is_mid_run requeue
  wait_for_merge requeue
  check "requeue: shard 1 started twice" log_has requeue 1 "start 2$"
  check "requeue: shard 2 was warned of its time limit, saved, and queued again" log_has requeue 2 "start 2$"
  check "requeue: the bytes of the undisturbed sweep" has_same_bytes requeue
}

node_dies() {
  local shard
  submit_and_disturb death
  shard=$(shard_on death n1)
  scripts/slurm-local.sh node-kill "$cluster" n1
  check "death of a node: it was in mid-run" is_mid_run death
  wait_for_merge death
  check "death of a node: its shard $shard started again on the other" log_has death "$shard" "on n2, start 2$"
  check "death of a node: the bytes of the undisturbed sweep" has_same_bytes death
  scripts/slurm-local.sh node-start "$cluster" n1
  wait_until 30 "the dead node" nodes_are_up
}

node_seems_dead() {
  local shard
  submit_and_disturb late
  shard=$(shard_on late n1)
  scripts/slurm-local.sh slurmd-kill "$cluster" n1
  scontrol update nodename=n1 state=down reason=test
  check "a writer thought dead: it was in mid-run" is_mid_run late
  wait_for_merge late
  check "a writer thought dead: its shard $shard started again on the other node" log_has late "$shard" "on n2, start 2$"
  check "a writer thought dead: both wrote results of the same points" has_results_twice late
  check "a writer thought dead: the bytes of the undisturbed sweep" has_same_bytes late
}

without_slurm() {
  make_sweep local
  sh "$work/local/batch/run-local.sh" 2 >>"$work/checks.txt"
  check "GNU parallel: the bytes of the undisturbed sweep" has_same_bytes local
}

"$saturn" sweep "${sweep[@]}" --out "$work/undisturbed" --quiet >>"$work/checks.txt"
check "the undisturbed sweep has $points points" test "$(wc -l <"$work/undisturbed/points.csv")" -gt "$points"
scripts/slurm-local.sh start "$cluster" >>"$work/checks.txt"
export SLURM_CONF=$cluster/slurm.conf
array_and_merge
cancel_and_resubmit
requeue
node_dies
node_seems_dead
scripts/slurm-local.sh stop "$cluster"
without_slurm

echo "$checks checks, $failures failed, $SECONDS s"
[[ $failures -eq 0 ]]
