//go:build !js

package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/registry"
	"github.com/mcplumb/mcplumb/internal/source"
)

// maxFetched is the size of the longest file that is accepted, in bytes: longer settings are not read.
const maxFetched = 1 << 20

// fetch returns a file that is not in the repository, as it is pinned. Its error is an
// *Unfetched, or that of the context.
func (w *Workspace) fetch(ctx context.Context, e policy.Extension) ([]byte, error) {
	if !w.request.Online {
		return nil, &Unfetched{"the file is not in this repository: --online fetches it (of the Action the input online: true)"}
	}
	w.fetched.guard.Lock()
	defer w.fetched.guard.Unlock()
	if content, known := w.fetched.files[e]; known {
		return content, nil
	}
	store, err := w.store(w.request.Cache)
	if err != nil {
		return nil, err
	}
	content := recall(store, e)
	if content == nil {
		if content, err = w.download(ctx, e); err != nil {
			return nil, err
		}
		if err := keep(store, e, content); err != nil {
			w.Notices = append(w.Notices, fmt.Sprintf("%s cannot be kept in %s: %s", e, w.request.Cache, source.Explain(err)))
		}
	}
	w.fetched.files[e] = content
	return content, nil
}

// download asks for a file, and holds what comes to its hash.
func (w *Workspace) download(ctx context.Context, e policy.Extension) (content []byte, err error) {
	if e.Repository != "" {
		content, err = w.Env.GitHubFile(ctx, e.Repository, e.Path, e.Commit)
	} else {
		client := registry.New(registry.Options{Wait: w.Env.Pause, Proxy: w.Env.Proxy, Agent: "mcplumb/" + cmp.Or(w.Env.Version, "dev")})
		content, err = client.File(ctx, e.Address, maxFetched)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &Unfetched{err.Error()}
	case !isPinned(e, content):
		return nil, &Unfetched{fmt.Sprintf("what is there now has the hash sha256=%s, and is not used", hashOf(content))}
	}
	return content, nil
}

// isPinned reports whether content is what its hash says. Of a commit GitHub says what is in it.
func isPinned(e policy.Extension, content []byte) bool {
	return e.SHA256 == "" || e.SHA256 == hashOf(content)
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// keptFile is a file of the cache.
type keptFile struct {
	// Extends is what the file is pinned as: one of something else is not believed.
	Extends policy.Extension `json:"extends"`
	Content []byte           `json:"content"`
}

// recall returns a file that an earlier run has fetched, nil for none. What is pinned does not
// change.
func recall(store registry.Store, e policy.Extension) []byte {
	if store == nil {
		return nil
	}
	text, err := store.Load(keptName(e))
	var kept keptFile
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Extends != e || !isPinned(e, kept.Content) {
		return nil
	}
	return kept.Content
}

// keep keeps a file for later runs.
func keep(store registry.Store, e policy.Extension, content []byte) error {
	if store == nil {
		return nil
	}
	text, err := json.Marshal(keptFile{e, content})
	if err != nil {
		return err
	}
	return store.Save(keptName(e), text)
}

// keptName is what a file is kept under: a hash, so that no name leads anywhere.
func keptName(e policy.Extension) string {
	return hashOf([]byte("extends " + e.String() + " " + e.SHA256))
}
