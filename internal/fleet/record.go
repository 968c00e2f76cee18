package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
)

// Record is what "fleet check" has written about one repository. All of its contents may be
// written by an attacker, except what Check verifies.
type Record struct {
	Version int
	// Tool is the mcplumb that wrote it.
	Tool struct{ Version string }
	// Repository is its name with its host; URL is its page for people, "" for none.
	Repository, URL string
	// Commit is what was read, Time when it was made; "" of one that failed.
	Commit string
	Time   string
	// Read is the day on which Commit was found to be the newest one, "" where that is unknown.
	Read string
	// Failed says why the repository could not be read, "" where it was. What else is known
	// of it is of the commit, which was read before.
	Failed   string
	Servers  []Server
	Findings []Finding
	Errors   []Problem
	// Suppressed counts the findings that the repository itself hides; Notices say what else
	// its settings keep from being found.
	Suppressed int
	Notices    []string
}

// Server is an entry of a client's file, of what "list" says of it what a report needs.
type Server struct {
	Name, Identity, Kind, Version, Purl, Bridge, Scope, Path string

	Selector, Clients []string
	Line              int
	Disabled          bool
	Lock              *Lock
}

// Lock is what a server is locked at.
type Lock struct{ Version string }

// Finding is one of "check".
type Finding struct {
	Rule, Severity, Message, Path, Server, Identity, Fingerprint string

	Line int
	// Related are the other places of a credential, MoreRelated those that were too many;
	// of other findings nothing is kept.
	Related     []Related
	MoreRelated int
}

// Related is another place.
type Related struct {
	Path, Message string
	Line          int
}

// isCredential reports whether a finding is one credential, which may be in several places of
// the repository.
func (f *Finding) isCredential() bool { return f.Rule == "hardcoded-secret" }

// IsMalicious reports whether a finding is about a package that was published as malware,
// regardless of the severity in the settings.
func (f *Finding) IsMalicious() bool { return f.Rule == "malicious-package" }

// Problem is what could not be read, and why.
type Problem struct {
	Path, Message string
	// IsOfOther reports that it is a record as another version of mcplumb writes them, in
	// which nothing is wrong.
	IsOfOther bool `json:"-"`
}

// versionError is the version of a record that this mcplumb does not know.
type versionError int

func (v versionError) Error() string {
	return fmt.Sprintf("it is a record of version %d, and this mcplumb knows version %d", int(v), recordVersion)
}

// MaxRecord is how many bytes of a record are read, and so written.
const MaxRecord = 64 << 20

// recordVersion is the version of records that is known.
const recordVersion = 1

// ReadRecord reads one record. The error says what is wrong with it, not where it is.
func ReadRecord(r io.Reader) (*Record, error) {
	content, err := io.ReadAll(io.LimitReader(r, MaxRecord+1))
	if err != nil {
		return nil, err
	}
	if len(content) > MaxRecord {
		return nil, fmt.Errorf("it is larger than %d MiB", MaxRecord>>20)
	}
	record := &Record{}
	err = json.Unmarshal(content, record)
	var other struct{ Version int }
	switch {
	case err != nil && json.Unmarshal(content, &other) == nil && other.Version != recordVersion && other.Version > 0:
		record.Version = other.Version // whose fields may be others
	case err != nil:
		return nil, fmt.Errorf("it is not a record of mcplumb fleet check: %w", err)
	}
	if record.Version != recordVersion {
		if record.Version <= 0 {
			return nil, errVersion
		}
		return nil, versionError(record.Version)
	}
	return record, record.check()
}

// The errors of records that parse.
var (
	errVersion  = errors.New("it is not a record of mcplumb fleet check: it has no version")
	errNameless = errors.New("it names no repository")
	errURL      = errors.New("its url is not an address of http or https")
	errCommit   = errors.New("its commit is not a hash")
	errTime     = errors.New("its time is not in the format of RFC 3339")
	errRead     = errors.New("the day on which it was read is malformed")
	errSeverity = errors.New("a severity in it is not error, warning, or note")
	errLine     = errors.New("a line in it is less than 0")
	errNumber   = errors.New("the number of suppressed findings is less than 0")
)

// check holds a record to what links and numbers are made of.
func (r *Record) check() error {
	switch {
	case r.Repository == "":
		return errNameless
	case r.URL != "" && !isPage(r.URL):
		return errURL
	case strings.Trim(r.Commit, "0123456789abcdef") != "":
		return errCommit
	case r.Suppressed < 0:
		return errNumber
	}
	if _, err := time.Parse(time.RFC3339, r.Time); r.Time != "" && err != nil {
		return errTime
	}
	if _, err := time.Parse(time.DateOnly, r.Read); r.Read != "" && err != nil {
		return errRead
	}
	for i := range r.Servers {
		if r.Servers[i].Line < 0 {
			return errLine
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.isCredential() {
			f.Related = nil
		}
		switch {
		case f.Severity != "error" && f.Severity != "warning" && f.Severity != "note":
			return errSeverity
		case f.Line < 0 || f.MoreRelated < 0:
			return errLine
		}
	}
	return nil
}

// isPage reports whether a text is the address of a page, which more can be written behind.
func isPage(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		u.RawQuery == "" && !u.ForceQuery && !strings.Contains(text, "#")
}

// IsCarried reports whether what is known of a repository is of before, since it could not
// be read this time.
func (r *Record) IsCarried() bool { return r.Failed != "" && r.Commit != "" }

// isKnown reports whether anything of the repository was read, be it before.
func (r *Record) isKnown() bool { return r.Failed == "" || r.Commit != "" }

// Link returns the address of a line of a file at the commit, "" without one.
func (r *Record) Link(path string, line int) string {
	if r.URL == "" || r.Commit == "" || path == "" {
		return ""
	}
	link := strings.TrimSuffix(r.URL, "/") + "/blob/" + r.Commit + "/" + (&url.URL{Path: path}).EscapedPath()
	if line > 0 {
		link += fmt.Sprintf("#L%d", line)
	}
	return link
}

// Title returns what a server runs, with what tells servers of one package apart.
func (s *Server) Title() string {
	return strings.Join(append([]string{s.Identity}, s.Selector...), " ")
}

// key is one text for entries that run one server, "" for a placeholder. http and https
// are one.
func (s *Server) key() string {
	if s.Identity == "" {
		return ""
	}
	name := s.Identity
	if s.Kind == "url" {
		name = strings.Replace(name, "url:https:", "url:http:", 1)
	}
	return strings.Join(append([]string{name}, s.Selector...), "\x00")
}

// IsPackage reports whether a server is fetched by its name, and so has versions.
func (s *Server) IsPackage() bool {
	switch s.Kind {
	case "npm", "pypi", "nuget", "go", "jsr", "oci", "git":
		return true
	}
	return false
}

// Pinned returns the one version that a server runs at, as far as mcplumb can tell: the exact
// one that the entry requests or else the locked one, the tag of an image. It is "" for a
// package that is not pinned, and for a server that is not a package.
func (s *Server) Pinned() string {
	if !s.IsPackage() {
		return ""
	}
	isTag := s.Kind == "oci" && s.Version != "" && s.Version != "latest"
	// "@" is only before the version of a purl, which has one if it is exact.
	if isTag || strings.Contains(s.Purl, "@") || s.Purl == "" && isExact(s.Version) {
		return s.Version
	}
	if s.Lock != nil && isExact(s.Lock.Version) {
		return s.Lock.Version
	}
	return ""
}

// isExact reports whether a version reads as one, and not as a range or a tag: three
// numbers, or a hash.
func isExact(version string) bool {
	if len(version) >= 40 && strings.Trim(strings.TrimPrefix(version, "sha256:"), "0123456789abcdef") == "" {
		return true
	}
	number := strings.TrimPrefix(version, "v")
	if number == "" || number[0] < '0' || number[0] > '9' || strings.Count(number, ".") < 2 {
		return false
	}
	return !strings.ContainsAny(version, "^~<>=*| ,xX")
}
