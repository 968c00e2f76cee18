package action

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/hashicorp/go-multierror"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/spelling"
)

// The words of inputs that are more than names of severities.
const (
	auto  = "auto"  // annotations, and failing, unless there are alerts; a base that the event says
	never = "never" // no finding fails the step, and neither does nothing to check
	warn  = "warn"  // nothing to check is a warning
	fail  = "error" // nothing to check fails the step

	suggest     = "suggest"      // fixes are suggested in the pull request
	pullRequest = "pull-request" // a pull request has them
	check       = "check"        // mcplumb.lock is compared with the configuration
)

// inputs are the inputs of action.yml.
type inputs struct {
	workspace, dir   string // where the job works, and the working directory, absolute
	paths            []string
	severity         rule.Severity
	sarifSeverity    rule.Severity // the lowest in the SARIF report, Off for all
	failOn           string        // auto: at warnings, unless the report was uploaded
	noFiles          string        // what it means that there is nothing to check: never, warn or error
	config, baseline string
	base             string // auto, none or a revision
	sarif            string // absolute, "" for the runner's temporary directory
	annotations      string // true, false, or auto: unless the report was uploaded
	summary, comment bool
	part             string // the working directory as it was given
	upload           bool
	fix              string // none, suggest or pull-request
	fixSafety        string // safe or unsafe
	fixGroup         string // one or project
	fixLabels        []string
	fixSignOff       bool
	fixWorkflows     bool
	online, lock     bool
	category         string // of the analysis, "" for none
	// isOwnCategory reports that the workflow chose the category: the analysis then is its
	// own, even if it leaves files out.
	isOwnCategory bool
}

// inputs reads the inputs and says everything that is wrong with them.
func (s *step) inputs() (*inputs, error) {
	r := inputReader{getenv: s.Getenv, disk: s.Disk}
	in := &inputs{
		failOn:  r.word("fail-on", auto, auto, "note", "warning", "error", never),
		noFiles: r.word("fail-on-no-files", warn, never, warn, fail),
		config:  r.text("config"), baseline: r.text("baseline"),
		base:         cmp.Or(r.text("base"), auto),
		annotations:  r.word("annotations", auto, auto, "true", "false"),
		summary:      r.word("summary", "true", "true", "false") == "true",
		comment:      r.word("comment", "false", "true", "false") == "true",
		part:         r.text("working-directory"),
		upload:       r.word("upload-sarif", "false", "true", "false") == "true",
		category:     r.text("category"),
		fix:          r.word("fix", none, none, suggest, pullRequest),
		fixSafety:    r.word("fix-safety", rule.Safe.String(), rule.Safe.String(), rule.Unsafe.String()),
		fixGroup:     r.word("fix-group", "one", "one", "project"),
		fixLabels:    r.lines("fix-labels"),
		fixSignOff:   r.word("fix-signoff", "false", "true", "false") == "true",
		fixWorkflows: r.word("fix-workflows", "false", "true", "false") == "true",
		online:       r.word("online", "false", "true", "false") == "true",
		lock:         r.word("lock", none, none, check) == check,
		paths:        r.lines("paths"),
	}
	in.isOwnCategory = in.category != ""
	if in.upload && in.category == "" {
		in.category = path.Join("mcplumb", filepath.ToSlash(r.text("working-directory")))
	}
	severity := r.word("severity", "warning", "note", "warning", "error")
	workspace := s.Getenv("GITHUB_WORKSPACE")
	if workspace == "" {
		workspace = s.Dir
	}
	in.workspace = workspace
	in.dir = r.directory("working-directory", workspace)
	in.sarif = r.file("sarif-file", in.dir, workspace)
	if err := r.wrong.ErrorOrNil(); err != nil {
		return nil, err
	}
	var err error
	in.severity, err = rule.ParseSeverity(severity)
	if r.text("severity") != "" {
		in.sarifSeverity = in.severity
	}
	return in, err
}

// inputReader reads inputs, and collects what is wrong with them. An empty
// input is one that was not given.
type inputReader struct {
	getenv func(string) string
	disk   Disk
	wrong  *multierror.Error // several, each shown to the user
}

func (r *inputReader) text(name string) string {
	return strings.TrimSpace(r.getenv("INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))))
}

// lines returns an input that has one value a line.
func (r *inputReader) lines(name string) []string {
	var values []string
	for _, line := range strings.Split(r.text(name), "\n") {
		if value := strings.TrimSpace(line); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// fail remembers what is wrong with an input.
func (r *inputReader) fail(name, value string, err error) {
	r.wrong = multierror.Append(r.wrong, fmt.Errorf("input %s: %q: %w", name, value, err))
}

// word returns an input that is one of a few words.
func (r *inputReader) word(name, standard string, words ...string) string {
	value := r.text(name)
	if value == "" {
		return standard
	}
	if err := spelling.OneOf(value, words); err != nil {
		r.fail(name, value, err)
	}
	return value
}

// directory returns an input that names a directory below base, absolute. A link
// of the repository must not lead out of it.
func (r *inputReader) directory(name, base string) string {
	value := r.text(name)
	dir := absolute(base, value)
	if !r.disk.IsDir(dir) {
		r.fail(name, value, errors.New("there is no such directory"))
	} else if r.leadsOut(base, dir) {
		r.fail(name, value, errors.New("a link leads out of the workspace"))
	}
	return dir
}

// file returns an input that names a file to write, absolute, "" if it has none. A link of the
// repository must not lead the file out of the workspace, to the runner's own files, such as
// GITHUB_ENV.
func (r *inputReader) file(name, base, workspace string) string {
	value := r.text(name)
	if value == "" {
		return ""
	}
	target := absolute(base, value)
	if strings.ContainsAny(value, "\r\n") {
		r.fail(name, value, errors.New("a file name has one line"))
	} else if r.leadsOut(workspace, target) {
		r.fail(name, value, errors.New("a link leads out of the workspace"))
	}
	return target
}

// leadsOut reports whether a path in a directory leads out of it.
func (r *inputReader) leadsOut(dir, path string) bool {
	return isBelow(dir, path) && !isBelow(r.disk.Resolve(dir), r.disk.Resolve(path))
}

// absolute returns a path that may start at base.
func absolute(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// isBelow reports whether a path is in a directory.
func isBelow(dir, path string) bool {
	relative, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(relative)
}
