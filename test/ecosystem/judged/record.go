package judged

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Record is mcplumb's output for one repository: a line of the output of test/ecosystem.
type Record struct {
	Repository string   `json:"repository"`
	Check      Document `json:"check"`
	Safe       string   `json:"safe"`   // the patch of --fix
	Unsafe     string   `json:"unsafe"` // the patch of --fix=unsafe
}

// A Document is the part of the output of --format json that is read.
type Document struct {
	Findings []Finding `json:"findings"`
}

// A Finding is the part of a finding that is read.
type Finding struct {
	Rule     string  `json:"rule"`
	Severity string  `json:"severity"`
	Message  string  `json:"message"`
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Related  []Place `json:"related"`
}

// A Place is another place that a finding names.
type Place struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

func (f *Finding) place() string { return fmt.Sprintf("%d:%d", f.Line, f.Column) }

// ReadRecords reads JSON objects, one after the other.
func ReadRecords(from io.Reader) ([]Record, error) {
	decoder := json.NewDecoder(bufio.NewReader(from))
	var all []Record
	for {
		var r Record
		switch err := decoder.Decode(&r); err {
		case nil:
			all = append(all, r)
		case io.EOF:
			return all, nil
		default:
			return nil, err
		}
	}
}

// digestLength is how many hexadecimal digits tell the hunks of a file apart.
const digestLength = 12

// hunks returns the hunks of a repository's patches, without verdicts: those of the safe
// patch, and those that only the unsafe one has.
func hunks(r *Record) []Hunk {
	all := hunksOf(r.Repository, "safe", r.Safe)
	known := map[[2]string]bool{}
	for _, h := range all {
		known[[2]string{h.Path, h.Digest}] = true
	}
	for _, h := range hunksOf(r.Repository, "unsafe", r.Unsafe) {
		if !known[[2]string{h.Path, h.Digest}] {
			all = append(all, h)
		}
	}
	return all
}

// hunksOf returns the hunks of one unified diff. The digest of its removed and added lines
// identifies a hunk, so that another context does not make it a different one.
func hunksOf(repository, mode, patch string) []Hunk {
	var all []Hunk
	var changed []string
	path := ""
	end := func() {
		if len(changed) > 0 {
			sum := sha256.Sum256([]byte(strings.Join(changed, "\n")))
			all[len(all)-1].Digest = hex.EncodeToString(sum[:])[:digestLength]
		}
		changed = nil
	}
	old, added := 0, 0 // lines of the hunk that are still to come
	for _, line := range strings.Split(patch, "\n") {
		if old > 0 || added > 0 {
			switch {
			case strings.HasPrefix(line, "-"):
				old--
				changed = append(changed, line)
			case strings.HasPrefix(line, "+"):
				added--
				changed = append(changed, line)
			case !strings.HasPrefix(line, `\`):
				old--
				added--
			}
			continue
		}
		if name, is := strings.CutPrefix(line, "+++ b/"); is {
			path = name
		}
		if header, is := strings.CutPrefix(line, "@@ -"); is {
			end()
			before, after, _ := strings.Cut(header, " +")
			after, _, _ = strings.Cut(after, " @@")
			first, count := span(before)
			_, added = span(after)
			old = count
			all = append(all, Hunk{Repository: repository, Mode: mode, Path: path, Line: first, Verdict: Unjudged})
		}
	}
	end()
	return all
}

// span reads LINE or LINE,COUNT of a hunk's header.
func span(text string) (first, count int) {
	line, rest, several := strings.Cut(text, ",")
	first, _ = strconv.Atoi(line) // mcplumb's own patch
	if !several {
		return first, 1
	}
	count, _ = strconv.Atoi(rest)
	return first, count
}
