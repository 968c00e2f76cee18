package source

import (
	"context"
	"strconv"
	"strings"
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
