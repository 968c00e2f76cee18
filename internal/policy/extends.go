package policy

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// maxExtended is how many files settings may extend, those of extended ones among them, and
// maxDepth how far one may lead to the next.
const maxExtended, maxDepth = 20, 4

// Extension is a file that settings extend. It is one of the repository that is checked, of a
// repository on GitHub, or of the web.
type Extension struct {
	// Path is that of a file from the root of its repository, "" for one of the web.
	Path string
	// Repository is the OWNER/NAME of one on GitHub and Commit the name of a commit, "" for the
	// repository that is checked.
	Repository, Commit string
	// Address is that of a file of the web, and SHA256 the hash of its content in hexadecimal
	// digits.
	Address, SHA256 string

	line, column int
}

// IsRemote reports whether the extension must be fetched.
func (e Extension) IsRemote() bool { return e.Repository != "" || e.Address != "" }

// String returns how settings name it, without the hash.
func (e Extension) String() string {
	switch {
	case e.Repository != "":
		return fmt.Sprintf("github:%s/%s@%s", e.Repository, e.Path, e.Commit)
	case e.Address != "":
		return e.Address
	}
	return e.Path
}

// The forms of entries that are fetched: what does not change is named by a commit or a hash.
const (
	gitHubForm = `^github:([A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+)/([^@\s]+)@([0-9a-f]{40})$`
	webForm    = `^((?:https://[^/?#@\s]+|http://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?)/[^#\s]*)#sha256=([0-9a-f]{64})$`
)

// ExtendsForms are regular expressions of the entries of extends that are fetched, which are
// not paths: any with "github:" before it or "://" in it must be one of them.
func ExtendsForms() []string { return []string{gitHubForm, webForm} }

// extends reads which files the settings extend.
func (p *settingsParser) extends(n *syntax.Node) []Extension {
	gitHub, web := regexp.MustCompile(gitHubForm), regexp.MustCompile(webForm)
	var all []Extension
	for i, item := range p.items(n, "extends must be a list of files like [policies/mcp.yaml]") {
		if i == maxExtended {
			p.wrong(item.Value, "there are more than %d files", maxExtended)
			break
		}
		at := p.file.Position(item.Value.Start, syntax.CodePoints)
		e := Extension{line: at.Line, column: at.Column}
		switch isRemote := strings.HasPrefix(item.Text, "github:") || strings.Contains(item.Text, "://"); {
		case !item.IsString() || !isRemote:
			item.Name = "extends"
			e.Path = path.Clean(p.path(item))
		default:
			if m := gitHub.FindStringSubmatch(item.Text); m != nil && fs.ValidPath(m[2]) && fs.ValidPath(m[1]) {
				e.Repository, e.Path, e.Commit = m[1], m[2], m[3]
			} else if m := web.FindStringSubmatch(item.Text); m != nil && isAddress(m[1]) {
				e.Address, e.SHA256 = m[1], m[2]
			} else {
				p.wrong(item.Value, "%s", unpinned(item.Text))
			}
		}
		all = append(all, e)
	}
	return all
}

func isAddress(text string) bool {
	_, err := url.Parse(text)
	return err == nil
}

// onGitHub is an address at which GitHub shows a file, or sends it, of a commit.
var onGitHub = regexp.MustCompile(`^https://(?:raw\.githubusercontent\.com/([^/]+/[^/]+)|github\.com/([^/]+/[^/]+)/(?:blob|raw))/([0-9a-f]{40})/([^?#@\s]+)$`)

// unpinned says how to write an entry that is not pinned.
func unpinned(text string) string {
	if m := onGitHub.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("write this file as github:%s%s/%s@%s", m[1], m[2], m[4], m[3])
	}
	if strings.HasPrefix(text, "github:") {
		return fmt.Sprintf("%q must name a file and a whole commit: github:OWNER/NAME/PATH@ and 40 hexadecimal digits", shortened(text))
	}
	return fmt.Sprintf("%q must be an address with https:// and the hash of what is there: #sha256= and the 64 hexadecimal digits that sha256sum prints", shortened(text))
}

// within returns what an entry means in the file that of names, which itself was extended; of
// is the zero value if it was not. A path in a file on GitHub is relative to that file.
func (e Extension) within(of Extension) (Extension, error) {
	if e.IsRemote() {
		return e, nil
	}
	if of.Address != "" {
		return e, fmt.Errorf("a file at an address can extend only files of GitHub and at addresses")
	}
	e.Repository, e.Commit = of.Repository, of.Commit
	return e, nil
}

// Extended is a file that settings extend, as it was read.
type Extended struct {
	// Name is what messages call it. Path is from the root of the repository that is checked, ""
	// for a file that is not in it.
	Name, Path string
	Content    []byte
}

// ReadSettings is ParseSettings of a file and all that it extends, which open reads. An error of
// open is wrapped in one that has the place of its entry.
func ReadSettings(name, path string, content []byte, open func(Extension) (Extended, error)) (*Settings, error) {
	x := extender{open: open, budget: &budget{}, read: map[Extension]bool{}}
	own := Extension{Path: path}
	if err := x.add(Extended{name, path, content}, Extension{}, []Extension{own}); err != nil {
		return nil, err
	}
	return merged(x.layers), nil
}

// extender reads settings, with those first that count less.
type extender struct {
	open   func(Extension) (Extended, error)
	budget *budget
	read   map[Extension]bool
	layers []*Settings
}

// add reads a file after those that it extends. of is what it was extended as, above are the
// files that led to it and itself.
func (x *extender) add(file Extended, of Extension, above []Extension) error {
	s, err := parseSettings(file.Name, file.Path, file.Content, x.budget)
	if err != nil {
		return err
	}
	for _, e := range s.extends {
		wrong := &Error{Path: file.Name, Line: e.line, Column: e.column}
		next, err := e.within(of)
		next.line, next.column = 0, 0
		switch {
		case err != nil:
			wrong.Message = err.Error()
		case !next.IsRemote() && source.IsOutside(file.Path):
			wrong.Message = "settings that are not in the repository can extend only files of GitHub and at addresses"
		case slices.Contains(above, next):
			wrong.Message = fmt.Sprintf("%s extends itself", next)
		case x.read[next]:
			continue
		case len(above) > maxDepth:
			wrong.Message = fmt.Sprintf("this is more than %d files deep: extend the file from one of those above", maxDepth)
		case len(x.read) == maxExtended:
			wrong.Message = fmt.Sprintf("there are more than %d files that are extended", maxExtended)
		}
		if wrong.Message != "" {
			return wrong
		}
		x.read[next] = true
		opened, err := x.open(next)
		if err != nil {
			wrong.Message, wrong.cause = fmt.Sprintf("%s: %v", next, err), err
			return wrong
		}
		if err := x.add(opened, next, append(slices.Clone(above), next)); err != nil {
			return err
		}
	}
	x.layers = append(x.layers, s)
	return nil
}

// merged returns the sum of several settings, where later ones take precedence: lists are
// appended, mappings are joined by key, and of anything else the last one counts.
func merged(layers []*Settings) *Settings {
	own := layers[len(layers)-1]
	if len(layers) == 1 {
		return own
	}
	all := &Settings{name: own.name, file: own.file, layers: layers}
	for _, s := range layers {
		all.Exclude = append(all.Exclude, s.Exclude...)
		all.InStep = append(all.InStep, s.InStep...)
		all.Policies = append(all.Policies, s.Policies...)
		for _, ignore := range s.Ignores {
			ignore.isShared, ignore.file = s != own, s.file
			all.Ignores = append(all.Ignores, ignore)
		}
		all.Rules = joined(all.Rules, s.Rules)
		all.Registries = joined(all.Registries, s.Registries)
		c := &all.Catalog
		c.Code = joined(c.Code, s.Catalog.Code)
		for _, text := range []struct {
			to   *string
			says string
		}{
			{&all.Preferences.FailOn, s.Preferences.FailOn}, {&all.Preferences.Severity, s.Preferences.Severity},
			{&all.Preferences.Format, s.Preferences.Format}, {&all.Preferences.Baseline, s.Preferences.Baseline},
			{&c.Namespace, s.Catalog.Namespace}, {&c.Organization, s.Catalog.Organization}, {&c.Project, s.Catalog.Project}, {&c.Approved, s.Catalog.Approved},
		} {
			if text.says != "" {
				*text.to = text.says
			}
		}
		if s.MinAge != nil {
			all.MinAge = s.MinAge
		}
		if s.MaxLockAge != nil {
			all.MaxLockAge = s.MaxLockAge
		}
	}
	return all
}

// joined returns two mappings as one, in which the second counts more.
func joined[V any](some, more map[string]V) map[string]V {
	if len(more) == 0 {
		return some
	}
	all := maps.Clone(some)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, more)
	return all
}

// Extended returns the names of the files that the settings extend, those first that count less.
func (s *Settings) Extended() (names []string) {
	for _, layer := range s.layers[:max(0, len(s.layers)-1)] {
		names = append(names, layer.name)
	}
	return names
}

// ExtendedPaths returns the paths from the root of those that are in the repository.
func (s *Settings) ExtendedPaths() (paths []string) {
	for _, layer := range s.layers[:max(0, len(s.layers)-1)] {
		if layer.file != nil {
			paths = append(paths, layer.file.Path)
		}
	}
	return paths
}
