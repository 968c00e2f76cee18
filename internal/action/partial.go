package action

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
)

// needsCategory ends the reasons that hold only for the analysis that other runs
// of the workflow upload, too.
const needsCategory = ": set category to one that only this step uploads"

// misplaced says why the paths of a run are not those of the workflow's
// repository, "" if they are. GitHub would show the findings in other files.
func (s *step) misplaced(in *inputs, result *Result) string {
	if !isBelow(s.Disk.Resolve(in.workspace), s.Disk.Resolve(result.Root)) {
		return "the files are not in the workspace of the job"
	}
	if result.Git {
		return ""
	}
	for _, f := range result.View.Findings(rule.Off) {
		for dir := path.Dir(f.Place().Path().FromRoot().Plain()); dir != "."; dir = path.Dir(dir) {
			if s.Disk.Exists(filepath.Join(in.workspace, filepath.FromSlash(dir), ".git")) {
				return fmt.Sprintf("a repository is checked out in %s: set working-directory to it", dir)
			}
		}
	}
	return ""
}

// partial says what the run did not check, "" if nothing: code scanning closes every alert of
// a category that an upload does not have.
func (s *step) partial(ctx context.Context, in *inputs, result *Result) string {
	if !result.Git && result.View.Summary.Files == 0 {
		return "there is no checkout in the workspace"
	}
	if in.isOwnCategory {
		return ""
	}
	reason := ""
	switch {
	case in.baseline != "":
		reason = "a baseline hides findings, whose alerts would be closed"
	case len(in.paths) > 0:
		reason = "only some paths were checked, and the alerts of others would be closed"
	case in.sarifSeverity > rule.Note:
		reason = "the input severity leaves out findings, whose alerts would be closed"
	case !result.Git:
		reason = "git cannot tell which commit is checked out"
	default:
		reason = s.missing(ctx, in, result)
	}
	if reason == "" {
		return ""
	}
	return reason + needsCategory
}

// missing names what is tracked, would be checked and is not checked out.
func (s *step) missing(ctx context.Context, in *inputs, result *Result) string {
	dir := "."
	if below, err := filepath.Rel(result.Root, s.Disk.Resolve(in.dir)); err == nil {
		dir = filepath.ToSlash(below)
	}
	paths, err := s.Git.Missing(ctx, result.Root, func(file string) bool {
		return (dir == "." || strings.HasPrefix(file, dir+"/")) && result.Reads(file)
	})
	switch {
	case err != nil:
		return "git cannot tell whether all files are checked out"
	case len(paths) == 0:
		return ""
	case len(paths) == 1:
		return paths[0] + " is not checked out, and its alerts would be closed"
	}
	return fmt.Sprintf("%s and %d more are not checked out, and their alerts would be closed", paths[0], len(paths)-1)
}
