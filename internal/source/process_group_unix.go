//go:build unix

package source

import (
	"os/exec"
	"syscall"
	"time"
)

// killProcessGroup has what a program starts end with it: git leaves the connection to a
// server to another program, which would wait there forever.
func killProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}
