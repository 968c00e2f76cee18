# shellcheck shell=bash
# To be sourced: a script reports a check that it cannot run here with
#   skip NAME REASON
# That fails, unless MCPLUMB_SKIP lists the name (or is "all"): a check that did not
# run has not passed. .ci/run counts the skipped checks in the file that
# MCPLUMB_SKIPPED names.
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
