#!/usr/bin/env bash
# What scripts/test.sh leaves out: the tests that are too long for sanitizers, sweeps on a real Slurm, the figures of the
# documents, the published measurements, packages, and all of lint. Takes half an hour on two cores.
# Usage: scripts/test-all.sh [--no-install] [--since REVISION]
#   --no-install      take the machine as it is
#   --since REVISION  only the steps whose files differ from that revision's; without, or with an empty one, all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install=yes
since=
while (( $# > 0 )); do
  case "$1" in
    --no-install) install=no ;;
    --since) since=${2?--since takes a revision}; shift ;;
    *) echo "usage: scripts/test-all.sh [--no-install] [--since REVISION]" >&2; exit 64 ;;
  esac
  shift
done
jobs=$(parallel_jobs)
log_folder=build/logs
mkdir -p "$log_folder"
saturn=build/release/sim/cli/saturn

# begins SENTENCE PATHS...: whether a step is due, since something below one of the paths has changed.
begins() {
  local sentence=$1
  shift
  if [[ -n $since ]] && git diff --quiet "$since" HEAD -- "$@"; then
    echo; echo "== not due, nothing has changed: $sentence"
    return 1
  fi
  echo; echo "== $sentence"
}
# logged FILE COMMAND...: the command's output only when it fails, else its last line.
logged() {
  local log=$log_folder/$1.txt
  shift
  "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
  tail -n 1 "$log"
}
product=(CMakeLists.txt CMakePresets.json cmake models scenarios calibration sim reports)

if [[ $install == yes ]]; then
  scripts/install-packages.sh "${build_packages[@]}" "${report_packages[@]}" "${browser_packages[@]}" \
    "${test_packages[@]}" "${lint_packages[@]}" "${slurm_packages[@]}"
fi

if begins "release: build, and the tests that need it" "${product[@]}" tests bench docs README.md; then
  cmake --preset release -DSATURN_TESTS=ON -DSATURN_BENCH=ON >"$log_folder/configure-release.txt"
  cmake --build --preset release --parallel "$jobs" --target saturn release_tests saturn-bench
  ctest --preset release --parallel "$jobs" --label-regex 'release|drawn' --no-tests=error
fi
if begins "release: 95 % intervals hold what theory knows, and searches find what simulating everything finds" \
  models/statistics models/results sim/run sim/engine/recording sim/engine/run_length.cpp sim/engine/run_length.hpp \
  sim/plan/search sim/plan/question tests/engine/coverage_test.cpp tests/engine/known_systems.cpp \
  tests/run/search_against_all_test.cpp tests/plan/search_all.cpp; then
  ctest --preset release --label-regex minutes --no-tests=error
fi
# Slurm mostly waits: for jobs to be seen, killed and given up.
slurm=
if begins "release: sweeps on a real Slurm, beside what follows" sim/sweep sim/run reports/deployment \
  scripts/test-slurm.sh scripts/slurm-local.sh; then
  timeout 1500 scripts/test-slurm.sh "$saturn" >"$log_folder/slurm.txt" 2>&1 &
  slurm=$!
  trap 'kill "$slurm" 2>/dev/null || true' EXIT
fi
if begins "release: the figures of the documents are what the program writes" "${product[@]}" docs/figures scripts; then
  scripts/write-gallery.sh --check "$saturn"
fi
if begins "release: every published row keeps within its band, and docs/validation.md is what the program writes" \
  "${product[@]}" docs/validation.md; then
  logged validation "$saturn" validate --all --quiet --summary --force --write "$log_folder/validation.md"
  diff docs/validation.md "$log_folder/validation.md" || { echo "run scripts/refresh-docs.sh" >&2; exit 1; }
fi
if begins "release: packages, built and tried" "${product[@]}" packaging scripts/test-packages.sh; then
  scripts/test-packages.sh
fi
if begins "lint" "${product[@]}" .clang-tidy scripts/check-lint.sh; then
  # The release build's commands are those of several files at a time.
  cmake --preset tidy >"$log_folder/configure-tidy.txt"
  cmake --build --preset tidy --target saturn_triton_model --parallel "$jobs"
  LINT_SINCE=$since nice scripts/check-lint.sh build/tidy
fi
if [[ -n $slurm ]]; then
  echo; echo "== release: the end of the sweeps on a real Slurm"
  trap - EXIT
  wait "$slurm" || { cat "$log_folder/slurm.txt"; exit 1; }
  tail -n 1 "$log_folder/slurm.txt"
fi
