#!/usr/bin/env bash
# Keeps what the program writes for every shipped scenario, and compares it with what another build writes:
# a rebuild of the house changes no byte of it.
# Usage: scripts/compare-outputs.sh keep|compare FOLDER [SATURN] [WORDS]   (default program: build/release/sim/cli/saturn)
#   keep     fills FOLDER, which must not exist
#   compare  fills FOLDER.now and prints what differs; ends with 1 where anything does
#   WORDS    only cases whose name matches this regular expression, such as '^run' or 'plan.*protodune'
# Simulations are brief (/run/brief), so that all takes minutes; the version's commit is left out of what is compared.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mode=${1:-}
[[ $mode == keep || $mode == compare ]] && [[ -n ${2:-} ]] || { sed -n '2,9s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 64; }
kept=$(realpath -m "$2")
saturn_program=$(realpath "${3:-$root/build/release/sim/cli/saturn}")
words=${4:-.}
export root saturn_program

# name | arguments; each is run in an empty folder with the results of the other formats beside it.
cases() {
  local name
  for name in $(cd "$root/scenarios/library" && basename -s .json -- *.json); do
    echo "check-$name|check $name --out out"
    echo "run-$name|run $name --set /run/brief=true --out out"
    echo "plan-$name|plan $name --set /run/brief=true --out out"
    echo "compare-$name|compare $name --set /run/brief=true --set-b /run/cycles=40 --out out"
    echo "report-$name|report $name --set /run/brief=true --set /run/max_replications=3 --budget 10min --out page.html --figures csv"
  done
  echo "validate-all|validate --all --out out"
  echo "explain|run protodune-big-batch --set /run/brief=true --explain --out out"
  echo "alternatives|compare protodune-big-batch --alternatives --set /run/brief=true --out out"
  echo "sensitivity|plan protodune-big-batch --sensitivity --set /run/brief=true --out out"
  echo "falsify|plan protodune-big-batch --falsify --set /run/brief=true --out out"
  echo "free|plan protodune-big-batch --gpus 1:8 --free /jobs/0/event/2/request_batch=1719:27500:x2 --objective cost --set /run/brief=true --out out"
  echo "require|plan protodune-big-batch --require 'latency_p99<=2s' --require 'throughput>=1/s' --set /run/brief=true --out out"
  echo "schema|schema"
  echo "examples|examples"
  echo "sweep|sweep protodune-big-batch --set /run/brief=true --axis /jobs/0/count=100:300:100 --axis /jobs/0/event/2/request_batch=5500,55000 --out out"
  echo "sweep-plans|sweep protodune-big-batch --set /run/brief=true --answer plan --axis /jobs/0/event/2/request_batch=5500,55000 --out out"
  echo "sweep-arrivals|sweep hlt-farm --set /run/brief=true --axis /run/seed=1,2 --out out"
}

one() {
  local name=${1%%|*} arguments=${1#*|} status=0
  mkdir -p "$target/$name"
  cd "$target/$name"
  ln -s "$root/calibration" calibration
  eval "NO_COLOR=1 \"$saturn_program\" $arguments --quiet" >stdout 2>stderr || status=$?
  echo "$status" >exit_code
  rm -f calibration page.html out/sweep.lock
  # The commit that a build is made of, and where it lies.
  find . -type f -exec sed -i -E 's/(saturn [0-9.]+ )\([0-9a-z+-]+\)/\1(commit)/; s/("(version|commit|git)": ")[^"]*"/\1"/' {} +
}
export -f one

target=$kept
if [[ $mode == compare ]]; then
  target=$kept.now
  rm -rf "$target"
elif [[ -e $kept ]]; then
  echo "$kept exists" >&2
  exit 64
fi
mkdir -p "$target"
export target
cases | grep -E -- "$words" | tr '\n' '\0' | xargs -0 -P "$(nproc)" -I{} bash -c 'one "$1"' one {}
if [[ $mode == compare ]]; then
  status=0
  for folder in "$target"/*/; do diff -r "$kept/$(basename "$folder")" "$folder" || status=1; done
  [[ $status == 0 ]] && echo "all $(find "$target" -mindepth 1 -maxdepth 1 | wc -l) cases as they were kept"
  exit $status
fi
