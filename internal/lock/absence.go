package lock

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// absence is why a server has no hash, the zero value where it has one or needs none.
type absence struct {
	// Reason is one of reasons, which the file has.
	Reason string
	// Why is a clause for people.
	Why string
}

// The reasons for which a server has no hash. They are the same on every machine: which
// registry was asked, and whether one was, is not in the file.
const (
	unanswered   = "its registry has not answered"
	nonexistent  = "it does not exist"
	allBad       = "something is published against every version of it"
	unnamed      = "its registry names no version to take"
	unhashed     = "its registry gives no hash of it"
	ownRegistry  = "it is from a registry of its own"
	unregistered = "no registry that mcplumb asks knows it"
	noCommit     = "it names no full commit"
	missingFile  = "its file is not there"
	outsideFile  = "its file is outside of the repository"
	unreadFile   = "its file cannot be read"
)

// reasons are all that a file may have.
var reasons = []string{unanswered, nonexistent, allBad, unnamed, unhashed, ownRegistry, unregistered, noCommit, missingFile, outsideFile, unreadFile}

// nothing follows where there is neither a version nor a hash.
const nothing = ", so there is nothing to lock"

// whyNone says why a package has no hash. What its registry said when it was locked stays,
// as long as it says nothing else.
func (b *builder) whyNone(s *mcp.Server, entry *Server) absence {
	none := b.whyNoneNow(packageOf(&s.Identity), entry.Version)
	known := b.known[entry.key()]
	if none.Reason == unanswered && known != nil && known.Unlocked != unanswered && slices.Contains(reasons, known.Unlocked) {
		none = absence{known.Unlocked, known.Unlocked + ", as it was when it was locked: ask its registry again with --online"}
	}
	return none
}

// whyNoneNow says why a package at a version, "" for none, has no hash today.
func (b *builder) whyNoneNow(pkg identity.Fetched, version string) absence {
	_, isRegistered := mcp.WantedOf(pkg)
	switch {
	case pkg.Kind == identity.Git:
		return absence{noCommit, noCommit + ", so it has no hash: write one"}
	case pkg.NamesSource:
		return absence{ownRegistry, "it is fetched from a registry of its own, which is not asked, so it has no hash"}
	case !isRegistered:
		return absence{unregistered, unregistered + ", so it has no hash"}
	case b.repo.Registries == nil && version == "":
		return absence{unanswered, "it has no version" + nothing + ": ask its registry with --online, or write one"}
	case b.repo.Registries == nil:
		return absence{unanswered, "its hash is not known: ask its registry with --online"}
	}
	said := compare.SaidOf(b.repo.Registries, pkg, version)
	at := pkg
	at.Version = compare.Exactly(version)
	switch {
	case said == nil && version == "":
		return absence{unanswered, reputation.WhyNoVersion(b.repo.Registries, pkg) + nothing}
	case said == nil:
		return absence{unanswered, "its registry did not answer, so its hash is not known"}
	case said.IsUnknown:
		return absence{nonexistent, wording.Say("it does not exist in the registry %s", said.Registry) + nothing}
	case version != "" && said.IsWhole && (pkg.Kind == identity.OCI || compare.ReleaseIn(said, at) == nil):
		return absence{nonexistent, wording.Say("its version %s does not exist in the registry %s", version, said.Registry) + nothing}
	case version == "" && reputation.AllBad(said, pkg):
		return absence{allBad, allBad + nothing}
	case version == "":
		return absence{unnamed, unnamed + nothing + ": write one"}
	}
	return absence{unhashed, unhashed}
}
