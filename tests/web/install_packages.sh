#!/usr/bin/env bash
# Installs the packages of reports/web, those for tests among them, where they are missing.
# Usage: install_packages.sh REPORTS_WEB FOLDER; exit code 77 (skipped) without npm
set -euo pipefail
source_folder=$1
folder=$2

if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
  echo "skipped: npm or node is not on the PATH (Debian: apt install nodejs npm)"
  exit 77
fi
mkdir -p "$folder"
key=$(cat "$source_folder/package.json" "$source_folder/package-lock.json" | sha256sum)
if [[ -e $folder/key && $(cat "$folder/key") == "$key" ]]; then
  echo "the packages are there"
  exit 0
fi
rm -f "$folder/key"
cp "$source_folder/package.json" "$source_folder/package-lock.json" "$source_folder/.npmrc" "$folder"
cd "$folder"
npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1 --loglevel=error
echo "$key" > key
