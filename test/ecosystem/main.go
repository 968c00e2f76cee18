// Command ecosystem runs mcplumb over the repositories of a bare git repository that has
// one ref for each, refs/repos/OWNER/NAME, and writes what it finds and would fix as one
// JSON object a line, sorted by name. Nothing is checked out and nothing is written there.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
)

// record is what mcplumb says of one repository.
type record struct {
	Repository string `json:"repository"`
	// Check is the document of --format json, notes included.
	Check json.RawMessage `json:"check"`
	// Safe and Unsafe are the patches of --fix and --fix=unsafe, Withheld is what stands on
	// standard error beside the second.
	Safe     string `json:"safe,omitempty"`
	Unsafe   string `json:"unsafe,omitempty"`
	Withheld string `json:"withheld,omitempty"`
}

func main() {
	program := flag.String("mcplumb", "bin/mcplumb", "the program to run")
	store := flag.String("store", "", "the bare git repository")
	only := flag.String("only", "", "run only the repositories whose names contain this")
	flag.Parse()
	if err := run(os.Stdout, *program, *store, *only); err != nil {
		fmt.Fprintln(os.Stderr, "ecosystem:", err)
		os.Exit(1)
	}
}

// run writes the records of all repositories to out. It fails where the program ends with
// anything but findings or files that could not be checked.
func run(out io.Writer, program, store, only string) error {
	list, err := exec.Command("git", "-C", store, "for-each-ref", "--format=%(refname)", "refs/repos").Output()
	if err != nil {
		return fmt.Errorf("list the repositories of %s: %w", store, err)
	}
	var refs []string
	for _, ref := range strings.Fields(string(list)) {
		if strings.Contains(ref, only) {
			refs = append(refs, ref)
		}
	}
	records, failures := make([]record, len(refs)), make([]error, len(refs))
	turns := make(chan struct{}, runtime.NumCPU())
	var all sync.WaitGroup
	for i, ref := range refs {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			records[i], failures[i] = look(program, store, ref)
		})
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, r := range records {
		if err := lines.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// look runs the program over one repository.
func look(program, store, ref string) (record, error) {
	r := record{Repository: strings.TrimPrefix(ref, "refs/repos/")}
	found, _, err := call(program, store, "check", "--rev", ref, "--severity", "note", "--format", "json")
	if err != nil {
		return r, err
	}
	r.Check = json.RawMessage(found)
	if r.Safe, _, err = call(program, store, "check", "--rev", ref, "--fix", "--diff"); err != nil {
		return r, err
	}
	r.Unsafe, r.Withheld, err = call(program, store, "check", "--rev", ref, "--fix=unsafe", "--diff")
	return r, err
}

// call runs the program and returns what it writes. Findings (1) and files that could not
// be checked (3) are no failure.
func call(program, dir string, args ...string) (stdout, stderr string, err error) {
	var out, problems bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problems
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("mcplumb %s: %w\n%s", strings.Join(args, " "), err, problems.Bytes())
	}
	return out.String(), problems.String(), err
}
