// Package credential finds the credentials in files, names the variables for them, and makes the
// fixes that write those.
package credential

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Search finds the credentials in the documents of a project.
func Search(project *mcp.Project) []*secretSearch {
	set := &variablesSet{project: project}
	docs := slices.Collect(reads.Documents(project, &reads.Everywhere))
	searches := make([]*secretSearch, len(docs))
	// The plain names of variables go to the files in which one can be written.
	for _, takes := range []bool{true, false} {
		for i, doc := range docs {
			if takesReference(doc) == takes {
				searches[i] = searchSecrets(doc, set)
			}
		}
	}
	known := namedSecretsOf(searches)
	for _, x := range searches {
		x.again(known)
	}
	return searches
}

// Places are places in files, of each file sorted by their ends.
type Places map[*syntax.File][]syntax.Span

// AddCredentials adds the places of the credentials in the documents of a project: those that
// hardcoded-secret finds, without regard to the settings.
func (all Places) AddCredentials(project *mcp.Project) {
	for _, x := range Search(project) {
		file := x.doc.File
		for i := range x.found {
			all[file] = append(all[file], x.found[i].Span)
		}
		places := all[file]
		sort.Slice(places, func(i, j int) bool { return places[i].End < places[j].End })
	}
}

// In reports whether one of the places is, at least in part, within a span of a file.
func (all Places) In(file *syntax.File, within syntax.Span) bool {
	places := all[file]
	i := sort.Search(len(places), func(i int) bool { return places[i].End > within.Start })
	return i < len(places) && places[i].Start < within.End
}

// secretPlace is where a credential is.
type secretPlace struct {
	server  string // the entry, "" for none
	id      string // what the entry runs
	where   string // in words: `the variable TOKEN of "github"`
	key     string // in words, of a key that is no part of a launch, "" for others: `the key "token" of "github"`
	name    string // the option before an argument
	instead string // in words: what should be there

	// entry is the server that the value is of, nil where a client reads no such
	// value; under is the name of the credential, within the value or outside.
	entry *mcp.Server
	value mcp.Value
	under string
	// start and end are where it is in the value.
	start, end int
	search     *secretSearch
	// isWeak reports that it is no finding: two equal values may be two credentials.
	isWeak bool
	// own is the name that a tool has for the variable which it filled in.
	own string
	// handed is the variable of a container that an argument sets to the credential.
	handed string
	// first is the variable of the place where the name says that this is a credential.
	first string
	// kept says why no reference can stand where no entry has the value.
	kept string
}

// newPlace returns the place of a value of an entry.
func newPlace(v mcp.Value, server string, id *identity.Identity) secretPlace {
	p := secretPlace{server: server, id: id.Shown(), value: v, under: v.Name}
	switch v.Kind {
	case mcp.VariableValue:
		p.where = wording.Say("the variable %s of %q", v.Name, server)
	case mcp.HeaderValue:
		p.where = wording.Say("the header %s of %q", v.Name, server)
	case mcp.URLValue:
		p.where = wording.Say("the URL of %q", server)
	case mcp.CommandValue:
		p.where = wording.Say("the command of %q", server)
	case mcp.ArgumentValue:
		p.where, p.name = wording.Say("an argument of %q", server), v.Name
	}
	return p
}

// remedy returns what to do about a credential: revoke it and write a reference, as the client
// of the file writes it. Several clients read the file of a generator.
func (p *secretPlace) remedy() string {
	const elsewhere = "revoke it and keep the new one out of the repository"
	if p.entry == nil || p.entry.Document.Scope == mcp.ScopeGenerator || len(p.entry.Document.Loaders()) == 0 {
		return elsewhere
	}
	c := p.entry.Document.Loaders()[0]
	switch reference := p.reference(); {
	case repair.AsksForInputs(p.entry.Document) && p.search.isShown(inputIn(p.entry.Document, p.variable())):
		return wording.Say("revoke it, then declare an input with \"password\": true (%q does not hide what you type)", inputFor(p.variable()))
	case reference != "":
		return wording.Say("revoke it, then write %s in its place", reference)
	case p.value.Kind == mcp.HeaderValue && len(c.HeadersBy) > 0:
		return wording.Say("revoke it, then name a variable in %s instead", strings.Join(c.HeadersBy, " or "))
	case p.isPassedOn() && isSetOtherwise(p, p.ownVariable()):
		return wording.Say("%s (%s = [%q] would give every server the same value)", elsewhere, c.EnvBy[0], p.ownVariable())
	case p.handed != "" && p.isPassedOn():
		return wording.Say("revoke it, then write %s and %s = [%q] instead", p.withoutValue(), c.EnvBy[0], p.handed)
	case p.isPassedOn():
		return wording.Say("revoke it, then write %s = [%q] instead", c.EnvBy[0], p.value.Name)
	}
	return elsewhere
}

// secretSearch collects the credentials of a document.
type secretSearch struct {
	doc   *mcp.Document
	found []rule.Finding
	// named are those that are credentials only by their names.
	named []namedSecret
	set   *variablesSet
	// inputs are those that the document declares, on first use.
	inputs map[string]bool
	// handed are the variables that an entry, handing, gives to its container, by the
	// places of their values.
	handed  map[syntax.Span]string
	handing *mcp.Server
	// based are what the variables of an entry, basing, are named after, by the
	// credentials; whole are the variables that it sets, by their values.
	based  map[string]string
	whole  map[string]mcp.Value
	basing *mcp.Server
	// variables are those for the credentials of entries.
	variables secretVariables
	// sets are the variables that an entry, setsOf, sets.
	sets   map[setting]bool
	setsOf *mcp.Server
}

// searchSecrets finds credentials that are evident without other files.
func searchSecrets(doc *mcp.Document, set *variablesSet) *secretSearch {
	x := &secretSearch{doc: doc, set: set}
	for _, s := range doc.Servers {
		x.server(s)
	}
	if doc.Lock != nil {
		x.entries(doc.Lock.Entries)
	}
	x.entries(doc.Tracked)
	for _, extra := range doc.SecretMembers {
		place := secretPlace{where: wording.Say("the member %s", extra.Name.Text), key: wording.Say("the key %q", extra.Name.Text)}
		switch {
		case extra.Name.Text == "":
			place.where, place.key, place.kept = "a permission", "", inPermission
		case slices.ContainsFunc(doc.Inputs, func(id identity.Word) bool { return id.Span == extra.Name.Span }):
			place.where, place.key, place.kept = "the default of an input", "", inDefault
		case slices.ContainsFunc(doc.Refusals, func(r mcp.Refusal) bool { return r.Reason == mcp.StrayRoot }):
			place.kept = noClientReads
		case doc.Scope != mcp.ScopeLock:
			place.kept = inSecretsFile
		}
		x.word(extra.Name.Text, extra.Value, func() secretPlace { return place })
	}
	x.rest()
	return x
}

// Report reports what was found. A credential that was found in two ways is reported once, in the
// words of the first.
func (x *secretSearch) Report(p *rule.Pass) {
	sort.SliceStable(x.found, func(i, j int) bool { return x.found[i].Span.Start < x.found[j].Span.Start })
	end := 0
	for _, f := range x.found {
		if f.Span.Start >= end {
			p.Report(f)
			end = f.Span.End
		}
	}
}

// server searches everything in an entry.
func (x *secretSearch) server(s *mcp.Server) {
	entry := s.Extra().Template
	mcp.EachValue(&s.Launch, func(v mcp.Value) {
		place := func() secretPlace {
			p := newPlace(v, s.Name, &s.Identity)
			p.entry, p.search = s, x
			return p
		}
		if entry == nil || !x.filledIn(v, entry, place) {
			x.word(v.Name, v.Word, place)
		}
	})
	for _, extra := range s.Extra().SecretMembers {
		x.word(extra.Name.Text, extra.Value, func() secretPlace {
			return secretPlace{server: s.Name, id: s.Identity.Shown(), where: wording.Say("the member %s of %q", extra.Name.Text, s.Name), key: wording.Say("the key %q of %q", extra.Name.Text, s.Name)}
		})
	}
}

// entries searches what was locked or tracked.
func (x *secretSearch) entries(entries []*mcp.LockEntry) {
	for _, e := range entries {
		if e.Target.Origin.Text != "" {
			x.word("", e.Target.Origin.Word, func() secretPlace {
				return secretPlace{server: e.Name, id: e.Target.Identity.Shown(), where: wording.Say("the origin of %q", e.Name)}
			})
			continue
		}
		mcp.EachValue(&e.Target.Launch, func(v mcp.Value) {
			x.word(v.Name, v.Word, func() secretPlace { return newPlace(v, e.Name, &e.Target.Identity) })
		})
	}
}

// word adds the credentials in a word under a name. In examples and
// test data only a known form counts; a backup has the credentials of its original. Few words contain a credential, so
// placeOf runs only for those.
func (x *secretSearch) word(name string, w identity.Word, placeOf func() secretPlace) {
	if w.Span.IsZero() {
		return
	}
	for _, c := range secret.Literals(name, w.Text) {
		if c.Known || reads.Kept.Has(x.doc) {
			place := placeOf()
			place.start, place.end = c.Start, c.End
			place.under = cmp.Or(c.Name, place.under)
			if place.entry != nil {
				place.handed = x.handedTo(&place)
			}
			name := cmp.Or(place.handed, c.Name, place.name)
			f := x.add(&place, name, c.Prefix, w.Text[c.Start:c.End], mcp.PartOf(x.doc.File, w, c.Start, c.End))
			f.Fixes, f.NoFixReason = fixSecret(&place, f.Span)
			x.hold(&place)
			switch {
			case c.Chosen:
				f.Severity = rule.Warning
			case !c.Known:
				x.remember(&place, place.named(name), f)
			}
		}
	}
}

// rest reports the tokens of known forms anywhere else: in comments,
// descriptions and names, and in the text behind front matter.
func (x *secretSearch) rest() {
	content, servers := x.doc.File.Text(), x.doc.Servers
	for _, c := range secret.Tokens(content) {
		place := placeInText(&servers, c.Start)
		x.add(&place, "", c.Prefix, content[c.Start:c.End], syntax.Span{Start: c.Start, End: c.End}).NoFixReason = x.keptInText(servers, c.Start)
	}
}

// keptInText says why text anywhere in a file is left there. servers are those
// that do not end before it.
func (x *secretSearch) keptInText(servers []*mcp.Server, start int) string {
	holds := func(s syntax.Span) bool { return s.Start <= start && start < s.End }
	comments := x.doc.Extensions.Comments
	next, _ := slices.BinarySearchFunc(comments, start, func(c syntax.Span, start int) int { return c.End - start - 1 })
	switch {
	case next < len(comments) && holds(comments[next]):
		return inComment
	case len(servers) > 0 && holds(servers[0].NameSpan):
		return inName
	}
	return noClientReads
}

// placeInText returns the place of text anywhere in a file. Of the servers those
// are left out that end before it.
func placeInText(servers *[]*mcp.Server, start int) secretPlace {
	for len(*servers) > 0 && (*servers)[0].Span.End <= start {
		*servers = (*servers)[1:]
	}
	if len(*servers) == 0 || (*servers)[0].Span.Start > start {
		return secretPlace{where: "this file"}
	}
	s := (*servers)[0]
	return secretPlace{server: s.Name, id: s.Identity.Shown(), where: wording.Say("the entry %q", s.Name)}
}

// isReadable is what a credential in a file means.
const isReadable = "everyone with access to the repository can read"

// named returns a place in words, with the name that the credential has within it, "" for none.
func (p *secretPlace) named(name string) string {
	where := cmp.Or(p.key, p.where)
	switch {
	case name == "":
		return where
	case p.handed == name:
		return wording.Say("the container variable %s of %q", name, p.server)
	case p.value.Kind == mcp.ArgumentValue && (name == p.name || strings.HasPrefix(p.value.Word.Text, "-")):
		return wording.Say("the argument %q of %q", name, p.server)
	}
	return wording.Say("%q in %s", name, where)
}

// add adds a credential at its place. name is its name there, if the place does not say that. The
// fingerprint has the place in other words, which must not change.
func (x *secretSearch) add(place *secretPlace, name, prefix, text string, span syntax.Span) *rule.Finding {
	where, known := place.named(name), place.where
	if name != "" {
		known = wording.Say("%s (%s)", known, name)
	}
	shown := ""
	if prefix != "" {
		shown = " (" + prefix + "***)"
	}
	seen := "which " + isReadable
	if place.instead != "" {
		seen = "readable in the repository"
	}
	x.found = append(x.found, rule.Finding{
		File: x.doc.File, Span: span, Server: place.server, Identity: place.id,
		Message: wording.Say("%s contains a credential%s%s, %s", where, shown, place.instead, seen),
		Help:    place.remedy(),
		Secret:  true,
		Group:   rule.Group{Key: text, Place: known, FixesEach: true, Message: "the same credential in " + where},
	})
	return &x.found[len(x.found)-1]
}

// filledIn reports a value where the template of its entry has a
// reference to a credential: its tool filled it in, from the environment of who
// installed the bundle. It ignores the rest of the value.
func (x *secretSearch) filledIn(v mcp.Value, entry *mcp.LockEntry, placeOf func() secretPlace) bool {
	template, ok := mcp.TemplateOf(v, entry)
	if !ok {
		return false
	}
	ref, ok := secret.NextReference(template.Text, 0)
	if _, more := secret.NextReference(template.Text, ref.End); !ok || more || !secret.IsSecretName(ref.Name) {
		return false
	}
	before, after := template.Text[:ref.Start], template.Text[ref.End:]
	filled, begins := strings.CutPrefix(v.Word.Text, before)
	filled, ends := strings.CutSuffix(filled, after)
	if !begins || !ends || secret.IsReference(filled) || secret.IsPlaceholder(filled) {
		return false
	}
	prefix := ""
	if tokens := secret.Tokens(filled); len(tokens) > 0 {
		prefix = tokens[0].Prefix
	}
	place := placeOf()
	place.instead = wording.Say(" where %s has %s", wording.BundleInWords(entry), template.Text[ref.Start:ref.End])
	place.own = ref.Name
	x.add(&place, "", prefix, filled, mcp.PartOf(x.doc.File, v.Word, len(before), len(before)+len(filled))).NoFixReason = writtenByTool
	return true
}
