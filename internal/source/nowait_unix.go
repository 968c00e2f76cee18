//go:build unix

package source

import "syscall"

// noWaiting opens a file that has become a pipe without waiting for who writes to
// it.
const noWaiting = syscall.O_NONBLOCK
