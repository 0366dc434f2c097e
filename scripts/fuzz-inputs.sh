#!/usr/bin/env bash
# Reads mutated scenarios and measured files under the address and undefined-behaviour sanitizers, with what `saturn check`
# and `saturn calibrate` answer to them. A crash, a report of a sanitizer, an exception that is no complaint, more than 20 s
# or 4 GB is a finding; its mutant is kept.
# Usage: scripts/fuzz-inputs.sh [SEED [SCENARIOS [MEASURED]]]
#   SEED       makes the same mutants again (default: a new one, printed)
#   SCENARIOS  mutants of the shipped scenarios (20000)
#   MEASURED   mutants of sample files of every kind of measurement (5000)
# Builds build/fuzz; FUZZ_BUILD names another folder, JOBS the compilers at once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/packages.sh

seed=${1:-$(od -An -N6 -tu8 /dev/urandom | tr -d ' ')}
build=${FUZZ_BUILD:-build/fuzz}
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O0 -g1 -DNDEBUG" -DCMAKE_UNITY_BUILD=ON \
  -DSATURN_SANITIZE=ON -DSATURN_BENCH=OFF >"/dev/null"
cmake --build "$build" --target fuzz_inputs --parallel "${JOBS:-$(parallel_jobs)}"
echo "seed $seed"
"$build/tests/fuzz/fuzz_inputs" "$seed" "${2:-20000}" "${3:-5000}" "$build/findings"
