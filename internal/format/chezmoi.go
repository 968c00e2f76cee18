package format

import (
	"path"
	"strings"
)

// chezmoiAttributes are what chezmoi puts before the name of a file or directory to say how to
// write it (chezmoi.io/reference/source-state-attributes). They leave out the attributes of
// sources that are not the file itself: encrypted_, modify_, remove_, run_, symlink_.
var chezmoiAttributes = []string{"create_", "exact_", "executable_", "empty_", "private_", "readonly_"}

// chezmoiTarget returns the path that a file of chezmoi's source directory has in
// a home directory: dot_cursor/private_mcp.json.tmpl is .cursor/mcp.json. A path that
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
	return strings.TrimSuffix(strings.Join(segments, "/"), templateEnding), true
}

// isChezmoiScript reports whether a file of chezmoi's source directory is not the file that it
// names: a program that changes that file or runs, a sign to remove it, or something encrypted.
func isChezmoiScript(file string) bool {
	name := withoutAttributes(path.Base(file))
	isScript := hasPrefix(name, "encrypted_", "modify_", "remove_", "run_", "symlink_")
	return isScript && (strings.Contains(file, "dot_") || strings.Contains(file, "private_"))
}

// templateEnding is the ending of the name of a file that chezmoi fills in before it writes it.
const templateEnding = ".tmpl"

// isTemplate reports whether chezmoi fills in a file.
func isTemplate(file string) bool {
	_, isSource := chezmoiTarget(file)
	return isSource && strings.HasSuffix(file, templateEnding)
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
