#!/usr/bin/env bash
# How long answers take with two builds: each command once with either, by itself, stopped at 120 s. Prints a table in
# Markdown, and writes it into docs/performance.md as its last section, "Answers in seconds". Up to an hour.
# Usage: scripts/time-answers.sh BEFORE [SATURN] [PAGE] [WORDS]
#   BEFORE  the program of the former build; where it does not know an option, the table says "refused"
#   SATURN  that of this one               (default: build/release/sim/cli/saturn)
#   PAGE    - prints the table alone       (default: docs/performance.md)
#   WORDS   only commands that match this regular expression, such as '^plan'
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ -n ${1:-} ]] || { sed -n '2,9s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 64; }
before=$(realpath "$1")
after=$(realpath "${2:-build/release/sim/cli/saturn}")
page=${3:-docs/performance.md}
words=${4:-.}
longest_s=120
heading='## Answers in seconds'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty"

# A command a line; all are run in an empty folder with these scenarios beside it.
cp bench/scenarios/*.json "$work"
commands() {
  local name
  for name in $(basename -s .json -- scenarios/library/*.json); do echo "plan $name"; done
  cat <<'COMMANDS'
compare protodune-small-batch --alternatives
compare cms-scale-out --alternatives
report protodune-big-batch --out page.html --figures svg
run cms-scale-out
plan ../grid.json
sweep ../grid.json --axis /jobs/0/count=4200:8000:200 --out points
plan ../grid.json --node-sizes 8 --gpus tracker=128:200 --gpus tagger=48:104 --require 'latency_p99 <= 500 ms' --objective rent
sweep cms-scale-out --axis /jobs/0/count=1:10000 --method bounds --out points
run ../hundred-thousand-jobs.json
plan ../hundred-thousand-jobs.json
COMMANDS
}

# "12.3 | 20.1": wall and CPU seconds of a command, or why there are none.
seconds_of() {  # PROGRAM COMMAND
  local status=0 wall user system
  rm -rf "$work/empty"
  mkdir "$work/empty"
  # The commands are ours, so that they are read as a shell reads them.
  { TIMEFORMAT='%R %U %S'
    time (cd "$work/empty" && eval "timeout --kill-after=10 $longest_s \"\$1\" $2 --quiet" >stdout 2>stderr)
  } 2>"$work/time" || status=$?
  read -r wall user system < <(tail -n 1 "$work/time")
  case $status in
    # Code 4: less precise than asked; 3: no plan.
    0 | 3 | 4) awk "BEGIN { printf \"%.2f | %.2f\", $wall, $user + $system }" ;;
    2 | 64) echo "refused | " ;;
    124 | 137) awk "BEGIN { printf \"above $longest_s | above %.0f\", $user + $system }" ;;
    *) echo "failed ($status) | " ;;
  esac
}

version() { "$1" version | head -n 1; }

{
  cat <<TEXT
$heading

Written by \`scripts/time-answers.sh\`: wall and CPU seconds of each command, once and by itself, stopped at $longest_s s (refused: an option or scenario that the former build did not know), on $(nproc) cores of
$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1). Before: $(version "$before"). After: $(version "$after"). Scenarios with \`..\` stand in \`bench/scenarios/\`.

| wall before | CPU before | wall after | CPU after | asked |
|---:|---:|---:|---:|---|
TEXT
  commands | { grep -E -- "$words" || true; } | while IFS= read -r command; do
    echo "saturn $command" >&2
    echo "| $(seconds_of "$before" "$command") | $(seconds_of "$after" "$command") | \`saturn ${command//|/\\|}\` |"
  done
} | tee "$work/section"

[[ $page != - ]] || exit 0
{ sed "/^$heading\$/,\$d" "$page"; cat "$work/section"; } > "$work/page"
cp "$work/page" "$page"
echo "wrote $page" >&2
