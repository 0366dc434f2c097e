#!/usr/bin/env bash
# Without npm, or where npm fails, a build goes on with the project's own files alone and says what is missing; as soon as
# npm is there, the next build takes the bundles without cleaning.
# Usage: without_npm_test.sh CMAKE REPORTS_WEB; SATURN_NODE_MODULES: packages of the right versions
set -euo pipefail
cmake=$1
source_folder=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/programs" "$folder/out"

fail() { echo "failed: $*"; echo "$said"; exit 1; }
build() {
  said=$(PATH="$folder/programs" "$cmake" -DSOURCE="$source_folder" -DOUT="$folder/out" -DWANTED="$1" \
    -P "$source_folder/packing/make_web_files.cmake" 2>&1) || fail "the build stopped"
  [[ -s $folder/out/web_files.cpp ]] || fail "no table was written"
}
says() { [[ $said == *"$1"* ]] || fail "it does not say \"$1\""; }
holds() { grep -q "\"$1\"" "$folder/out/web_files.cpp" || fail "$1 is missing"; }
lacks() { if grep -q "\"$1\"" "$folder/out/web_files.cpp"; then fail "$1 is there"; fi; }

build ON
says "npm or node is not on the PATH. Install them (Debian: apt install nodejs npm) and build again."
says "Everything else works; -DSATURN_WEB=OFF does without figures and without this message."
holds render.mjs
lacks vega.min.js

build OFF
[[ -z $said ]] || fail "it speaks of what nobody wants"

# Stand-ins: first as without a network, then with packages that are here already.
PATH_TO_SHELL=$(command -v bash)
cat > "$folder/programs/npm" <<NPM
#!$PATH_TO_SHELL
echo "npm error network getaddrinfo EAI_AGAIN" >&2
exit 1
NPM
chmod +x "$folder/programs/npm"
ln -s "$(command -v node || command -v true)" "$folder/programs/node"
build ON
says "\`npm ci\` failed (1):"
says "npm error network getaddrinfo EAI_AGAIN"
says "It needs a connection to an npm registry; then build again."
lacks vega.min.js

if [[ ! -d ${SATURN_NODE_MODULES:?} ]] || ! command -v node >/dev/null; then
  echo "skipped: what happens when npm comes needs packages (Debian: apt install nodejs npm)"
  exit 77
fi
cat > "$folder/programs/npm" <<NPM
#!$PATH_TO_SHELL
$(command -v ln) -s "$SATURN_NODE_MODULES" node_modules
NPM
build ON
says "npm brings the bundles"
for file in render.mjs vega.min.js vega-lite.min.js vega-embed.min.js bundle-licences.txt; do holds "$file"; done
cp -p "$folder/out/web_files.cpp" "$folder/before.cpp"
rm "$folder/programs/npm"
build ON
[[ -z $said ]] || fail "it speaks when nothing is missing"
[[ ! $folder/out/web_files.cpp -nt $folder/before.cpp ]] || fail "the table was written anew for nothing"

build OFF
lacks vega.min.js
echo "as it should be"
