package organization

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// List returns the repositories of an organization on GitHub, those of them that are chosen,
// and how many were left out for which reasons.
func List(ctx context.Context, access github.Access, name string, choice *fleet.Choice) (all, chosen []fleet.Candidate, left []fleet.LeftOut, err error) {
	listed, err := access.Organization(ctx, name)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range listed {
		all = append(all, fleet.Candidate(listed[i]))
	}
	chosen, left = choice.Of(all)
	return all, chosen, left, nil
}

// WriteShards spreads repositories over so many files of a directory, and returns the names
// of these without .txt. A directory that has other files already is refused: a job of
// today would read a list of yesterday.
func WriteShards(env *workspace.Env, out string, chosen []fleet.Candidate, wanted int) (names []string, err error) {
	dir := env.Absolute(out)
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // it is for others to read
		return nil, source.WriteFailed(out, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return nil, source.WriteFailed(out, cmp.Or(err, errors.New("it already contains files")))
	}
	for i, shard := range fleet.Shards(chosen, wanted) {
		name := fmt.Sprintf("%03d", i)
		names = append(names, name)
		var list strings.Builder
		for _, r := range shard {
			fmt.Fprintln(&list, r.Clone)
		}
		if err := source.WriteFile(dir, filepath.Join(dir, name+".txt"), source.Writing([]byte(list.String()))); err != nil {
			return nil, source.WriteFailed(out, err)
		}
	}
	return names, nil
}
