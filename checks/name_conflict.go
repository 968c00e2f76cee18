package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// nameConflict finds one name that is used for different servers in different files of a
// project.
var nameConflict = &rule.Rule{
	ID:       "name-conflict",
	Title:    "one name is used for different servers",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.InUse,
	Run:      runNameConflict,
}

// runNameConflict leaves out locked servers, which config-changed compares with their
// lockfile, and packages that do not exist, which are for unknown-package.
func runNameConflict(p *rule.Pass) {
	manifests := compare.PublishedBy(p.Project)
	for _, files := range p.Project.Compared {
		for _, named := range compare.Sharing(compare.WithNames(compare.Unlocked(compare.Running(files))), compare.ByName) {
			// A plugin's own program in one file and a package of it in another are two forms in
			// which one publisher ships one server.
			named = slices.DeleteFunc(named, func(s *mcp.Server) bool { return isElsewhere(s) || isMissing(p.Repo.Registries, s) })
			if f, ok := conflict(p.Project, named, manifests); ok && (f.Severity > rule.Note || files[0].Scope != mcp.ScopePlugin) {
				p.Report(f)
			}
		}
	}
}

// conflict returns the one finding for a name, at the first entry that runs
// something else than most files do. Its severity is the one of the most severe
// disagreement. The package and the address of a server that the project
// publishes itself are one, as are its own package and a file of it.
func conflict(project *mcp.Project, named []*mcp.Server, manifests compare.Publishes) (rule.Finding, bool) {
	if len(named) == 0 {
		return rule.Finding{}, false
	}
	programs := compare.ByProgram(named)
	usual := compare.MostCommon(named, func(s *mcp.Server) string { return programs[compare.ByKey(s)] })
	reference := named[slices.IndexFunc(named, func(s *mcp.Server) bool { return programs[compare.ByKey(s)] == usual })]
	var odd []*mcp.Server
	for _, group := range compare.GroupBy(named, compare.ByKey) {
		if programs[compare.ByKey(group[0])] != usual {
			odd = append(odd, group[0])
		}
	}
	odd = slices.DeleteFunc(odd, func(s *mcp.Server) bool {
		return manifests.Together(reference, s) || isOfOwnPackage(project, reference, s) || isOfOwnPackage(project, s, reference)
	})
	if len(odd) == 0 {
		return rule.Finding{}, false
	}
	worst := odd[0]
	for _, s := range odd[1:] {
		if conflictSeverity(reference, s) > conflictSeverity(reference, worst) {
			worst = s
		}
	}
	all := append([]*mcp.Server{reference}, odd...)
	if len(odd) == 1 && isNamedAfter(worst) && isNamedAfterOther(reference) {
		reference, worst = worst, reference // the other one has the wrong name
	}
	f := rule.At(worst)
	f.Severity = conflictSeverity(reference, worst)
	f.Message = wording.Say("%q runs %s here but %s in %s, so an approval of the name covers both",
		worst.Name, wording.Runs(worst), wording.Runs(reference), reference.Document.File.Path)
	f.Help = "run the same server in both files, or rename one of the two"
	for _, s := range all {
		if s != worst {
			f.Relate(rule.SeeAlso(s, "runs %s here", wording.Runs(s)))
		}
	}
	return f, true
}

// isNamedAfter reports whether an entry has the name of the package that it runs.
func isNamedAfter(s *mcp.Server) bool {
	name, program := identity.Words(s.Name), identity.Words(path.Base(s.Identity.Name))
	return s.Identity.IsPackage() && len(name) > 0 && !slices.ContainsFunc(name, func(w string) bool { return !slices.Contains(program, w) })
}

// isNamedAfterOther reports whether the name of an entry and of its package share no word.
func isNamedAfterOther(s *mcp.Server) bool {
	program := identity.Words(s.Identity.Name)
	return s.Identity.IsPackage() && !slices.ContainsFunc(identity.Words(s.Name), func(w string) bool { return slices.Contains(program, w) })
}

// isOfOwnPackage reports whether an entry starts a file of the project's own package, and the
// launcher of another entry starts the package from its directory.
func isOfOwnPackage(project *mcp.Project, file, pkg *mcp.Server) bool {
	if file.Identity.Kind != identity.FileKind {
		return false
	}
	for fetched := range pkg.Identity.Packages() {
		own := project.InstalledFor(pkg, fetched)
		if own != nil && path.Base(own.File) == "package.json" && isBelow(mcp.Parent(own.File), file.Identity.Name) {
			return true
		}
	}
	return false
}

// isBelow reports whether a file is below a directory, "" for the root of the repository.
func isBelow(dir, file string) bool {
	if dir == "" {
		return !path.IsAbs(file) && !strings.HasPrefix(file, "..")
	}
	return strings.HasPrefix(file, dir+"/")
}

// isElsewhere reports whether only a variable or a shell script decides what an entry runs, so
// that it cannot be compared.
func isElsewhere(s *mcp.Server) bool {
	if s.Identity.Kind == identity.FileKind && isShellScript(s.Identity.Name) {
		return true
	}
	_, isReference := secret.WholeReference(s.Identity.Name)
	return s.Identity.Kind == identity.Opaque && isReference
}

// isMissing reports whether an entry starts a package that does not exist.
func isMissing(registries *mcp.Registries, s *mcp.Server) bool {
	for pkg := range s.Identity.Packages() {
		if severity, _, _ := judgeUnknown(registries.Of(pkg), pkg); severity == rule.Error {
			return true
		}
	}
	return false
}

// isShellScript reports whether a file is one that starts something else: a launcher
// of what another file starts itself.
func isShellScript(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".sh", ".bash", ".zsh", ".ps1", ".cmd", ".bat":
		return true
	}
	return false
}

// conflictSeverity is warning if two entries have nothing to do with each other.
func conflictSeverity(a, b *mcp.Server) rule.Severity {
	if compare.AreUnrelated(a, b) {
		return rule.Warning
	}
	return rule.Note
}
