#!/usr/bin/env bash
# Counts the house at a commit: lines, files, types, files a folder, headers with one user, and what a change touches.
# usage: scripts/count-house.sh [COMMIT] [WHAT=COMMIT ...]
#   COMMIT       which state is counted; HEAD unless told
#   WHAT=COMMIT  files that a demonstration touches, such as number=1a2b3c4 for the commit that adds a number of a run
# Run at two commits it gives before and after.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

commit=HEAD
if [[ $# -gt 0 && $1 != *=* ]]; then
  commit=$1
  shift
fi
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git archive "$commit" | tar -x -C "$tree"

code() {  # the C++ files below folders, sorted
  (cd "$tree" && find "$@" \( -name '*.cpp' -o -name '*.hpp' \) 2>/dev/null | LC_ALL=C sort)
}
product() { code models scenarios calibration sim reports; }
lines() { (cd "$tree" && xargs -r cat | wc -l); }
lengths() { product | (cd "$tree" && xargs -n 500 wc -l) | grep -v ' total$'; }
row() { printf '%-58s %8s\n' "$1" "$2"; }

row "commit" "$(git rev-parse --short "$commit")"
row "product: lines" "$(product | lines)"
row "product: files" "$(product | wc -l)"
row "product: lines a file" "$(($(product | lines) / $(product | wc -l)))"
row "product: files below 80 lines" "$(lengths | awk '$1 < 80' | wc -l)"
row "product: the longest file" "$(lengths | sort -nr | sed -n '1s/^ *\([0-9]*\) .*/\1/p')"
row "product: types" "$(product | (cd "$tree" && xargs grep -hE '^ *(struct|class|enum class|enum|union) [A-Z][A-Za-z0-9_]*( final)?( :[^;]*)? \{' | wc -l))"
row "tests: lines" "$(code tests | lines)"
row "tests: files" "$(code tests | wc -l)"

# A header is for what two others use: besides its own .cpp, files that include it.
row "product: headers with at most one other user" "$(
  (cd "$tree" && grep -rHE '^#include "' --include='*.cpp' --include='*.hpp' --include='*.in' \
    models scenarios calibration sim reports tests bench cmake) |
    awk -F'"' -v headers="$(product | grep '\.hpp$')" '
      {
        user = $1; sub(/:.*/, "", user)
        own = $2; sub(/\.hpp$/, ".cpp", own)
        if (user != own && !((user, $2) in seen)) { seen[user, $2] = 1; users[$2]++ }
      }
      END {
        n = split(headers, all, "\n")
        for (i = 1; i <= n; i++) if (users[all[i]] < 2) few++
        print few + 0
      }')"

echo "files a folder, the fullest:"
product | sed 's|/[^/]*$||' | sort | uniq -c | sort -k1,1nr -k2 | head -8 |
  while read -r files folder; do row "  $folder" "$files"; done

for demonstration in "$@"; do
  row "files touched to add a ${demonstration%%=*}" \
    "$(git show --stat --format= --name-only "${demonstration#*=}" | grep -c .)"
  row "  of these, product files" \
    "$(git show --format= --name-only "${demonstration#*=}" | grep -cE '^(models|scenarios|calibration|sim|reports)/.*\.(cpp|hpp|json)$' || true)"
done
