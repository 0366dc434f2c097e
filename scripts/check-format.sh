#!/usr/bin/env bash
# Fails when a C++ file is not formatted as .clang-format says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
find models scenarios calibration sim reports tests bench \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
  sort -z | xargs -0 clang-format --dry-run --Werror
echo "formatted"
