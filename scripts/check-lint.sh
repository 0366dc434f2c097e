#!/usr/bin/env bash
# Runs clang-tidy over the project's .cpp files, with the compile commands of a build folder (preset tidy: one file each).
# Usage: scripts/check-lint.sh BUILD_FOLDER [FILE...]
# Without files it takes all but those that it found clean before in this clone, unless they, a header that they include
# directly or indirectly, their compile flags or the rules have changed since; in a fresh clone that is every file.
# It fails when there are findings, and when a file is left over: LINT_SECONDS limits the time in which batches begin.
# LINT_SINCE=REVISION leaves out what that revision had already, which is taken to be clean, where the rules and the way of
# compiling are the same: it takes the files that have changed, and of those that reach a changed header as few as see all.
# Most of clang-tidy's time goes into the headers of libraries, so that the files of one library are taken together.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

build_folder=${1:?usage: scripts/check-lint.sh BUILD_FOLDER [FILE...]}
shift
folders=(models scenarios calibration sim reports)
largest_batch=48
clean_folder=build/lint-clean
work=build/lint-work-$$  # of this call, so that several may run at once
trap 'rm -rf "$work"' EXIT
mkdir -p "$clean_folder" "$work/reached"
# clang 14 knows coroutines only under their former name. Files that are taken together shadow each other's names.
export LINT_ARGUMENTS="--quiet --extra-arg=-fcoroutines-ts --extra-arg=-D__cpp_impl_coroutine=201902L \
--extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-experimental-coroutine --extra-arg=-Wno-shadow"

# Headers are linted through the files that include them; tests keep to their own, looser habits.
files=("$@")
if [[ ${#files[@]} -eq 0 ]]; then mapfile -t files < <(find "${folders[@]}" -name '*.cpp' | sort); fi
printf '%s\n' "${files[@]}" > "$work/files"

# What each file is compiled with: "file <tab> command", its own name taken out. GCC's precompiled headers mean nothing
# to clang. Some sources are compiled into tests too: the first command counts.
awk -v root="$PWD/" '
  /^ *"command": / { sub(/^ *"command": "/, ""); sub(/",?$/, ""); command = $0 }
  /^ *"file": / {
    sub(/^ *"file": "/, ""); sub(/",?$/, "")
    if (index($0, root) != 1 || seen[$0]++) next
    sub(/ -Winvalid-pch -include [^ ]*cmake_pch\.hxx/, "", command)
    sub(/ -o [^ ]+ -c .*/, "", command)
    print substr($0, length(root) + 1) "\t" command
  }' "$build_folder/compile_commands.json" > "$work/commands"

# Writes for each file what its findings can depend on: the rules, its command, and the digests of what it reaches.
find "${folders[@]}" \( -name '*.cpp' -o -name '*.hpp' -o -name '*.proto' \) -print0 | xargs -0 sha256sum > "$work/digests"
rules=$(sha256sum < .clang-tidy)
find "${folders[@]}" \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 grep -H '^#include "' > "$work/includes" || true
awk -v rules="$rules" -v into="$work/reached/" '
  function reach(file,   i, n, list) {
    if (reached[file]++) return
    print digest[file], file > out
    n = split(includes[file], list, "\n")
    for (i = 1; i < n; ++i) reach(list[i])
  }
  FILENAME ~ /\/digests$/ { digest[$2] = $1; next }
  FILENAME ~ /\/commands$/ { tab = index($0, "\t"); command[substr($0, 1, tab - 1)] = substr($0, tab + 1); next }
  FILENAME ~ /\/includes$/ {
    colon = index($0, ":")
    file = substr($0, 1, colon - 1)
    split(substr($0, colon + 1), quoted, "\"")
    name = quoted[2]
    if (sub(/\.pb\.h$/, ".proto", name) && !(name in digest)) next
    if (name in digest) includes[file] = includes[file] name "\n"
    next
  }
  {
    out = into sprintf("%06d", FNR)
    print rules > out
    print command[$0] > out
    delete reached
    reach($0)
    close(out)
  }' "$work/digests" "$work/commands" "$work/includes" "$work/files"

# "mark <tab> file <tab> command" of what is not known to be clean.
(cd "$work/reached" && find . -type f | sort | xargs sha256sum) | cut -c1-32 > "$work/marks"
awk -F'\t' -v list="$work/commands" 'FILENAME == list { command[$1] = $2; next } { print $1 "\t" $2 "\t" command[$2] }' \
  "$work/commands" <(paste "$work/marks" "$work/files") |
  while IFS=$'\t' read -r mark file command; do
    [[ -e $clean_folder/$mark ]] || printf '%s\t%s\t%s\n' "$mark" "$file" "$command"
  done > "$work/todo"
if [[ -n ${LINT_SINCE:-} ]] &&
   git diff --quiet "$LINT_SINCE" HEAD -- .clang-tidy cmake CMakeLists.txt CMakePresets.json scripts/check-lint.sh; then
  git diff --name-only "$LINT_SINCE" HEAD > "$work/changed"
  # What a file reaches is in the file of its number, itself first, after the rules and the command.
  (cd "$work/reached" && awk -v list=../changed '
    BEGIN { while ((getline name < list) > 0) changed[name] }
    FNR == 1 { ++files }
    FNR == 3 { itself = $2 in changed; if (itself) due[files] }
    FNR >= 3 && $2 in changed { if (itself) seen[$2]; else sees[files] = sees[files] $2 "\n" }
    END {
      for (file = 1; file <= files; ++file) {
        n = split(sees[file], names, "\n")
        for (i = 1; i < n; ++i) if (!(names[i] in seen)) { due[file]; seen[names[i]] }
        if (file in due) print file
      }
    }' [0-9]*) > "$work/due"
  awk -v list="$work/due" 'BEGIN { while ((getline number < list) > 0) due[number] }
    FNR in due' "$work/files" > "$work/due-files"
  awk -F'\t' -v list="$work/due-files" 'BEGIN { while ((getline file < list) > 0) due[file] } $2 in due' \
    "$work/todo" > "$work/todo-since"
  mv "$work/todo-since" "$work/todo"
fi
todo=$(wc -l < "$work/todo")
if grep -qE $'\t$' "$work/todo"; then
  echo "not compiled by any target of $build_folder, so not linted: $(grep -E $'\t$' "$work/todo" | cut -f2 | tr '\n' ' ')" >&2
  exit 1
fi

jobs=$(parallel_jobs)
size=$(( (todo + 2 * jobs - 1) / (2 * jobs) ))
if (( size > largest_batch )); then size=$largest_batch; fi
# A batch: files of one library, whose names do not hide each other, that share a command; with their marks.
awk -F'\t' -v work="$work" -v size="$size" '
  { split($2, part, "/")
    library = $3 "\t" (part[1] == "sim" ? part[1] "/" part[2] : part[1])
    if (!(library in of)) of[library] = ++groups
    group = of[library]
    if (count[group]++ % size == 0) {
      current[group] = folder = work "/" sprintf("batch-%04d", ++batches)
      system("mkdir -p " folder)
      print $3 > (folder "/command"); close(folder "/command")
    }
    print $1 "\t" $2 >> (current[group] "/files"); close(current[group] "/files") }' "$work/todo"

# lint_batch FOLDER: one .cpp file that includes those of the batch. Where they do not compile together, as names may
# hide each other, each half by itself.
lint_batch() {
  local folder=$1 count half
  count=$(wc -l < "$folder/files")
  cut -f2 "$folder/files" | sed -E 's|.*|#include "&"  // NOLINT|' > "$folder/batch.cpp"
  printf '[{ "directory": "%s", "command": "%s -c %s", "file": "%s" }]\n' "$PWD" "$(cat "$folder/command")" \
    "$PWD/$folder/batch.cpp" "$PWD/$folder/batch.cpp" > "$folder/compile_commands.json"
  # shellcheck disable=SC2086
  if clang-tidy $LINT_ARGUMENTS -p "$folder" "$folder/batch.cpp" > "$folder/findings" 2>&1; then
    cut -f1 "$folder/files" | (cd "$LINT_CLEAN" && xargs touch)
  elif (( count > 1 )) && grep -qF '[clang-diagnostic-error]' "$folder/findings"; then
    echo "these do not compile together, so that they are linted apart: $(grep -m 1 -F '[clang-diagnostic-error]' "$folder/findings")"
    for half in 1 2; do
      mkdir "$folder/$half"
      cp "$folder/command" "$folder/$half/command"
    done
    head -n $(( count / 2 )) "$folder/files" > "$folder/1/files"
    tail -n +$(( count / 2 + 1 )) "$folder/files" > "$folder/2/files"
    lint_batch "$folder/1"
    lint_batch "$folder/2"
  else
    cat "$folder/findings"
    touch "$folder/failed"
  fi
}
export -f lint_batch

export LINT_END=$(( $(date +%s) + ${LINT_SECONDS:-86400} )) LINT_CLEAN=$clean_folder
# shellcheck disable=SC2016
find "$work" -name 'batch-*' -type d | sort | xargs -r -n 1 -P "$jobs" bash -c '
  set -euo pipefail
  if (( $(date +%s) >= LINT_END )); then exit 0; fi
  touch "$0/begun"
  lint_batch "$0"'
skipped=$(find "$work" -name 'batch-*' -type d | while IFS= read -r batch; do
  [[ -e $batch/begun ]] || cut -f2 "$batch/files"
done)
left=$(grep -c . <<<"$skipped" || true)
echo "linted: ${#files[@]} files, $(( todo - left )) of them now"
if (( left > 0 )); then
  echo "not linted, since the time for it (LINT_SECONDS=${LINT_SECONDS:-}) was over: $left files" >&2
  head -n 20 <<<"$skipped" >&2
  echo "what was found clean is remembered: call again, or allow more time" >&2
  exit 1
fi
if find "$work" -name failed | grep -q .; then exit 1; fi
