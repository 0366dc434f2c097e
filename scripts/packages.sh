# The Debian 12 packages that the project needs, sourced by the other scripts.
# shellcheck shell=bash disable=SC2034
build_packages=(g++ cmake ninja-build pkg-config git libsimgrid-dev nlohmann-json3-dev libeigen3-dev libcli11-dev
                libboost-dev librandom123-dev libssl-dev libsqlite3-dev libprotobuf-dev protobuf-compiler
                libmuparser-dev libexpat1-dev libfmt-dev)
# What draws figures: npm brings Vega when saturn is built, the others turn figures into files. Where node or npm are there
# already, perhaps from elsewhere, Debian's would take their place.
report_packages=(librsvg2-bin fonts-liberation)
if ! command -v node >/dev/null; then report_packages+=(nodejs ca-certificates); fi
if ! command -v npm >/dev/null; then report_packages+=(npm); fi
# What the tests of a report's page run in.
browser_packages=(chromium)
test_packages=(doctest-dev librapidcheck-dev libbenchmark-dev valgrind clang-format clang libclang-rt-dev lld)
# What scripts/check-lint.sh needs beside them.
lint_packages=(clang-tidy)
# What scripts/test-slurm.sh and run-local.sh need.
slurm_packages=(slurm-wlm munge parallel)

# Compilers of a unity build take up to 1.6 GB each, so memory may allow fewer of them than there are cores.
parallel_jobs() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/MemAvailable/ { print int($2 / 1600000) }' /proc/meminfo)
  if (( gigabytes < 1 )); then gigabytes=1; fi
  if (( gigabytes < cores )); then echo "$gigabytes"; else echo "$cores"; fi
}
