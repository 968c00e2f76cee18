package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Store keeps texts by their names from one run to the next. It is used by one caller at
// a time.
type Store interface {
	// Load returns what was saved under a name, fs.ErrNotExist for nothing.
	Load(name string) ([]byte, error)
	Save(name string, content []byte) error
}

// How long answers are reused. What a registry says of one version stays, unless the version
// is withdrawn or swapped. The list of versions grows every day, and a tag moves to another
// image.
const (
	keptVersion = 24 * time.Hour
	keptAll     = time.Hour
)

// LongestKept is for how long any answer is used again.
const LongestKept = max(keptVersion, keptAll)

// maxKept is the size of the longest answer that is kept, in bytes.
const maxKept = 8 << 20

// formOfKept is that of the files, another one with each change of mcp.Published.
const formOfKept = 3

// cache keeps answers about packages and servers. A question without an answer (no package, no
// version) is asked again, and so are questions to OSV. It contains no header.
type cache struct {
	store Store
	now   func() time.Time
	// note is called with the file that could not be used.
	note func(sentence string)

	guard sync.Mutex
	// unsaved is the first error of saving.
	unsaved error
}

// keptAnswer is a file of the cache.
type keptAnswer struct {
	Form int `json:"form"`
	// Key is what the file is called by: one under another name is not believed.
	Key       string         `json:"key"`
	Asked     time.Time      `json:"asked"`
	Published *mcp.Published `json:"published"`
}

// key returns the key of an answer in the cache: a hash of the question, of the registry
// asked, and of the version of mcplumb that asks. A hash, so that no name of a package can
// become a path.
func (c *Client) key(w mcp.Wanted) (string, bool) {
	from, err := c.placesOf(w)
	if err != nil {
		return "", false
	}
	asked := []string{c.agent, string(w.Kind), w.Name, w.Version}
	for _, p := range from {
		asked = append(asked, p.base.String())
	}
	question, err := json.Marshal(asked)
	if err != nil {
		return "", false // texts are always JSON
	}
	sum := sha256.Sum256(question)
	return hex.EncodeToString(sum[:]), true
}

// placesOf returns whom a question goes to.
func (c *Client) placesOf(w mcp.Wanted) (from []place, err error) {
	var one place
	switch w.Kind {
	case identity.PyPI:
		return c.places.pypi()
	case identity.NPM:
		one, err = c.places.npm(w.Name)
	case identity.NuGet:
		one, err = c.places.nuget()
	case identity.OCI:
		host, _, _ := strings.Cut(w.Name, "/")
		one, err = c.places.image(host)
	default:
		one, err = c.places.servers()
	}
	return []place{one}, err
}

// recall returns an answer of an earlier run that is not too old, nil for none.
func (c *Client) recall(w mcp.Wanted) *mcp.Published {
	if c.cache == nil {
		return nil
	}
	key, ok := c.key(w)
	if !ok {
		return nil
	}
	c.cache.guard.Lock()
	defer c.cache.guard.Unlock()
	content, err := c.cache.store.Load(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var kept keptAnswer
	if err == nil {
		err = kept.read(content, key)
	}
	if err != nil {
		c.cache.note(fmt.Sprintf("the stored answer of %s is not used, and fetched again: %s", w.Name, err))
		return nil
	}
	if age := c.cache.now().Sub(kept.Asked); age < 0 || age >= keptFor(w) {
		return nil
	}
	return kept.Published
}

// read reads a file of the cache.
func (k *keptAnswer) read(content []byte, key string) error {
	if json.Unmarshal(content, k) != nil || k.Form != formOfKept || k.Published == nil {
		return errors.New("the file is not one that mcplumb wrote")
	}
	if k.Key != key {
		return errors.New("the file is of another question")
	}
	return nil
}

// keep saves an answer, if it is one to keep.
func (c *Client) keep(w mcp.Wanted, published *mcp.Published) {
	if c.cache == nil || !isToKeep(w, published) {
		return
	}
	key, ok := c.key(w)
	if !ok {
		return
	}
	c.cache.guard.Lock()
	defer c.cache.guard.Unlock()
	content, err := json.Marshal(keptAnswer{formOfKept, key, c.cache.now().UTC(), published})
	if err == nil && len(content) <= maxKept && c.cache.unsaved == nil {
		c.cache.unsaved = c.cache.store.Save(key, content)
	}
}

// keptFor returns for how long an answer is used again.
func keptFor(w mcp.Wanted) time.Duration {
	if w.Version == "" || w.Kind == identity.OCI {
		return keptAll
	}
	return keptVersion
}

// isToKeep reports whether an answer contains the package or server that was requested. What
// is missing now may be published in a minute.
func isToKeep(w mcp.Wanted, published *mcp.Published) bool {
	if published == nil || published.IsUnknown || len(published.Releases) == 0 {
		return false
	}
	return w.Version == "" || slices.ContainsFunc(published.Releases, func(r mcp.Release) bool { return r.Version == w.Version })
}

// Unsaved returns the first error of keeping answers, nil for none.
func (c *Client) Unsaved() error {
	if c.cache == nil {
		return nil
	}
	c.cache.guard.Lock()
	defer c.cache.guard.Unlock()
	return c.cache.unsaved
}
