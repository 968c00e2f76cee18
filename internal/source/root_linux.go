package source

import (
	"os"

	"golang.org/x/sys/unix"
)

// openAtOnce opens a file in a directory with no link on the way to it. It may fail
// where os.Root would not: before Linux 5.6, and in containers that forbid the call.
//
// See openat2(2).
func openAtOnce(dir *os.File, path string) (f *os.File, ok bool) {
	fd, err := unix.Openat2(int(dir.Fd()), path, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | noWaiting,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return nil, false
	}
	return os.NewFile(uintptr(fd), path), true
}
