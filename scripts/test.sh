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

log_of_install=$(mktemp)
counts=$(mktemp)
trap 'rm -f "$log_of_install" "$counts"' EXIT
installing=
case "${1:-}" in
  '') scripts/install-packages.sh "${build_packages[@]}" "${test_packages[@]}"
      # npm is hundreds of small packages, and a browser is a big one: they come while the compiler works.
      scripts/install-packages.sh "${report_packages[@]}" "${browser_packages[@]}" >"$log_of_install" 2>&1 &
      installing=$! ;;
  --no-install) ;;
  *) echo "usage: scripts/test.sh [--no-install]" >&2; exit 64 ;;
esac
jobs=$(parallel_jobs)

echo "== format"
scripts/check-format.sh
echo; echo "== build under sanitizers"
cmake --preset asan >/dev/null
cmake --build --preset asan --parallel "$jobs"
if [[ -n $installing ]]; then
  wait "$installing" || { cat "$log_of_install"; exit 1; }
  cmake --build --preset asan --parallel "$jobs" # takes the bundles that npm can bring now
fi
echo; echo "== tests under sanitizers"
ctest --preset asan --parallel "$jobs" --no-tests=error
echo; echo "== release: build of the program"
cmake --preset release -DSATURN_TESTS=ON -DSATURN_BENCH=ON >/dev/null
cmake --build --preset release --parallel "$jobs" --target saturn-count
# Counts what a noisy machine does not change, on the core that builds and tests leave idle now and then.
node scripts/count-instructions.mjs >"$counts" 2>&1 &
counting=$!
cmake --build --preset release --parallel "$jobs" --target saturn page_samples cli_tests house_tests
echo; echo "== release: no simulated request costs more instructions than recorded"
wait "$counting" || { cat "$counts"; exit 1; }
cat "$counts"
echo; echo "== release: the whole program, the commands of README and docs, and pages in a browser"
ctest --preset release --parallel "$jobs" --label-regex 'web|program' --no-tests=error
