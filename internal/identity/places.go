package identity

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// isInstalledIn reports whether programs are installed in a directory, so that a file in it is the
// launcher that its name suggests: a directory of the system, or of a tool in a home. A directory
// of the repository and one that anyone can write to (/tmp) may hold any program. In the directory
// where a project installs its own packages, only a launcher that runs the project's files or
// reaches an address is identified by its name: one that would fetch a package
// (node_modules/.bin/npx, .venv/bin/uvx) may run any other.
func (l *launcher) isInstalledIn(dir string) bool {
	if IsPlaceholderPath(dir) {
		return true
	}
	p, machine := machinePath(dir)
	p = ascii.Lower(path.Clean(slashes(p)))
	switch {
	case strings.HasSuffix("/"+p, "/node_modules/.bin"):
		return machine || IsAbsolute(p) || l.isNodeTool()
	case strings.HasSuffix("/"+p, "/vendor/bin"):
		return machine || IsAbsolute(p) || l.read == readEnvironment
	case isVirtualEnvironment(p):
		return machine || IsAbsolute(p) || l.isPython()
	case machine:
		return true
	case HasDrive(p):
		return !slices.ContainsFunc(strings.Split(p, "/"), isTemporary)
	case IsAbsolute(p):
		return isSystemDir(p) || isToolDir(p)
	}
	return false
}

// machinePath returns a directory with the variable of a home written "~". Machine
// reports that it begins with a variable that the setup of a tool or the system sets.
func machinePath(dir string) (p string, machine bool) {
	ref, ok := secret.NextReference(dir, 0)
	switch {
	case !ok || ref.Start != 0:
		return dir, false
	case isHome(ref):
		return "~" + dir[ref.End:], false
	}
	return dir, listed(machineVariables, ascii.Lower(ref.Name)) && !strings.Contains(dir, "..")
}

// machineVariables are such variables, in small letters.
var machineVariables = []string{
	"appdata", "asdf_data_dir", "asdf_dir", "bun_install", "cargo_home", "conda_prefix", "deno_install", "fnm_dir", "gopath",
	"homebrew_prefix", "java_home", "localappdata", "mise_data_dir", "nvm_bin", "nvm_dir", "nvm_home", "nvm_symlink", "pnpm_home",
	"programdata", "programfiles", "pyenv_root", "systemroot", "virtual_env", "volta_home", "windir",
}

// isVirtualEnvironment reports whether a directory holds the programs of an environment
// of Python: ".venv/bin", "venv/scripts", "miniconda3/envs/x/bin".
func isVirtualEnvironment(p string) bool {
	parent := strings.TrimSuffix(strings.TrimSuffix(p, "/bin"), "/scripts")
	return parent != p && (strings.Contains(BaseName(parent), "env") || strings.Contains(parent, "/envs/") || strings.Contains(parent, "virtualenvs/"))
}

// isPython reports whether a launcher is a program that is installed in an environment of
// Python, and fetches no package by itself.
func (l *launcher) isPython() bool {
	switch l.read {
	case readPython, readPythonProject, readFastMCP, readMCPProxy, readDotenv:
		return true
	}
	return false
}

func isTemporary(name string) bool { return name == "tmp" || name == "temp" }

// systemDirs are directories that an administrator or a package manager of the system
// writes to.
var systemDirs = []string{
	"/applications", "/bin", "/home/linuxbrew", "/library", "/nix", "/opt", "/run/current-system", "/sbin", "/snap", "/system", "/usr",
}

func isSystemDir(p string) bool {
	return slices.ContainsFunc(systemDirs, func(dir string) bool { return strings.HasPrefix(p+"/", dir+"/") })
}

// homeDirs are directories of a home that tools install programs in, in addition to those that
// begin with a dot.
var homeDirs = []string{"anaconda3", "bin", "go", "homebrew", "library", "mambaforge", "miniconda3", "miniforge3", "n", "scoop"}

// isToolDir reports whether a directory is one that a tool installs programs in, in a user's home:
// "~/.nvm/versions/node/v22.0.0/bin", "/users/jo/.local/bin".
func isToolDir(p string) bool {
	for _, home := range [...]string{"~/", "/root/", "/users/", "/home/"} {
		below, ok := strings.CutPrefix(p, home)
		if !ok {
			continue
		}
		if home == "/users/" || home == "/home/" {
			_, below, _ = strings.Cut(below, "/")
		}
		first, _, _ := strings.Cut(below, "/")
		return strings.HasPrefix(first, ".") || listed(homeDirs, first)
	}
	return false
}
