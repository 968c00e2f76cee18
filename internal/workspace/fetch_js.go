package workspace

import (
	"context"

	"github.com/mcplumb/mcplumb/internal/policy"
)

// fetch fails: the playground sends no request.
func (w *Workspace) fetch(context.Context, policy.Extension) ([]byte, error) {
	return nil, &Unfetched{"the file is not in this repository, and the playground fetches none"}
}
