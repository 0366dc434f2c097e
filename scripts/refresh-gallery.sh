#!/usr/bin/env bash
# Writes reports/gallery/ and docs/gallery.md again: one report for each line of reports/gallery/families.txt.
# Usage: scripts/refresh-gallery.sh [--check] [SATURN]      (default: build/release/sim/cli/saturn)
#   --check  writes nothing; fails where specifications or rows differ from those that lie there
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
check=no
if [[ ${1:-} == --check ]]; then check=yes; shift; fi
saturn_program=$(realpath "${1:-build/release/sim/cli/saturn}")
root=$PWD
gallery=$root/reports/gallery
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

saturn() { NO_COLOR=1 "$saturn_program" "$@"; }

# SVG and pages need node and the bundles; rows and specifications, which are compared, do not.
kinds=svg
if [[ $check == yes ]]; then kinds=csv; fi
while IFS='|' read -r name heading sentence commands; do
  [[ -z $name || $name == '#'* ]] && continue
  failed=0
  mkdir "$work/$name"
  ln -s "$root/calibration" "$work/$name/calibration"
  # Enough time, so that no report depends on the clock; what was prepared by another command simulates nothing.
  budget="--budget '10 min'"
  if [[ $commands == *' ; '* ]]; then budget=; fi
  # The file is ours, so its commands are run as a shell reads them.
  (cd "$work/$name" && eval "$commands --out $name.html --figures $kinds --quiet $budget") >"$work/$name.txt" 2>&1 || failed=$?
  # 4: some numbers are less precise than asked, which the page says.
  if (( failed != 0 && failed != 4 )); then
    { echo "$heading ($sentence): $commands"; cat "$work/$name.txt"; } >&2
    exit 1
  fi
done < "$gallery/families.txt"

if [[ $check == yes ]]; then
  status=0
  for page in "$work"/*/*.html; do
    folder=${page%.html}-figures
    diff --brief "$folder" "$gallery/${folder##*/}" --exclude='*.svg' || status=1
  done
  if [[ $status != 0 ]]; then echo "the gallery is not what the program writes: scripts/refresh-gallery.sh" >&2; fi
  exit $status
fi
rm -rf "$gallery"/*.html "$gallery"/*-figures
for page in "$work"/*/*.html; do mv "$page" "${page%.html}-figures" "$gallery/"; done
node scripts/gallery-page.mjs "$gallery" "$gallery/families.txt" > docs/gallery.md
