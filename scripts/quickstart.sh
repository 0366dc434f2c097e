#!/usr/bin/env bash
# On a fresh Debian 12: installs what is missing, builds saturn, and plans the ProtoDUNE scenario.
# Usage: scripts/quickstart.sh [--no-install] [--reports]
#   --no-install  take the machine as it is
#   --reports     install what draws figures as well, and write a report that a browser opens
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

install=yes
reports=no
for argument in "$@"; do
  case "$argument" in
    --no-install) install=no ;;
    --reports) reports=yes ;;
    *) echo "usage: scripts/quickstart.sh [--no-install] [--reports]" >&2; exit 64 ;;
  esac
done

if [[ $install == yes ]]; then
  packages=("${build_packages[@]}")
  if [[ $reports == yes ]]; then packages+=("${report_packages[@]}"); fi
  scripts/install-packages.sh "${packages[@]}"
fi
cmake --preset release -DSATURN_TESTS=OFF -DSATURN_BENCH=OFF >&2
cmake --build --preset release --parallel "$(parallel_jobs)" >&2
echo >&2
build/release/sim/cli/saturn plan protodune-big-batch
if [[ $reports == yes ]]; then
  echo >&2
  build/release/sim/cli/saturn report protodune-big-batch --out build/protodune.html --force
  echo "The same with figures: $PWD/build/protodune.html" >&2
fi
