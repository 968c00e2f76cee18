//go:build !unix

package source

import (
	"os/exec"
	"time"
)

// endTogether waits for no program that another one has left behind.
func endTogether(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }
