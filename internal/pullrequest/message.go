package pullrequest

import (
	"fmt"
	"regexp"
)

// Style is how a repository writes the titles of its commits.
type Style struct{ isConventional bool }

// StyleOf returns the style of titles: more than half of those that are no merges say it.
func StyleOf(titles []string) Style {
	// A title begins as conventionalcommits.org has it.
	conventional := regexp.MustCompile(`^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([^()]*\))?!?: \S`)
	merging := regexp.MustCompile(`^Merge (?:pull request|branch|remote-tracking branch|tag) `)
	matching, all := 0, 0
	for _, title := range titles {
		if merging.MatchString(title) {
			continue
		}
		all++
		if conventional.MatchString(title) {
			matching++
		}
	}
	return Style{2*matching > all}
}

// maxProject is how many bytes of the name of a project a title has, of which GitHub accepts
// 256 characters.
const maxProject = 100

// Title returns the title of the pull request for a project, "" if it is for all of the
// repository. It may become the message of a commit, in which names could close an issue or
// mention a user.
func (s Style) Title(project string) string {
	title := "Fix the MCP server configuration"
	if s.isConventional {
		title = "fix(mcp): correct the MCP server configuration"
	}
	if project != "" {
		plain := regexp.MustCompile(`[^A-Za-z0-9._/ -]+`).ReplaceAllString(project, "-")
		title += " in " + plain[:min(len(plain), maxProject)]
	}
	return title
}

// Message returns the message of the commit with the fixes of one rule, finds says in a
// line what that finds. Nothing of the repository is in it: a name could close an issue.
func (s Style) Message(rule, finds, url string, places int) string {
	what := fmt.Sprintf("%s in %d places", rule, places)
	if places == 1 {
		what = rule
	}
	title := "Fix " + what
	if s.isConventional {
		title = "fix(mcp): resolve " + what
	}
	return title + "\n\n" + finds + "\n\n" + url + "\n"
}
