#!/usr/bin/env bash
# Writes again what the documents take from the program: the output blocks of README.md, docs/scenario-reference.md,
# docs/measures.md and docs/validation.md (half a minute of simulations).
# Usage: scripts/refresh-docs.sh [SATURN]      (default: build/release/sim/cli/saturn)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=${1:-build/release/sim/cli/saturn}
if [[ ! -x $program ]]; then echo "usage: scripts/refresh-docs.sh [SATURN]; $program is no program" >&2; exit 64; fi
saturn=$(realpath -- "$program")

"$saturn" schema --reference > docs/scenario-reference.md
"$saturn" schema --measures > docs/measures.md

# A block that begins with a comment "output of the program" holds one command after "$ " and what it prints.
refresh() {
  local document=$1 line command in_block=no marked=no
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $in_block == yes ]]; then
      if [[ $line == '```' ]]; then in_block=no; printf '%s\n' "$line"; fi
      continue
    fi
    printf '%s\n' "$line"
    if [[ $line == '<!-- output of the program -->' ]]; then marked=yes; continue; fi
    if [[ $marked == yes && $line == '$ saturn '* ]]; then
      command=${line#'$ saturn '}
      # The documents are ours, so their commands are run as a shell reads them.
      eval "NO_COLOR=1 '$saturn' $command" 2>/dev/null
      in_block=yes
      marked=no
    fi
  done < "$document"
}
refresh README.md > README.md.new
mv README.md.new README.md

# Ends here with 3 if an error has left the band that its case states; the page is written all the same.
"$saturn" validate --all --quiet --summary --write docs/validation.md --force >/dev/null
