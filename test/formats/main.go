// Command formats reads the reports of mcplumb as their users do: reviewdog, GitLab,
// readers of JUnit's XML and of GitHub's Markdown. It compares what they see with
// --format json.
//
//	go run . DIR…
//
// A DIR holds the reports of one repository, which is DIR/repository:
// report.json, report.rdjson, report.gitlab, report.xml, report.md, all with
// --severity note, and report.diff, the patch that adds every file.
// --severity note, and report.diff, the patch that adds every file.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "formats: no directories")
		os.Exit(2)
	}
	failed, total := 0, 0
	for _, dir := range os.Args[1:] {
		r, err := readReports(dir)
		if err == nil {
			total += len(r.Findings)
			err = r.check()
		}
		if err != nil {
			failed++
			fmt.Printf("%s: %v\n", dir, err)
		}
	}
	fmt.Printf("%d of %d repositories have reports that their readers understand, with %d findings\n",
		len(os.Args)-1-failed, len(os.Args)-1, total)
	if failed > 0 {
		os.Exit(1)
	}
}

// reports are the reports of one repository.
type reports struct {
	dir string
	// The part of --format json that the others are compared with.
	Summary  struct{ Files, Servers, Errors, Warnings, Notes int }
	Findings []finding
	Errors   []struct{ Path, Message string }
}

type finding struct {
	Rule, Severity, Message, Path    string
	Help, See                        string
	Line, Column, EndLine, EndColumn int
	Fingerprint                      string
	Related                          []struct{ Path, Message string }
	Fixes                            []struct{ Title, Safety string }
}

// problem is the message without the help, which JSON joins to it.
func (f *finding) problem() string {
	if f.Help == "" {
		return f.Message
	}
	return strings.TrimSuffix(f.Message, ": "+f.Help)
}

func readReports(dir string) (*reports, error) {
	content, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return nil, err
	}
	r := &reports{dir: dir}
	return r, json.Unmarshal(content, r)
}

// check returns an error for anything that the readers would not understand.
func (r *reports) check() error {
	var problems []error
	for _, format := range []struct {
		file  string
		check func(*reports, []byte) error
	}{
		{"report.rdjson", checkRDJSON},
		{"report.gitlab", checkGitLab},
		{"report.xml", checkJUnit},
		{"report.md", checkMarkdown},
	} {
		content, err := os.ReadFile(filepath.Join(r.dir, format.file))
		if err == nil {
			err = format.check(r, content)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", format.file, err))
		}
	}
	return errors.Join(problems...)
}

// repositoryFile returns a file of the repository. In JSON, U+FFFD replaces bytes of a path
// that are not valid UTF-8; such a file is not read.
func (r *reports) repositoryFile(path string) (content []byte, known bool, err error) {
	if strings.ContainsRune(path, utf8.RuneError) {
		return nil, false, nil
	}
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return nil, false, fmt.Errorf("%q is not in the repository", path)
	}
	content, err = os.ReadFile(filepath.Join(r.dir, "repository", filepath.FromSlash(path)))
	return content, true, err
}

// isPlain reports whether a text is printable ASCII, which every format shows
// as it is.
func isPlain(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0 &&
		!strings.Contains(text, "::") && !strings.Contains(text, "##[")
}
