#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds under the address and undefined-behaviour sanitizers, and runs
# the tests; then, of a release build, those of the whole program, the commands of README and docs, the pages in a
# browser, and what a simulated request costs. The longest tests of theory and of properties, Slurm, packages, published
# measurements and lint are in scripts/test-all.sh.
# Usage: scripts/test.sh [--no-install]
#   --no-install  take the machine as it is
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

case "${1:-}" in
  '') scripts/install-packages.sh "${build_packages[@]}" "${report_packages[@]}" "${browser_packages[@]}" \
        "${test_packages[@]}" ;;
  --no-install) ;;
  *) echo "usage: scripts/test.sh [--no-install]" >&2; exit 64 ;;
esac
jobs=$(parallel_jobs)

echo "== format"
scripts/check-format.sh
echo; echo "== build under sanitizers"
cmake --preset asan >/dev/null
cmake --build --preset asan --parallel "$jobs"
echo; echo "== tests under sanitizers"
ctest --preset asan --parallel "$jobs" --no-tests=error
echo; echo "== release: build of the program"
cmake --preset release -DSATURN_TESTS=ON -DSATURN_BENCH=ON >/dev/null
cmake --build --preset release --parallel "$jobs" --target saturn-count
# Counts what a noisy machine does not change, on the core that builds and tests leave idle now and then.
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
node scripts/count-instructions.mjs >"$counts" 2>&1 &
counting=$!
cmake --build --preset release --parallel "$jobs" --target saturn page_samples cli_tests house_tests
echo; echo "== release: no simulated request costs more instructions than recorded"
wait "$counting" || { cat "$counts"; exit 1; }
cat "$counts"
echo; echo "== release: the whole program, the commands of README and docs, and pages in a browser"
ctest --preset release --parallel "$jobs" --label-regex 'web|program' --no-tests=error
