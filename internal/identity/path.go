package identity

import (
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// homeNames are the variables that hold the user's home directory.
var homeNames = []string{"HOME", "USERPROFILE", "userHome"}

// path returns the canonical form of a path: relative to the repository root if possible, "~/…"
// below the home directory, else absolute. A path that begins with an unknown variable keeps it.
func (r *resolver) path(text string) string {
	text = strings.TrimPrefix(text, "file://")
	p, rooted := r.expand(text)
	p = slashes(p)
	switch {
	case rooted:
		return CleanDir(p)
	case IsAbsolute(p) || strings.HasPrefix(p, "$"):
		return cleanAbsolute(p)
	}
	return join(r.dir, p)
}

// expand replaces references in a path. rooted reports that it began with a
// path variable, so that what is left starts at the repository root (or
// wherever the variable points).
func (r *resolver) expand(text string) (p string, rooted bool) {
	ref, ok := secret.NextReference(text, 0)
	if !ok {
		return text, false
	}
	var b strings.Builder
	last := 0
	for ; ok; ref, ok = secret.NextReference(text, last) {
		b.WriteString(text[last:ref.Start])
		last = ref.End
		first := b.Len() == 0
		dir, isPath := r.pathVariable(ref)
		switch {
		case isPath && first:
			rooted = true
			if dir == "" {
				dir = "."
			}
			b.WriteString(dir)
		case isPath:
			b.WriteString(dir)
		case first && isHome(ref):
			b.WriteByte('~')
		case ref.Name == "/" || ref.Name == "pathSeparator":
			b.WriteByte('/')
		default:
			b.WriteString(canonicalReference(text, ref))
		}
	}
	b.WriteString(text[last:])
	return b.String(), rooted
}

// pathVariable returns the directory that a reference means.
func (r *resolver) pathVariable(ref secret.Ref) (dir string, ok bool) {
	return r.ctx.PathVariable(ref, r.dir)
}

// PathVariable returns the directory that a reference means in a launch that works in dir.
// Directories are slash-separated, from the repository root.
func (ctx *Context) PathVariable(ref secret.Ref, dir string) (path string, ok bool) {
	switch ref.Syntax.Family() {
	case secret.Braced, secret.Bare, secret.EnvColon, secret.EnvBraces, secret.PowerShell, secret.Percent:
	case secret.Command:
		if ref.Name == "git rev-parse --show-toplevel" {
			return "", true
		}
		return dir, ref.Name == "pwd"
	default:
		return "", false
	}
	if path, ok := ctx.Vars[ref.Name]; ok {
		return path, true
	}
	if ref.Name == "PWD" || ref.Name == "cwd" {
		return dir, true
	}
	return "", false
}

// WorkDir returns the directory that a launch is started in: "." or below it, from
// the repository root, absolute, or beginning with a variable.
func (l *Launch) WorkDir(ctx *Context) string {
	r := begin(l, ctx)
	return r.dir
}

// IsRemote reports whether a launch connects to its URL. A launch that also has a command connects
// only if it says so.
func (l *Launch) IsRemote() bool {
	return l.URL.Text != "" && (strings.TrimSpace(l.Command.Text) == "" || isRemote(l.Transport))
}

// isHome reports whether a reference is the user's home directory.
func isHome(ref secret.Ref) bool { return ref.Default == "" && listed(homeNames, ref.Name) }

// isPathWord reports whether an argument is without doubt a path of this
// repository or the home directory: it starts with ./ or ../, or with a path
// variable.
func (r *resolver) isPathWord(text string) bool {
	if text == "" {
		return false
	}
	switch text[0] {
	case '~':
		return strings.HasPrefix(text, "~/")
	case '.':
		return text == "." || text == ".." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") ||
			strings.HasPrefix(text, `.\`) || strings.HasPrefix(text, `..\`)
	case '$', '%', '{':
		ref, ok := secret.NextReference(text, 0)
		if !ok || ref.Start != 0 {
			return false
		}
		if _, isPath := r.pathVariable(ref); !isPath && !isHome(ref) {
			return false
		}
		return ref.End == len(text) || text[ref.End] == '/' || text[ref.End] == '\\' || strings.HasPrefix(text[ref.End:], "${/}")
	}
	return false
}

// argumentPath returns a path argument in canonical form. A path of the
// repository keeps a leading "./", so that it is never taken for a word.
func (r *resolver) argumentPath(text string) string {
	p := r.path(text)
	if p == "." || strings.HasPrefix(p, "../") || p == ".." || IsAbsolute(p) || strings.HasPrefix(p, "$") {
		return p
	}
	return "./" + p
}

// IsAbsolute reports whether a path does not depend on the working directory.
func IsAbsolute(p string) bool {
	switch {
	case p == "":
		return false
	case p[0] == '/' || p[0] == '\\' || p[0] == '~':
		return true
	}
	return HasDrive(p)
}

// HasDrive reports whether a path begins with a drive letter: it is one of Windows.
func HasDrive(p string) bool {
	return len(p) >= 3 && p[1] == ':' && ascii.IsLetter(p[0]) && (p[2] == '/' || p[2] == '\\')
}

// slashes folds back-slashes.
func slashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// join returns p below dir.
func join(dir, p string) string {
	if dir == "." || dir == "" {
		return path.Clean(p)
	}
	return path.Clean(dir + "/" + p)
}

// cleanAbsolute cleans an absolute path; drive letters are upper-case.
func cleanAbsolute(p string) string {
	if HasDrive(p) && p[0] >= 'a' {
		p = string(p[0]-'a'+'A') + p[1:]
	}
	return path.Clean(p)
}

// CleanDir returns a directory as Context writes it in the form used here: "."
// for the root.
func CleanDir(dir string) string {
	if dir == "" {
		return "."
	}
	return path.Clean(slashes(dir))
}

// BaseName returns the last segment of a path.
func BaseName(p string) string { return p[strings.LastIndexAny(p, `/\`)+1:] }
