package lsp

import (
	"context"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// asking returns the function that asks registries about a state, nil without --online. While a
// person writes, no registry is asked, so that no key waits for a network and no half of a name
// leaves the machine: the answers for the last saved files count until the next time.
func (f *folder) asking(ctx context.Context, at *state) func(context.Context, *mcp.Repo) ([]string, error) {
	if f.ask == nil {
		return nil
	}
	for path, open := range at.texts {
		if saved, isThere := f.content(ctx, nil, path); !isThere || string(saved) != string(open.content) {
			return f.answered
		}
	}
	return func(ctx context.Context, repo *mcp.Repo) ([]string, error) {
		silent, err := f.ask(ctx, repo)
		if err == nil {
			f.answers = registryAnswers{repo.Registries, repo.Approved, silent}
		}
		return silent, err
	}
}

// registryAnswers are what registries and the catalog have answered.
type registryAnswers struct {
	registries *mcp.Registries
	approved   *mcp.Approved
	silent     []string
}

// answered gives a repository what was answered last.
func (f *folder) answered(_ context.Context, repo *mcp.Repo) ([]string, error) {
	repo.Registries = f.answers.registries
	if f.answers.approved != nil {
		repo.Approved = f.answers.approved
	}
	return f.answers.silent, nil
}
