package compare

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
)

// IsHomePath reports whether a path is in the home directory of a person, or on
// a disk that is mounted on one machine.
func IsHomePath(path string) bool {
	for _, root := range [...]string{"/Users/", "/home/", "/Volumes/"} {
		if rest, ok := strings.CutPrefix(path, root); ok {
			return isPerson(rest)
		}
	}
	if disk, ok := strings.CutPrefix(path, "/mnt/"); ok && len(disk) > 2 && ascii.IsLetter(disk[0]) && disk[1] == '/' {
		return IsOnDisk(disk[0], disk[2:]) // a Windows disk in WSL
	}
	if len(path) > 2 && ascii.IsLetter(path[1]) && path[2] == '/' {
		user, ok := ascii.CutPrefixFold(path[3:], "users/")
		return ok && isWindowsPerson(user) // Git Bash
	}
	return false
}

// IsOnDisk reports whether the path after the letter of a Windows drive is one person's. The system's
// directories, and those that an installer creates in the same place on every machine, are on drive C;
// on any other drive a person chose a place under such a name.
func IsOnDisk(drive byte, rest string) bool {
	rest = strings.TrimLeft(rest, "/")
	if user, ok := ascii.CutPrefixFold(rest, "users/"); ok {
		return isWindowsPerson(strings.TrimLeft(user, "/"))
	}
	return rest != "" && (drive != 'C' && drive != 'c' || !isSystemDirectory(rest))
}

// isWindowsPerson is isPerson on Windows, where many have accounts of the names
// that examples have. With a real path below, it is one.
func isWindowsPerson(rest string) bool {
	name, below, _ := strings.Cut(strings.ReplaceAll(rest, `\`, "/"), "/")
	switch strings.ToLower(name) {
	case "admin", "administrator", "user":
		return strings.Contains(below, "/") && !IsTemplatePath(below)
	}
	return isPerson(rest)
}

// isPerson reports whether what follows the directory of all homes belongs to a
// person: not to the account of a container or a build machine, and not a name
// to be filled in.
func isPerson(rest string) bool {
	name, below, _ := strings.Cut(strings.ReplaceAll(rest, `\`, "/"), "/")
	if name == "" || IsTemplatePath(name) || IsTemplatePath(below) {
		return false
	}
	return !isCommonAccount(strings.ToLower(name))
}

// isCommonAccount reports whether a name in small letters is of no one in
// particular: an example's, a container's, a build machine's.
func isCommonAccount(name string) bool {
	switch name {
	case "admin", "agent", "app", "appuser", "circleci", "coder", "codespace", "debian", "default", "deploy", "devcontainer",
		"developer", "ec2-user", "git", "gitpod", "jenkins", "jovyan", "linuxbrew", "me", "myuser", "name", "nobody", "node",
		"nonroot", "public", "pwuser", "root", "runner", "runneradmin", "shared", "site", "ubuntu", "user", "user_name",
		"username", "users", "vagrant", "vscode", "you", "yourname", "yourusername":
		return true
	}
	return false
}

// isSystemDirectory reports whether a path on drive C is one of the system's, or where installers put
// their programs on every machine.
func isSystemDirectory(path string) bool {
	first, below, _ := strings.Cut(strings.ToLower(path), "/")
	switch strings.ReplaceAll(first, " ", "_") {
	case "", "windows", "program_files", "program_files_(x86)", "program_files_(arm)", "programdata", "progra~1", "msys64", "cygwin64", "tools",
		"nvm4w":
		return true
	case "xampp":
		return !strings.HasPrefix(below, "htdocs/") // one person's project
	case "laragon":
		return !strings.HasPrefix(below, "www/")
	}
	version, isPython := strings.CutPrefix(first, "python")
	return isPython && ascii.All(version, ascii.IsDigit)
}

// IsTemplatePath reports whether a path must be filled in, or holds a variable.
func IsTemplatePath(path string) bool {
	return identity.IsPlaceholderPath(path) || strings.ContainsAny(path, "$%{}*<>") || ascii.HasPrefixFold(path, "path") ||
		ascii.ContainsFold(path, "your") || ascii.ContainsFold(path, "username")
}
