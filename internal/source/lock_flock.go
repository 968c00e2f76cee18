//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package source

import (
	"errors"
	"os"
	"syscall"
)

// canLock reports that files can be locked while they are open.
const canLock = true

// lock locks a file until it is closed or the process ends.
func lock(f *os.File) lockState {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case err == nil:
		return lockedByUs
	case errors.Is(err, syscall.EWOULDBLOCK):
		return lockedByOther
	}
	return notLocked
}
