//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package source

import "os"

// canLock reports that files can be locked while they are open. Here mcplumb cannot tell
// whether a temporary file is left over, so it removes none, and an open file cannot be
// renamed.
const canLock = false

func lock(*os.File) lockState { return notLocked }
