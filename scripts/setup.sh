# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What ./quickstart and ./test share: sourced by them, after `set -euo pipefail`, from the root of the tree.
# Every package has its line in docs/dependencies.md, which tests/repo/check_dependencies.sh compares with this list.

# package | command that shows it is there, or - to ask dpkg | why. From the Debian archive.
PACKAGES='
g++             | g++        | compiles the generator and, on demand, the router models
make            | make       | runs the Makefile of an emitted bundle
cmake           | cmake      | configures the build
ninja-build     | ninja      | runs the build
ccache          | ccache     | makes repeated builds quick
clang-format    | clang-format | compares the C++ with .clang-format, in the tests
clang-tidy      | clang-tidy | looks for faults in the C++, for scripts/tidy.sh
pkg-config      | pkg-config | finds libraries that bring no CMake file
verilator       | verilator  | turns the RTL into the models that are simulated, and lints it
yosys           | yosys      | synthesizes the RTL, for hopwise synth, the engine lanes, and in the tests
opensta         | sta        | time and power of synthesized routers
qflow-tech-osu018 | -        | standard cells of 180 nm, for hopwise synth
qflow-tech-osu035 | -        | standard cells of 350 nm, for hopwise synth
nextpnr-ice40   | nextpnr-ice40 | places and routes small routers on an iCE40, for their clock
z3              | z3         | solves the proofs of the RTL that yosys-smtbmc poses
python3         | python3    | compares the ports of modules before and after synthesis, in the tests
python3-yaml    | -          | reads the FuseSoC cores of bundles, in the tests
iverilog        | iverilog   | simulates what Yosys writes back, with unknown values
dpkg-dev        | dpkg-shlibdeps | finds what the Debian package of Hopwise depends on
libsystemc-dev  | -          | SystemC and TLM-2.0 test benches
libyaml-cpp-dev | -          | reads network descriptions
libcli11-dev    | -          | reads the command line
libfmt-dev      | -          | formats messages and emitted text
nlohmann-json3-dev | -       | reads and writes results, certificates and manifests
libboost-graph-dev | -       | graph algorithms of the deadlock proof
libboost-dev    | -          | HTTP of the live page of campaigns (Boost.Beast)
zlib1g-dev      | -          | compresses waveforms
libeigen3-dev   | -          | linear algebra of the training of DQN-Routing
libonnx-dev     | -          | reads and writes perceptrons in the ONNX format
libprotobuf-dev | -          | what the headers of libonnx-dev include
libgtest-dev    | -          | C++ tests
nodejs          | node       | joins the report page, checks results in the tests; version 18 or later
npm             | npm        | fetches the plot libraries of the report page
'

# package | command, as above | why | label of the tests that need it: only ./test --label and --full install them.
LABEL_PACKAGES='
slurm-wlm       | slurmctld  | runs campaigns as job arrays, in the tests of the label slurm | slurm
munge           | munge      | proves to Slurm who a user is | slurm
libopenmpi-dev  | -          | builds the library of hopwise --mpi | mpi
openmpi-bin     | mpirun     | mpirun, which starts its processes | mpi
mkdocs          | mkdocs     | makes the documentation site | site
mkdocs-material | -          | how that site looks | site
chromium        | chromium   | looks at pages as a reader does, in the tests | site
'

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }
die() {
  printf '\n%s: %s\n' "$(basename "$0")" "$1" >&2
  shift
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit 1
}
[ -t 2 ] || say() { printf '==> %s\n' "$*" >&2; }

# read_arguments TEXT ARGUMENTS...: understands --no-install and --help; sets INSTALL.
INSTALL=yes
read_arguments() {
  local text=$1
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --no-install) INSTALL=no ;;
      -h|--help) printf '%s\n' "$text"; exit 0 ;;
      *) printf '%s\n' "$text" >&2; die "unknown argument: $1" ;;
    esac
    shift
  done
}

# Node 18 or later from anywhere will do.
node_is_recent() {
  local version
  version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge 18 ] 2>/dev/null
}

is_there() {  # package, command
  case $1 in
    nodejs) node_is_recent ;;
    *)
      if [ "$2" != - ]; then
        command -v "$2" > /dev/null 2>&1
      else
        dpkg -s "$1" 2>/dev/null | grep -q '^Status: install ok installed'
      fi ;;
  esac
}

# need_packages LABEL: install_packages installs those of the label, or with `full` of all labels, as well.
need_packages() {
  local package command why label
  while IFS='|' read -r package command why label; do
    label=${label// /}
    [ -n "$label" ] && { [ "$1" = full ] || [ "$1" = "$label" ]; } || continue
    PACKAGES+="$package|$command|$why"$'\n'
  done <<< "$LABEL_PACKAGES"
}

missing_packages() {  # prints "package | why", one per line
  local package command why
  while IFS='|' read -r package command why; do
    package=${package// /} command=${command// /}
    [ -n "$package" ] || continue
    is_there "$package" "$command" || printf '%s |%s\n' "$package" "$why"
  done <<< "$PACKAGES"
}

install_packages() {
  local missing names admin=()
  command -v dpkg > /dev/null 2>&1 ||
    die "this is not Debian or a relative of it: dpkg is missing" \
        "Install the packages of docs/dependencies.md in your system's way, build with CMake as README.md says."
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  names=$(cut -d'|' -f1 <<< "$missing" | tr -d ' ' | tr '\n' ' ')
  if [ "$INSTALL" = no ]; then
    printf '%s\n' "$missing" >&2
    die "packages are missing, and --no-install forbids to install them" "apt-get install $names"
  fi
  if node --version > /dev/null 2>&1 && ! node_is_recent; then
    say "node $(node --version) is too old for the report: Debian's nodejs comes beside it; put /usr/bin first in PATH"
  fi
  say "Installing from the Debian archive:"
  sed 's/^/      /' <<< "$missing" >&2
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null 2>&1 ||
      die "installing needs root, and there is no sudo" "As root: apt-get install $names" "then run this again."
    sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; } ||
      die "installing needs root, and sudo does not let you" "As root: apt-get install $names" "then run this again."
    admin=(sudo)
  fi
  admin+=(env DEBIAN_FRONTEND=noninteractive)
  "${admin[@]}" apt-get -q update >&2 ||
    die "apt-get update failed" "Is there a network, and are the sources in /etc/apt right?"
  # shellcheck disable=SC2086
  "${admin[@]}" apt-get -q install -y --no-install-recommends $names >&2 ||
    die "apt-get could not install: $names" "Its messages above say why; without a network, install them beforehand."
  hash -r
  missing=$(missing_packages)
  [ -z "$missing" ] || die "still missing after the installation:" "$missing"
}

# The plot libraries of the report, exactly as package-lock.json has them; fetched again only when that changes.
install_node_modules() {
  local web=sim/report/web
  cmp -s $web/package-lock.json $web/node_modules/.installed-lock && return 0
  if [ "$INSTALL" = no ]; then
    [ -e $web/node_modules/vega/package.json ] && return 0
    die "the plot libraries are missing, and --no-install forbids to fetch them" "(cd $web && npm ci)"
  fi
  say "Fetching the plot libraries of the report (npm ci in $web)"
  (cd $web && npm ci --no-audit --no-fund --loglevel=error) >&2 ||
    die "npm ci failed in $web" "Is there a network? npm's messages above say more."
  cp $web/package-lock.json $web/node_modules/.installed-lock
}

# One compiler job per core and per GB of free memory.
build_jobs() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo "$cores")
  [ "$gigabytes" -ge 1 ] || gigabytes=1
  echo $((cores < gigabytes ? cores : gigabytes))
}

# build WITH_TESTS TARGET...: configures where needed and builds into build/. A tree that has its tests keeps them.
build() {
  local tests=$1
  shift
  if [ ! -e build/build.ninja ] || { [ "$tests" = ON ] && ! grep -q '^BUILD_TESTING:BOOL=ON' build/CMakeCache.txt; }; then
    say "Configuring (CMake, RelWithDebInfo)"
    command -v ccache > /dev/null 2>&1 || say "ccache is not there: repeated builds take longer"
    cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_TESTING="$tests" > build.log 2>&1 ||
      { cat build.log >&2; rm -f build.log; die "CMake could not configure the build: see above"; }
    rm -f build.log
  fi
  say "Building with $(build_jobs) jobs"
  ninja -C build -j "$(build_jobs)" "$@" >&2 || die "the build failed: see above"
}

prepare() {
  install_packages
  install_node_modules
}
