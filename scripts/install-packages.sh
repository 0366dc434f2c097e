#!/usr/bin/env bash
# Installs what is missing of the Debian 12 packages named on the command line; does nothing when all are there.
set -euo pipefail

missing=()
for package in "$@"; do
  if [[ "$(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null)" != ii* ]]; then
    missing+=("$package")
  fi
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

as_root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing and only root can install them: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

export DEBIAN_FRONTEND=noninteractive
echo "Installing: ${missing[*]}" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends install "${missing[@]}" >&2
