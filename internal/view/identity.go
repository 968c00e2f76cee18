package view

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Identity is what a server runs.
type Identity struct {
	view *View
	id   *identity.Identity
}

// Text returns the identity, empty for a placeholder.
func (i Identity) Text() Text { return i.view.text(i.id.String()) }

// Title returns the identity as it is shown, with what tells servers of
// one package apart.
func (i Identity) Title() Text {
	return i.view.text(strings.Join(append([]string{i.id.Title()}, i.id.Selector...), " "))
}

// Kind returns what it is: "npm", "url", "file" …
func (i Identity) Kind() string { return string(i.id.Kind) }

// IsURL, IsNPM and IsContainer report what it is: an address, a package of npm, an
// image or a running container.
func (i Identity) IsURL() bool { return i.id.Kind == identity.URL }
func (i Identity) IsNPM() bool { return i.id.Kind == identity.NPM }
func (i Identity) IsContainer() bool {
	return i.id.Kind == identity.OCI || i.id.Kind == identity.Container
}

// Name returns the name of the package or image, the URL, the path.
func (i Identity) Name() Text { return i.view.text(i.id.Name) }

// IsPackage reports that Name is that of something fetched by it: a package, an
// image or a git repository.
func (i Identity) IsPackage() bool { return i.id.IsPackage() }

// Selector returns the words that tell servers of one package apart.
func (i Identity) Selector() []Text {
	var words []Text
	for _, word := range i.id.Selector {
		words = append(words, i.view.text(word))
	}
	return words
}

// Version returns the requested version, range or tag, empty for none.
func (i Identity) Version() Text { return i.view.text(i.id.Version.Text) }

// Transport, Launcher and Bridge return how the server is reached, the program
// that starts it and the one between it and its client; all may be empty.
func (i Identity) Transport() Text { return i.view.text(i.id.Transport) }
func (i Identity) Launcher() Text  { return i.view.text(i.id.Launcher) }
func (i Identity) Bridge() Text    { return i.view.text(i.id.BridgeName()) }

// Purl returns the package URL, empty if it has none, or if a part of it must be hidden: then
// it would name another package.
func (i Identity) Purl() Text {
	purl := identity.Purl(i.id)
	for _, part := range []string{i.id.Name, i.id.Version.Text, purl} {
		if secret.Mask(part) != part {
			return Text{}
		}
	}
	return Text{purl}
}

// Key tells whether two identities are one. It is zero for a placeholder.
type Key struct{ key string }

// Key returns the key of the identity.
func (i Identity) Key() Key { return Key{i.id.Key()} }
