package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Summary is what a change brings.
type Summary struct {
	Rows []Brought
	// IsPartial reports that not all could be read of what the change concerns.
	IsPartial bool
}

// Brought is one effect of a change, as in the summary of the change. The summary has every effect,
// also those that no rule reports.
type Brought struct {
	Kind BroughtKind
	// Server is the name of the server, of what is locked that; "" for all servers.
	Server string
	// File and Span are where it stands, at the base if AtBase.
	File   *syntax.File
	Span   syntax.Span
	AtBase bool
	// From is what ran or was locked at the base, To what is so now; both are empty if that is the
	// same. What says the rest in words.
	From, To string
	What     []string
	// More counts the other places with the same effect.
	More int
}

// BroughtKind says what happened.
type BroughtKind string

// The kinds, in the order in which they are shown.
const (
	NewServer     BroughtKind = "new"      // the base started it nowhere
	ChangedServer BroughtKind = "changed"  // it is another one, or runs in another way
	GoneServer    BroughtKind = "gone"     // it is no longer started anywhere
	Approval      BroughtKind = "approval" // a client no longer asks
	ChangedLock   BroughtKind = "lock"     // a lockfile has something else of it
)

// BroughtKinds are all kinds in their order.
var BroughtKinds = []BroughtKind{NewServer, ChangedServer, GoneServer, Approval, ChangedLock}

// Brought returns what the change brings, a row for each thing, by kinds.
func (b *Base) Brought() []Brought {
	changes := b.Changes()
	rows := slices.Concat(changes.serverRows(b), changes.goneRows(b), changes.approvalRows(b), lockRows(b))
	slices.SortStableFunc(rows, func(x, y Brought) int {
		return cmp.Compare(slices.Index(BroughtKinds, x.Kind), slices.Index(BroughtKinds, y.Kind))
	})
	return alike(rows)
}

// alike joins rows that say the same of several places: clients have files of their own for the
// same servers.
func alike(rows []Brought) []Brought {
	at := map[string]int{}
	var joined []Brought
	for _, row := range rows {
		key := strings.Join(append([]string{string(row.Kind), row.Server, row.From, row.To}, row.What...), "\x00")
		if first, isKnown := at[key]; isKnown {
			joined[first].More++
			continue
		}
		at[key] = len(joined)
		joined = append(joined, row)
	}
	return joined
}

// serverRows returns the servers of today that are new or changed.
func (c *Changes) serverRows(b *Base) []Brought {
	var rows []Brought
	before, today := c.places(b)
	isKept, _ := c.matched()
	isBeside := map[*mcp.Server]bool{}
	for _, servers := range c.Beside {
		for _, s := range servers {
			isBeside[s] = true
		}
	}
	isStillThere := func(was *mcp.Server) bool { return isKept[was] || !b.concerns(was.Document.Project.Dir) }
	for _, p := range b.now.Projects {
		if !b.concerns(p.Dir) {
			continue
		}
		for s := range serversOf(p) {
			row := Brought{Kind: ChangedServer, Server: s.Name, File: s.Document.File, Span: s.NameSpan}
			switch same := c.same[s]; {
			case c.IsNew[s] || isBeside[s]:
				row.Kind, row.To = NewServer, runsOf(s)
				if given := c.Given[ProgramKey(s)]; len(given) > 0 {
					row.What = []string{"is given " + wording.JoinWords(wording.Few(given))}
				}
			case c.Was[s] != nil:
				row.From, row.To = runsOf(c.Was[s]), runsOf(s)
			case len(same) > 0:
				left := slices.DeleteFunc(slices.Clone(same), func(was *mcp.Server) bool { return c.isElsewhere[s] && isStillThere(was) })
				isOneMore := len(left) == 0 || c.isElsewhere[s] && today[ByKey(s)] > before[ByKey(s)]
				if row.From, row.To, row.What = c.differences(left, s); isOneMore && row.From == row.To && len(row.What) == 0 {
					row.What = oneMore(same, s)
					if a := c.Altered[s]; a != nil {
						row.What = append(row.What, a.Words()...)
					}
				}
			}
			if row.From != row.To || len(row.What) > 0 {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// matched says which servers of the base a server of today continues at the same place, and which
// at another place or under another name.
func (c *Changes) matched() (isKept, isMoved map[*mcp.Server]bool) {
	isKept, isMoved = map[*mcp.Server]bool{}, map[*mcp.Server]bool{}
	for s, same := range c.same {
		for _, was := range same {
			isKept[was] = isKept[was] || !c.isElsewhere[s]
			isMoved[was] = isMoved[was] || c.isElsewhere[s]
		}
	}
	return isKept, isMoved
}

// oneMore says that a server runs what others run that are still there.
func oneMore(same []*mcp.Server, s *mcp.Server) []string {
	if hasName(same, s.Name) {
		return []string{"is started here as well"}
	}
	return []string{wording.Say("runs what %q runs", same[0].Name)}
}

func hasName(servers []*mcp.Server, name string) bool {
	return slices.ContainsFunc(servers, func(s *mcp.Server) bool { return s.Name == name })
}

// nameAndKey is the name of a server and what it runs.
func nameAndKey(s *mcp.Server) string { return s.Name + "\x00" + ByKey(s) }

// places counts where servers are started that run the same, at the base and today, in the
// projects that the change concerns.
func (c *Changes) places(b *Base) (before, today map[string]int) {
	count := func(repo *mcp.Repo) map[string]int {
		places := map[string]int{}
		for _, p := range repo.Projects {
			if !b.concerns(p.Dir) {
				continue
			}
			for s := range serversOf(p) {
				if isLaunched(s) {
					places[ByKey(s)]++
				}
			}
		}
		return places
	}
	return count(b.then), count(b.now)
}

// goneRows returns the servers of the base that are started nowhere today, or no longer at their
// place.
func (c *Changes) goneRows(b *Base) []Brought {
	isKept, isMoved := c.matched()
	isReplaced := map[string]bool{}
	for _, was := range c.Was {
		isReplaced[nameAndKey(was)] = true
	}
	var left []*mcp.Server
	names, keys := map[string]bool{}, map[string]bool{}
	for _, p := range b.then.Projects {
		for was := range serversOf(p) {
			if isLaunched(was) && !isKept[was] && !isReplaced[nameAndKey(was)] {
				left, names[was.Name], keys[ByKey(was)] = append(left, was), true, true
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	isRun, named := map[string]bool{}, map[string][]*mcp.Server{}
	isOff := map[string]bool{}
	for _, p := range b.now.Projects {
		for s := range serversOf(p) {
			switch {
			case !names[s.Name] && !keys[ByKey(s)]:
			case isLaunched(s):
				isRun[ByKey(s)], named[s.Name] = true, append(named[s.Name], s)
			default:
				isOff[s.Name] = true
			}
		}
	}
	before, today := c.places(b)
	var rows []Brought
	for _, was := range left {
		row := Brought{Kind: GoneServer, Server: was.Name, File: was.Document.File, Span: was.NameSpan, AtBase: true, From: runsOf(was)}
		others := named[was.Name]
		isSame := func(s *mcp.Server) bool { return c.index.isSame(was, s) }
		isFewer := today[ByKey(was)] > 0 && today[ByKey(was)] < before[ByKey(was)]
		switch isStarted := isRun[ByKey(was)] || slices.ContainsFunc(others[:min(len(others), MaxSpellings)], isSame); {
		case isMoved[was] && !isFewer:
			continue
		case isStarted:
			row.Kind, row.From, row.What = ChangedServer, "", []string{"is no longer started here"}
		case isOff[was.Name]:
			row.What = []string{"is disabled"}
		}
		rows = append(rows, row)
	}
	return rows
}

// runsOf says what a server runs, and in which version, or where it is; of what is still to be
// filled in the word.
func runsOf(s *mcp.Server) string {
	if s.Identity.Kind == identity.None {
		return wording.Say("%q", wording.Beginning(secret.Mask(ToFillIn(s)), wording.MaxQuoted))
	}
	runs := wording.Runs(s)
	if s.Identity.Kind == identity.URL {
		runs = withQuery(&s.Identity)
	}
	if version := s.Identity.Version.Text; version != "" {
		runs += " " + version
	}
	return wording.Beginning(secret.Mask(runs), wording.MaxQuoted)
}

// differences says how a server differs from all those of the base that are the same server, and
// nothing if it equals one of them. From and To are what runs, if that is written differently.
func (c *Changes) differences(same []*mcp.Server, s *mcp.Server) (from, to string, what []string) {
	for i, was := range same[:min(len(same), MaxSpellings)] {
		f, t, w := c.difference(was, s)
		if f == t && len(w) == 0 {
			from, to, what = "", "", nil
			break
		}
		if i == 0 {
			from, to, what = f, t, w
		}
	}
	if len(same) > 0 && !hasName(same, s.Name) {
		what = append(what, wording.Say("was called %q", same[0].Name))
	}
	return from, to, what
}

// difference compares how one program runs at the base and today.
func (c *Changes) difference(was, now *mcp.Server) (from, to string, what []string) {
	a := c.Altered[now]
	if a == nil && isWrittenAlike(was, now) {
		return "", "", nil
	}
	if a != nil {
		what = append(what, a.Words()...)
	}
	x, y := &was.Identity, &now.Identity
	isFile := x.Kind == identity.FileKind && y.Kind == identity.FileKind // it may have moved
	if x.Version.Text != y.Version.Text || !isFile && (x.String() != y.String() || !slices.Equal(c.index.selectorIn(was, now), y.Selector)) {
		from, to = runsOf(was), runsOf(now)
	}
	what = append(what, changedFetches(x, y)...)
	if x.Launcher != y.Launcher && x.Launcher != "" && y.Launcher != "" {
		what = append(what, wording.Say("is started with %s and was with %s", y.Launcher, x.Launcher))
	}
	what = append(what, changedNames(was, now)...)
	if from == to && len(what) == 0 {
		what = c.hiddenValues(was, now)
	}
	return from, to, what
}

// hiddenValues says where an entry has another value that is not shown, as a credential.
func (c *Changes) hiddenValues(was, now *mcp.Server) []string {
	if was.Launch.IsRemote() && was.Launch.URL.Text != now.Launch.URL.Text {
		return []string{"has another value in its address"}
	}
	then, today := was.Resolved().Config().Args, now.Resolved().Config().Args
	for i, arg := range then {
		then[i] = c.index.moved(was, now, arg)
	}
	slices.Sort(then)
	slices.Sort(today)
	if !slices.Equal(then, today) {
		return []string{"has another value in its arguments"}
	}
	return nil
}

// isWrittenAlike reports whether two entries start the same word for word, wherever they stand.
func isWrittenAlike(was, now *mcp.Server) bool {
	a, b := &was.Launch, &now.Launch
	isWord := func(x, y identity.Word) bool { return x.Text == y.Text }
	isPair := func(x, y identity.Pair) bool { return x.Name.Text == y.Name.Text && x.Value.Text == y.Value.Text }
	return was.Document.Project.Dir == now.Document.Project.Dir && was.Document.Format == now.Document.Format &&
		isWord(a.Command, b.Command) && isWord(a.URL, b.URL) && isWord(a.Cwd, b.Cwd) && was.Type.Text == now.Type.Text &&
		was.Identity.String() == now.Identity.String() && was.Identity.Version.Text == now.Identity.Version.Text &&
		slices.EqualFunc(a.Args, b.Args, isWord) && slices.EqualFunc(a.Env, b.Env, isPair) &&
		slices.EqualFunc(a.Headers, b.Headers, isPair) && slices.EqualFunc(a.PassEnv, b.PassEnv, isWord)
}

// changedFetches says which packages on the way to a server have another version.
func changedFetches(was, now *identity.Identity) []string {
	versions := map[string]string{}
	for _, pkg := range was.Fetched {
		versions[pkg.String()] = wording.OrName(pkg.Version.Text, "any version")
	}
	var words []string
	for _, pkg := range now.Fetched {
		then, today := versions[pkg.String()], wording.OrName(pkg.Version.Text, "any version")
		if then != "" && then != today {
			words = append(words, wording.Say("%s is at %s and was at %s", pkg, today, then))
		}
	}
	return wording.Few(words)
}

// changedNames says which headers a server newly gets or no longer gets, and which variables and
// headers have another value. Values are never shown.
func changedNames(was, now *mcp.Server) []string {
	then, today := was.Resolved().Config(), now.Resolved().Config()
	var words []string
	if was.Launch.IsRemote() && now.Launch.IsRemote() {
		had, has := givenBy(was, then), givenBy(now, today)
		if more := beyond(has, had); len(more) > 0 {
			words = append(words, "is given "+wording.JoinWords(wording.Few(more)))
		}
		if fewer := beyond(had, has); len(fewer) > 0 {
			words = append(words, "is not given "+wording.JoinWords(wording.Few(fewer)))
		}
	}
	other := otherValues(then.Env, today.Env)
	for _, name := range otherValues(then.Headers, today.Headers) {
		other = append(other, headerName(name))
	}
	if len(other) > 0 { // already said by what decides the code
		isCode := func(l mcp.Launch) bool { return l.Kind == mcp.LaunchSetting || l.Kind == mcp.LaunchReach }
		other = beyond(other, append(decidingOf(was, isCode).names, decidingOf(now, isCode).names...))
	}
	if len(other) > 0 {
		words = append(words, "has another value of "+wording.JoinWords(wording.Few(other)))
	}
	return words
}

// otherValues returns the names of settings that have another value than they had.
func otherValues(was, now []identity.Setting) []string {
	values := map[string]string{}
	for _, s := range was {
		values[s.Name] = s.Value
	}
	var names []string
	for _, s := range now {
		if value, isThere := values[s.Name]; isThere && value != s.Value {
			names = append(names, s.Name)
		}
	}
	return names
}

// beyond returns the words that are not among others, each once.
func beyond(words, others []string) []string {
	isSaid := setOf(others)
	var left []string
	for _, word := range words {
		if !isSaid[word] {
			isSaid[word], left = true, append(left, word)
		}
	}
	return left
}

func setOf(words []string) map[string]bool {
	set := map[string]bool{}
	for _, word := range words {
		set[word] = true
	}
	return set
}

// Clause is one way in which a server runs otherwise: what changed, and each change.
type Clause struct {
	Label string
	Items []string
}

// String returns a clause in words.
func (c Clause) String() string { return c.Label + strings.Join(wording.Few(c.Items), "; ") }

// Clauses returns how a server runs otherwise.
func (a *LaunchChange) Clauses() []Clause {
	var clauses []Clause
	each := func(label string, items []string) {
		if len(items) > 0 {
			clauses = append(clauses, Clause{label, items})
		}
	}
	all := func(label string, names []string, behind string) {
		if len(names) > 0 {
			clauses = append(clauses, Clause{Items: []string{label + wording.JoinWords(wording.Few(names)) + behind}})
		}
	}
	beside, scripts := besideWords(a.Side)
	all("also installs ", a.Installs, "")
	each("may load other code: ", slices.Concat(a.Settings, a.Digest, beside))
	each("its container has other access: ", a.Reach)
	each("its script changed: ", scripts)
	all("now receives ", a.Handed, " in headers")
	for _, older := range a.Older {
		clauses = append(clauses, Clause{Items: []string{older}})
	}
	each("its address changed: ", a.Address)
	each("its arguments changed: ", a.Args)
	all("its rules no longer contain ", a.Opened, "")
	all("now receives ", a.Given, "")
	all("no longer receives ", a.Taken, "")
	return clauses
}

// Words returns how a server runs otherwise, in words.
func (a *LaunchChange) Words() []string {
	var words []string
	for _, c := range a.Clauses() {
		words = append(words, c.String())
	}
	return words
}

// approvalRows returns what clients no longer ask for: an approval by name is not wider if every
// server had it before.
func (c *Changes) approvalRows(b *Base) []Brought {
	var rows []Brought
	type place struct {
		doc  *mcp.Document
		span syntax.Span
	}
	isSaid := map[place]bool{}
	for i := range c.Wider {
		w := &c.Wider[i]
		isSaid[place{w.Document, w.Span}] = true
		rows = append(rows, Brought{Kind: Approval, Server: w.Server, File: w.Document.File, Span: w.Span, What: []string{w.Words() + " without asking"}})
	}
	had := approvalsOf(b)
	for _, p := range b.now.Projects {
		if !b.concerns(p.Dir) {
			continue
		}
		for doc := range reads.Used(p) {
			for _, a := range doc.Approvals {
				at := approvalKey{b.dirOf(p.Dir), a.Client.ID, a.Grant, a.Server}
				every := at
				every.server = ""
				if a.Tool == "" && !isSaid[place{doc, a.Span}] && !had[at].has("") && !had[every].has("") {
					rows = append(rows, Brought{Kind: Approval, Server: a.Server, File: doc.File, Span: a.Span, What: []string{approvalWords(a)}})
				}
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y Brought) int {
		return cmp.Or(strings.Compare(x.File.Path, y.File.Path), cmp.Compare(x.Span.Start, y.Span.Start))
	})
	return rows
}

// approvalWords says what a client does without asking.
func approvalWords(a mcp.Approval) string {
	switch {
	case a.Grant == mcp.StartServer && a.Server == "":
		return wording.Say("%s starts every server of the project without asking", a.Client.Title)
	case a.Grant == mcp.StartServer:
		return wording.Say("%s starts it without asking", a.Client.Title)
	case a.Server == "":
		return wording.Say("%s runs every tool of every server without asking", a.Client.Title)
	}
	return wording.Say("%s runs every tool of it without asking", a.Client.Title)
}

// lockRows returns what lockfiles have otherwise than at the base: entries that are new, gone, or
// of another version, hash or program.
func lockRows(b *Base) []Brought {
	index := b.Pinned()
	named := map[namedLock]*PinnedHash{}
	var all []*PinnedHash
	for _, p := range b.then.Projects {
		for seal := range pinnedIn(p) {
			if was := index.exact[seal.place()]; was != nil && named[seal.named()] == nil {
				named[seal.named()] = was
				all = append(all, was)
			}
		}
	}
	isKnown := map[*PinnedHash]bool{}
	var rows []Brought
	for _, p := range b.now.Projects {
		if !b.concerns(p.Dir) {
			continue
		}
		for now := range pinnedIn(p) {
			row := Brought{Kind: ChangedLock, Server: now.Name, File: now.Document.File, Span: now.Span}
			was := cmp.Or(index.Before(now), named[now.named()])
			if was == nil {
				row.To, row.What = now.locked(), []string{"is locked"}
				rows = append(rows, row)
				continue
			}
			isKnown[was] = true
			if row.From, row.To, row.What = lockedOtherwise(was, now); row.From != row.To || len(row.What) > 0 {
				rows = append(rows, row)
			}
		}
	}
	for _, was := range all {
		if !isKnown[was] {
			rows = append(rows, Brought{
				Kind: ChangedLock, Server: was.Name, File: was.Document.File, Span: was.Span, AtBase: true, From: was.locked(), What: []string{"is no longer locked"},
			})
		}
	}
	return rows
}

// namedLock is what a lockfile calls something.
type namedLock struct{ path, of, name, format string }

func (s *PinnedHash) named() namedLock {
	return namedLock{s.Document.File.Path, s.Of, s.Name, s.format}
}

// pinnedIn goes through what the lockfiles of a project hold.
func pinnedIn(p *mcp.Project) func(yield func(*PinnedHash) bool) {
	return func(yield func(*PinnedHash) bool) {
		for doc := range reads.Documents(p, &reads.Present) {
			if !IsLockfile(doc) {
				continue
			}
			for _, seal := range PinnedHashesOf(doc) {
				if !yield(&seal) {
					return
				}
			}
		}
	}
}

// locked says what is locked, and in which version.
func (s *PinnedHash) locked() string {
	text := strings.TrimSpace(wording.OrName(s.Runs, s.Name) + " " + s.Pin.Version.Text)
	return wording.Beginning(secret.Mask(text), wording.MaxQuoted)
}

// lockedOtherwise says how a lockfile differs from the base for one locked thing.
func lockedOtherwise(was, now *PinnedHash) (from, to string, what []string) {
	if was.Runs != now.Runs || was.Pin.Version.Text != now.Pin.Version.Text {
		return was.locked(), now.locked(), nil
	}
	change := now.ChangeSince(was)
	old, new := was.Pin.Integrity.Text, now.Pin.Integrity.Text
	from, to = ShownHashes(change.Old.Text, change.New.Text)
	switch {
	case change.Kind == HashGone:
		what = []string{"has no hash, and had one"}
	case change.Kind == HashFurther:
		what = []string{wording.Say("has the hash %s in addition to %s", to, from)}
	case change.Kind != HashKept:
		what = []string{wording.Say("has the hash %s, and had %s", to, from)}
	case old == new:
	case old == "":
		what = []string{"has a hash, and had none"}
	case new == "":
		what = []string{"has no hash, and had one"}
	case !IsHash(old) || !IsHash(new):
		what = []string{"has another hash"}
	case strengthOf(Strongest(new)) > strengthOf(Strongest(old)):
		from, to = ShownHashes(old, new)
		what = []string{wording.Say("has the stronger hash %s, and had %s", to, from)}
	}
	return "", "", what
}
