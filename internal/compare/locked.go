package compare

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// IsAsLocked reports whether a server is started word for word as a lockfile has it that
// people lock client files with.
func IsAsLocked(s *mcp.Server) bool {
	return s.Locked != nil && s.Locked.Document.Tool.Of == "" && !IsLockedOtherwise(s) && !OtherVersion(s.Locked, s)
}

// IsLockedOtherwise reports whether such a lockfile has something other than what a server starts,
// so that it may need to be restored.
func IsLockedOtherwise(s *mcp.Server) bool {
	if s.Locked == nil || s.Locked.Document.Tool.Of != "" {
		return false
	}
	_, what, _ := ChangeFromLock(s.Locked, s)
	return what != ""
}

// What a lockfile has that a change replaced.
const (
	lockedServer    = "the locked server"
	lockedCommand   = "the locked command"
	lockedURL       = "the locked URL"
	lockedArguments = "the locked arguments"
)

// ChangeFromLock returns what a server does that is not locked, as it follows its name in a
// sentence, with its place, and what to restore; "" for nothing. It compares a remote server only
// by its URL, direct or not. It compares a command and its arguments as written, as mcp-tap does,
// except for the version of the package. Placeholders run nothing that could differ.
func ChangeFromLock(entry *mcp.LockEntry, s *mcp.Server) (at syntax.Span, what, toRestore string) {
	locked, now := &entry.Target.Identity, &s.Identity
	switch {
	case IsOwnCopy(entry, s), entry.Document.Tool.ByProgram && locked.String() == now.String() && slices.Equal(locked.Selector, now.Selector):
		return syntax.Span{}, "", ""
	case locked.Kind == identity.None || now.Kind == identity.None || locked.Kind == identity.MCPB:
		// No lockfile records what a client file says about an unpacked bundle.
		return syntax.Span{}, "", ""
	case locked.Kind == identity.URL || now.Kind == identity.URL:
		if bridged, span := ownBridge(locked, s); bridged != nil {
			what, locked := urlChange(entry, locked, bridged)
			return span, what, locked
		}
		what, locked := urlChange(entry, locked, now)
		return now.Span, what, locked
	case entry.Target.Launch.Command.Text == "":
		if locked.Kind == now.Kind && locked.Name == now.Name || entry.MentionedIn(s) {
			return syntax.Span{}, "", ""
		}
		return now.Span, runsOther(entry, locked, now), lockedServer
	case entry.Target.Launch.Command.Text != s.Launch.Command.Text:
		return s.Launch.Command.Span, wording.Say("is started with %s, but %s locks %s",
			s.Launch.Command.Text, entry.Document.File.Path, entry.Target.Launch.Command.Text), lockedCommand
	case entry.Target.Package.Text != "" && locked.IsPackage() && now.IsPackage() && (locked.Kind != now.Kind || locked.Name != now.Name):
		return now.Span, runsOther(entry, locked, now), lockedServer // regardless of the command locked with it
	}
	return argsChange(entry, s)
}

// IsOwnCopy reports whether a server is the copy that one package keeps of what
// several bring: the entry says what one of them runs, and not which.
func IsOwnCopy(entry *mcp.LockEntry, s *mcp.Server) bool {
	return entry.Place.Apart && s.Name != entry.Name
}

// ownBridge returns the locked URL as a server's own argument, and its place,
// if a script of the repository or a program of the machine gets it: only the project's own bridge
// can be meant by that. A package that gets the URL may be anything, and is a change unless it is
// known to be a bridge.
func ownBridge(locked *identity.Identity, s *mcp.Server) (*identity.Identity, syntax.Span) {
	if locked.Kind != identity.URL || s.Identity.Kind != identity.Exec && s.Identity.Kind != identity.FileKind {
		return nil, syntax.Span{}
	}
	for _, arg := range s.Launch.Args {
		id := identity.Resolve(&identity.Launch{URL: arg}, &s.Document.Context)
		if id.Kind == identity.URL && id.Key() == locked.Key() {
			return &id, arg.Span
		}
	}
	return nil, syntax.Span{}
}

func runsOther(entry *mcp.LockEntry, locked, now *identity.Identity) string {
	return wording.Say("runs %s, but %s locks %s", now.InSentence(), entry.Document.File.Path, locked.InSentence())
}

func urlChange(entry *mcp.LockEntry, locked, now *identity.Identity) (what, toRestore string) {
	lockfile := entry.Document.File.Path
	switch {
	case locked.Kind != identity.URL:
		return wording.Say("connects to %s, but %s locks the command of %s", now.Name, lockfile, locked.InSentence()), lockedCommand
	case now.Kind != identity.URL:
		return wording.Say("runs %s, but its locked HTTP URL is %s", now.InSentence(), locked.Name), lockedURL
	case locked.Key() != now.Key():
		return wording.Say("connects to %s, but its locked HTTP URL is %s", withQuery(now), withQuery(locked)), lockedURL
	case locked.Plain != now.Plain:
		return wording.Say("connects over %s, but %s locks %s", scheme(now), lockfile, scheme(locked)), lockedURL
	}
	return "", ""
}

func scheme(id *identity.Identity) string {
	s, _, _ := strings.Cut(id.Name, ":")
	return s
}

// withQuery returns a URL with its query, which is where tenants are named.
func withQuery(id *identity.Identity) string {
	if len(id.Selector) == 0 {
		return id.Name
	}
	return id.Name + "?" + strings.Join(id.Selector, "&")
}

// argsChange compares arguments one by one; the package word may carry another
// version. It never shows an argument: it may be a secret.
func argsChange(entry *mcp.LockEntry, s *mcp.Server) (at syntax.Span, what, toRestore string) {
	locked, now := entry.Target.Launch.Args, s.Launch.Args
	if entry.Target.Joined && (sameText(locked, now) || hasMarker(entry.Document.Tool, locked)) {
		return syntax.Span{}, "", ""
	}
	for i, arg := range now {
		if i < len(locked) && (arg.Text == locked[i].Text || samePackageWord(entry, s, locked[i], arg)) {
			continue
		}
		what, toRestore = argsMessage(entry, s)
		return arg.Span, what, toRestore
	}
	if len(locked) > len(now) {
		what, toRestore = argsMessage(entry, s)
		return s.NameSpan, what, toRestore
	}
	return syntax.Span{}, "", ""
}

// sameText reports whether arguments are equal when they are written as one
// text: nothing says where one of them ends.
func sameText(a, b []identity.Word) bool { return joined(a) == joined(b) }

func joined(words []identity.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// hasMarker reports whether an argument holds a variable that the tool fills in
// when it installs the server, with a value that the lockfile does not have.
func hasMarker(tool *mcp.Tool, words []identity.Word) bool {
	return slices.ContainsFunc(words, func(w identity.Word) bool { return tool.FillsIn(w.Text) })
}

func samePackageWord(entry *mcp.LockEntry, s *mcp.Server, locked, now identity.Word) bool {
	a, b := &entry.Target.Identity, &s.Identity
	return a.Kind == b.Kind && a.Name == b.Name && locked.Span == a.Span && now.Span == b.Span
}

func argsMessage(entry *mcp.LockEntry, s *mcp.Server) (what, toRestore string) {
	if entry.Target.Identity.String() != s.Identity.String() {
		return runsOther(entry, &entry.Target.Identity, &s.Identity), lockedServer
	}
	message := "has other arguments than " + entry.Document.File.Path + " locks"
	if entry.Document.Tool.URLsAlone && hasURL(entry.Target.Launch.Args) {
		message += wording.Say(" (%s compares only the URL among these)", entry.Document.Tool.Title)
	}
	return message, lockedArguments
}

func hasURL(args []identity.Word) bool {
	return slices.ContainsFunc(args, func(w identity.Word) bool {
		return strings.HasPrefix(w.Text, "https://") || strings.HasPrefix(w.Text, "http://")
	})
}

// OtherVersion reports whether a locked entry and a server are one package at
// two versions.
func OtherVersion(entry *mcp.LockEntry, s *mcp.Server) bool {
	a, b := &entry.Target.Identity, &s.Identity
	return a.Kind == b.Kind && a.Name == b.Name && a.Version.Text != b.Version.Text && IsOneVersion(a.Version) && IsOneVersion(b.Version) &&
		VersionOf(a) != VersionOf(b)
}

// VersionOf returns the version by which an entry is compared: "v1.2.3" is 1.2.3.
func VersionOf(id *identity.Identity) string { return ReleaseOf(id.Kind, id.Version) }

// SameVersion is what to do where no lockfile says which version is right: the one
// that most files have may be the one to leave.
const SameVersion = "pin the same version in both files"
