#!/usr/bin/env bash
# Runs the tests that draw their cases with a fresh seed each time, where the test suite draws the same cases every time.
# Usage: scripts/soak-properties.sh BUILD [SECONDS]
#   BUILD    a folder with the built tests, as build/release
#   SECONDS  after which no further round begins (600)
# Prints each file with a property that does not hold, and the seed that shows it; then fails.
set -euo pipefail
build=$(realpath "${1:?usage: scripts/soak-properties.sh BUILD [SECONDS]}")
seconds=${2:-600}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

found=$(mktemp)
trap 'rm -f "$found"' EXIT
failures=0
rounds=0
while (( rounds == 0 || SECONDS < seconds )); do
  while read -r file; do
    folder=$(dirname "$file")
    for program in $(find "$build/$folder" -maxdepth 1 -type f -executable); do
      seed=$(od -An -N7 -tu8 /dev/urandom | tr -d ' ')
      grep -qa "$(basename "$file")" "$program" || continue
      if ! RC_PARAMS="seed=$seed" timeout 900 "$program" --source-file="*/$file" >"$found" 2>&1; then
        failures=$((failures + 1))
        echo "$file: RC_PARAMS=\"seed=$seed\" $program --source-file='*/$file'"
        grep -a -A 400 "Falsifiable" "$found" | cut -c1-400 | head -n 120 || tail -n 5 "$found"
      fi
    done
  done < <(grep -rlE 'rc::(check|prop)' tests --include='*_test.cpp' | sort)
  rounds=$((rounds + 1))
done
echo "$rounds rounds, $failures failures"
(( failures == 0 ))
