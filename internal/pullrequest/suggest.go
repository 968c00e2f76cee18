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

// maxSuggestions is how many are made at once. More than that nobody reads.
const maxSuggestions = 30

// Suggestion is a change of some lines of a file, which a click makes.
type Suggestion struct {
	Path string
	// First and Last are the lines that go, 1-based.
	First, Last int
	// Old and New are the lines, each with its end but for the last one of a file.
	Old, New string
	// Text is Markdown that says what it does.
	Text string
}

// Suggested is what came of suggesting.
type Suggested struct {
	// Made counts the suggestions that are there now and were not, Known those that had
	// been made, Removed those that were taken back.
	Made, Known, Removed int
	// TooMany are those that there was no room for.
	TooMany []Suggestion
}

// Suggest makes suggestions at the head of a pull request, those that are not there yet,
// and takes back its own which are out of date and which nobody has answered.
func Suggest(ctx context.Context, r *github.Repository, number int, head string, all []Suggestion) (done Suggested, err error) {
	comments, err := r.Comments(ctx, number)
	if err != nil {
		return done, err
	}
	wanted := map[string]bool{}
	for i := range all {
		wanted[all[i].print()] = true
	}
	known := map[string]bool{}
	var stale []int64
	for _, c := range comments {
		print := printIn(c.Body)
		switch {
		case print == "":
		case wanted[print] && !c.IsOutdated:
			known[print] = true
		case !c.HasReplies:
			stale = append(stale, c.ID)
		}
	}
	var news []github.Comment
	for i := range all {
		s := &all[i]
		switch print := s.print(); {
		case known[print]:
			done.Known++
		case len(news) == maxSuggestions:
			done.TooMany = append(done.TooMany, *s)
		default:
			known[print] = true
			news = append(news, github.Comment{Path: s.Path, First: s.First, Last: s.Last, Body: s.body()})
		}
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

// reviewText is what stands above the comments.
func reviewText(n int, tooMany []Suggestion) string {
	text := fmt.Sprintf("mcplumb suggests %d changes to the MCP server configuration.", n)
	if n == 1 {
		text = "mcplumb suggests a change to the MCP server configuration."
	}
	if len(tooMany) > 0 {
		text += fmt.Sprintf(" There are %d more: `mcplumb check --fix` makes all of them.", len(tooMany))
	}
	return text
}

// The print of a suggestion stands in its comment, where nobody sees it.
const (
	printStart = "<!-- mcplumb suggestion "
	printEnd   = " -->"
)

// print tells a suggestion from others, wherever its lines are.
func (s *Suggestion) print() string {
	sum := sha256.Sum256([]byte(s.Path + "\x00" + s.Old + "\x00" + s.New))
	return hex.EncodeToString(sum[:12])
}

// printIn returns the print in a comment, "" if it is none of ours.
func printIn(body string) string {
	_, rest, found := strings.Cut(body, printStart)
	print, _, ended := strings.Cut(rest, printEnd)
	if !found || !ended {
		return ""
	}
	return print
}

// backticks are what could end a fence.
var backticks = regexp.MustCompile("`{3,}")

// body returns the comment with a suggestion. Its fence is longer than any in the text.
func (s *Suggestion) body() string {
	fence := "```"
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

// hunkHead begins a hunk: "@@ -1,2 +3,4 @@".
var hunkHead = regexp.MustCompile(`(?m)^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@`)

// ReadDiff reads the hunks of a file.
func ReadDiff(patch string) Diff {
	var d Diff
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
