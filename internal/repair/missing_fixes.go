package repair

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// FixMissing returns how to configure a locked server again, as its lockfile says that it was
// configured, or why not: in the one client file that there is of all those of the lockfile.
func FixMissing(entry *mcp.LockEntry, files []*mcp.Document) (fixes []rule.Fix, why string) {
	launch, ok := configuredAs(&entry.Target)
	if !ok {
		return nil, "" // its lockfile does not say how
	}
	files = slices.DeleteFunc(slices.Clone(files), func(d *mcp.Document) bool { return !reads.InUse.Has(d) || len(d.Loaders()) == 0 })
	if len(files) != 1 {
		return nil, "mcplumb cannot tell which file it belongs in"
	}
	if isWarnedOf(&entry.Target.Identity) {
		return nil, "an advisory or a malware report names it"
	}
	s := &mcp.Server{Name: entry.Name, Document: files[0], Launch: launch, Identity: withoutPlaces(entry.Target.Identity)}
	beside, where := placeOf(entry, files[0])
	changes, losses := writing.Add(s, beside, where)
	if len(changes) == 0 || slices.ContainsFunc(losses, mcp.Loss.IsFatal) {
		return nil, "the file cannot express everything that is locked"
	}
	return []rule.Fix{{
		Title: wording.Say("add %q to %s as it is locked", entry.Name, files[0].File.Path), Safety: rule.Unsafe, Edits: changes,
	}}, ""
}

// isWarnedOf reports whether something is known to be wrong with what would be started.
func isWarnedOf(id *identity.Identity) bool {
	for pkg := range id.Packages() {
		if reputation.JudgeMalicious(pkg, "") != nil || len(reputation.AdvisoriesAgainst(pkg, false)) > 0 {
			return true
		}
	}
	return false
}

// placeOf returns where a locked server goes into a file: behind the nearest one before it in
// the lockfile that is there, else in front of the nearest one behind it, so that the order in
// which several are written does not matter.
func placeOf(entry *mcp.LockEntry, file *mcp.Document) (beside *mcp.Server, where edit.Where) {
	entries := entry.Document.Lock.Entries
	at := slices.Index(entries, entry)
	where.Rank = at
	there := func(of *mcp.LockEntry) *mcp.Server {
		for _, s := range of.Servers {
			if s.Document == file {
				return s
			}
		}
		return nil
	}
	for i := at - 1; i >= 0; i-- {
		if s := there(entries[i]); s != nil {
			where.Place = edit.After
			return s, where
		}
	}
	for _, other := range entries[at+1:] {
		if s := there(other); s != nil {
			where.Place = edit.Before
			return s, where
		}
	}
	return nil, where
}

// configuredAs returns the launch that was configured according to a lockfile, without places. It
// has the names of variables; the client finds their values.
func configuredAs(t *mcp.Target) (identity.Launch, bool) {
	var l identity.Launch
	switch address := cmp.Or(t.Launch.URL.Text, t.Package.Text); {
	case t.Joined || t.Package.Text == "":
		return l, false
	case t.Launch.Command.Text != "":
		l.Transport = "stdio"
		l.Command.Text = t.Launch.Command.Text
		for _, arg := range t.Launch.Args {
			l.Args = append(l.Args, identity.Word{Text: arg.Text})
		}
		for _, name := range t.Variables {
			l.PassEnv = append(l.PassEnv, identity.Word{Text: name})
		}
	case identity.IsHTTP(address):
		l.URL.Text, l.Transport = address, "http"
		if t.RegistryType == "sse" {
			l.Transport = "sse"
		}
	default:
		return l, false
	}
	for _, w := range append([]identity.Word{l.Command, l.URL}, l.Args...) {
		if len(secret.Literals("", w.Text)) > 0 || strings.ContainsAny(w.Text, "\r\n\x00") {
			return l, false
		}
	}
	return l, true
}

// withoutPlaces returns an identity that is written nowhere yet.
func withoutPlaces(id identity.Identity) identity.Identity {
	return identity.Identity{Kind: id.Kind, Name: id.Name, Transport: id.Transport, Launcher: id.Launcher}
}
