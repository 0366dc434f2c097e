#!/usr/bin/env bash
# Runs clang-tidy over the project's .cpp files, with the compile commands of a build folder (preset tidy: one file each).
# Usage: scripts/check-lint.sh BUILD_FOLDER [FILE...]
# Without files it takes all but those that were found clean before and have not changed since, nor any header.
# LINT_SECONDS limits its time: what is not begun by then is counted, and left to the next call.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

build_folder=${1:?usage: scripts/check-lint.sh BUILD_FOLDER [FILE...]}
shift
# GCC's precompiled headers of the tests mean nothing to clang; some sources are compiled into tests too.
commands_folder=build/lint-commands
mkdir -p "$commands_folder"
sed -E 's# -Winvalid-pch -include [^ ]*cmake_pch\.hxx##g' "$build_folder/compile_commands.json" \
  > "$commands_folder/compile_commands.json"
# clang 14 knows coroutines only under their former name.
arguments=(--quiet -p "$commands_folder" --extra-arg=-fcoroutines-ts --extra-arg=-D__cpp_impl_coroutine=201902L
           --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-experimental-coroutine)

clean_folder=build/lint-clean
mkdir -p "$clean_folder"
headers=$(find models scenarios calibration sim reports bench .clang-tidy \( -name '*.hpp' -o -name .clang-tidy \) -print0 |
  sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)

files=("$@")
if [[ ${#files[@]} -eq 0 ]]; then
  # Headers are linted through the files that include them; tests keep to their own, looser habits. What differs from
  # the last commit goes first.
  changed=$(git diff --name-only HEAD -- '*.cpp' 2>/dev/null || true)
  mapfile -t files < <(
    { grep -E '^(models|scenarios|calibration|sim|reports)/' <<<"$changed" || true
      find models scenarios calibration sim reports -name '*.cpp' | sort; } |
      awk '!seen[$0]++' | while IFS= read -r file; do if [[ -e $file ]]; then echo "$file"; fi; done)
fi
todo=()
for file in "${files[@]}"; do
  mark="$clean_folder/$headers-$(sha256sum "$file" | cut -c1-32)"
  [[ -e $mark ]] || todo+=("$file" "$mark")
done

left_list=$(mktemp)
trap 'rm -f "$left_list"' EXIT
if [[ ${#todo[@]} -gt 0 ]]; then
  export LINT_ARGUMENTS="${arguments[*]}" LINT_LEFT=$left_list
  export LINT_END=$(( $(date +%s) + ${LINT_SECONDS:-86400} ))
  # shellcheck disable=SC2016
  printf '%s\0' "${todo[@]}" | xargs -0 -n 2 -P "$(parallel_jobs)" bash -c '
    if (( $(date +%s) > LINT_END )); then echo "$0" >> "$LINT_LEFT"; exit 0; fi
    output=$(clang-tidy $LINT_ARGUMENTS "$0" 2>&1) || { echo "$output"; exit 1; }
    : > "$1"'
fi
left=$(wc -l < "$left_list")
echo "linted: ${#files[@]} files, $(( ${#todo[@]} / 2 - left )) of them now"
if (( left > 0 )); then echo "not linted, since the time for it was over: $left files; the next call goes on"; fi
