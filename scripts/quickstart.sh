#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds saturn, and plans the ProtoDUNE scenario.
# Usage: scripts/quickstart.sh [--no-install]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install=yes
for argument in "$@"; do
  case "$argument" in
    --no-install) install=no ;;
    *) echo "usage: scripts/quickstart.sh [--no-install]" >&2; exit 64 ;;
  esac
done

if [[ $install == yes ]]; then
  scripts/install-packages.sh "${build_packages[@]}"
fi
cmake --preset release -DSATURN_TESTS=OFF -DSATURN_BENCH=OFF >&2
cmake --build --preset release --parallel "$(parallel_jobs)" >&2
echo >&2
exec build/release/sim/cli/saturn plan protodune-big-batch
