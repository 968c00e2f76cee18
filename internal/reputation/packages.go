package reputation

import (
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// lockedAlone returns the locked entries whose package no configured server
// asks for at one version: where one does, that is the place to raise it.
func lockedAlone(lock *mcp.Document) []*mcp.LockEntry {
	decided := map[string]bool{}
	for _, s := range compare.Running(lock.Lock.Files) {
		for pkg := range s.Identity.Packages() {
			if compare.IsOneVersion(pkg.Version) {
				decided[pkg.String()] = true
			}
		}
	}
	var alone []*mcp.LockEntry
	seen := map[string]bool{}
	for _, entry := range lock.Lock.Entries {
		key := entry.Target.Identity.String()
		// Every tool of a server has an entry of its own in some lockfiles.
		again := lock.Tool.PerTool && seen[key]
		if entry.Target.Identity.IsPackage() && !decided[key] && !again {
			alone = append(alone, entry)
		}
		seen[key] = true
	}
	return alone
}

// ReportPackages reports what judge finds in the packages of every server that a client
// starts, whatever the entry says of it to clients that do not listen, and in those of
// locked entries that no server decides. The finding of judge says where and why; nil is
// nothing to report. A locked entry has no server. Where the version is not that of the
// entry, within says in words which file has it.
func ReportPackages(p *rule.Pass, judge func(s *mcp.Server, pkg identity.Fetched, within string) *rule.Finding) {
	for s := range p.Servers() {
		if !s.MayBeStarted() {
			continue
		}
		for pkg := range s.Identity.Packages() {
			pkg, within, source := running(p.Project, s, pkg)
			if f := judge(s, pkg, within); f != nil {
				f.File, f.Server, f.Identity = s.Document.File, s.Name, s.Identity.Shown()
				place := p.Project.Dir
				if source != nil {
					place = source.File
				}
				f.Group = f.Group.Within(place)
				p.Report(*f)
			}
		}
	}
	for lock := range p.Lockfiles() {
		for _, entry := range lockedAlone(lock) {
			for pkg := range entry.Target.Identity.Packages() {
				if f := judge(nil, pkg, ""); f != nil {
					f.File, f.Server, f.Identity = lock.File, entry.Name, entry.Target.Identity.Shown()
					f.Group = f.Group.Within(p.Project.Dir)
					p.Report(*f)
				}
			}
		}
	}
}

// running returns a package of a server at the version that is known to run, where that is said
// within another file, and what is installed; nil where that is not known.
func running(p *mcp.Project, s *mcp.Server, pkg identity.Fetched) (_ identity.Fetched, within string, source *mcp.InstalledPackage) {
	source = p.InstalledFor(s, pkg)
	if source == nil || source.IsUnknown {
		return pkg, "", nil // what is said without a version
	}
	return installed(pkg, source), " in " + source.File, source
}

// Advisories returns what is published against what an entry runs, whether a rule reports it or
// not: malware and vulnerabilities, of the version that it names, has installed, or is locked at.
func Advisories(r *mcp.Registries, s *mcp.Server) []*rule.Finding {
	var all []*rule.Finding
	for pkg := range s.Identity.Packages() {
		pkg, within, _ := running(s.Document.Project, s, pkg)
		if e := s.Locked; e != nil && within == "" && pkg.String() == s.Identity.String() && !compare.IsOneVersion(pkg.Version) && e.Pin.Version.Text != "" {
			pkg.Version, within = compare.Exactly(e.Pin.Version.Text), " in "+e.Document.File.Path
		}
		if f := Malware(r, pkg, within); f != nil {
			all = append(all, f)
		}
		if f, _ := Vulnerability(r, s, pkg, within); f != nil {
			all = append(all, f)
		}
	}
	return all
}

// Malware returns the finding of malware that is built in, or that OSV has answered with; nil for
// none. within names the file that the version is from, unless that is the entry.
func Malware(r *mcp.Registries, pkg identity.Fetched, within string) *rule.Finding {
	f := JudgeMalicious(pkg, within)
	if ids := compare.AdvisoriesOf(r, pkg, true); f == nil && len(ids) > 0 {
		which, see := compare.NameOSV(ids)
		f = &rule.Finding{Span: pkg.Span, Message: wording.Say("%s %s%s is malware (%s)", pkg, pkg.Version.Text, within, which), Help: MalwareHelp, See: see}
	}
	return f
}

// Vulnerability returns the finding of a version with a vulnerability that is built in, or that OSV
// has answered with; nil for none. A locked entry has no server.
func Vulnerability(r *mcp.Registries, s *mcp.Server, pkg identity.Fetched, within string) (f *rule.Finding, isBuiltIn bool) {
	var launch *identity.Launch
	if s != nil {
		launch = &s.Launch
	}
	if f = JudgeVulnerable(pkg, within, launch); f != nil {
		return f, true
	}
	// The advisory may not concern it as it is started: that may change, and the version with it.
	if f = JudgeVulnerable(pkg, within, nil); f != nil {
		f.Severity = rule.Note
		f.Message += ", but this entry opens no port"
	}
	if ids := compare.AdvisoriesOf(r, pkg, false); f == nil && len(ids) > 0 {
		which, see := compare.NameOSV(ids)
		f = Vulnerable(pkg, wording.Say("%s %s%s is vulnerable (%s)", pkg, pkg.Version.Text, within, which))
		f.Help, f.See = "use a version without a known vulnerability", see
		return f, false
	}
	return f, f != nil
}

// installed returns the package that is run instead of the one that is asked
// for, at the version that the project has installed. Of the repository's own
// there is none, and nothing to say.
func installed(asked identity.Fetched, source *mcp.InstalledPackage) identity.Fetched {
	asked.Name = source.Name
	asked.Version = identity.Version{Kind: identity.Exact, Text: source.Version, Span: asked.Span}
	return asked
}
