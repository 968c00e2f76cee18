# shellcheck shell=bash
# To be sourced: what a script cannot check here it says with
#   skip NAME REASON
# That fails, unless MCPLUMB_SKIP has the name among its words (or is "all"): a
# check that did not run has not passed. .ci/run counts what was left out in the
# file that MCPLUMB_SKIPPED names.
skip() {
  case " ${MCPLUMB_SKIP:-} " in
    *" $1 "* | *" all "*) ;;
    *)
      echo "FAILED $1: $2; MCPLUMB_SKIP=$1 would leave it out" >&2
      exit 1
      ;;
  esac
  echo "SKIPPED $1: $2" >&2
  if [ -n "${MCPLUMB_SKIPPED:-}" ]; then echo "$1" >>"$MCPLUMB_SKIPPED"; fi
}
