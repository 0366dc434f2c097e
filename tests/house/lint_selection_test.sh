#!/usr/bin/env bash
# Which files scripts/check-lint.sh lints, and that it fails on those that it does not: in a small tree, with a
# clang-tidy that only writes down what it is given. Usage: lint_selection_test.sh SOURCE_FOLDER
set -euo pipefail
source_folder=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
mkdir -p bin scripts build/tidy models scenarios calibration sim reports
cp "$source_folder"/scripts/{check-lint.sh,packages.sh} scripts/
echo 'Checks: "*"' > .clang-tidy

echo > models/base.hpp
echo '#include "models/base.hpp"' > models/middle.hpp
echo '#include "models/middle.hpp"' > models/far.cpp
echo '#include "models/base.hpp"' > sim/near.cpp
echo > reports/alone.cpp
write_commands() {
  local separator='['
  for file in "$@"; do
    printf '%s\n{\n  "directory": "%s",\n  "command": "c++ -DX=\\"1\\" -I%s -o %s.o -c %s",\n  "file": "%s"\n}' \
      "$separator" "$tree" "$tree" "$file" "$tree/$file" "$tree/$file"
    separator=,
  done > build/tidy/compile_commands.json
  echo ']' >> build/tidy/compile_commands.json
}
write_commands models/far.cpp sim/near.cpp reports/alone.cpp
cat > bin/clang-tidy <<'EOF'
#!/usr/bin/env bash
unity=${!#}
files=$(cut -d'"' -f2 "$unity")
if [[ -n ${COLLIDE:-} ]] && (( $(wc -l <<<"$files") > 1 )); then echo "redefinition [clang-diagnostic-error]"; exit 1; fi
echo "$files" >> linted
if [[ -n ${BAD:-} ]] && grep -qxF "$BAD" <<<"$files"; then echo "a finding in $BAD"; exit 1; fi
EOF
chmod +x bin/clang-tidy
export PATH="$tree/bin:$PATH"

fail() { echo "FAILED: $*" >&2; exit 1; }
# expect_linted STATUS FILES...: a call ends so, and has given these files to clang-tidy.
expect_linted() {
  local status=0 wanted=$1
  shift
  rm -f linted
  scripts/check-lint.sh build/tidy > output 2>&1 || status=$?
  [[ $status == "$wanted" ]] || fail "exit $status instead of $wanted: $(cat output)"
  [[ $( (cat linted 2>/dev/null || true) | sort | tr '\n' ' ') == "$( (( $# == 0 )) || printf '%s ' "$@" )" ]] ||
    fail "linted $(tr '\n' ' ' < linted), expected $*"
}

# Everything once, and nothing of what was clean.
expect_linted 0 models/far.cpp reports/alone.cpp sim/near.cpp
expect_linted 0
# A file that changed; a header's includers, direct and indirect, and nothing else.
echo '// changed' >> reports/alone.cpp
expect_linted 0 reports/alone.cpp
echo '// changed' >> models/base.hpp
expect_linted 0 models/far.cpp sim/near.cpp
echo '// changed' >> models/middle.hpp
expect_linted 0 models/far.cpp
# What was clean once is clean again; other flags and other rules are another matter.
sed -i '$d' models/middle.hpp
expect_linted 0
sed -i 's/-DX/-DY/' build/tidy/compile_commands.json
expect_linted 0 models/far.cpp reports/alone.cpp sim/near.cpp
echo '# changed' >> .clang-tidy
expect_linted 0 models/far.cpp reports/alone.cpp sim/near.cpp
# A finding fails, this time and the next.
echo '// changed' >> sim/near.cpp
export BAD=sim/near.cpp
expect_linted 1 sim/near.cpp
expect_linted 1 sim/near.cpp
unset BAD
# Files that do not compile together are linted one by one.
echo '// changed' >> models/base.hpp
echo '// changed' >> reports/alone.cpp
export COLLIDE=yes
expect_linted 0 models/far.cpp reports/alone.cpp sim/near.cpp
unset COLLIDE
# What there is no time for is a failure that names it, and is linted by the next call.
echo '// changed' >> models/middle.hpp
export LINT_SECONDS=0
expect_linted 1
if ! grep -q 'not linted' output || ! grep -q 'models/far.cpp' output; then fail "skipped files are not named: $(cat output)"; fi
unset LINT_SECONDS
expect_linted 0 models/far.cpp
# Since a revision: what has changed, and one file that sees a changed header; everything where the rules have changed.
git init -q . && printf '/build\n/bin\n/linted\n/output\n' > .gitignore
commit() { git add -A && git -c user.name=nobody -c user.email=nobody@example.org commit -q -m "$1"; }
commit first
rm -rf build/lint-clean
export LINT_SINCE=HEAD
expect_linted 0
echo '// changed' >> models/middle.hpp
commit second
LINT_SINCE=HEAD~1 expect_linted 0 models/far.cpp
echo '// changed' >> models/base.hpp
commit header
LINT_SINCE=HEAD~1 expect_linted 0 models/far.cpp
echo '// changed' >> models/base.hpp
echo '// changed' >> sim/near.cpp
commit both
LINT_SINCE=HEAD~1 expect_linted 0 sim/near.cpp
echo '# changed' >> .clang-tidy
commit third
rm -rf build/lint-clean
LINT_SINCE=HEAD~1 expect_linted 0 models/far.cpp reports/alone.cpp sim/near.cpp
unset LINT_SINCE
# A file that nothing compiles cannot be linted.
echo > scenarios/forgotten.cpp
expect_linted 1
grep -q 'scenarios/forgotten.cpp' output || fail "a file without a target is not named: $(cat output)"
echo "which files are linted: as expected"
