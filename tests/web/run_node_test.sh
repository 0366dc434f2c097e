#!/usr/bin/env bash
# Runs a test that is written in JavaScript; SATURN_NODE_MODULES says where its packages are.
# Usage: run_node_test.sh SCRIPT [ARGUMENT...]; exit code 77 (skipped) without node
set -euo pipefail
if ! command -v node >/dev/null || [[ ! -d ${SATURN_NODE_MODULES:?} ]]; then
  echo "skipped: node or its packages are not there (Debian: apt install nodejs npm)"
  exit 77
fi
exec node "$@"
