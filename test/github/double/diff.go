package double

import (
	"regexp"
	"strconv"
	"strings"
)

// A diff of one file that is larger has no patch in the answer (docs: "Repository
// limits", "Diff limits").
const (
	maxPatch      = 500 << 10
	maxPatchLines = 20000
)

// file is a changed file, as answers have it.
type file struct {
	SHA         string `json:"sha"`
	Filename    string `json:"filename"`
	Status      string `json:"status"`
	Additions   int    `json:"additions"`
	Deletions   int    `json:"deletions"`
	Changes     int    `json:"changes"`
	BlobURL     string `json:"blob_url"`
	RawURL      string `json:"raw_url"`
	ContentsURL string `json:"contents_url"`
	Patch       string `json:"patch,omitempty"`
	Previous    string `json:"previous_filename,omitempty"`

	patch string // however large
}

// statuses are git's letters.
var statuses = map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied", 'T': "changed"}

// files lists what changed between two commits, with the hunks of git.
func (d *Double) files(from, to string) ([]*file, error) {
	raw, err := d.repo.about("diff-tree", "-r", "-M", "-z", "--raw", "--no-abbrev", from, to)
	if err != nil {
		return nil, err
	}
	text, err := d.repo.about("diff-tree", "-r", "-M", "-p", "--full-index", "--no-color", "--no-ext-diff", from, to)
	if err != nil {
		return nil, err
	}
	patches := split(text)
	files := []*file{}
	fields := strings.Split(strings.TrimSuffix(raw, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i++ {
		about := strings.Fields(fields[i])
		letter := about[4][0]
		f := &file{SHA: about[3], Status: statuses[letter]}
		i++
		f.Filename = fields[i]
		if letter == 'R' || letter == 'C' {
			i++
			f.Previous, f.Filename = f.Filename, fields[i]
		}
		if letter == 'D' {
			f.SHA = about[2]
		}
		f.patch, patches = patches[0], patches[1:]
		if letter == 'T' { // git writes a removed file and an added one
			f.patch, patches = f.patch+"\n"+patches[0], patches[1:]
		}
		d.finish(f, to)
		files = append(files, f)
	}
	return files, nil
}

// finish counts lines and makes addresses.
func (d *Double) finish(f *file, to string) {
	for line := range strings.Lines(f.patch) {
		switch line[0] {
		case '+':
			f.Additions++
		case '-':
			f.Deletions++
		}
	}
	f.Changes = f.Additions + f.Deletions
	f.BlobURL, f.RawURL = d.web("/blob/"+to+"/"+f.Filename), d.web("/raw/"+to+"/"+f.Filename)
	f.ContentsURL = d.api("/contents/" + escaped(f.Filename) + "?ref=" + to)
	if len(f.patch) <= maxPatch && strings.Count(f.patch, "\n") <= maxPatchLines {
		f.Patch = f.patch
	}
}

// split returns the hunks of each file of a diff, without the lines before the first. A
// line of content begins with a sign, so no content looks like the beginning of a file.
func split(diff string) []string {
	var patches []string
	for part := range strings.SplitSeq("\n"+diff, "\ndiff --git ") {
		_, hunks, _ := strings.Cut(part, "\n@@ ")
		if hunks != "" {
			hunks = "@@ " + strings.TrimSuffix(hunks, "\n")
		}
		patches = append(patches, hunks)
	}
	return patches[1:]
}

// hunk is one of a patch: the lines on either side that can be spoken of.
type hunk struct {
	text        string
	left, right map[int]bool
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// hunks reads a patch.
func hunks(patch string) []*hunk {
	var found []*hunk
	var old, new int
	for line := range strings.Lines(patch) {
		if m := hunkHeader.FindStringSubmatch(line); m != nil {
			old, _ = strconv.Atoi(m[1])
			new, _ = strconv.Atoi(m[2])
			found = append(found, &hunk{text: line, left: map[int]bool{}, right: map[int]bool{}})
			continue
		}
		h := found[len(found)-1]
		h.text += line
		if line[0] == ' ' || line[0] == '-' {
			h.left[old] = true
			old++
		}
		if line[0] == ' ' || line[0] == '+' {
			h.right[new] = true
			new++
		}
	}
	return found
}
