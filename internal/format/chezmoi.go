package format

import (
	"path"
	"strings"
)

// chezmoiAttributes are what chezmoi puts before the name of a file or directory
// to say how it is to be written (chezmoi.io/reference/source-state-attributes).
// What is no file as it stands is not among them: encrypted_, modify_, remove_,
// run_, symlink_.
var chezmoiAttributes = []string{"create_", "exact_", "executable_", "empty_", "private_", "readonly_"}

// chezmoiTarget returns the path that a file of chezmoi's source directory has in
// a home directory: dot_cursor/private_mcp.json is .cursor/mcp.json. A path that
// chezmoi has nothing to do with is returned as it is.
func chezmoiTarget(file string) (target string, isSource bool) {
	isSource = strings.HasPrefix(path.Base(file), "private_")
	if !isSource && !strings.Contains(file, "dot_") {
		return file, false
	}
	segments := strings.Split(file, "/")
	for i, segment := range segments {
		name := withoutAttributes(segment)
		if rest, ok := strings.CutPrefix(name, "dot_"); ok {
			name, isSource = "."+rest, true
		}
		segments[i] = name
	}
	if !isSource {
		return file, false
	}
	return strings.Join(segments, "/"), true
}

func withoutAttributes(segment string) string {
	for {
		rest := segment
		for _, attribute := range chezmoiAttributes {
			rest = strings.TrimPrefix(rest, attribute)
		}
		if rest == segment {
			return segment
		}
		segment = rest
	}
}
