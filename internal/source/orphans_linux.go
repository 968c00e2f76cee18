package source

import (
	"os/exec"
	"syscall"
)

// endWithParent has the kernel end a program when this one ends, however that is: a job
// that is cancelled leaves no git that goes on listing files.
//
// See PR_SET_PDEATHSIG in prctl(2): the signal comes when the thread ends that started the
// program, and Go ends none of its threads before itself unless a goroutine is locked to it.
func endWithParent(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
