package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/localpath"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// machinePath finds an absolute path that exists on one person's machine only.
var machinePath = &rule.Rule{
	ID:       "machine-path",
	Title:    "an absolute path that exists on one machine only",
	Severity: rule.Note,
	Reads:    reads.Shared,
	Run:      runMachinePath,
}

func runMachinePath(p *rule.Pass) {
	found := map[*mcp.Server][]identity.Word{}
	for s := range p.Servers() {
		if paths := localpath.Of(s); len(paths) > 0 {
			found[s] = paths
		}
	}
	shared := pathsOfClients(found)
	for doc := range p.Documents() {
		if doc.Sample {
			continue // to be filled in
		}
		isPersonal := everyServerHas(doc, found)
		running := map[string]bool{}
		for _, s := range doc.Servers {
			if paths := found[s]; len(paths) > 0 && compare.IsRunning(s) {
				running[paths[0].Text] = true
			}
		}
		isInUse := isForEverybody(doc)
		for _, s := range doc.Servers {
			paths := found[s]
			isReported := len(paths) > 0 && (running[paths[0].Text] && !compare.IsRunning(s) || len(doc.Clients) == 0 && shared[paths[0].Text])
			if !reportInstallPath(p, s) && len(paths) > 0 && !isReported {
				reportMachinePaths(p, s, paths, isPersonal)
			}
			if isInUse {
				reportUnfilled(p, s)
			}
		}
	}
}

// pathsOfClients returns the first paths of the entries that clients of the project start: a
// file that no client reads says nothing more with them.
func pathsOfClients(found map[*mcp.Server][]identity.Word) map[string]bool {
	paths := map[string]bool{}
	for s, words := range found {
		if isForEverybody(s.Document) && compare.IsRunning(s) {
			paths[words[0].Text] = true
		}
	}
	return paths
}

// everyServerHas reports whether a file has at least two servers that are started locally and each
// of them has a path of a machine: then the whole file is its author's. A remote server cannot have
// such a path.
func everyServerHas(doc *mcp.Document, found map[*mcp.Server][]identity.Word) bool {
	count := 0
	for _, s := range doc.Servers {
		if !compare.IsRunning(s) || s.Launch.IsRemote() {
			continue
		}
		if len(found[s]) == 0 {
			return false
		}
		count++
	}
	return count > 1
}

// startsOnOneMachine reports whether the command of a server, its working directory, or all its
// arguments exist on one machine only, so that no one else can start it. Paths count as they are
// written: a file in node_modules is a package by its identity.
func startsOnOneMachine(s *mcp.Server) bool {
	if isOfMachine(strings.TrimPrefix(s.Launch.Command.Text, "cd ")) || isOfMachine(s.Launch.Cwd.Text) || isOfMachine(s.Identity.Name) {
		return true
	}
	e := s.Resolved()
	parts := e.Parts()
	if isOfMachine(parts.Dir) {
		return true
	}
	if parts.Container != nil {
		return false // it starts without what it mounts
	}
	given := e.ConfigWords()
	isGiven := func(w identity.Word) bool { return slices.Contains(given, w) }
	for _, w := range parts.Local {
		if !isGiven(w) && isOfMachine(w.Text) {
			return true
		}
	}
	given = slices.DeleteFunc(given, func(w identity.Word) bool { return saysHowToRun(w.Text) })
	return len(given) > 0 && !slices.ContainsFunc(given, func(w identity.Word) bool { return !isOfMachine(w.Text) })
}

// saysHowToRun reports whether a word that a server is given names an option, the transport
// or a sub-command, and nothing that it works on.
func saysHowToRun(word string) bool {
	switch word {
	case "mcp", "serve", "server", "start", "run", "stdio":
		return true
	}
	return strings.HasPrefix(word, "-") && !strings.Contains(word, "=")
}

// isOfMachine reports whether a text is a path of one machine.
func isOfMachine(path string) bool {
	start, _, ok := localpath.Find(path)
	return ok && start == 0
}

// isForEverybody reports whether a file is one that the clients of everyone who works on a
// project read, and not an example or an override of one person.
func isForEverybody(doc *mcp.Document) bool {
	return reads.InUse.Has(doc) && doc.Owner() != nil && !strings.Contains(path.Base(doc.File.Path), ".local.")
}

// reportMachinePaths reports a server once, at its first path of a machine; the others are related
// places. It is a warning if no one else can start the server, or use the file.
func reportMachinePaths(p *rule.Pass, s *mcp.Server, paths []identity.Word, isPersonal bool) {
	f := rule.At(s)
	if compare.IsRunning(s) && isForEverybody(s.Document) && (isPersonal || startsOnOneMachine(s)) {
		f.Severity = rule.Warning
	}
	f.Span = paths[0].Span
	effect := "does not find it anywhere else"
	if startsOnOneMachine(s) {
		effect = "starts nowhere else"
	}
	f.Message = wording.Say("%s exists on one machine only, so the server %s", secret.Mask(paths[0].Text), effect)
	f.Help = portablePath(s, paths[0])
	for _, more := range paths[1:] {
		f.Related = append(f.Related, rule.Related{File: f.File, Span: more.Span, Message: "another path of this machine"})
	}
	f.Group = rule.Group{Key: f.Severity.String() + "\x00" + paths[0].Text, Message: "the same path here"}.Within(f.File.Path)
	p.Report(f)
}

// reportUnfilled reports a placeholder for an absolute path in a file that is in use: the server
// does not start, or has nothing to work on.
func reportUnfilled(p *rule.Pass, s *mcp.Server) {
	isUnfilled := func(w identity.Word) bool {
		return w.Text != "" && localpath.IsRooted(w.Text) && identity.IsPlaceholderPath(w.Text)
	}
	w := s.Launch.Command
	if !isUnfilled(w) {
		i := slices.IndexFunc(s.Launch.Args, isUnfilled)
		if i < 0 {
			return
		}
		w = s.Launch.Args[i]
	}
	if !s.IsStarted() {
		return
	}
	f := rule.At(s)
	f.Span, f.Severity = w.Span, rule.Warning
	f.Message = wording.Say("%s looks like a placeholder for a path, so the server does not find it", secret.Mask(w.Text))
	f.Help = "write a path from the project, or move the entry to an example"
	p.Report(f)
}

// reportInstallPath reports the first value of an entry into which its tool wrote the directory of
// the bundle, which is in the home directory of the person who installed it, and whether it did.
func reportInstallPath(p *rule.Pass, s *mcp.Server) bool {
	entry := s.Extra().Template
	if entry == nil || entry.Document.Tool.InstallDir == "" {
		return false
	}
	variable, reported := entry.Document.Tool.InstallDir, false
	mcp.EachValue(&s.Launch, func(v mcp.Value) {
		template, _ := mcp.TemplateOf(v, entry)
		before, after, found := strings.Cut(template.Text, variable)
		filled, begins := strings.CutPrefix(v.Word.Text, before)
		filled, ends := strings.CutSuffix(filled, after)
		if reported || !found || !begins || !ends || filled == "" || !localpath.IsRooted(filled) {
			return
		}
		reported = true
		f := rule.At(s)
		f.Span = mcp.PartOf(f.File, v.Word, len(before), len(before)+len(filled))
		f.Message = wording.Say("%s is where %s was installed on one machine (its template has %s)", secret.Mask(filled), wording.BundleInWords(entry), variable)
		f.Help = wording.Say("let %s write this entry on each machine, and do not commit it", entry.Document.Tool.Title)
		p.Report(f)
	})
	return reported
}

// portablePath says what to write instead: only its author knows whether the path is in the
// project. What a container mounts must be absolute.
func portablePath(s *mcp.Server, path identity.Word) string {
	if localpath.IsOfEditor(path.Text) {
		return "keep this entry out of the repository, because an extension of the editor writes it on each machine"
	}
	if pkg := localpath.GlobalPackage(path.Text); pkg != "" {
		return wording.Say("start the package %s with npx, which finds or downloads it on every machine", pkg)
	}
	inside := "a path relative to the project"
	if isInPATH(s, path) {
		return "remove PATH, so that the server uses the PATH of each machine"
	}
	isMounted := repair.IsMount(s, path)
	for _, loader := range s.Document.Loaders() {
		words := dialect.For(loader, s.Document.Format)
		if dir := words.OwnDir(); dir != "" && !isMounted {
			inside = dir + "/… for a path of the extension"
			break
		}
		if dir := words.ProjectDir(); dir != "" && !(isMounted && strings.Contains(dir, ":-")) {
			inside = dir + "/… for a path of the project"
			break
		}
		if reference := words.Variable("PWD"); isMounted && reference != "" {
			inside = reference + "/… for a path of the project"
			break
		}
		if isMounted {
			return "start the container from a script of the project, which can work out the path, or use a named volume"
		}
	}
	if c := s.Launch.Command.Span; path.Span.Start >= c.Start && path.Span.End <= c.End {
		return "write " + inside + ", or a program that is on PATH"
	}
	return "write " + inside + ", or a variable that everyone sets"
}

// isInPATH reports whether a path is one of those where programs are found.
func isInPATH(s *mcp.Server, path identity.Word) bool {
	return slices.ContainsFunc(s.Launch.Env, func(p identity.Pair) bool {
		return strings.EqualFold(p.Name.Text, "PATH") && p.Value.Span.Contains(path.Span)
	})
}
