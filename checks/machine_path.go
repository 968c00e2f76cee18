package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/identity"
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
		if paths := machinePaths(s); len(paths) > 0 {
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
	start, _, ok := findMachinePath(path)
	return ok && start == 0
}

// isForEverybody reports whether a file is one that the clients of all who work on
// a project read, and not an example or what one of them overrides in it.
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
		return w.Text != "" && isRooted(w.Text) && identity.IsPlaceholderPath(w.Text)
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
		if reported || !found || !begins || !ends || filled == "" || !isRooted(filled) {
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
	if isOfEditor(path.Text) {
		return "keep this entry out of the repository, because an extension of the editor writes it on each machine"
	}
	if pkg := globalPackage(path.Text); pkg != "" {
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

// globalPackage returns the package of npm that a path lies in where one is installed for all
// projects ("…/lib/node_modules/NAME/…"), "" for any other path.
func globalPackage(path string) string {
	_, below, _ := strings.Cut(strings.ReplaceAll(path, `\`, "/"), "/lib/node_modules/")
	name, rest, _ := strings.Cut(below, "/")
	if strings.HasPrefix(name, "@") {
		second, _, _ := strings.Cut(rest, "/")
		name += "/" + second
	}
	return name
}

// isOfEditor reports whether a path lies where editors like VS Code keep what their
// extensions store, or the extensions themselves.
func isOfEditor(path string) bool {
	path = strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	for _, dir := range []string{"/user/workspacestorage/", "/user/globalstorage/"} {
		if strings.Contains(path, dir) {
			return true
		}
	}
	return false
}

// isInPATH reports whether a path is one of those where programs are found.
func isInPATH(s *mcp.Server, path identity.Word) bool {
	return slices.ContainsFunc(s.Launch.Env, func(p identity.Pair) bool {
		return strings.EqualFold(p.Name.Text, "PATH") && p.Value.Span.Contains(path.Span)
	})
}

// machinePaths returns the paths of a machine in the values of a server, one of
// each value.
func machinePaths(s *mcp.Server) []identity.Word {
	l := &s.Launch
	if !mayHoldMachinePath(l) {
		return nil
	}
	parts := s.Resolved().Parts()
	words := append([]identity.Word{l.Command}, parts.Local...)
	for _, line := range parts.Lines {
		words = inTokens(words, line)
	}
	for _, pair := range l.Env {
		words = append(words, pair.Value)
	}
	words = append(words, l.Cwd, l.EnvFile)
	if strings.HasPrefix(l.URL.Text, "file:") {
		words = append(words, l.URL)
	}
	var paths []identity.Word
	for _, w := range words {
		if start, end, ok := findMachinePath(w.Text); ok {
			paths = append(paths, w.Part(start, end))
		}
	}
	return paths
}

// mayHoldMachinePath reports whether any value holds such a path, whatever it is
// for. Hardly any does.
func mayHoldMachinePath(l *identity.Launch) bool {
	holds := func(w identity.Word) bool {
		_, _, ok := findMachinePath(w.Text)
		return ok
	}
	isIn := func(p identity.Pair) bool { return holds(p.Value) }
	return holds(l.Command) || slices.ContainsFunc(l.Args, holds) || slices.ContainsFunc(l.Env, isIn) ||
		holds(l.URL) || slices.ContainsFunc(l.Headers, isIn) || holds(l.Cwd) || holds(l.EnvFile)
}

// inTokens returns words with those of a command line replaced by its tokens, as
// a blank in a line ends a path.
func inTokens(words []identity.Word, line identity.Line) []identity.Word {
	var out []identity.Word
	for _, w := range words {
		switch {
		case w == line.Words[0]:
			for _, t := range line.Tokens() {
				out = append(out, t.Word)
			}
		case !slices.Contains(line.Words, w):
			out = append(out, w)
		}
	}
	return out
}

// findMachinePath returns the place of the first path in a text that exists on one machine.
func findMachinePath(text string) (start, end int, ok bool) {
	for at := range len(text) {
		i := at
		switch text[at] {
		case '/':
		case ':': // behind the letter of a drive
			i--
		default:
			continue
		}
		if i < 0 || !isRooted(text[i:]) || !startsPath(text, i) {
			continue
		}
		path := text[i : i+pathLength(text[i:])]
		if compare.IsHomePath(path) || isDrivePath(path) {
			return i, i + len(path), true
		}
	}
	return 0, 0, false
}

// isRooted reports whether a text begins with a slash or a drive's letter.
func isRooted(text string) bool {
	return text[0] == '/' || len(text) > 2 && text[1] == ':' && (text[2] == '/' || text[2] == '\\')
}

// maxPath is the longest path that is looked at; Windows has 260, Linux 4096.
const maxPath = 1024

// startsPath reports whether an absolute path may begin at a byte of a text: at
// its start, behind what separates values, or behind file://.
func startsPath(text string, i int) bool {
	switch {
	case i == 0:
		return true
	case strings.HasSuffix(text[:i], "file://"), strings.HasSuffix(text[:i], "file:///") && isDrivePath(text[i:]):
		return true
	case text[i-1] == ':':
		return !strings.HasPrefix(text[i:], "//") // a list of directories
	}
	return strings.IndexByte("=,;\"'`( \t\n@|[{", text[i-1]) >= 0
}

// pathLength returns the length of the path that a text begins with: up to what
// separates values. A blank is part of a path as long as nothing else says that
// it is not, and so is a word in brackets.
func pathLength(text string) int {
	text = text[:min(len(text), maxPath)]
	end := min(2, len(text))
	for end < len(text) && strings.IndexByte(":;,\"'`)|[]{}\t\n", text[end]) < 0 {
		if text[end] == '(' {
			word := bracketed(text[end:])
			if word == 0 {
				break
			}
			end += word - 1
		}
		end++
	}
	text = text[:end]
	if end := strings.Index(text, " -"); end >= 0 {
		text = text[:end]
	}
	return len(strings.TrimRight(text, " "))
}

// bracketed returns the length of a word in brackets that a text begins with and that a
// path may have, as in "Files (x86)/a" or "Systems (GIS)"; 0 for anything else.
func bracketed(text string) int {
	end := strings.IndexByte(text, ')')
	if end < 2 || !ascii.All(text[1:end], func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '_' || c == '.' }) {
		return 0
	}
	if end+1 < len(text) && text[end+1] != '/' && text[end+1] != '\\' {
		return 0
	}
	return end + 1
}

// isDrivePath reports whether a path is on a Windows disk and not one that
// every such machine has.
func isDrivePath(path string) bool {
	if len(path) < 4 || path[1] != ':' || path[2] != '\\' && path[2] != '/' || path[2:4] == "//" || !ascii.IsLetter(path[0]) {
		return false
	}
	rest := strings.ReplaceAll(path[3:], `\`, "/")
	return compare.IsOnDisk(rest) && !compare.IsTemplatePath(rest)
}
