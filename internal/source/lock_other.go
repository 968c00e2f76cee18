//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package source

import "os"

// canLock reports that files can be locked while they are open. Here it cannot
// be told whether a temporary file is left over, so none is removed, and a file that is
// open cannot be renamed.
const canLock = false

func lock(*os.File) lockState { return notLocked }
