package source

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// CurrentBranch returns the name of the branch that is checked out in root, "" where a
// commit is.
func (g Git) CurrentBranch(ctx context.Context, root string) string {
	name, err := g.output(ctx, root, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(name)
}

// Titles returns the first lines of the messages of the last n commits, the newest first;
// fewer in a shallow clone.
func (g Git) Titles(ctx context.Context, root string, n int) []string {
	out, err := g.output(ctx, root, "log", "--format=%s", "--max-count="+strconv.Itoa(n), "HEAD")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// Origin returns the address that the clone in root is of, "" if it has none.
func (g Git) Origin(ctx context.Context, root string) string {
	address, err := g.output(ctx, root, "config", "--get", "remote.origin.url")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(address)
}

// Committed returns when the last commit was made that changed one of some files, by their
// paths from the root. It is the zero time where one of them is not as it was committed.
func (g Git) Committed(ctx context.Context, root string, paths []string) time.Time {
	tracked, err := g.output(ctx, root, append([]string{"ls-files", "-z", "--"}, paths...)...)
	if err != nil || strings.Count(tracked, "\x00") != len(paths) {
		return time.Time{}
	}
	open, err := g.output(ctx, root, append([]string{"diff-index", "--name-only", "--no-ext-diff", "--no-textconv", "HEAD", "--"}, paths...)...)
	if err != nil || open != "" {
		return time.Time{}
	}
	out, err := g.output(ctx, root, append([]string{"log", "--max-count=1", "--format=%cI", "HEAD", "--"}, paths...)...)
	if err != nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(out))
	if err != nil {
		return time.Time{}
	}
	return at
}
