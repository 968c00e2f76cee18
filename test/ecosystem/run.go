package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/test/ecosystem/judged"
)

// records runs the program over the repositories of a store, several at once, and returns
// its output for each, sorted by name. It fails if the program ends with anything except
// findings or files that could not be checked.
func records(program, store, only string) ([]judged.Record, error) {
	list, err := exec.Command("git", "-C", store, "for-each-ref", "--format=%(refname)", "refs/repos").Output()
	if err != nil {
		return nil, fmt.Errorf("list the repositories of %s: %w", store, err)
	}
	var refs []string
	for _, ref := range strings.Fields(string(list)) {
		if strings.Contains(ref, only) {
			refs = append(refs, ref)
		}
	}
	if len(refs) == 0 {
		return nil, fmt.Errorf("%s has no refs/repos that contain %q", store, only)
	}
	all, failures := make([]judged.Record, len(refs)), make([]error, len(refs))
	slots := make(chan struct{}, runtime.NumCPU())
	var group sync.WaitGroup
	for i, ref := range refs {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			all[i], failures[i] = record(program, store, ref)
		})
	}
	group.Wait()
	return all, errors.Join(failures...)
}

// record runs the program over one repository.
func record(program, store, ref string) (judged.Record, error) {
	r := judged.Record{Repository: strings.TrimPrefix(ref, "refs/repos/")}
	found, err := call(program, store, "check", "--rev", ref, "--severity", "note", "--format", "json")
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(found), &r.Check); err != nil {
		return r, fmt.Errorf("%s: %w", ref, err)
	}
	if r.Safe, err = call(program, store, "check", "--rev", ref, "--fix", "--diff"); err != nil {
		return r, err
	}
	r.Unsafe, err = call(program, store, "check", "--rev", ref, "--fix=unsafe", "--diff")
	return r, err
}

// call runs the program and returns its standard output. Exit codes for findings (1) and
// for files that could not be checked (3) are not errors.
func call(program, dir string, args ...string) (string, error) {
	var out, problems bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problems
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("mcplumb %s: %w\n%s", strings.Join(args, " "), err, problems.Bytes())
	}
	return out.String(), err
}
