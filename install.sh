#!/bin/sh
# Installs mcplumb from its releases on GitHub, once the archive is the one that the
# release's checksums name and, where gh is logged in, was built by the release's own
# workflow. It changes nothing but one file.
#   install.sh [--version X.Y.Z] [--to DIR]    the newest, into ~/.local/bin
set -eu

fail() {
  echo "install.sh: $*" >&2
  exit 1
}
version='' to=${HOME:-}/.local/bin
while [ $# -gt 0 ]; do
  case $1 in
    --version | --to) [ $# -ge 2 ] || fail "$1 needs a value" ;;
    *) fail "usage: install.sh [--version X.Y.Z] [--to DIR]" ;;
  esac
  case $1 in
    --version) version=${2#v} ;;
    --to) to=$2 ;;
  esac
  shift 2
done
case $version in *[!0-9A-Za-z.-]*) fail "$version is not a version" ;; esac

case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "no archive for $(uname -s): use npm, pip, or the .zip of the release" ;;
esac
case $(uname -m) in
  x86_64 | amd64) processor=amd64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "no program for $(uname -m)" ;;
esac

# get URL FILE
if command -v curl >/dev/null; then
  get() { curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"; }
elif command -v wget >/dev/null; then
  get() { wget -q -O "$2" "$1"; }
else
  fail "curl or wget is missing"
fi
if command -v sha256sum >/dev/null; then
  sum() { sha256sum <"$1"; }
elif command -v shasum >/dev/null; then
  sum() { shasum -a 256 <"$1"; }
else
  fail "sha256sum or shasum is missing, so nothing could be verified"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
releases=${MCPLUMB_RELEASES:-https://github.com/mcplumb/mcplumb/releases}
list=$releases/latest/download/checksums.txt
[ -z "$version" ] || list=$releases/download/v$version/checksums.txt
get "$list" "$work/checksums.txt" || fail "cannot download $list"
archive=$(awk -v end="_${system}_$processor.tar.gz" '$2 ~ /^mcplumb_[0-9A-Za-z.-]+_/ && substr($2, length($2) - length(end) + 1) == end {print $2}' "$work/checksums.txt")
wanted=$(awk -v name="$archive" '$2 == name {print $1}' "$work/checksums.txt")
[ "${#wanted}" -eq 64 ] || fail "the checksums of the release name no archive for $system on $processor"
found=${archive#mcplumb_}
found=${found%_"${system}"_*}
[ -z "$version" ] || [ "$version" = "$found" ] || fail "the checksums of $version name $archive"

get "$releases/download/v$found/$archive" "$work/$archive" || fail "cannot download $archive"
got=$(sum "$work/$archive")
[ "${got%% *}" = "$wanted" ] || fail "$archive is not the one that the release names: its SHA-256 is ${got%% *}, not $wanted"
if command -v gh >/dev/null && gh auth status >/dev/null 2>&1; then
  gh attestation verify "$work/$archive" --repo mcplumb/mcplumb >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "no attestation that mcplumb's workflow built $archive"; }
  echo "$archive: its checksum is right, and mcplumb's workflow built it"
else
  echo "$archive: its checksum is right (log in with gh to also verify the workflow that built it)"
fi

tar -xzf "$work/$archive" -C "$work" mcplumb
mkdir -p "$to"
cp "$work/mcplumb" "$to/.mcplumb.$$" # next to it, so that a half-written program never runs
chmod 755 "$to/.mcplumb.$$"
mv "$to/.mcplumb.$$" "$to/mcplumb"
echo "installed: $("$to/mcplumb" version) in $to"
case :$PATH: in *:"$to":*) ;; *) echo "$to is not on PATH" ;; esac
