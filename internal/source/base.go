package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Base returns the commit at which from, most often HEAD, left a revision of the repository in
// root, as a pull request is compared: their merge base. Where git cannot tell that, because
// there is no HEAD yet, the histories have nothing in common or a shallow clone does not have
// them, it is the revision itself; isShared reports that it is the merge base. A commit that
// is missing from a shallow clone is fetched from its remote, without tags and history. The
// error is ErrNoBase if there is nothing to compare with, ErrUnknown if git does not know the
// revision, and ErrNoGit without git.
func (g Git) Base(ctx context.Context, root, from, rev string) (commit string, isShared bool, err error) {
	if g.Program == "" {
		return "", false, ErrNoGit
	}
	if commit, err = g.mergeBase(ctx, root, from, rev); err == nil {
		return commit, true, nil
	}
	switch {
	case strings.Trim(rev, "0") == "" && isObjectID(rev):
		return "", false, fmt.Errorf("%w: there was no commit before", ErrNoBase)
	case rev == "HEAD" && !g.hasHead(ctx, root):
		return "", false, fmt.Errorf("%w: there is no commit yet", ErrNoBase)
	}
	commit, err = g.commit(ctx, root, rev)
	if err != nil {
		if !g.isShallow(ctx, root) {
			return "", false, fmt.Errorf("%w %s", ErrUnknown, rev)
		}
		if commit, err = g.fetch(ctx, root, rev); err != nil {
			return "", false, fmt.Errorf("%w: %s is not in this shallow clone and could not be fetched: %s", ErrNoBase, rev, err)
		}
	}
	base, err := g.mergeBase(ctx, root, from, commit)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err == nil {
		return base, true, nil
	}
	return commit, from == "HEAD" && g.isParent(ctx, root, commit), nil
}

// isParent reports whether a commit is a parent of the one that is checked out, which a
// shallow clone does not count among its histories.
func (g Git) isParent(ctx context.Context, root, commit string) bool {
	parents, err := g.Parents(ctx, root)
	return err == nil && slices.Contains(parents, commit)
}

// mergeBase returns the commit at which two revisions parted.
func (g Git) mergeBase(ctx context.Context, root, from, rev string) (string, error) {
	base, err := g.output(ctx, root, "merge-base", "--end-of-options", from, rev)
	return strings.TrimSpace(base), err
}

// hasHead reports whether a repository has a commit that is checked out.
func (g Git) hasHead(ctx context.Context, root string) bool {
	if _, err := g.output(ctx, root, "rev-parse", "--git-dir"); err != nil {
		return true // no repository is another matter
	}
	_, err := g.commit(ctx, root, "HEAD")
	return err == nil
}

// ErrNoBase is the error if a repository does not have the revision to compare with.
var ErrNoBase = errors.New("there is nothing to compare with")

// ErrUnknown is the error where git does not know a revision, which it is followed by.
var ErrUnknown = errors.New("git does not know the revision")

// commit returns the commit of a revision, in hexadecimal.
func (g Git) commit(ctx context.Context, root, rev string) (string, error) {
	if rev == "" {
		return "", errors.New("a revision is empty")
	}
	id, err := g.output(ctx, root, "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	return strings.TrimSpace(id), err
}

// isShallow reports whether the history of a repository was cut off.
func (g Git) isShallow(ctx context.Context, root string) bool {
	answer, err := g.output(ctx, root, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(answer) == "true"
}

// fetch gets one commit, without tags and history, from the remote that a revision names
// ("origin/main") or the only one, over http or https. No reference, hook or setting of the
// repository is changed or run, and git asks for no password.
func (g Git) fetch(ctx context.Context, root, rev string) (commit string, err error) {
	remotes, err := g.output(ctx, root, "remote")
	if err != nil {
		return "", err
	}
	remote, branch := remoteOf(strings.Fields(remotes), rev)
	if remote == "" {
		return "", errors.New("it has no remote")
	}
	wanted := rev
	if !isObjectID(rev) {
		found, err := g.remote(ctx, root, "ls-remote", "--exit-code", "--", remote, "refs/heads/"+branch)
		if err != nil {
			return "", err
		}
		wanted, _, _ = strings.Cut(found, "\t")
	}
	if !isObjectID(wanted) {
		return "", fmt.Errorf("%s has no branch %s", remote, branch)
	}
	if _, err := g.remote(ctx, root, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance", "--", remote, wanted); err != nil {
		return "", err
	}
	return g.commit(ctx, root, wanted)
}

// remoteOf returns which of the remotes a revision is of, and the branch there: the
// one that it begins with, else origin, else the only one.
func remoteOf(remotes []string, rev string) (remote, branch string) {
	for _, name := range remotes {
		for _, prefix := range []string{name + "/", "refs/remotes/" + name + "/"} {
			if branch, found := strings.CutPrefix(rev, prefix); found {
				return name, branch
			}
		}
	}
	branch = strings.TrimPrefix(rev, "refs/heads/")
	for _, name := range remotes {
		if name == "origin" || len(remotes) == 1 {
			return name, branch
		}
	}
	return "", branch
}

// isObjectID reports whether a revision is the whole name of a commit.
func isObjectID(rev string) bool {
	return (len(rev) == 40 || len(rev) == 64) && strings.Trim(rev, "0123456789abcdef") == ""
}

// remote runs git with a remote over http, and returns what it prints. What the
// repository's settings would start on the way is off: hooks, helpers, proxies of
// protocols, a program that asks for a password.
func (g Git) remote(ctx context.Context, root string, args ...string) (string, error) {
	open := g
	open.protocols = "http:https"
	safe := []string{
		"-c", "core.hooksPath=/dev/null", "-c", "core.sshCommand=false", "-c", "core.askPass=", "-c", "core.alternateRefsCommand=true",
		"-c", "credential.helper=", "-c", "http.saveCookies=false", "-c", "transfer.bundleURI=false", "-c", "gc.auto=0",
	}
	var out []byte
	err := open.run(ctx, root, append(safe, args...), nil, func(stdout io.Reader) (err error) {
		out, err = io.ReadAll(io.LimitReader(stdout, maxReferences+1))
		if len(out) > maxReferences {
			err = errors.New("its server names too many references")
		}
		return err
	})
	return string(out), err
}

// maxReferences is how many bytes of a remote's references are read: git asked for one branch.
const maxReferences = 1 << 20
