# shellcheck shell=bash
# To be sourced: buildah with a store of its own in $work, which a script makes.
# shellcheck disable=SC2154

buildah() { command buildah --root "$work/root" --runroot "$work/run" --storage-driver vfs "$@"; }

# remove_work removes $work. What a user who is not root put into a store belongs to
# other users, whom only that user's namespace knows.
remove_work() {
  if [ "$(id -u)" -eq 0 ]; then rm -rf "$work"; else command buildah unshare rm -rf "$work"; fi
}
