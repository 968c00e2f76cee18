package pullrequest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/github"
)

// maxSuggestions is how many a pull request has at once. More are not read.
const maxSuggestions = 30

// maxSuggestionText is how many bytes the text of a comment has: GitHub takes 65,536
// characters, and refuses all suggestions with one that is longer.
const maxSuggestionText = 60_000

// Suggestion is a change of some lines of a file, which a click makes.
type Suggestion struct {
	Path string
	// First and Last are the lines that go, 1-based.
	First, Last int
	// Old and New are the lines, each with its line ending, except the last one of a file.
	Old, New string
	// Text is Markdown that says what it does.
	Text string
	// Group is the same for those that are made all or none.
	Group int
}

// Fits reports whether GitHub takes a suggestion.
func (s *Suggestion) Fits() bool { return len(s.body()) <= maxSuggestionText }

// Suggestions are what can be suggested.
type Suggestions struct {
	List []Suggestion
	// Covers reports whether this run checked a file: another run may suggest in the others.
	Covers func(path string) bool
	// Outside counts the fixes of lines that the pull request does not show, or that contain a
	// credential.
	Outside int
}

// Suggested is the result of suggesting.
type Suggested struct {
	// Made counts the new suggestions, Known those that already existed, Removed those that
	// were deleted.
	Made, Known, Removed int
	// TooMany counts those that there was no room for.
	TooMany int
	// Why says in a clause why no suggestion could be made at all, "" if some could.
	Why string
}

// Suggest makes suggestions at the head of a pull request, those that do not exist yet, and
// deletes its own that are outdated and without an answer. If the pull request is at another
// commit by now, it leaves that to the run for that commit.
func Suggest(ctx context.Context, r *github.Repository, number int, head string, s *Suggestions) (done Suggested, err error) {
	now, err := r.PullRequest(ctx, number)
	switch {
	case err != nil:
		return done, err
	case !now.IsOpen:
		done.Why = fmt.Sprintf("#%d is not open", number)
		return done, nil
	case now.Head != head:
		done.Why = fmt.Sprintf("#%d is at %.12s by now, and this is a run for %.12s", number, now.Head, head)
		return done, nil
	}
	ours, err := ownComments(ctx, r, number)
	if err != nil {
		return done, err
	}
	all := s.List
	known, stale := standing(ours, s)
	done.Known = len(known)
	var news []github.Comment
	for _, group := range groupsOf(all) {
		var more []github.Comment
		for _, i := range group {
			if s := &all[i]; !known[i] {
				more = append(more, github.Comment{Path: s.Path, First: s.First, Last: s.Last, Body: s.body()})
			}
		}
		if done.Known+len(news)+len(more) > maxSuggestions {
			done.TooMany += len(more)
			continue
		}
		news = append(news, more...)
	}
	if len(news) > 0 {
		if err := r.Review(ctx, number, head, reviewText(len(news), done.TooMany), news); err != nil {
			return done, err
		}
		done.Made = len(news)
	}
	for _, id := range stale {
		if err := r.DeleteComment(ctx, id); err != nil {
			return done, err
		}
		done.Removed++
	}
	return done, nil
}

// ownComments returns the comments with a suggestion that the one who asks has made. Anyone
// can write what looks like one, or quote one.
func ownComments(ctx context.Context, r *github.Repository, number int) ([]github.Comment, error) {
	comments, err := r.Comments(ctx, number)
	if err != nil {
		return nil, err
	}
	ours := slices.DeleteFunc(comments, func(c github.Comment) bool { return c.IsReply || printIn(c.Body) == "" })
	if len(ours) == 0 {
		return nil, nil
	}
	login, err := r.Viewer(ctx)
	return slices.DeleteFunc(ours, func(c github.Comment) bool { return c.Login != login }), err
}

// standing returns which suggestions already are in comments, by their index, and the comments
// to delete. Of several that change the same line in the same way, one at the same place
// counts first.
func standing(ours []github.Comment, wanted *Suggestions) (known map[int]bool, stale []int64) {
	all := wanted.List
	known, taken := map[int]bool{}, map[int64]bool{}
	for _, isSame := range []func(c *github.Comment, s *Suggestion) bool{
		func(c *github.Comment, s *Suggestion) bool { return c.Last == s.Last },
		func(*github.Comment, *Suggestion) bool { return true },
	} {
		for i := range all {
			s, print := &all[i], all[i].print()
			at := slices.IndexFunc(ours, func(c github.Comment) bool {
				return !taken[c.ID] && !c.IsOutdated && printIn(c.Body) == print && isSame(&c, s)
			})
			if !known[i] && at >= 0 {
				known[i], taken[ours[at].ID] = true, true
			}
		}
	}
	for _, c := range ours {
		if !taken[c.ID] && !c.HasReplies && wanted.Covers(c.Path) {
			stale = append(stale, c.ID)
		}
	}
	return known, stale
}

// groupsOf returns the suggestions that belong together, by their indexes, in the order of
// the first of each.
func groupsOf(all []Suggestion) (groups [][]int) {
	at := map[int]int{}
	for i := range all {
		n, found := at[all[i].Group]
		if !found {
			n = len(groups)
			at[all[i].Group], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], i)
	}
	return groups
}

// reviewText is the text above the comments.
func reviewText(n, tooMany int) string {
	text := fmt.Sprintf("mcplumb suggests %d changes to the MCP server configuration.", n)
	if n == 1 {
		text = "mcplumb suggests a change to the MCP server configuration."
	}
	if tooMany > 0 {
		text += fmt.Sprintf(" There are %d more: `mcplumb check --fix` makes all of them.", tooMany)
	}
	return text
}

// The fingerprint of a suggestion is in its comment, hidden.
const (
	printStart = "<!-- mcplumb suggestion "
	printEnd   = " -->"
)

// print tells what a suggestion does, wherever its lines are.
func (s *Suggestion) print() string {
	sum := sha256.Sum256([]byte(s.Path + "\x00" + s.Old + "\x00" + s.New))
	return hex.EncodeToString(sum[:12])
}

// printIn returns the print in a comment, "" if it has none. It is last: what is above it may
// be the repository's.
func printIn(body string) string {
	start := strings.LastIndex(body, printStart)
	if start < 0 {
		return ""
	}
	print, _, ended := strings.Cut(body[start+len(printStart):], printEnd)
	if !ended {
		return ""
	}
	return print
}

// body returns the comment with a suggestion. Its fence is longer than any in the text.
func (s *Suggestion) body() string {
	fence, backticks := "```", regexp.MustCompile("`{3,}") // which could end a fence
	for _, run := range backticks.FindAllString(s.New, -1) {
		if len(run) >= len(fence) {
			fence = run + "`"
		}
	}
	text := s.New
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return s.Text + "\n\n" + fence + "suggestion\n" + text + fence + "\n\n" + printStart + s.print() + printEnd + "\n"
}

// Diff are the lines of a file that a pull request shows at its head.
type Diff struct{ spans [][2]int } // first and last line, 1-based

// ReadDiff reads the hunks of a file.
func ReadDiff(patch string) Diff {
	var d Diff
	hunkHead := regexp.MustCompile(`(?m)^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@`) // "@@ -1,2 +3,4 @@"
	for _, m := range hunkHead.FindAllStringSubmatch(patch, -1) {
		first, _ := strconv.Atoi(m[1])
		count := 1
		if m[2] != "" {
			count, _ = strconv.Atoi(m[2])
		}
		if count > 0 {
			d.spans = append(d.spans, [2]int{first, first + count - 1})
		}
	}
	return d
}

// Shows reports whether all lines from first to last are in one hunk, where alone they can
// be commented on.
func (d Diff) Shows(first, last int) bool {
	return slices.ContainsFunc(d.spans, func(s [2]int) bool { return s[0] <= first && last <= s[1] })
}

// IsAt reports whether a file of the pull request has a content at its head.
func IsAt(f github.ChangedFile, content []byte) bool { return f.Blob == blobName(content) }
