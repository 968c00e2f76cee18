#!/usr/bin/env bash
# Finds or fetches mcplumb and runs it, or with the argument setup puts it on the
# PATH of the job. Called by action.yml and setup/action.yml with bash on Linux,
# macOS (bash 3.2) and Windows (Git for Windows); the inputs are in the
# environment, and only the program reads them, except binary-path and fail-on.
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

# stop MESSAGE: fails the step, for an input that is wrong. No message holds text
# of the repository.
stop() {
  leave error 2 "$1"
}

# give_up MESSAGE: ends the step without a program, as the program ends it when
# it could not check everything: fail-on never makes that a warning.
give_up() {
  if [ "${INPUT_FAIL_ON:-}" = never ]; then leave warning 3 "$1"; fi
  leave error 3 "$1"
}

# leave COMMAND CODE MESSAGE: prints the reason, sets the output, and ends the step.
leave() {
  echo "::$1 title=mcplumb::$3"
  if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "exit-code=$2" >>"$GITHUB_OUTPUT"; fi
  if [ "$1" = warning ]; then exit 0; fi
  exit "$2"
}

# find_program sets $program.
find_program() {
  if [ -n "${INPUT_BINARY_PATH:-}" ]; then
    program=$INPUT_BINARY_PATH
    # A bare name is a file here, not a program on PATH.
    case "$program" in
      */* | *\\*) ;;
      *) program=./$program ;;
    esac
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
    give_up "there is no released mcplumb for $platform in this version of the action, and no Go to build it: set binary-path, or run actions/setup-go first"
  fi
}

# build compiles the source that this action came with. The token is not for that.
build() {
  program=${RUNNER_TEMP:-/tmp}/mcplumb-build/mcplumb
  if [ "${RUNNER_OS:-}" = Windows ]; then program=$program.exe; fi
  if ! (cd "$source" && unset INPUT_TOKEN && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$program" ./cmd/mcplumb); then
    give_up "mcplumb could not be built from source: the log says why"
  fi
}

# choose_asset sets $platform, and $asset, $checksum, and $version to those of
# the release; $asset is empty if there is no release for the platform.
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

# fetch takes the release from the tool cache, or downloads it and puts it there.
# Either way the program runs only if it has the checksum in this action's commit, and
# from a directory of this step, because other steps may write to the tool cache.
fetch() {
  local cache=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/mcplumb/$version/${platform#*_}
  local file=mcplumb
  case "$asset" in *.zip) file=mcplumb.exe ;; esac
  own=$(mktemp -d "${RUNNER_TEMP:-/tmp}/mcplumb.XXXXXX")
  trap 'rm -rf "$own"' EXIT
  program=$own/$file
  if cp "$cache/$file" "$program" 2>/dev/null && verify "$program" 2>/dev/null; then
    return
  fi
  # Names without a directory: tar would take C: for a machine.
  if ! (cd "$own" && download && unpack "$file" && verify "$file"); then
    give_up "mcplumb $version could not be fetched: the log says why. On a runner without github.com set binary-path"
  fi
  rm "$own/$asset"
  # Another job may put it there at the same time, and may run it already.
  if ! { mkdir -p "$cache" && cp "$program" "$cache/$file.${own##*.}" && mv -f "$cache/$file.${own##*.}" "$cache/$file"; } 2>/dev/null; then
    rm -f "$cache/$file.${own##*.}"
    echo "mcplumb could not be put into the tool cache, so the next step downloads it again"
  fi
}

download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --proto '=https' --retry 3 --max-time 300 \
      --output "$asset" "$releases/v$version/$asset"
  elif command -v wget >/dev/null; then
    wget -q -T 300 -O "$asset" "$releases/v$version/$asset"
  else
    echo "curl or wget is missing, to download $asset" >&2
    return 1
  fi
}

# verify FILE: holds a program to the checksum in this action's commit.
verify() {
  local actual
  if [ ! -f "$1" ] || [ -L "$1" ]; then
    echo "no program in $asset" >&2
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

# put_on_path puts the program into a directory that the next steps of the job look in.
put_on_path() {
  local bin file=mcplumb
  case "$program" in *.exe) file=mcplumb.exe ;; esac
  bin=$(mktemp -d "${RUNNER_TEMP:-/tmp}/mcplumb-bin.XXXXXX")
  cp "$program" "$bin/$file"
  echo "$bin" >>"$GITHUB_PATH"
  "$bin/$file" --version
}

find_program
if [ "${1:-}" = setup ]; then put_on_path; else "$program" action; fi
