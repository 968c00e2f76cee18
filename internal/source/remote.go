package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Remote is a repository on a server that is spoken to over http or https.
type Remote struct {
	// URL is what git clones, without a user.
	URL string
	// Token is sent as GitHub wants it of git, "" for none. It is never on a command line,
	// and no redirect is followed with it.
	Token string
	// Limit is how many bytes the server may send at once, 2 GB if it is zero.
	Limit int64
}

// remoteIdleTimeout is how long git may say nothing while it fetches: it is quiet, and a
// server may count for minutes.
const remoteIdleTimeout = 5 * time.Minute

// with returns git as it speaks to the remote.
func (r Remote) with(g Git) Git {
	g.IdleTimeout = cmp.Or(g.IdleTimeout, remoteIdleTimeout)
	at, err := url.Parse(r.URL)
	if r.Token == "" || err != nil || at.Scheme != "https" && !isThisMachine(at.Hostname()) {
		return g
	}
	login := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + r.Token))
	scope := at.Scheme + "://" + at.Host + "/"
	g.config = [][2]string{{"http." + scope + ".extraHeader", "Authorization: Basic " + login}, {"http.followRedirects", "false"}}
	return g
}

// isThisMachine reports whether a host is one that no network is between.
func isThisMachine(host string) bool {
	return host == "127.0.0.1" || host == "::1" || host == "localhost"
}

// RemoteHead asks which commit the default branch of a remote is at, "" if it has none yet.
func (g Git) RemoteHead(ctx context.Context, r Remote) (commit string, err error) {
	out, err := r.list(ctx, g, "--", r.URL, "HEAD")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) {
		if id, name, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == "HEAD" && isObjectID(id) {
			return id, nil
		}
	}
	if out, err = r.list(ctx, g, "--heads", "--", r.URL); err == nil && out != "" {
		err = errNoDefault
	}
	return "", err
}

// errNoDefault is the error of a repository with branches, none of which is the default one.
var errNoDefault = errors.New("its default branch does not exist, though it has others")

// list lists references of the remote. Git runs outside of any repository: one around the
// temporary directory would have settings of its own.
func (r Remote) list(ctx context.Context, g Git, args ...string) (string, error) {
	out, err := r.with(g).remote(ctx, os.TempDir(), append([]string{"--git-dir=" + os.DevNull, "ls-remote"}, args...)...)
	if errors.Is(err, errLogin) && r.Token != "" {
		err = errors.New("its server does not accept the token")
	}
	return out, err
}

// ErrNoRepository is the error of a directory that is no repository, or somewhere within one.
var ErrNoRepository = errors.New("it is not a git repository")

// LocalHead returns the commit that the repository at root is at, "" if it has none yet.
func (g Git) LocalHead(ctx context.Context, root string) (commit string, err error) {
	prefix, err := g.output(ctx, root, "rev-parse", "--show-prefix")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, errSilent):
		return "", err
	case err != nil || strings.TrimSpace(prefix) != "":
		return "", ErrNoRepository
	}
	named, err := g.output(ctx, root, "rev-parse", "--verify", "--quiet", "HEAD")
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		// A branch without commits: the first one, or one that no longer exists.
		if others, err := g.output(ctx, root, "for-each-ref", "--count=1", "refs/heads"); err != nil || others == "" {
			return "", err
		}
		return "", errNoDefault
	}
	if commit, err = g.commit(ctx, root, "HEAD"); err != nil {
		return "", fmt.Errorf("its commit %.12s cannot be read: %w", named, err)
	}
	return commit, nil
}

// bareConfig are the settings of a repository that only holds objects. It does not say that it
// is a partial clone, so that git reports missing objects, instead of fetching them one by
// one.
const bareConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"

// bareConfigOf returns the settings for objects whose names are as long as that one. Git
// before 2.29 knows of one length alone.
func bareConfigOf(id string) []byte {
	if len(id) == hex.EncodedLen(sha256.Size) {
		return []byte("[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n")
	}
	return []byte(bareConfig)
}

// FetchTrees makes a bare repository in dir, an empty directory, and fetches a commit of a
// remote with its trees, but neither history nor contents of files. A server that cannot
// leave out contents sends them, too.
func (g Git) FetchTrees(ctx context.Context, dir string, r Remote, commit string) error {
	for _, sub := range []string{"objects/pack", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		return err
	}
	if !isObjectID(commit) {
		return fmt.Errorf("%q is not a commit", commit)
	}
	err := g.fetchObjects(ctx, dir, r, []string{commit}, "--depth=1", "--filter=blob:none")
	if err != nil && strings.Contains(err.Error(), "filter") { // which a server may forbid
		err = g.fetchObjects(ctx, dir, r, []string{commit}, "--depth=1")
	}
	return err
}

// FetchFiles fetches objects that are missing from a repository made by FetchTrees, all at
// once.
func (g Git) FetchFiles(ctx context.Context, dir string, r Remote, ids []string) error {
	return g.fetchObjects(ctx, dir, r, ids, "--filter=blob:none")
}

// fetchObjects fetches objects by their ids.
func (g Git) fetchObjects(ctx context.Context, dir string, r Remote, ids []string, options ...string) error {
	config, settings := filepath.Join(dir, "config"), bareConfigOf(ids[0])
	if err := os.WriteFile(config, settings, 0o600); err != nil {
		return err
	}
	open := r.with(g)
	open.stdin = strings.Join(ids, "\n") + "\n"
	args := append([]string{
		"-c", "fetch.negotiationAlgorithm=noop", "-c", "fetch.writeCommitGraph=false", "-c", "maintenance.auto=false",
		// Packs are kept as they come, and what is big in them is in no memory.
		"-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1", "-c", "core.bigFileThreshold=16m",
		"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--stdin",
	}, options...)
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go holdTo(limited, stop, filepath.Join(dir, "objects", "pack"), cmp.Or(r.Limit, maxFetched))
	_, err := open.remote(limited, dir, append(args, "--", r.URL)...)
	if cause := context.Cause(limited); errors.Is(cause, errHuge) {
		err = cause
	}
	// What it has noted there of the filter would have it ask for what is missing.
	return errors.Join(err, os.WriteFile(config, settings, 0o600))
}

// maxFetched is how many bytes a server may send of a repository, one that cannot leave out
// contents those of all files. Others want to have room on the disk, too.
const maxFetched = 2 << 30

// errHuge is the error of a server that sends more.
var errHuge = errors.New("its server sends more than mcplumb accepts")

// holdTo stops what fills a directory with more than a number of bytes.
func holdTo(ctx context.Context, stop context.CancelCauseFunc, dir string, limit int64) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		entries, _ := os.ReadDir(dir)
		var size int64
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		if size > limit {
			stop(errHuge)
		}
	}
}

// CommitTime returns when a commit was made, by the clock of who made it last.
func (g Git) CommitTime(ctx context.Context, root, commit string) (time.Time, error) {
	out, err := g.output(ctx, root, "log", "--max-count=1", "--no-show-signature", "--format=%cI", "--end-of-options", commit)
	if err != nil {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339, strings.TrimSpace(out))
}
