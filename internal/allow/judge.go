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

	format string
	args   []any
}

// String says in a clause what was found. No credential is in it.
func (s *Step) String() string { return fmt.Sprintf(s.format, s.args...) }

// Decision is what a client does with a server, and why.
type Decision struct {
	Verdict Verdict
	// Steps are in the order in which the client goes; the last one decides.
	Steps []Step
	// IsManaged reports that a file of the organization decides, and not one of the project
	// alone.
	IsManaged bool
	// isDenied reports that a list denies the server, whatever others allow.
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

// doubt leaves open what lists do that their client may not read, unless another one decides
// whatever they say.
func (j *judge) doubt(p *Policy) {
	isManagedAlone := !p.IsManaged && slices.ContainsFunc(j.policies, func(p *Policy) bool { return p.IsManaged && p.OnlyManaged })
	if j.decision.Verdict == Blocked && (j.decision.isDenied || isManagedAlone) {
		return
	}
	d := &p.Doubts[0]
	j.end(Open, p, nil, "what %s makes of the lists in %s is not known: %s", j.client.Title(), p.Place(d.Span), d.Text)
}

// judge is one decision while it is made.
type judge struct {
	client   Client
	policies []*Policy
	server   *Server
	decision Decision
}

func (j *judge) step(p *Policy, r *Rule, format string, args ...any) {
	j.decision.Steps = append(j.decision.Steps, Step{p, r, format, args})
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
			j.end(Blocked, p, best.rule, "%s (%s) denies it with %s", deniedKey, p.Place(best.rule.Span), best.rule)
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
		j.step(open.policy, open.rule, "%s (%s) may deny it: whether %s is its %s hangs on %s",
			deniedKey, open.policy.Place(open.rule.Span), open.rule, j.server.What(), j.unknown(open.rule))
	case count > 0:
		j.step(nil, nil, "%s does not name it (%s)", deniedKey, entries(count))
	default:
		j.step(nil, nil, "%s denies nothing", deniedKey)
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
			j.step(j.policies[i], nil, "%s in %s: what the project's own settings allow does not count", onlyManagedKey, j.policies[i].Name)
			lists = managed
		}
	}
	if len(lists) == 0 {
		j.admit(denial, nil, nil, "%s is not set: what is not denied is loaded", allowedKey)
		return
	}
	kind, count := j.server.kind(), 0
	var best, named, strict found // strict is the first entry beside which a name does not count
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
	hint := ""
	if strict.rule == nil {
		best = named
	} else if named.how == yes {
		hint = fmt.Sprintf("; %s (%s) has its name, which does not count beside a %s (%s)",
			named.rule, named.policy.Place(named.rule.Span), kind, strict.policy.Place(strict.rule.Span))
	}
	if best.how == no {
		j.refuse(lists, count, hint)
		return
	}
	j.allow(best, denial)
}

// allow ends the decision with an entry that admits the server, or may.
func (j *judge) allow(best, denial found) {
	if best.how == yes {
		j.admit(denial, best.policy, best.rule, "%s (%s) admits it with %s", allowedKey, best.policy.Place(best.rule.Span), best.rule)
		return
	}
	j.end(Open, best.policy, best.rule, "%s (%s) may admit it: whether %s is its %s hangs on %s",
		allowedKey, best.policy.Place(best.rule.Span), best.rule, j.server.What(), j.unknown(best.rule))
}

// unknown says on what it hangs whether an entry holds for the server.
func (j *judge) unknown(r *Rule) string {
	for _, words := range [][]string{j.server.words(), r.words, {r.text}} {
		for i, word := range words {
			if ref, found := variable(word, 0, j.server.varies(j.client)); found {
				return "the value of " + shownIn(words, i, ref)
			}
		}
	}
	if !strings.Contains(r.text, "://") {
		return "what a pattern without a scheme stands for"
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
	j.end(Open, denial.policy, denial.rule, "%s (%s) may deny it all the same: whether %s is its %s hangs on %s",
		deniedKey, denial.policy.Place(denial.rule.Span), denial.rule, j.server.What(), j.unknown(denial.rule))
}

// refuse ends the decision where no entry admits the server. ofName is a clause about its
// name, "" for none.
func (j *judge) refuse(lists []*Policy, count int, ofName string) {
	var names []string
	decides := lists[0]
	for _, p := range lists {
		names = append(names, p.Place(p.Allowed.Key))
		if p.IsManaged {
			decides = p
		}
	}
	if count == 0 {
		j.end(Blocked, decides, nil, "%s (%s) is empty: it admits nothing", allowedKey, strings.Join(names, ", "))
		return
	}
	subject := fmt.Sprintf("none of the %d entries", count)
	if count == 1 {
		subject = "no entry"
	}
	j.end(Blocked, decides, nil, "%s of %s (%s) admits it: its %s is %q%s%s",
		subject, allowedKey, strings.Join(names, ", "), j.server.What(), j.server, ofName, j.hint(lists))
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
				return fmt.Sprintf("; %s (%s) is the root of that host alone, for every path of it ends with /*", rule, p.Place(rule.Span))
			case rule.kind == byCommand && len(j.server.Command) > 1 && rule.words[0] == j.server.Command[0] && shared(rule.words[1:], j.server.Command[1:]):
				return fmt.Sprintf("; %s (%s) is another command: every word counts", rule, p.Place(rule.Span))
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

// copilot judges as clients of GitHub Copilot: what is denied is blocked, every list of what
// is allowed has to admit the server, and none that has a variable left is started.
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
			j.refuse([]*Policy{p}, len(p.Allowed.Rules), "")
			return
		case maybe:
			j.allow(best, found{})
			return
		}
		j.step(p, best.rule, "%s (%s) admits it with %s", allowedKey, p.Place(best.rule.Span), best.rule)
	}
	if !hasList {
		j.step(nil, nil, "%s is not set: what is not denied may be loaded", allowedKey)
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
			j.end(Open, j.policies[0], nil, "%s stands in its %s: a client that has not filled it in by then blocks it", text, j.server.What())
			return
		}
		j.end(Blocked, j.policies[0], nil, "%s stands in its %s: with a variable in it nobody can verify what it is", text, j.server.What())
		return
	}
	j.end(Allowed, nil, nil, "no variable stands in its %s", j.server.What())
}
