#!/usr/bin/env bash
# Writes the reports of shipped scenarios into a folder: one pool of jobs, two sites, events that arrive from outside.
# Usage: write_shipped_pages.sh SATURN FOLDER
set -euo pipefail
saturn=$1
folder=$2
mkdir -p "$folder"
for scenario in protodune-big-batch two-sites hlt-farm; do
  # 4: the short budget has cut something, which the page says.
  "$saturn" report "$scenario" --budget '8 s' --out "$folder/$scenario.html" --force --quiet || [[ $? == 4 ]]
done
