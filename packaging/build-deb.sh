#!/usr/bin/env bash
# Builds the DEB in a Debian 12 that has nothing else, for the recipes of containers beside this file.
# Usage, as root at the top of the sources: packaging/build-deb.sh FOLDER
set -euo pipefail
packages=$(realpath -m "${1:?a folder for the package}")
apt-get update
apt-get install -y --no-install-recommends dpkg-dev file npm nodejs ca-certificates
source scripts/packages.sh
scripts/install-packages.sh "${build_packages[@]}"
cmake --preset release -DSATURN_TESTS=OFF -DSATURN_BENCH=OFF
cmake --build build/release --target saturn
cd build/release
cpack -G DEB -B "$packages"
