#!/usr/bin/env bash
# Builds the packages that can be built on this machine and tries each: the tarball unpacked, the DEB installed in a clean
# Debian 12, an image from each recipe of containers (as root, with debootstrap; no registry of images is needed), and the
# recipe of Spack where spack is there.
# Usage: scripts/test-packages.sh [BUILD_DIR]     default build/release; DEBIAN_MIRROR names a mirror in place of debootstrap's own
# Says at the end what was tried and what was passed over. Ends with 1 if anything that was tried failed.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
root=$PWD
tried=()
passed_over=()
work=$(mktemp -d)
chroot_dir=$work/bookworm
leave() {
  mountpoint -q "$chroot_dir/proc" && umount "$chroot_dir/proc"
  rm -rf --one-file-system "$work"
}
trap leave EXIT

# What a user does first: an answer, a new scenario that is sound, and a page of the manual.
# Usage: try_program COMMAND... that runs saturn
try_program() {
  "$@" version
  "$@" plan mm1 --method bounds >/dev/null
  "$@" run mm1 --set /run/brief=true --quiet >/dev/null
  "$@" new --model tagger --quiet >/dev/null
}

cmake --build "$build" --target saturn >&2
packages=$work/packages
(cd "$build" && cpack -G "DEB;TGZ" -B "$packages" >&2)
deb=$(echo "$packages"/*.deb)
tarball=$(echo "$packages"/*.tar.gz)
ls -l "$deb" "$tarball" >&2

# The tarball.
mkdir "$work/unpacked"
tar -xzf "$tarball" -C "$work/unpacked" --strip-components 1
try_program "$work/unpacked/bin/saturn"
share=$work/unpacked/share
grep -q '^\.TH' "$share/man/man1/saturn.1"
bash -c "source '$share/bash-completion/completions/saturn' && complete -p saturn" >/dev/null
grep -q compdef "$share/zsh/vendor-completions/_saturn"
grep -q 'complete' "$share/fish/vendor_completions.d/saturn.fish"
"$work/unpacked/bin/saturn" check "$share/saturn/scenarios/first-steps.json" >/dev/null
tried+=("tarball: unpacked, run, manual page and completions")

# The DEB, in a Debian that has nothing else.
if [[ $(id -u) != 0 ]] || ! command -v debootstrap >/dev/null; then
  passed_over+=("DEB in a clean Debian 12: needs root and debootstrap")
else
  debootstrap --variant=minbase bookworm "$chroot_dir" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$work/debootstrap.log" 2>&1 ||
    { tail -5 "$work/debootstrap.log" >&2; exit 1; }
  cp /etc/apt/apt.conf.d/* "$chroot_dir/etc/apt/apt.conf.d/" 2>/dev/null || true
  rm -f "$chroot_dir"/etc/apt/apt.conf.d/*packagekit "$chroot_dir"/etc/apt/apt.conf.d/*appstream
  tar -C "$chroot_dir" -cf "$work/clean.tar" .
  cp "$deb" "$chroot_dir/tmp/"
  mount -t proc proc "$chroot_dir/proc" 2>/dev/null || passed_over+=("/proc inside the chroot: not allowed here")
  inside() { chroot "$chroot_dir" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
  inside apt-get -q update >"$work/apt.log" 2>&1
  inside apt-get -q -y --no-install-recommends install "/tmp/$(basename "$deb")" >>"$work/apt.log" 2>&1 ||
    { tail -20 "$work/apt.log" >&2; exit 1; }
  try_program inside saturn
  inside test -e /usr/share/bash-completion/completions/saturn
  inside saturn check /usr/share/saturn/scenarios/first-steps.json >/dev/null
  inside apt-get -q -y remove saturn-planner >>"$work/apt.log" 2>&1
  if inside test -e /usr/bin/saturn; then echo "The removed package left its program behind." >&2; exit 1; fi
  tried+=("DEB: installed in a clean bookworm, run, removed; depends on $(dpkg-deb -f "$deb" Depends)")
fi

# Recipes.
engine=$(command -v podman || command -v docker || true)
if [[ -n $engine ]] && "$engine" info >/dev/null 2>&1; then
  "$engine" build -q -t saturn-test -f packaging/Containerfile . >&2
  try_program "$engine" run --rm saturn-test
  tried+=("Containerfile, with $(basename "$engine")")
elif command -v buildah >/dev/null && [[ -e $work/clean.tar ]]; then
  # Needs neither a daemon nor a registry: the Debian of above is the base, and all images are gone afterwards.
  images() { buildah --root "$work/images" --runroot "$work/images-run" --storage-driver vfs "$@"; }
  base=$(images from scratch)
  images add -q "$base" "$work/clean.tar" / >&2
  images commit -q --rm "$base" docker.io/library/debian:bookworm >&2
  images bud --isolation chroot --pull-never -t saturn-test -f packaging/Containerfile . >"$work/image.log" 2>&1 ||
    { tail -20 "$work/image.log" >&2; exit 1; }
  made=$(images from --pull-never localhost/saturn-test)
  try_program images run --isolation chroot "$made" -- saturn
  tried+=("Containerfile, with buildah on the clean Debian 12")
else
  passed_over+=("Containerfile: no container engine runs here, and no buildah with debootstrap")
fi
# Runs a command with the folder $1 as the root of everything and with all capabilities over it, which a chroot does not give:
# Apptainer refuses to work without. The mounts end with the command.
with_root() {
  local pipes pid
  pipes=$(mktemp -d -p "$work")
  mkfifo "$pipes/ready" "$pipes/go"
  # shellcheck disable=SC2016  # expanded inside
  unshare --user --mount --propagation private bash -ec '
    echo >"$1/ready"; read -r _ <"$1/go"; cd "$2"; shift 2
    mount --bind . . && cd "$PWD"
    for shared in proc dev sys; do mount --rbind /$shared $shared; done
    mkdir -p .former; pivot_root . .former; umount -l /.former
    exec /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"' inside "$pipes" "$@" &
  pid=$!
  read -r _ <"$pipes/ready"
  echo "0 0 65536" >"/proc/$pid/uid_map"
  echo "0 0 65536" >"/proc/$pid/gid_map"
  echo >"$pipes/go"
  wait "$pid"
}
if command -v apptainer >/dev/null; then
  apptainer build "$work/saturn.sif" packaging/saturn.def >&2
  try_program apptainer run "$work/saturn.sif"
  tried+=("Apptainer definition")
elif [[ -e $work/clean.tar ]] && unshare --user --mount true 2>/dev/null; then
  # Debian 12 has no Apptainer, Debian's unstable suite has: a root of that, and the clean Debian 12 as the base of the image.
  unstable=$work/unstable
  debootstrap --variant=minbase --include=apptainer,ca-certificates sid "$unstable" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} \
    >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log" >&2; exit 1; }
  cp /etc/hosts /etc/resolv.conf "$unstable/etc/"
  mkdir "$unstable/base" "$unstable/checkout"
  tar -C "$unstable/base" -xf "$work/clean.tar" --exclude './dev/*'
  git ls-files -z --cached --others --exclude-standard | tar -cf - --null -T - | tar -C "$unstable/checkout" -xf -
  sed -i 's/^Bootstrap: docker/Bootstrap: localimage/; s/^From: debian:bookworm/From: \/base/' "$unstable/checkout/packaging/saturn.def"
  with_root "$unstable" sh -c 'cd /checkout && apptainer build /saturn.sif packaging/saturn.def' >"$work/image.log" 2>&1 ||
    { tail -20 "$work/image.log" >&2; exit 1; }
  try_program with_root "$unstable" apptainer run /saturn.sif
  with_root "$unstable" apptainer test /saturn.sif >/dev/null 2>&1
  tried+=("Apptainer definition, with $(with_root "$unstable" apptainer --version) on the clean Debian 12")
else
  passed_over+=("Apptainer definition: no apptainer, and no root with debootstrap and name spaces of its own")
fi
# Spack builds saturn alone: the libraries are Debian's.
external() { echo "  $1: {buildable: false, externals: [{spec: $1@$2, prefix: ${3:-/usr}}]}"; }
debian_s() { external "$1" "$(dpkg-query -W -f '${Version}' "$2" | sed 's/^[0-9]*://; s/[+~-].*//')"; }
write_scope() {
  echo "repos: [$root/packaging/spack]" >"$1/repos.yaml"
  printf 'config:\n  install_tree: {root: %s}\n  build_stage: [%s]\n' "$work/installed" "$work/stage" >"$1/config.yaml"
  {
    echo "packages:"
    local pair program
    for pair in boost:libboost-dev cli11:libcli11-dev eigen:libeigen3-dev expat:libexpat1-dev fmt:libfmt-dev \
      muparser:libmuparser-dev nlohmann-json:nlohmann-json3-dev openssl:libssl-dev protobuf:libprotobuf-dev \
      random123:librandom123-dev simgrid:libsimgrid-dev sqlite:libsqlite3-dev cmake:cmake ninja:ninja-build pkgconf:pkgconf; do
      debian_s "${pair%:*}" "${pair#*:}"
    done
    for program in node npm; do
      external "${program/#node/node-js}" "$("$program" --version | tr -d v)" "$(realpath "$(dirname "$(command -v "$program")")/..")"
    done
  } >"$1/packages.yaml"
}
recipe=packaging/spack/packages/saturn-planner/package.py
if command -v spack >/dev/null && command -v dpkg-query >/dev/null && command -v npm >/dev/null; then
  mkdir "$work/scope"
  write_scope "$work/scope"
  PYTHONDONTWRITEBYTECODE=1 spack -C "$work/scope" install --no-cache saturn-planner >"$work/spack.log" 2>&1 ||
    { tail -20 "$work/spack.log" >&2; exit 1; }
  try_program "$(find "$work/installed" -path '*/saturn-planner*/bin/saturn')"
  tried+=("Spack recipe, with Debian's libraries")
else
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe"
  passed_over+=("Spack recipe: no spack, or no npm; its syntax alone was read")
fi

printf 'tried: %s\n' "${tried[@]}"
printf 'passed over: %s\n' "${passed_over[@]}"
