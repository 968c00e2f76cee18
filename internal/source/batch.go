package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// batch reads objects from one git process (git cat-file --batch: an id on a
// line in; out "id type size" on a line, the content and a line break).
type batch struct {
	ctx      context.Context // ends the process
	start    func() *exec.Cmd
	patience time.Duration // for one object

	mutex  sync.Mutex
	cmd    *exec.Cmd // nil while none runs
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	// lacking are the ids that git did not have.
	lacking []string
	// room is how many bytes may be read in all until lacking is taken, 0 without end; taken
	// is how many were.
	room, taken int
}

func newBatch(ctx context.Context, dir string, git Git) *batch {
	return &batch{ctx: ctx, patience: git.idleTimeout(), start: func() *exec.Cmd { return git.command(ctx, dir, "cat-file", "--batch") }}
}

// read returns the content of an object of at most limit bytes.
func (b *batch) read(ctx context.Context, id string, limit int) ([]byte, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	content, err := b.ask(id, limit)
	for _, ended := range []error{ctx.Err(), b.ctx.Err()} {
		if ended != nil {
			return nil, ended
		}
	}
	return content, err
}

// ask sends an id and reads the answer.
func (b *batch) ask(id string, limit int) ([]byte, error) {
	if err := b.run(); err != nil {
		return nil, err
	}
	process := b.cmd.Process
	defer time.AfterFunc(b.patience, func() { _ = process.Kill() }).Stop()
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return nil, b.stop(err)
	}
	header, err := b.out.ReadString('\n')
	if err != nil {
		return nil, b.stop(err)
	}
	fields := strings.Fields(header)
	if len(fields) != 3 {
		b.lacking = append(b.lacking, id)
		return nil, errors.New("is missing from git's objects, as in a partial clone")
	}
	size, err := strconv.Atoi(fields[2])
	switch {
	case err != nil:
		return nil, b.stop(fmt.Errorf("git cannot read it: %q", header))
	case size > limit:
		_ = b.stop(nil) // it would send all of it
		return nil, tooBig(limit)
	case b.room > 0 && b.taken+size > b.room:
		_ = b.stop(nil)
		return nil, &syntax.LimitError{Message: fmt.Sprintf("was not read: the files to check have more than %d MB", b.room/1_000_000)}
	}
	b.taken += size
	content := make([]byte, size+len("\n"))
	if _, err := io.ReadFull(b.out, content); err != nil {
		return nil, b.stop(err)
	}
	return content[:size:size], nil
}

// run starts git if it does not run.
func (b *batch) run() error {
	if b.cmd != nil {
		return nil
	}
	cmd := b.start()
	b.stderr.Reset()
	cmd.Stderr = &b.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	b.cmd, b.in, b.out = cmd, in, bufio.NewReader(out)
	return nil
}

// stop ends git and returns what it said about a failure.
func (b *batch) stop(failure error) error {
	if b.cmd == nil {
		return failure
	}
	_ = b.in.Close()
	_ = b.cmd.Process.Kill() // it may be writing what is not read
	_ = b.cmd.Wait()
	b.cmd = nil
	if failure == nil {
		return nil
	}
	return fmt.Errorf("git cannot read it: %w", said(b.stderr.Bytes(), failure))
}

func (b *batch) close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	_ = b.stop(nil)
}
