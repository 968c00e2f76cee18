//go:build !unix

package source

import (
	"os/exec"
	"time"
)

// killProcessGroup waits for no program that another one has left behind.
func killProcessGroup(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }
