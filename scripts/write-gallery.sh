#!/usr/bin/env bash
# Writes a gallery: a report with its figures for each line of scripts/gallery-families.txt, and a README.md that shows them.
# Usage: scripts/write-gallery.sh FOLDER [SATURN]      (default: build/release/sim/cli/saturn; some 10 minutes)
#        scripts/write-gallery.sh --docs [SATURN]      writes docs/figures/ and docs/gallery.md again
#        scripts/write-gallery.sh --check [SATURN]     fails where specifications or rows in docs/figures/ are not what
#                                                      the program writes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
into=${1:?usage: scripts/write-gallery.sh FOLDER|--docs|--check [SATURN]}
saturn_program=$(realpath "${2:-build/release/sim/cli/saturn}")
root=$PWD
families=$root/scripts/gallery-families.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

saturn() { NO_COLOR=1 "$saturn_program" "$@"; }

# report NAME COMMANDS KINDS: in a folder of its own, which holds NAME.html and NAME-figures/ then.
report() {
  local name=$1 commands=$2 kinds=$3 failed=0 budget="--budget '10 min'"
  mkdir "$work/$name"
  ln -s "$root/calibration" "$work/$name/calibration"
  # Enough time, so that no report depends on the clock; what was prepared by another command simulates nothing.
  if [[ $commands == *' ; '* ]]; then budget=; fi
  # The file is ours, so its commands are run as a shell reads them.
  (cd "$work/$name" && eval "$commands --out $name.html --figures $kinds --quiet $budget") >"$work/$name.txt" 2>&1 || failed=$?
  # 4: some numbers are less precise than asked, which the page says.
  if (( failed != 0 && failed != 4 )); then
    { echo "$name: $commands"; cat "$work/$name.txt"; } >&2
    exit 1
  fi
}

# each_family VISIT: VISIT NAME COMMANDS for each line.
each_family() {
  while IFS='|' read -r name _ _ commands; do
    if [[ -n $name && $name != '#'* ]]; then "$1" "$name" "$commands"; fi
  done < "$families"
}

case $into in
  --docs | --check)
    # SVG needs node and the bundles; rows and specifications, which are compared, do not.
    kinds=svg
    if [[ $into == --check ]]; then kinds=csv; fi
    of_the_docs() { case $1 in protodune | sweep) report "$1" "$2" "$kinds" ;; esac; }
    each_family of_the_docs
    status=0
    for specification in docs/figures/*.vl.json; do
      figure=$(basename "$specification" .vl.json)
      # Some figures both reports have.
      written=$(find "$work/protodune" "$work/sweep" -path "*-figures/$figure.vl.json" -print -quit)
      for ending in vl.json csv svg; do
        if [[ $into == --docs ]]; then
          cp "${written%.vl.json}.$ending" docs/figures/
        elif [[ $ending != svg ]]; then
          diff --brief "docs/figures/$figure.$ending" "${written%.vl.json}.$ending" || status=1
        fi
      done
    done
    if [[ $into == --docs ]]; then node scripts/gallery-page.mjs --docs docs/figures > docs/gallery.md; fi
    if [[ $status != 0 ]]; then echo "docs/figures is not what the program writes: scripts/write-gallery.sh --docs" >&2; fi
    exit $status
    ;;
  *)
    mkdir -p "$into"
    of_the_gallery() {
      report "$1" "$2" svg
      rm -rf "${into:?}/$1.html" "$into/$1-figures"
      mv "$work/$1/$1.html" "$work/$1/$1-figures" "$into/"
    }
    each_family of_the_gallery
    node scripts/gallery-page.mjs "$into" "$families" > "$into/README.md"
    echo "$into/README.md shows $(find "$into" -name '*.svg' | wc -l) figures"
    ;;
esac
