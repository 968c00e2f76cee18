package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// judge lints mutants as one repository and returns the problems with the result.
func judge(ctx context.Context, mutants []*mutant) (problems []string) {
	defer func() {
		if problem := recover(); problem != nil {
			problems = append(problems, fmt.Sprintf("panic: %.300v", problem))
		}
	}()
	files, settings := map[string]string{}, &policy.Settings{}
	for _, m := range mutants {
		if m.settings() {
			parsed, err := policy.ParseSettings(policy.SettingsName, policy.SettingsName, []byte(m.files[policy.SettingsName]))
			if err != nil {
				return nil // exit code 2
			}
			settings = parsed
		}
		for name, content := range m.files {
			files[m.at(name)] = content
		}
	}
	options := lint.Options{Source: source.Memory(files), Settings: settings, Today: "2026-11-22", Compares: true}
	result, err := lint.Run(ctx, options)
	if err != nil {
		return []string{"does not end: " + err.Error()}
	}
	again, err := lint.Run(ctx, options)
	if err != nil {
		return []string{"does not end again: " + err.Error()}
	}
	outputs, second := write(result), write(again)
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		if !bytes.Equal(outputs[name], second[name]) {
			problems = append(problems, name+": other bytes when run again")
		}
		problems = append(problems, read(name, outputs[name])...)
		for _, m := range mutants {
			problems = append(problems, m.leaks(name, outputs[name])...)
		}
	}
	return append(problems, heard(result, mutants)...)
}

// at returns the path of a mutant's file in the repository.
func (m *mutant) at(name string) string {
	if m.settings() {
		return name
	}
	return path.Join(m.dir, name)
}

// write writes a result in every format.
func write(result *lint.Result) map[string][]byte {
	run := view.Run{
		Tool: view.Tool{Name: "mcplumb", Version: "0"}, Files: result.Files, Servers: result.Servers, Suppressed: result.Suppressed,
		Findings: result.Findings, Notices: result.Notices, Repo: result.Repo, Groups: result.Groups,
	}
	for _, e := range result.Errors {
		run.Failures = append(run.Failures, view.Failure(e))
	}
	v, all := view.New(run), map[string][]byte{}
	save := func(name string, write func(io.Writer) error) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			b.WriteString("\x00" + err.Error()) // which no format lets through
		}
		all[name] = b.Bytes()
	}
	o := report.Options{Severity: rule.Note, AllNotes: true}
	for _, f := range report.All() {
		save(f.Name, func(w io.Writer) error { return f.Write(w, v, o) })
	}
	save("summary", func(w io.Writer) error { return report.WriteSummary(w, v, o) })
	for _, f := range report.ListFormats() {
		save("list "+f.Name, func(w io.Writer) error { return f.Write(w, v, report.Options{}) })
	}
	save("baseline", func(w io.Writer) error {
		content, _ := policy.NewBaseline(result.Findings, nil, func(string) bool { return true })
		_, err := w.Write(content)
		return err
	})
	return all
}

// commands are the workflow commands that the format for GitHub writes.
var commands = regexp.MustCompile(`^::(error|warning|notice) [^:]*::`)

// read reads an output as its readers do.
func read(name string, output []byte) (problems []string) {
	wrong := func(format string, args ...any) {
		problems = append(problems, name+": "+fmt.Sprintf(format, args...))
	}
	switch name {
	case "json", "sarif", "gitlab", "rdjson", "list json", "list cyclonedx":
		var value any
		if err := json.Unmarshal(output, &value); err != nil {
			wrong("%v", err)
		}
	case "junit":
		for decoder := xml.NewDecoder(bytes.NewReader(output)); ; {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				wrong("%v", err)
				break
			}
		}
	case "baseline":
		if _, err := policy.ParseBaseline(name, name, output); err != nil {
			wrong("%v", err)
		}
	}
	if !utf8.Valid(output) {
		wrong("not UTF-8")
	}
	if name == "baseline" {
		return problems // a file of the repository, like those it names
	}
	for _, r := range string(output) {
		if r != '\n' && (unicode.Is(unicode.Cc, r) || invisible(r)) {
			wrong("shows %q", r)
			break
		}
	}
	for line := range strings.Lines(string(output)) {
		if name == "github" && commands.MatchString(line) {
			continue // the text in a command cannot be another command
		}
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			wrong("a line is a command: %.80q", line)
			break
		}
	}
	return problems
}

// invisible reports whether a character changes the direction of writing, ends a line, or
// is not visible. The joiner of the parts of an emoji is allowed.
func invisible(r rune) bool {
	return r == '\u061c' || '\u200b' <= r && r <= '\u200f' && r != '\u200d' || '\u2028' <= r && r <= '\u202e' || '\u2060' <= r && r <= '\u206f' ||
		r == '\ufeff' || 0xe0000 <= r && r <= 0xe007f
}

// window is how many characters of a token must not appear in a row. A search in steps
// finds only a slightly longer part, wherever it begins.
// wherever it begins.
const window, step = 8, 4

// leaks looks for a part of the planted token.
func (m *mutant) leaks(name string, output []byte) []string {
	for i := 0; i+window <= len(m.secret); i += step {
		if bytes.Contains(output, []byte(m.secret[i:i+window])) {
			return []string{name + ": shows the token"}
		}
	}
	return nil
}

// heard holds that no rule has failed, and that mcplumb reports or reads every file that
// other parsers find broken or with servers.
func heard(result *lint.Result, mutants []*mutant) (problems []string) {
	spoken := map[string]bool{}
	for _, e := range result.Errors {
		spoken[e.Path] = true
		if strings.Contains(e.Message, "a mistake in mcplumb") || strings.Contains(e.Message, "failed on this project") {
			problems = append(problems, fmt.Sprintf("%.300s", e.Message))
		}
	}
	for i := range result.Findings {
		spoken[result.Findings[i].File.Path] = true
	}
	for _, p := range result.Repo.Projects {
		for _, d := range p.Documents {
			if len(d.Servers) > 0 {
				spoken[d.File.Path] = true
			}
		}
	}
	ix := format.Known()
	for _, m := range mutants {
		if spoken[m.at(m.path)] || m.settings() { // which may leave any file out
			continue
		}
		switch oracle(ix, m) {
		case broken:
			problems = append(problems, m.path+" does not parse, and nothing is said of it")
		case holds:
			problems = append(problems, m.path+" holds servers, and nothing is said of it")
		case nothing:
		}
	}
	return problems
}
