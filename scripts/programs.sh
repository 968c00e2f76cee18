# shellcheck shell=bash
# To be sourced in the root of the repository: where the scripts get the programs
# of others from, each in the version that is written down.

# debian PROGRAM [PACKAGE…]: installs a program of the system that is not there,
# with its package of Debian or Ubuntu. It fails where that cannot be done.
debian() {
  local program=$1 log sudo=
  shift
  if type -P "$program" >/dev/null; then return; fi # not command -v: a function may have the name
  command -v apt-get >/dev/null || return 1
  [ "$(id -u)" -eq 0 ] || sudo="sudo -n"
  log=$(mktemp)
  {
    flock 9 # another script may be at it; what a package starts must not keep the lock
    $sudo apt-get update 9<&-
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${@:-$program}" 9<&-
  } >"$log" 2>&1 </dev/null 9<. || { tail -3 "$log" >&2; rm "$log"; return 1; }
  rm "$log"
}

# go_tool MODULE PACKAGE: compiles a tool of the go.mod in a directory (test/tools)
# into bin/.
go_tool() {
  mkdir -p bin
  GOFLAGS='' go -C "$1" build -o "$PWD/bin/" "$2"
}

# npm_install DIRECTORY: installs the packages that its package.json names, without running
# their scripts. With a lockfile, it installs exactly the locked versions; it does so once, and
# does not look at what happens in node_modules afterwards.
npm_install() {
  local log now lock=$1/package-lock.json installed=$1/node_modules/.installed how=(install --no-package-lock)
  debian npm nodejs npm || return 1
  if [ -f "$lock" ]; then
    now=$(cat "$1/package.json" "$lock"; node --version; uname -sm)
    if [ -f "$installed" ] && [ "$now" = "$(cat "$installed")" ]; then return; fi
    how=(ci)
  fi
  log=$(mktemp)
  npm --prefix "$1" "${how[@]}" --ignore-scripts --no-audit --no-fund >"$log" 2>&1 </dev/null || { tail -5 "$log" >&2; rm "$log"; return 1; }
  [ ! -f "$lock" ] || printf '%s\n' "$now" >"$installed"
  rm "$log"
}
