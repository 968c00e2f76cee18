package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// refusing are the rules whose findings say that a client does not load a file, or an entry.
func refusing(c client) []string {
	file := []string{"strict-json", "syntax-error", "unread-file", "wrong-root-key"}
	if c.isReader {
		return file
	}
	return append(file, "invalid-name", "invalid-server")
}

// answer is mcplumb's result for a case.
type answer struct {
	refuses  bool // the client does not load the entry
	keeps    bool // a variable is not filled in
	has, off bool // whether it lists the entry, and as one that the client does not start
	said     []string
}

// ask lints the file of a case and returns mcplumb's result for a client. A finding that
// names clients is about only those.
func ask(c client, r record) (answer, error) {
	result, err := lint.Run(context.Background(), lint.Options{Source: source.Memory(map[string]string{r.Path: r.Text})})
	if err != nil {
		return answer{}, err
	}
	var a answer
	for _, f := range result.Findings {
		if severity := cmp.Or(f.Severity, f.Rule.Severity); severity < rule.Warning || !concerns(f.Message, c.title) {
			continue
		}
		refusal := refusalOf(result.Repo, f)
		a.refuses = a.refuses || slices.Contains(refusing(c), f.Rule.ID) && !isOfStart(c, refusal)
		a.keeps = a.keeps || f.Rule.ID == "unresolved-variable" || isTakenAsName(refusal)
		a.said = append(a.said, f.Rule.ID+": "+f.Message)
	}
	for _, p := range result.Repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				if s.Name == r.Name {
					a.has = true
					a.off = !slices.ContainsFunc(d.Loaders(), func(l *mcp.Client) bool { return l.ID == c.id && s.IsStartedBy(l) })
				}
			}
		}
	}
	return a, nil
}

// refusalOf returns the refusal that a finding reports, nil for none.
func refusalOf(repo *mcp.Repo, f rule.Finding) *mcp.Refusal {
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for i := range d.Refusals {
				if r := &d.Refusals[i]; f.File == d.File && f.Span == r.Span {
					return r
				}
			}
		}
	}
	return nil
}

// isOfStart reports whether a refusal is of the start of one server, which is not tried here:
// of a client that does not start at all for an entry which it refuses, all others are.
func isOfStart(c client, r *mcp.Refusal) bool {
	isFatal := func(reading mcp.Reading) bool { return reading.Fatal }
	return r != nil && !r.Fatal && slices.ContainsFunc(mcp.ClientByID(c.id).Files, isFatal)
}

// isTakenAsName reports whether a refusal is about a text that the client uses literally as
// the name of a variable, without expanding anything in it.
func isTakenAsName(r *mcp.Refusal) bool {
	return r != nil && (r.Reason == mcp.VariableName || r.Reason == mcp.NoVariable)
}

// concerns reports whether a message is about a client: it names it, or none.
func concerns(message, title string) bool {
	named := slices.ContainsFunc(mcp.Clients(), func(c *mcp.Client) bool { return strings.Contains(message, c.Title) })
	return strings.Contains(message, title) || !named
}

// The differences that there may be between a client and mcplumb, as the client's part.
const (
	clientRefuses = "client-refuses" // mcplumb is silent
	clientLoads   = "client-loads"   // mcplumb reports that it does not
	clientKeeps   = "client-keeps"   // a variable as it is written; mcplumb is silent
	clientFills   = "client-fills"   // a variable that mcplumb reports as unexpanded
	clientStarts  = "client-starts"  // an entry that mcplumb lists as disabled
	clientOff     = "client-off"     // an entry that mcplumb lists as started
)

// difference is a case in which mcplumb and a client disagree.
type difference struct {
	client, kind string
	record       record
	said         []string // by mcplumb
}

// differences returns the differences between a client's records and mcplumb.
func differences(c client, records []record) ([]difference, error) {
	var all []difference
	for _, r := range records {
		a, err := ask(c, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		for _, kind := range a.against(r) {
			all = append(all, difference{c.id, kind, r, a.said})
		}
	}
	return all, nil
}

// against returns in what an answer differs from a record.
func (a answer) against(r record) []string {
	if r.Verdict == empty {
		return nil
	}
	if a.refuses != (r.Verdict != loaded) {
		if a.refuses {
			return []string{clientLoads}
		}
		return []string{clientRefuses}
	}
	if r.Verdict != loaded {
		return nil
	}
	var kinds []string
	switch {
	case a.keeps && r.Filled == "yes":
		kinds = append(kinds, clientFills)
	// Anything not written like ${…} may be meant as text.
	case !a.keeps && (r.Filled == "no" || r.Filled == "otherwise") && strings.Contains(r.Text, "${"):
		kinds = append(kinds, clientKeeps)
	}
	switch {
	case a.has && a.off && !r.Off:
		kinds = append(kinds, clientStarts)
	case a.has && !a.off && r.Off:
		kinds = append(kinds, clientOff)
	}
	return kinds
}

// announcement is a line of announced.tsv: cases in which a difference is known.
type announcement struct {
	client, kind string
	patterns     []string // of the IDs of cases; * is any text
	count        int      // how many cases differ
	reason       string
}

// announcedHead is the first line of announced.tsv.
const announcedHead = "client\tdifference\tcases\tcount\treason"

// readAnnounced reads announced.tsv.
func readAnnounced(path string) ([]announcement, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []announcement
	for i, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
		cells := strings.Split(line, "\t")
		if i == 0 && line == announcedHead {
			continue
		}
		if len(cells) != 5 {
			return nil, fmt.Errorf("%s:%d: %d cells in place of 5", path, i+1, len(cells))
		}
		count, err := strconv.Atoi(cells[3])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		all = append(all, announcement{cells[0], cells[1], strings.Fields(cells[2]), count, cells[4]})
	}
	return all, nil
}

// writeAnnounced writes announced.tsv.
func writeAnnounced(path string, all []announcement) error {
	text := announcedHead + "\n"
	for _, a := range all {
		text += strings.Join([]string{a.client, a.kind, strings.Join(a.patterns, " "), strconv.Itoa(a.count), a.reason}, "\t") + "\n"
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// covers reports whether a difference is announced here.
func (a announcement) covers(d difference) bool {
	return a.client == d.client && a.kind == d.kind && slices.ContainsFunc(a.patterns, func(p string) bool { return like(p, d.record.ID) })
}

// like reports whether a text matches a pattern, in which * matches any text.
func like(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	last := len(parts) - 1
	text, begins := strings.CutPrefix(text, parts[0])
	if !begins {
		return false
	}
	for _, part := range parts[1:last] {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, parts[last])
}
