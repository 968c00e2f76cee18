package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// event is the part that mcplumb reads of the event that started the workflow.
type event struct {
	Commits     []struct{ Added, Modified []string }
	PullRequest struct {
		Number int
		Head   struct {
			SHA  string
			Repo struct {
				FullName string `json:"full_name"`
			}
		}
		Base struct{ SHA string }
	} `json:"pull_request"`
	MergeGroup struct {
		BaseSHA string `json:"base_sha"`
	} `json:"merge_group"`
	Repository struct {
		DefaultBranch string `json:"default_branch"`
	}
}

// event reads the event, which is empty where it says something else.
func (s *step) event() event {
	var e event
	content, err := s.Disk.Read(s.Getenv("GITHUB_EVENT_PATH"))
	if err != nil || json.Unmarshal(content, &e) != nil {
		return event{}
	}
	return e
}

// changed returns which files the event changes, for the order of annotations:
// GitHub shows few. A push lists its files. A pull request does not, but git
// knows them if the checkout is deep enough. nil means that this is not known.
func (s *step) changed(ctx context.Context, root string) func(string) bool {
	var paths []string
	if strings.HasPrefix(s.Getenv("GITHUB_EVENT_NAME"), "pull_request") {
		paths, _ = s.Git.Changed(ctx, root) // a shallow clone does not have the other side
	} else {
		for _, c := range s.event().Commits {
			paths = append(append(paths, c.Added...), c.Modified...)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	slices.Sort(paths)
	return func(path string) bool {
		_, found := slices.BinarySearch(paths, path)
		return found
	}
}

// analysed returns the commit and the ref that the report is of: those of the
// event, or the head of its pull request, if that is what is checked out. What
// belongs to another commit would close alerts that are still right.
func (s *step) analysed(ctx context.Context, in *inputs, root string) (commit, ref string, err error) {
	commit, ref = s.Getenv("GITHUB_SHA"), s.Getenv("GITHUB_REF")
	head, err := s.Git.Head(ctx, root)
	switch {
	case err != nil && !in.isOwnCategory:
		return "", "", errors.New("git cannot tell which commit is checked out" + needsCategory)
	case err != nil || head == commit:
		return commit, ref, nil
	}
	pull := s.event().PullRequest
	if pull.Head.SHA == head {
		return head, fmt.Sprintf("refs/pull/%d/head", pull.Number), nil
	}
	return "", "", errors.New("the checkout is not the commit of the event")
}
