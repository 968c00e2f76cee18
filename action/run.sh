#!/usr/bin/env bash
# Finds or fetches mcplumb and runs it. Called by action.yml with bash on Linux,
# macOS (bash 3.2) and Windows (Git for Windows); the inputs are in the
# environment, and but for binary-path only the program reads them.
#
# The program is, in this order:
#   1. the input binary-path;
#   2. built from this action's source, if that is a checkout and Go is there;
#   3. the release that checksums.txt names, from the tool cache or downloaded;
#   4. built from this action's source, if Go is there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$here/..
releases=https://github.com/mcplumb/mcplumb/releases/download

# stop MESSAGE: fails the step. No message holds text of the repository.
stop() {
  echo "::error title=mcplumb::$1"
  exit 2
}

# find_program sets $program.
find_program() {
  if [ -n "${INPUT_BINARY_PATH:-}" ]; then
    program=$INPUT_BINARY_PATH
    if [ ! -f "$program" ] || [ ! -x "$program" ]; then
      stop "binary-path names no program on this runner"
    fi
    return
  fi
  if [ -e "$source/.git" ] && command -v go >/dev/null; then
    build
    return
  fi
  choose_asset
  if [ -n "$asset" ]; then
    fetch
  elif command -v go >/dev/null; then
    build
  else
    stop "there is no released mcplumb for $platform in this version of the action, and no Go to build it: set binary-path, or run actions/setup-go first"
  fi
}

# build compiles the source that this action came with.
build() {
  program=${RUNNER_TEMP:-/tmp}/mcplumb-build/mcplumb
  if [ "${RUNNER_OS:-}" = Windows ]; then program=$program.exe; fi
  if ! (cd "$source" && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$program" ./cmd/mcplumb); then
    stop "mcplumb could not be built from source: the log says why"
  fi
}

# choose_asset sets $platform, and $asset, $checksum and $version to those of
# the release; $asset is empty if there is none.
choose_asset() {
  local os arch
  case "${RUNNER_OS:-$(uname -s)}" in
    Linux) os=linux ;;
    macOS | Darwin) os=darwin ;;
    *) os=windows ;;
  esac
  case "${RUNNER_ARCH:-$(uname -m)}" in
    X64 | x86_64 | amd64) arch=amd64 ;;
    ARM64 | arm64 | aarch64) arch=arm64 ;;
    *) arch=${RUNNER_ARCH:-unknown} ;;
  esac
  platform=${os}_$arch
  asset='' checksum='' version=''
  local sum name
  while read -r sum name; do
    case "$name" in
      mcplumb_*_"$platform".tar.gz | mcplumb_*_"$platform".zip)
        asset=$name checksum=$sum version=${name#mcplumb_} version=${version%_"$platform".*}
        ;;
    esac
  done <"$here/checksums.txt"
}

# fetch takes the release from the tool cache, or puts it there. Either way the
# program runs only if it is the one that this action's commit names.
fetch() {
  local cache=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/mcplumb/$version/${platform#*_}
  local file=mcplumb
  case "$asset" in *.zip) file=mcplumb.exe ;; esac
  program=$cache/$file
  if verify "$program" 2>/dev/null; then
    return
  fi
  mkdir -p "$cache"
  local work
  work=$(mktemp -d "$cache/download.XXXXXX")
  # Names without a directory: tar would take C: for a machine.
  if ! (cd "$work" && download && unpack "$file" && verify "$file"); then
    rm -rf "$work"
    stop "mcplumb $version could not be fetched: the log says why. On a runner without github.com set binary-path"
  fi
  # Another job may have been faster, and may run it already.
  mv -f "$work/$file" "$program" || verify "$program" || stop "mcplumb could not be put into the tool cache"
  rm -rf "$work"
}

download() {
  curl --fail --silent --show-error --location --proto '=https' --retry 3 --max-time 300 \
    --output "$asset" "$releases/v$version/$asset"
}

# verify FILE: holds a program to the checksum in this action's commit.
verify() {
  local actual
  if [ ! -f "$1" ] || [ -L "$1" ]; then
    echo "there is no program in $asset" >&2
    return 1
  fi
  if command -v sha256sum >/dev/null; then
    actual=$(sha256sum <"$1")
  else
    actual=$(shasum -a 256 <"$1")
  fi
  if [ "${actual%% *}" != "$checksum" ]; then
    echo "the program in $asset has the SHA-256 ${actual%% *}, expected $checksum" >&2
    return 1
  fi
}

unpack() {
  case "$asset" in
    *.zip) unzip -q "$asset" "$1" ;;
    *) tar -xzf "$asset" "$1" ;;
  esac && chmod +x "$1"
}

find_program
"$program" action
