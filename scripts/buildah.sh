# shellcheck shell=bash
# To be sourced: buildah with a store of its own in $work, which a script makes.
# shellcheck disable=SC2154

buildah() { command buildah --root "$work/root" --runroot "$work/run" --storage-driver vfs "$@"; }

# remove_work removes $work. In a store, a user other than root owns files under the IDs of
# that user's namespace, so only that namespace can remove them.
remove_work() {
  if [ "$(id -u)" -eq 0 ]; then rm -rf "$work"; else command buildah unshare rm -rf "$work"; fi
}
