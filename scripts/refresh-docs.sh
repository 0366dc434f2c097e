#!/usr/bin/env bash
# Writes again what the documents take from the program: the output blocks of README.md and
# docs/models/validation.md, and docs/scenario-reference.md.
# Usage: scripts/refresh-docs.sh [SATURN]      (default: build/release/sim/cli/saturn)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
saturn=$(realpath "${1:-build/release/sim/cli/saturn}")

"$saturn" schema --reference > docs/scenario-reference.md

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
    # The same without showing the command: what the documents' tests would take too long to run again.
    if [[ $line == '<!-- renewed by scripts/refresh-docs.sh: saturn '* ]]; then
      command=${line#'<!-- renewed by scripts/refresh-docs.sh: saturn '}
      IFS= read -r line && printf '%s\n' "$line"
      eval "NO_COLOR=1 '$saturn' ${command%' -->'}" 2>/dev/null
      in_block=yes
      continue
    fi
    if [[ $marked == yes && $line == '$ saturn '* ]]; then
      command=${line#'$ saturn '}
      # The documents are ours, so their commands are run as a shell reads them.
      eval "NO_COLOR=1 '$saturn' $command" 2>/dev/null
      in_block=yes
      marked=no
    fi
  done < "$document"
}
for document in README.md docs/models/validation.md; do
  refresh "$document" > "$document.new"
  mv "$document.new" "$document"
done
