#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds under the address and undefined-behaviour sanitizers, and runs
# the tests. What takes longer, or needs a release build, a browser or a cluster, is in scripts/test-all.sh.
# Usage: scripts/test.sh [--no-install]
#   --no-install  take the machine as it is
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

case "${1:-}" in
  '') scripts/install-packages.sh "${build_packages[@]}" "${report_packages[@]}" "${test_packages[@]}" ;;
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
