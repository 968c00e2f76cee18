package policy

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ignore hides findings of one rule. It comes from the settings or from a
// comment.
type ignore struct {
	rule string
	// The place that unused-ignore reports.
	file  *syntax.File
	place syntax.Span
	// whole is the comment or the entry of the settings that contains it.
	whole     syntax.Span
	isComment bool
	// part is what goes with the rule where the comment names others, too; zero where
	// there is no other.
	part syntax.Span
	// void says why it hides nothing, "" if nothing is wrong with it; it continues "this
	// ignore".
	void string
	// stray says that it names something that does not exist, and strayAt where; "" and zero if
	// it does not.
	stray   string
	strayAt syntax.Span
	// help says what to do about what is void or stray.
	help string
	// quiet ones are not reported: they are in a test's data or in an example, where most
	// rules are silent, or in settings that other repositories also extend.
	quiet bool
	// unread ones are next to an entry that is not read, because its key is repeated: mcplumb
	// cannot find what they may hide until one of the two is gone. The same goes for approvals
	// of a hash that is locked: another base may not have it yet.
	unread bool
	used   bool
	// entry is that of the settings, zero for a comment.
	entry Ignore
}

// ignores are all ignores of a run.
type ignores struct {
	all []*ignore
	// settings are those of the settings by whom they mean, comments those of comments by the
	// line they apply to.
	settings map[meant]*ignoreSet
	// strays are those that name what nothing has, by whom they may mean.
	strays   map[meant]*ignoreSet
	comments map[ignoredLine]*verdict
	// paths are the files with such comments: only there lines matter.
	paths map[string]bool
	// void remembers the results of misnamed, nearest those of near.
	void    map[string][2]string
	nearest map[string]string
	// atBase is what they are compared with, nil for nothing; standing are those that it has.
	atBase   *AtBase
	standing map[*ignore]bool
}

// ignoredLine is a line of a file for which one rule is ignored; "" means the rule is unknown,
// because the comment names none.
type ignoredLine struct {
	path string
	line int
	rule string
}

// meant is what ignores of the settings mean: a rule, and one server or, with "",
// all of them; an approval also one hash of one thing.
type meant struct{ rule, server, identity, integrity string }

// ignoreSet are ignores of the settings that mean the same, wherever it is found.
type ignoreSet struct {
	all    []*ignore
	byPath glob.Index // by their places in all
	// everywhere are the places of those that name no path.
	everywhere []int
	verdicts   map[string]*verdict // by path, once computed
}

// verdict is what ignores do with the findings that they match. Thousands of ignores may match
// thousands of findings, so it is worked out once.
type verdict struct {
	ignores []*ignore
	settled bool
	hides   bool
	void    []rule.Related // the first of those that hide nothing
	// mistaken is why nothing is fixed: the first ignore that may be meant to hide something,
	// and does not because of a mistake; "" for none.
	mistaken string
}

// ReasonToWrite is the placeholder for a reason, in documentation and in what an editor inserts.
const ReasonToWrite = "WHY"

// IsReason reports whether a text is a reason: neither blank nor the placeholder for one.
func IsReason(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && text != ReasonToWrite
}

// hasPlaceholder reports whether its reason is not written yet.
func (i Ignore) hasPlaceholder() bool { return strings.TrimSpace(i.Reason) == ReasonToWrite }

// maxVoid is how many void ignores are named in one finding. Each of them is reported at its
// own place.
const maxVoid = 10

// collectIgnores returns the ignores of the settings and, unless they have no say, of the
// comments of all files that were read. today, as 2006-01-02, tells which have expired,
// known what they may name.
func collectIgnores(settings *Settings, repo *mcp.Repo, known *names, today string, noComments bool) *ignores {
	all := &ignores{
		settings: map[meant]*ignoreSet{}, strays: map[meant]*ignoreSet{}, comments: map[ignoredLine]*verdict{},
		paths: map[string]bool{}, void: map[string][2]string{}, nearest: map[string]string{},
	}
	locked := sync.OnceValue(func() compare.LockedHashes { return compare.LockedHashesOf(repo) })
	strays := known.strays(settings.Ignores)
	for i, entry := range settings.Ignores {
		one := &ignore{rule: entry.Rule, file: settings.file, place: entry.place, whole: entry.entry, entry: entry.bare(), quiet: entry.isShared}
		if entry.isShared {
			one.file = entry.file
		}
		one.unread = entry.Integrity != "" && locked().Has(entry.Identity, entry.Integrity)
		switch {
		case entry.hasPlaceholder():
			one.void, one.help = "has the placeholder "+ReasonToWrite+" instead of a reason, so it hides nothing", "write the reason"
		case entry.Until != "" && entry.Until < today:
			one.void, one.help = "expired on "+entry.Until, "remove this ignore, or write a later date"
		}
		all.all = append(all.all, one)
		addSetting(all.settings, one, entry)
		if s, isStray := strays[i]; isStray && one.void == "" {
			one.strayAt = s.place(entry)
			one.stray, one.help = known.message(s, entry)
			for _, meant := range s.mayMean(entry) {
				addSetting(all.strays, one, meant)
			}
		}
	}
	if noComments {
		return all
	}
	for _, project := range repo.Projects {
		for _, doc := range project.Documents {
			all.addComments(doc)
		}
	}
	return all
}

// addSetting adds an ignore of the settings to those that mean the same.
func addSetting(sets map[meant]*ignoreSet, one *ignore, entry Ignore) {
	key := meant{entry.Rule, entry.Server, entry.Identity, entry.Integrity}
	set := sets[key]
	if set == nil {
		set = &ignoreSet{verdicts: map[string]*verdict{}}
		sets[key] = set
	}
	id := len(set.all)
	set.all = append(set.all, one)
	if entry.Path == "" {
		set.everywhere = append(set.everywhere, id)
	} else if pattern, err := glob.Parse(entry.Path); err == nil {
		set.byPath.Add(pattern, id)
	}
}

// addComments adds the ignores of a file's comments.
func (all *ignores) addComments(doc *mcp.Document) {
	var next map[int]int // once they are needed
	var unread unreadLines
	for _, span := range doc.Extensions.Comments {
		found, ok := readDirective(string(doc.File.Bytes[span.Start:span.End]))
		if !ok {
			continue
		}
		if next == nil {
			next, unread = afterComments(doc), unreadOf(doc)
		}
		line := doc.File.LineAt(span.Start)
		if after, alone := next[line]; alone {
			line = after
		}
		for i, word := range found.rules {
			one := &ignore{
				rule: word.text, file: doc.File, void: found.void, help: found.help, quiet: doc.Role != mcp.InUse,
				whole: span, isComment: true, unread: unread.has(line),
				place: syntax.Span{Start: span.Start + word.start, End: span.Start + word.start + len(word.text)},
				part:  partOfList(found.rules, i, span.Start),
			}
			if one.void == "" {
				one.void, one.help = all.misnamed(word.text)
			}
			all.all = append(all.all, one)
			at := ignoredLine{doc.File.Path, line, word.text}
			if one.void != "" && checks.ByID(word.text) == nil {
				at.rule = found.about
				if at.rule == "" {
					at.rule = all.near(word.text)
				}
			}
			if all.comments[at] == nil {
				all.comments[at] = &verdict{}
			}
			all.comments[at].ignores = append(all.comments[at].ignores, one)
			all.paths[doc.File.Path] = true
		}
	}
}

// partOfList returns what goes with a name of a list that begins at an offset, so that
// the others stay a list; zero for the only one.
func partOfList(names []word, i, offset int) syntax.Span {
	end := func(w word) int { return offset + w.start + len(w.text) }
	switch last := len(names) - 1; {
	case last == 0:
		return syntax.Span{}
	case i < last:
		return syntax.Span{Start: offset + names[i].start, End: offset + names[i+1].start}
	default:
		return syntax.Span{Start: end(names[i-1]), End: end(names[i])}
	}
}

// unreadLines are ranges of lines, the first and the last of each, by their first
// ones. The last one of a range is at least that of those before it.
type unreadLines [][2]int

// unreadOf returns the lines of the entries whose keys are written again.
func unreadOf(doc *mcp.Document) unreadLines {
	var lines unreadLines
	for _, r := range doc.Duplicates {
		lines = append(lines, [2]int{doc.File.LineAt(r.First.Start), doc.File.LineAt(max(r.First.Start, r.FirstValue.End))})
	}
	slices.SortFunc(lines, func(a, b [2]int) int { return a[0] - b[0] })
	for i := range lines[min(1, len(lines)):] {
		lines[i+1][1] = max(lines[i+1][1], lines[i][1])
	}
	return lines
}

// has reports whether a line is one of them.
func (u unreadLines) has(line int) bool {
	after, _ := slices.BinarySearchFunc(u, line+1, func(lines [2]int, line int) int { return lines[0] - line })
	return after > 0 && line <= u[after-1][1]
}

// misnamed returns why an ignore of a rule of that name is void, or "", and what to do.
func (all *ignores) misnamed(rule string) (void, help string) {
	if texts, known := all.void[rule]; known {
		return texts[0], texts[1]
	}
	if rule == checks.UnusedIgnore.ID {
		void, help = "cannot hide "+rule, "write rules: {"+rule+": off} in the settings instead"
	} else if rule == checks.IntegrityChanged.ID {
		void, help = "names no hash, so it approves none", "run mcplumb approve, which writes an ignore with the hash"
	} else if checks.ByID(rule) == nil {
		void, help = fmt.Sprintf("names the unknown rule %q", shortened(rule)), "use a rule that mcplumb rules lists"
		if near := all.near(rule); near != "" {
			help = fmt.Sprintf("did you mean %q?", near)
		}
	}
	all.void[rule] = [2]string{void, help}
	return void, help
}

// near returns the rule that a wrong name probably meant, "" for any.
func (all *ignores) near(name string) string {
	if _, known := all.nearest[name]; !known {
		all.nearest[name] = spelling.Nearest(name, ruleIDs())
	}
	return all.nearest[name]
}

// afterComments returns for every line that holds nothing but comments the next one that holds
// more, or nothing at all: the line that a comment there applies to.
func afterComments(doc *mcp.Document) map[int]int {
	next := map[int]int{}
	for _, span := range slices.Backward(doc.Extensions.Comments) {
		if !standsAlone(doc.File, span) {
			continue
		}
		first, last := doc.File.LineAt(span.Start), doc.File.LineAt(span.End)
		after, known := next[last+1]
		if !known {
			after = last + 1
		}
		for line := first; line <= last; line++ {
			next[line] = after
		}
	}
	return next
}

// standsAlone reports whether a comment is alone on its line.
func standsAlone(file *syntax.File, span syntax.Span) bool {
	_, start := file.Line(file.LineAt(span.Start))
	last, lastStart := file.Line(file.LineAt(span.End))
	return isBlank(file.Bytes[start:span.Start]) && isBlank(file.Bytes[min(span.End, lastStart+len(last)):lastStart+len(last)])
}

func isBlank(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// hide removes what is ignored from the findings and returns the rest. An ignore that is void hides
// nothing; the finding then names it. A finding that a mistaken ignore may be meant for is not
// fixed.
func (all *ignores) hide(findings []rule.Finding) []rule.Finding {
	if len(all.all) == 0 {
		return findings
	}
	var kept []rule.Finding
	for _, f := range findings {
		hidden, mistaken := false, all.mayMean(&f)
		isOther := all.atBase.isOther(&f)
		for _, v := range all.matching(&f) {
			v.settle()
			hidden = hidden || v.hides && !isOther
			if isOther && v.hides {
				voided, hides := all.outlived(v)
				hidden = hidden || hides
				f.Related = append(f.Related[:len(f.Related):len(f.Related)], voided...)
			}
			f.Related = append(f.Related[:len(f.Related):len(f.Related)], v.void...)
			mistaken = cmp.Or(mistaken, v.mistaken)
		}
		if mistaken != "" && len(f.Fixes) > 0 {
			f.Fixes, f.NoFixReason = nil, mistaken
		}
		if !hidden && !all.hidesLeader(&f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// mayMean returns in a clause that an ignore which names something that does not exist may be meant
// for a finding with fixes, "" for none.
func (all *ignores) mayMean(f *rule.Finding) string {
	if len(all.strays) == 0 {
		return ""
	}
	paths := []string{f.File.Path}
	for _, fix := range f.Fixes {
		for _, e := range fix.Edits {
			paths = append(paths, e.File.Path)
		}
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		for _, server := range []string{"", f.Server} {
			if set := all.strays[meant{rule: f.Rule.ID, server: server}]; set != nil && len(set.at(path).ignores) > 0 {
				one := set.at(path).ignores[0]
				return one.mayMean(one.withHelp(one.stray))
			}
		}
	}
	return ""
}

// mayMean returns in a clause that an ignore may be meant for a finding, and why it does not hide
// it.
func (one *ignore) mayMean(why string) string {
	where := "an ignore in the settings"
	if one.file != nil {
		where = fmt.Sprintf("the ignore at %s:%d", one.file.Path, one.file.LineAt(one.place.Start))
	}
	return fmt.Sprintf("%s may be for this finding: %s", where, why)
}

// withHelp adds what to do to what is wrong with an ignore.
func (one *ignore) withHelp(why string) string {
	if one.help == "" {
		return why
	}
	return why + ": " + one.help
}

// hidesLeader reports whether the finding from which one follows is ignored.
func (all *ignores) hidesLeader(f *rule.Finding) bool {
	if f.Leader() == nil {
		return false
	}
	leader := *f.Leader()
	leader.Rule = f.Rule
	isOther := all.atBase.isOther(&leader)
	return slices.ContainsFunc(all.matching(&leader), func(v *verdict) bool {
		v.settle()
		if isOther && v.hides {
			_, hides := all.outlived(v)
			return hides
		}
		return v.hides
	})
}

// matching returns the verdicts of the ignores that mean a finding.
func (all *ignores) matching(f *rule.Finding) []*verdict {
	var found []*verdict
	for _, server := range []string{"", f.Server} {
		means := meant{rule: f.Rule.ID, server: server}
		if f.Approval != nil {
			means.identity, means.integrity = f.Approval.Identity, f.Approval.New
		}
		if set := all.settings[means]; set != nil {
			found = append(found, set.at(f.File.Path))
		}
		if f.Server == "" {
			break
		}
	}
	if all.paths[f.File.Path] {
		line := f.File.LineAt(f.Span.Start)
		for _, rule := range []string{f.Rule.ID, ""} {
			if v := all.comments[ignoredLine{f.File.Path, line, rule}]; v != nil {
				found = append(found, v)
			}
		}
	}
	return found
}

// at returns the verdict on findings in a file.
func (s *ignoreSet) at(path string) *verdict {
	if known := s.verdicts[path]; known != nil {
		return known
	}
	ids := slices.Clone(s.everywhere)
	s.byPath.Covering(path, func(id int) bool {
		ids = append(ids, id)
		return true
	})
	slices.Sort(ids)
	v := &verdict{}
	for _, id := range slices.Compact(ids) {
		v.ignores = append(v.ignores, s.all[id])
	}
	s.verdicts[path] = v
	return v
}

// settle notes that the ignores were used, and works out what they say.
func (v *verdict) settle() {
	if v.settled {
		return
	}
	v.settled = true
	for _, one := range v.ignores {
		one.used = true
		if one.void != "" && one.isComment {
			v.mistaken = cmp.Or(v.mistaken, one.mayMean(one.withHelp("it "+one.void)))
		}
		if one.void == "" {
			v.hides = true
		} else if one.file != nil && len(v.void) < maxVoid {
			v.void = append(v.void, rule.Related{File: one.file, Span: one.place, Message: one.withHelp("this ignore " + one.void), Aside: true})
		}
	}
}

// unused reports the ignores that are void or name something that does not exist, and those that
// hid nothing although the rule was judged.
func (all *ignores) unused(r *Run) []rule.Finding {
	check := checks.UnusedIgnore
	needed := all.needed(r.Judged)
	var findings []rule.Finding
	for _, one := range all.all {
		message, help := "", one.help
		switch {
		case one.quiet || one.file == nil:
		case one.stray != "":
			if r.KnowsNames && r.Runs(one.rule) {
				findings = append(findings, rule.Finding{
					Rule: check, Severity: rule.Warning, File: one.file, Span: one.strayAt,
					Message: "this ignore hides nothing: " + one.stray, Help: one.help,
					NoFixReason: "mcplumb cannot tell what was meant",
				})
			}
		case one.void != "":
			message = "this ignore " + one.void
		case !one.used && !one.unread && r.Judged(one.rule):
			message, help = fmt.Sprintf("this ignore hides nothing, because %s finds nothing here", one.rule), "remove this ignore"
			if needed[text{one.file, one.whole}] && !one.part.IsZero() {
				help = fmt.Sprintf("remove %s from this ignore", one.rule)
			}
		}
		if message != "" {
			findings = append(findings, rule.Finding{
				Rule: check, Severity: check.Severity, File: one.file, Span: one.place, Message: message, Help: help,
				Fixes: fixUnused(one, needed),
			})
		}
	}
	return findings
}

// text is a comment or an entry of the settings.
type text struct {
	file *syntax.File
	span syntax.Span
}

// needed returns the texts that must stay: something they name was found, or the file was not read,
// or it is unclear what was meant. A comment of several lines may also have another purpose.
func (all *ignores) needed(judged func(rule string) bool) map[text]bool {
	needed := map[text]bool{}
	for _, one := range all.all {
		isLong := one.isComment && bytes.Contains(one.file.Bytes[one.whole.Start:one.whole.End], []byte("\n"))
		if one.used || one.unread || one.stray != "" || isLong || !judged(one.rule) || checks.ByID(one.rule) == nil || one.rule == checks.UnusedIgnore.ID {
			needed[text{one.file, one.whole}] = true
		}
	}
	return needed
}

// fixUnused removes an ignore with its whole comment or entry, or only the rule if others of the
// comment are needed. It does not change settings outside of the repository.
func fixUnused(one *ignore, needed map[text]bool) []rule.Fix {
	isKnown := checks.ByID(one.rule) != nil && one.rule != checks.UnusedIgnore.ID
	switch isNeeded := needed[text{one.file, one.whole}]; {
	case source.IsOutside(one.file.Path):
		return nil
	case isNeeded && one.void == "" && isKnown && !one.part.IsZero():
		return []rule.Fix{{
			Title: fmt.Sprintf("remove %s from this ignore", one.rule), Safety: rule.Unsafe,
			Edits: []edit.Change{edit.Remove(one.file, one.part)},
		}}
	case isNeeded:
		return nil
	}
	return []rule.Fix{{
		Title: "remove this ignore", Safety: rule.Unsafe,
		Edits: []edit.Change{edit.Remove(one.file, one.whole)},
	}}
}
