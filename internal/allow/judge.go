package allow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// Verdict is what a client does with a server.
type Verdict uint8

// The verdicts.
const (
	Allowed Verdict = iota
	Open            // the files alone do not tell
	Blocked
)

// Step is one step of a decision.
type Step struct {
	// Policy and Rule are what the step is about, nil for none. Rule is an entry of one of
	// the lists of Policy.
	Policy *Policy
	Rule   *Rule

	// IsMissing reports that no entry of the lists allows the server; Hints are clauses about
	// entries that are close.
	IsMissing bool
	Hints     []string

	format string
	args   []any
}

// Clause returns what was found. It contains no credential.
func (s *Step) Clause() string { return fmt.Sprintf(s.format, s.args...) }

// String returns the clause with its hints.
func (s *Step) String() string {
	return strings.Join(append([]string{s.Clause()}, s.Hints...), "; ")
}

// Decision is what a client does with a server, and why.
type Decision struct {
	Verdict Verdict
	// Steps are in the order in which the client goes; the last one decides.
	Steps []Step
	// IsManaged reports that a file of the organization decides, and not one of the project
	// alone.
	IsManaged bool
	// isDenied reports that a list denies the server, even if others allow it.
	isDenied bool
}

// Last is the step that decides; nil where there are no lists at all.
func (d *Decision) Last() *Step {
	if len(d.Steps) == 0 {
		return nil
	}
	return &d.Steps[len(d.Steps)-1]
}

// Judge returns what a client does with a server under policies, by its own rules. Policies
// of the other client, and for Copilot those of a project, are passed over.
func Judge(c Client, policies []*Policy, s *Server) Decision {
	j := judge{client: c, server: s}
	var doubtful []*Policy
	for _, p := range policies {
		isRead := p.Client == "" || p.Client == c
		switch {
		case !isRead || !p.IsManaged && c != ClaudeCode:
		case p.IsManaged && p.Exclusive != nil:
			if j.isLeftOut(p) {
				return j.decision
			}
		case c == ClaudeCode && len(p.Doubts) > 0:
			doubtful = append(doubtful, p)
		case p.Allowed != nil || p.Denied != nil || p.OnlyManaged:
			j.policies = append(j.policies, p)
		}
	}
	switch {
	case len(j.policies) == 0:
	case c == ClaudeCode:
		j.claude()
		j.withoutProject()
	default:
		j.copilot()
	}
	for _, p := range doubtful {
		j.doubt(p)
	}
	return j.decision
}

// withoutProject goes on where the project denies what a managed list blocks as well: then
// that one decides.
func (j *judge) withoutProject() {
	if j.decision.Verdict != Blocked || j.decision.IsManaged {
		return
	}
	other := judge{client: j.client, server: j.server}
	for _, p := range j.policies {
		if !p.IsManaged {
			p = &Policy{Name: p.Name, File: p.File, Client: p.Client, Allowed: p.Allowed}
		}
		other.policies = append(other.policies, p)
	}
	other.claude()
	if d := &other.decision; d.Verdict == Blocked && d.IsManaged {
		d.Steps = append(j.decision.Steps, d.Steps[min(1, len(d.Steps)-1):]...) // the first is about denials
		d.isDenied = true
		j.decision = *d
	}
}

// doubt leaves open the effect of lists that their client may not read, unless another one
// decides regardless of them.
func (j *judge) doubt(p *Policy) {
	isManagedAlone := !p.IsManaged && slices.ContainsFunc(j.policies, func(p *Policy) bool { return p.IsManaged && p.OnlyManaged })
	if j.decision.Verdict == Blocked && (j.decision.isDenied || isManagedAlone) {
		return
	}
	d := &p.Doubts[0]
	j.end(Open, p, nil, "it may not follow the lists in %s (%s)", p.Place(d.Span), d.Text)
}

// judge is one decision while it is made.
type judge struct {
	client   Client
	policies []*Policy
	server   *Server
	decision Decision
}

func (j *judge) step(p *Policy, r *Rule, format string, args ...any) {
	j.decision.Steps = append(j.decision.Steps, Step{Policy: p, Rule: r, format: format, args: args})
}

// end ends the decision with its last step.
func (j *judge) end(v Verdict, p *Policy, r *Rule, format string, args ...any) {
	j.step(p, r, format, args...)
	j.decision.Verdict = v
	if v != Allowed {
		j.decision.IsManaged = p == nil || p.IsManaged
	}
}

// found is an entry that holds for the server, or may.
type found struct {
	policy *Policy
	rule   *Rule
	how    match
}

// best returns the entry of a list that holds most, the first of equal ones.
func (j *judge) best(p *Policy, l *List, counts func(*Rule) bool) (best found) {
	if l == nil {
		return best
	}
	for i := range l.Rules {
		rule := &l.Rules[i]
		if best.how == yes {
			break
		}
		if !counts(rule) {
			continue
		}
		if how := rule.matches(j.server, j.client); how > best.how {
			best = found{p, rule, how}
		}
	}
	return best
}

func anyRule(*Rule) bool { return true }

// denied looks for an entry that denies the server in every list, and reports whether one
// does. What may deny it is returned.
func (j *judge) denied() (isDenied bool, open found) {
	count := 0
	for _, p := range j.policies {
		best := j.best(p, p.Denied, anyRule)
		if best.how == yes {
			j.end(Blocked, p, best.rule, "%q (%s) denies it with %s", deniedKey, p.Place(best.rule.Span), best.rule)
			j.decision.isDenied = true
			return true, open
		}
		if open.how == no {
			open = best
		}
		if p.Denied != nil {
			count += len(p.Denied.Rules)
		}
	}
	switch {
	case open.how != no:
		j.step(open.policy, open.rule, "whether %s (%s) denies it depends on %s",
			open.rule, open.policy.Place(open.rule.Span), j.unknown(open.rule))
	case count > 0:
		j.step(nil, nil, "%q does not name it (%s)", deniedKey, entries(count))
	default:
		j.step(nil, nil, "%q denies nothing", deniedKey)
	}
	return false, open
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// claude judges as Claude Code: all lists are one, what is denied is blocked, and of what is
// allowed a name counts only where no entry is about commands, or for a server that is
// reached, about addresses.
func (j *judge) claude() {
	isDenied, denial := j.denied()
	if isDenied {
		return
	}
	lists := slices.DeleteFunc(slices.Clone(j.policies), func(p *Policy) bool { return p.Allowed == nil })
	if i := slices.IndexFunc(j.policies, func(p *Policy) bool { return p.IsManaged && p.OnlyManaged }); i >= 0 {
		if managed := slices.DeleteFunc(slices.Clone(lists), func(p *Policy) bool { return !p.IsManaged }); len(managed) < len(lists) {
			j.step(j.policies[i], nil, "%q in %s: servers that the project's own settings allow do not count", onlyManagedKey, j.policies[i].Name)
			lists = managed
		}
	}
	if len(lists) == 0 {
		j.admit(denial, nil, nil, "%q is not set, so every server that is not denied is loaded", allowedKey)
		return
	}
	kind, count := j.server.kind(), 0
	var best, named, strict found // strict is the first entry that makes names not count
	for _, p := range lists {
		count += len(p.Allowed.Rules)
		if i := slices.IndexFunc(p.Allowed.Rules, func(r Rule) bool { return r.kind == kind }); i >= 0 && strict.rule == nil {
			strict = found{policy: p, rule: &p.Allowed.Rules[i]}
		}
		if held := j.best(p, p.Allowed, func(r *Rule) bool { return r.kind == kind }); held.how > best.how {
			best = held
		}
		if held := j.best(p, p.Allowed, func(r *Rule) bool { return r.kind == byName }); held.how > named.how {
			named = held
		}
	}
	var hints []string
	if strict.rule == nil {
		best = named
	} else if named.how == yes {
		hints = append(hints, fmt.Sprintf("%s (%s) has its name, but names do not count in a list with a %s (%s)",
			named.rule, named.policy.Place(named.rule.Span), kind, strict.policy.Place(strict.rule.Span)))
	}
	if best.how == no {
		j.refuse(lists, count, hints)
		return
	}
	j.allow(best, denial)
}

// allow ends the decision with an entry that allows the server, or may.
func (j *judge) allow(best, denial found) {
	if best.how == yes {
		j.admit(denial, best.policy, best.rule, "%q (%s) allows it with %s", allowedKey, best.policy.Place(best.rule.Span), best.rule)
		return
	}
	j.end(Open, best.policy, best.rule, "whether %s (%s) allows it depends on %s",
		best.rule, best.policy.Place(best.rule.Span), j.unknown(best.rule))
}

// unknown returns what the match of an entry depends on, such as the value of a variable.
func (j *judge) unknown(r *Rule) string {
	for _, words := range [][]string{j.server.words(), r.words, {r.text}} {
		for i, word := range words {
			if ref, found := variable(word, 0, j.server.varies(j.client)); found {
				return "the value of " + shownIn(words, i, ref)
			}
		}
	}
	if !strings.Contains(r.text, "://") {
		return "what a pattern without a scheme matches"
	}
	return "how its path is resolved, which leads upwards"
}

// admit ends the decision well, unless something may deny the server.
func (j *judge) admit(denial found, p *Policy, r *Rule, format string, args ...any) {
	if denial.how == no {
		j.end(Allowed, p, r, format, args...)
		return
	}
	j.step(p, r, format, args...)
	j.end(Open, denial.policy, denial.rule, "whether %s (%s) still denies it depends on %s",
		denial.rule, denial.policy.Place(denial.rule.Span), j.unknown(denial.rule))
}

// refuse ends the decision where no entry allows the server. hints are clauses about it.
func (j *judge) refuse(lists []*Policy, count int, hints []string) {
	var names []string
	decides := lists[0]
	for _, p := range lists {
		names = append(names, p.Place(p.Allowed.Key))
		if p.IsManaged {
			decides = p
		}
	}
	if count == 0 {
		j.end(Blocked, decides, nil, "%q (%s) is an empty list, so it allows no server", allowedKey, strings.Join(names, ", "))
		j.decision.Last().IsMissing = true
		return
	}
	subject := fmt.Sprintf("none of %d entries", count)
	if count == 1 {
		subject = "no entry"
	}
	j.end(Blocked, decides, nil, "%s in %q (%s) matches %q",
		subject, allowedKey, strings.Join(names, ", "), j.server)
	last := j.decision.Last()
	last.IsMissing, last.Hints = true, hints
	if hint := j.hint(lists); hint != "" {
		last.Hints = append(last.Hints, hint)
	}
}

// hint names an entry that is nearly right: the same program with other arguments, or for
// Copilot the same host without a path.
func (j *judge) hint(lists []*Policy) string {
	for _, p := range lists {
		for i := range p.Allowed.Rules {
			rule := &p.Allowed.Rules[i]
			switch {
			case rule.kind != j.server.kind():
			case rule.kind == byURL && matchURL(rule.text, j.server, ClaudeCode) == yes:
				return fmt.Sprintf("%s (%s) allows only the root of that host: a pattern for every path ends with /*", rule, p.Place(rule.Span))
			case rule.kind == byCommand && len(j.server.Command) > 1 && rule.words[0] == j.server.Command[0] && shared(rule.words[1:], j.server.Command[1:]):
				return fmt.Sprintf("%s (%s) is another command: every word counts", rule, p.Place(rule.Span))
			}
		}
	}
	return ""
}

// shared reports whether two lists of arguments have one in common that is no option.
func shared(a, b []string) bool {
	return slices.ContainsFunc(a, func(word string) bool {
		return !strings.HasPrefix(word, "-") && slices.ContainsFunc(b, func(other string) bool { return program(word) == program(other) })
	})
}

// program returns what an argument names, without a version behind it.
func program(word string) string {
	if i := strings.LastIndexByte(word, '@'); i > 0 {
		word = word[:i]
	}
	name, _, _ := strings.Cut(word, "==")
	return name
}

// copilot judges as clients of GitHub Copilot: what is denied is blocked, every list of
// allowed servers must allow the server, and a server with an unresolved variable is not
// started.
func (j *judge) copilot() {
	if isDenied, _ := j.denied(); isDenied {
		return
	}
	hasList := false
	for _, p := range j.policies {
		if p.Allowed == nil {
			continue
		}
		hasList = true
		best := j.best(p, p.Allowed, anyRule)
		switch best.how {
		case no:
			j.refuse([]*Policy{p}, len(p.Allowed.Rules), nil)
			return
		case maybe:
			j.allow(best, found{})
			return
		}
		j.step(p, best.rule, "%q (%s) allows it with %s", allowedKey, p.Place(best.rule.Span), best.rule)
	}
	if !hasList {
		j.step(nil, nil, "%q is not set, so every server that is not denied may be loaded", allowedKey)
	}
	j.resolved()
}

// resolved ends the decision with the variables in a command or an address.
func (j *judge) resolved() {
	for i, word := range j.server.words() {
		ref, found := secret.NextReference(word, 0)
		if !found {
			continue
		}
		text := shownIn(j.server.words(), i, ref)
		if j.server.isFilled(ref) {
			j.end(Open, j.policies[0], nil, "its %s contains %s, and a client that has not expanded that by then blocks it", j.server.What(), text)
			return
		}
		j.end(Blocked, j.policies[0], nil, "its %s contains %s, and nothing can verify it with a variable in it", j.server.What(), text)
		return
	}
	j.end(Allowed, nil, nil, "its %s contains no variable", j.server.What())
}
