package identity

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// DecidesCode reports whether a variable decides which code a program runs, by its family.
// A setting of npm or uv in a file is the variable that sets the same: NPM_CONFIG_REGISTRY.
func DecidesCode(name, value string) bool { return isCodeVariable(name, value) }

// maxEnvFiles is how many files of variables of one launch are read. No real launch has more.
const maxEnvFiles = 20

// EnvFiles returns the files of variables in the repository that a client or a launcher reads
// before the server starts, as paths from its root.
func (e Resolved) EnvFiles() []string {
	r := begin(e.Launch, e.Context)
	r.follow(e.Launch)
	var files []string
	add := func(from *resolver, text string) {
		file := from.path(text)
		if text != "" && isInRepository(file) && !slices.Contains(files, file) && len(files) < maxEnvFiles {
			files = append(files, file)
		}
	}
	if !e.Launch.IsRemote() {
		client := resolver{ctx: r.ctx, home: r.home, dir: r.home}
		add(&client, e.Launch.EnvFile.Text)
	}
	for _, option := range slices.Concat(r.code, r.reach) {
		if isEnvFileOption(option.Name.Text) {
			add(&r, option.Value.Text)
		}
	}
	for _, option := range r.extra {
		if name, value, _ := strings.Cut(option, "="); name == "dotenv" || isEnvFileOption(name) {
			add(&r, value)
		}
	}
	return files
}

func isEnvFileOption(name string) bool { return name == "--env-file" || name == "--env-file-if-exists" }

// isInRepository reports whether a path is known to lead to a file of the repository.
func isInRepository(file string) bool {
	return fs.ValidPath(file) && file != "." && !HasDrive(file) && !strings.HasPrefix(file, "~") && !secret.HasReference(file)
}

// Programs returns the bare names of the launchers whose command lines were read on the way to
// what a launch runs, outermost first.
func (e Resolved) Programs() []string {
	parts := e.Parts()
	var names []string
	for _, word := range parts.reached {
		names = append(names, ProgramName(word.Text))
	}
	return names
}
