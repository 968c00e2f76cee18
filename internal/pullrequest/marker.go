package pullrequest

import (
	"encoding/json"
	"strings"

	"github.com/mcplumb/mcplumb/internal/github"
)

// marker is what a pull request by mcplumb remembers in its own body, where people do not see
// it: no state is kept elsewhere.
type marker struct {
	// Head is the commit that the branch was left at. Before is where it was until then: a
	// run that was killed may have left it there.
	Head   string `json:"head"`
	Before string `json:"before,omitempty"`
	// Content shows whether the branch has the content to propose.
	Content string `json:"content"`
	// Title is the title that mcplumb gave, so that another one must be a person's.
	Title string `json:"title"`
	// Fixes are the fingerprints of the findings that it fixes, as remembered has them.
	Fixes []string `json:"fixes"`
	// Unmarked reports that it may not have the labels and assignees yet that it gets.
	Unmarked bool `json:"unmarked,omitempty"`
	// Done reports that it was closed because nothing was left to fix.
	Done bool `json:"done,omitempty"`
}

// The marker is a comment of HTML. JSON has no "-->" in it: ">" is escaped.
const (
	markerStart = "<!-- mcplumb "
	markerEnd   = " -->"
)

// What is remembered of fingerprints: up to so many whole, more by their first digits,
// and of those not all. A body has 65,536 characters, most of them for people.
const (
	maxWhole   = 400
	maxPrints  = 1200
	shortPrint = 10
)

// remembered returns fingerprints as a marker has them.
func remembered(prints []string) []string {
	if len(prints) <= maxWhole {
		return prints
	}
	var short []string
	for _, print := range prints[:min(len(prints), maxPrints)] {
		short = append(short, print[:min(len(print), shortPrint)])
	}
	return short
}

// String returns the marker as it is in a body.
func (m marker) String() string {
	text, err := json.Marshal(m)
	if err != nil {
		return "" // it holds strings alone
	}
	return markerStart + string(text) + markerEnd
}

// IsOurs reports whether a pull request was made here.
func IsOurs(p github.PullRequest) bool {
	_, found := readMarker(p.Body)
	return found
}

// readMarker returns the marker in a body, false if it has none. It is last: what is above it
// may be the repository's.
func readMarker(body string) (m marker, found bool) {
	start := strings.LastIndex(body, markerStart)
	if start < 0 {
		return marker{}, false
	}
	text, _, ended := strings.Cut(body[start+len(markerStart):], markerEnd)
	if !ended || json.Unmarshal([]byte(text), &m) != nil {
		return marker{}, false
	}
	return m, true
}
