package fix

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// tally counts findings. Those that are one problem at several places count each
// by itself: the next run may join others.
type tally map[key]int

func tallyOf(r *lint.Result) tally {
	counts := make(tally, len(r.Unmerged))
	for i := range r.Unmerged {
		counts[keyOf(&r.Unmerged[i])]++
	}
	return counts
}

// ruleInFile is what a rule finds in a file, without regard to the names of servers: a fix may
// rename them, and their other findings stay.
type ruleInFile struct {
	rule     *rule.Rule
	severity rule.Severity
	path     string
}

// byFile counts the findings of each rule in each file.
func (t tally) byFile() map[ruleInFile]int {
	counts := map[ruleInFile]int{}
	for k, n := range t {
		counts[k.inFile()] += n
	}
	return counts
}

// byServer counts the findings of each rule about each server, without regard to the tokens.
func (t tally) byServer() tally {
	counts := tally{}
	for k, n := range t {
		k.token = ""
		counts[k] += n
	}
	return counts
}

// more returns the findings after that are more than before: of a rule about a server or, if
// the server has a new name, in the file.
func more(before, after *lint.Result) []*rule.Finding {
	was, is := tallyOf(before), tallyOf(after)
	inFile, ofServer := is.byFile(), is.byServer()
	for f, n := range was.byFile() {
		inFile[f] -= n
	}
	for k, n := range was.byServer() {
		ofServer[k] -= n
	}
	oldNames := serversOf(before.Whole)
	var more []*rule.Finding
	seen := tally{}
	for i := range after.Unmerged {
		k := keyOf(&after.Unmerged[i])
		if seen[k]++; seen[k] <= was[k] {
			continue
		}
		of := k
		of.token = ""
		isKnown := oldNames[server{k.path, k.server}] || k.server == ""
		isListed := len(before.Full) == 0 // else it may have been left out for want of room
		if ofServer[of] > 0 && (isKnown && isListed || inFile[k.inFile()] > 0) {
			ofServer[of]--
			inFile[k.inFile()]--
			more = append(more, &after.Unmerged[i])
		}
	}
	return more
}

// reject returns the parts whose fixes are not what they promise, with the reason. After them
//   - the finding is gone, and so is one that an earlier round fixed;
//   - no rule finds more errors of a server than before, unless its file was not read before.
//     More warnings are no reason to leave a fix: they are listed with it (Made.Brings);
//   - every entry that a client started is still started (losses);
//   - every file and rule can still be checked.
//
// A reason belongs to the part of its path, if that one tries something or, at the end of a
// round, has taken something. One that belongs to no such part is under nil.
func (r *round) reject(after *lint.Result, atEnd bool) map[*part]string {
	rejected := map[*part]string{}
	reject := func(path, reason string) {
		p := r.partOf(path)
		if p != nil && len(p.trying) == 0 && !(atEnd && len(p.taken) > 0) {
			p = nil
		}
		rejected[p] = reason
	}
	for _, l := range slices.Backward(losses(r.result.Whole, after.Whole)) { // the first one is reported
		reject(l.path, l.reason())
	}
	for _, e := range errorsOf(after, r.result) {
		reject(e.Path, "with it a file or a rule can no longer be checked: "+e.Error())
	}
	unread := r.unread()
	for _, f := range more(r.result, after) {
		if f.Severity >= rule.Error && !unread[f.File.Path] {
			reject(f.File.Path, fmt.Sprintf("it would cause %s in %s", f.Rule.ID, f.File.Path))
		}
	}
	now, isListed := tallyOf(after), len(r.result.Full) == 0 // else it may have been left out for want of room
	for i := range after.Unmerged {
		if k := keyOf(&after.Unmerged[i]); isListed && r.applied[k] && now[k] > r.before[k] {
			reject(k.path, fmt.Sprintf("it would cause %s in %s", k.rule.ID, k.path))
		}
	}
	for k := range r.remaining(after, now) {
		reject(k.path, "the finding would stay")
	}
	return rejected
}

// remaining returns the findings that should be gone and are still there, perhaps under a new name
// of the server. If there were more than there is room for, others that cannot be distinguished
// from them replace them.
func (r *round) remaining(after *lint.Result, now tally) map[key]bool {
	remaining, fixed := map[key]bool{}, r.fixed()
	for k, n := range fixed {
		mayBeOthers := len(r.result.Full) > 0 && r.before[k] > 1
		if now[k] > r.before[k]-n && !mayBeOthers {
			remaining[k] = true
		}
	}
	was, is, gone := r.before.byFile(), now.byFile(), fixed.byFile()
	oldNames, newNames := serversOf(r.result.Whole), serversOf(after.Whole)
	for k := range now {
		f, s := k.inFile(), server{k.path, k.server}
		if gone[f] > 0 && is[f] > was[f]-gone[f] && newNames[s] && !oldNames[s] {
			remaining[k] = true
		}
	}
	return remaining
}

// server is an entry of a file.
type server struct{ path, name string }

func serversOf(repo *mcp.Repo) map[server]bool {
	servers := map[server]bool{}
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				servers[server{d.File.Path, s.Name}] = true
			}
		}
	}
	return servers
}

// unread returns the files whose servers no client reads before a fix. What is found in them
// afterwards was there all along.
func (r *round) unread() map[string]bool {
	paths := map[string]bool{}
	for k := range r.fixed() {
		if k.rule.Blocking {
			paths[k.path] = true
		}
	}
	return paths
}

// fixed counts the findings that the fixes must remove.
func (r *round) fixed() tally {
	fixed := tally{}
	for _, p := range r.parts {
		for _, c := range slices.Concat(p.taken, p.trying) {
			fixed[c.key]++
		}
	}
	return fixed
}

// addBrings lists with each fix the rules that warn more than before because of it.
func addBrings(made []Made, before, after *lint.Result) {
	if len(made) == 0 {
		return
	}
	for i := range made {
		made[i].Brings = nil
	}
	for _, f := range more(before, after) {
		if f.Severity != rule.Warning {
			continue
		}
		if m := causeOf(f, made); m != nil && !slices.Contains(m.Brings, f.Rule) {
			m.Brings = append(m.Brings, f.Rule)
		}
	}
}

// causeOf returns the fix that changes the file of a finding, or one that it refers to: the
// first one of the same server, or the first one; nil for none.
func causeOf(f *rule.Finding, made []Made) *Made {
	paths := map[string]bool{f.File.Path: true}
	for _, related := range f.Related {
		paths[related.File.Path] = true
	}
	var cause *Made
	for i := range made {
		m := &made[i]
		if !slices.ContainsFunc(m.Fix.Edits, func(e edit.Change) bool { return paths[e.File.Path] }) {
			continue
		}
		if m.Finding.Server == f.Server {
			return m
		}
		if cause == nil {
			cause = m
		}
	}
	return cause
}
