// Package describe says what a run worked on, and what managed lists do with a server.
package describe

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// maxNamed is how many files of one kind are named; the others are counted.
const maxNamed = 50

// Run says what a run worked on: the repository, its settings and baseline, the files that
// were read and those that were not.
func Run(ctx context.Context, w *workspace.Workspace, result *lint.Result) string {
	d, git := description{w: w}, w.Env.Git()
	if w.Rev != "" {
		d.fact("repository", w.Root)
		d.fact("files", "those of the revision "+w.Rev)
	} else {
		d.repository(git.Program)
	}
	d.fact("settings", cmp.Or(w.SettingsFile, "none: there is no "+w.Shown(policy.SettingsName)))
	for _, name := range w.Options.Settings.Extended() {
		d.fact("extends", view.NewText(name).Plain())
	}
	d.fact("baseline", cmp.Or(w.BaselineFile, "none"))
	if with := w.Compared.String(); with != "" {
		d.fact("base", fmt.Sprintf("%s: %s of it that a change concerns", with, report.Count(result.BaseProjects, "project")))
	}
	if off := rulesOff(w.Options); len(off) > 0 {
		d.fact("rules", "off: "+strings.Join(off, ", "))
	}
	for _, sentence := range w.Unusable {
		d.fact("cache", sentence)
	}
	d.read(result)
	d.names("excluded", result.Excluded)
	if w.Git && w.Rev == "" && git.Program != "" {
		d.leftOut(ctx, git, result)
	}
	return d.text.String()
}

// description is what Run returns.
type description struct {
	w    *workspace.Workspace
	text strings.Builder
}

// fact writes one line.
func (d *description) fact(title, text string) {
	fmt.Fprintf(&d.text, "%-13s%s\n", title, terminal.Escape(text))
}

// names writes paths from the root, a line for each.
func (d *description) names(title string, paths []string) {
	for i, name := range paths {
		if i == maxNamed {
			d.fact(title, fmt.Sprintf("and %d more", len(paths)-i))
			return
		}
		slash := ""
		if strings.HasSuffix(name, "/") {
			slash = "/"
		}
		d.fact(title, d.w.Shown(name)+slash)
		title = ""
	}
}

// repository says where files come from.
func (d *description) repository(git string) {
	d.fact("repository", d.w.Root)
	switch {
	case !d.w.Git:
		d.fact("files", "all except those in .gitignore: not a git work tree")
	case git == "":
		d.fact("files", "all except those in .gitignore: git is missing")
	default:
		d.fact("files", "those that "+git+" tracks or does not ignore")
	}
}

// rulesOff returns the rules that do not run.
func rulesOff(o lint.Options) []string {
	var off []string
	for _, c := range checks.All() {
		if o.Settings.Rules[c.ID] == rule.Off && isSet(o.Settings, c) && !slices.Contains(o.Checks, c) {
			off = append(off, c.ID)
		}
	}
	return off
}

func isSet(settings *policy.Settings, c *rule.Rule) bool {
	_, set := settings.Rules[c.ID]
	return set
}

// read names the files that hold a configuration, with their servers.
func (d *description) read(result *lint.Result) {
	holds := map[string]string{}
	for _, p := range result.Repo.Projects {
		for _, doc := range p.Documents {
			holds[doc.File.Path] = doc.Format + contents(doc)
		}
	}
	for _, f := range result.Findings {
		if _, known := holds[f.File.Path]; !known && f.Rule == checks.SyntaxError {
			holds[f.File.Path] = "does not parse"
		}
	}
	var lines []string
	for name, what := range holds {
		lines = append(lines, fmt.Sprintf("%s (%s)", d.w.Shown(name), what))
	}
	slices.Sort(lines)
	d.fact("looked at", report.Count(result.Known, "file")+" that may hold MCP configuration")
	if len(lines) == 0 {
		d.fact("read", "none that holds any")
	}
	title := "read"
	for i, line := range lines {
		if i == maxNamed {
			d.fact(title, fmt.Sprintf("and %d more", len(lines)-i))
			break
		}
		d.fact(title, line)
		title = ""
	}
}

// contents counts what a file configures or locks.
func contents(doc *mcp.Document) string {
	switch {
	case len(doc.Servers) > 0:
		return ", " + report.Count(len(doc.Servers), "server")
	case doc.Lock != nil:
		return fmt.Sprintf(", %d locked", len(doc.Lock.Entries))
	}
	return ""
}

// leftOut names what git does not list. A file that a tool keeps out of git is still read.
func (d *description) leftOut(ctx context.Context, git source.Git, result *lint.Result) {
	isRead := map[string]bool{}
	for _, p := range result.Repo.Projects {
		for _, doc := range p.Documents {
			isRead[doc.File.Path] = true
		}
	}
	var dirs []string
	for _, target := range d.w.Options.Targets {
		if kind, err := d.w.Options.Source.Stat(ctx, target); err == nil && kind == source.Directory {
			dirs = append(dirs, target)
		}
	}
	if len(dirs) == 0 {
		return
	}
	reads := lint.Reads()
	left, err := git.LeftOut(ctx, d.w.Root, dirs, func(name string) bool { return reads(name) && !isRead[name] })
	if err != nil {
		d.fact("ignored", "git does not say: "+err.Error())
		return
	}
	d.names("ignored", append(left.Ignored, left.Directories...))
	d.names("not entered", left.Repositories)
}
