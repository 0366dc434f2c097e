#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds, and runs everything that has to pass.
# Usage: scripts/test.sh [--no-install] [--quick]
#   --no-install  take the machine as it is
#   --quick       the release tests only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install=yes
quick=no
for argument in "$@"; do
  case "$argument" in
    --no-install) install=no ;;
    --quick) quick=yes ;;
    *) echo "usage: scripts/test.sh [--no-install] [--quick]" >&2; exit 64 ;;
  esac
done

if [[ $install == yes ]]; then
  scripts/install-packages.sh "${build_packages[@]}" "${report_packages[@]}" "${browser_packages[@]}" \
    "${test_packages[@]}" "${slurm_packages[@]}"
fi
jobs=$(parallel_jobs)
log_folder=build/logs
mkdir -p "$log_folder"

step() { echo; echo "== $*"; }

if [[ $quick == no ]]; then
  step "format"
  scripts/check-format.sh
fi

step "release: build"
cmake --preset release -DSATURN_TESTS=ON -DSATURN_BENCH=ON >"$log_folder/configure-release.txt"
cmake --build --preset release --parallel "$jobs"

if [[ $quick == no ]]; then
  step "lint"
  # The release build's commands are those of several files at a time.
  cmake --preset tidy >"$log_folder/configure-tidy.txt"
  cmake --build --preset tidy --target saturn_triton_model --parallel "$jobs"
  LINT_SECONDS=${LINT_SECONDS:-900} scripts/check-lint.sh build/tidy

  step "asan: build and tests"
  cmake --preset asan >"$log_folder/configure-asan.txt"
  cmake --build --preset asan --parallel "$jobs"
  ctest --preset asan --parallel "$jobs" --output-on-failure >"$log_folder/ctest-asan.txt" 2>&1 ||
    { cat "$log_folder/ctest-asan.txt"; exit 1; }
  tail -n 4 "$log_folder/ctest-asan.txt"
fi

if [[ $quick == no ]]; then
  step "release: sweeps on a real Slurm"
  timeout 900 scripts/test-slurm.sh build/release/sim/cli/saturn >"$log_folder/slurm.txt" 2>&1 || { cat "$log_folder/slurm.txt"; exit 1; }
  tail -n 1 "$log_folder/slurm.txt"
fi

step "release: tests"
ctest --preset release --parallel "$jobs" --output-on-failure

if [[ $quick == no ]]; then
  step "release: the gallery's specifications and rows are what the program writes"
  scripts/refresh-gallery.sh --check build/release/sim/cli/saturn

  step "release: every published row keeps within its band, and docs/validation.md is what the program writes"
  build/release/sim/cli/saturn validate --all --quiet --summary --force --write "$log_folder/validation.md" \
    >"$log_folder/validation.txt" || { cat "$log_folder/validation.txt"; exit 1; }
  diff docs/validation.md "$log_folder/validation.md" || { echo "run scripts/refresh-docs.sh" >&2; exit 1; }
fi
