package lint

import (
	"path"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// homeSigns is the evidence in a repository's paths that it is one person's directory of
// settings.
type homeSigns struct {
	mutex sync.Mutex
	seen  map[string]bool
}

// maxHomeDepth is how deep such files are: stow has nvim/.config/nvim/init.lua.
const maxHomeDepth = 4

// see notes a path. Several may be seen at once.
func (h *homeSigns) see(file string) {
	sign := homeSign(file)
	if sign == "" {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.seen == nil {
		h.seen = map[string]bool{}
	}
	h.seen[sign] = true
}

// homeSign returns which sort of a person's settings a file is, "" if none.
func homeSign(file string) string {
	if strings.HasPrefix(file, ".chezmoi") {
		return "chezmoi"
	}
	switch {
	case file == "opencode.json", file == "opencode.jsonc":
		return "opencode"
	case strings.HasPrefix(file, "themes/") && path.Ext(file) == ".json":
		return "themes"
	}
	base := path.Base(file)
	sign := ""
	switch strings.TrimPrefix(base, ".") {
	case "zshrc", "zshenv", "zprofile", "bashrc", "bash_profile":
		sign = "shell"
	case "vimrc":
		sign = "editor"
	case "init.lua", "init.vim":
		if path.Base(path.Dir(file)) == "nvim" {
			sign = "editor"
		}
	case "gitconfig":
		sign = "git"
	case "tmux.conf":
		sign = "terminal"
	}
	if sign == "" || strings.Count(file, "/") >= maxHomeDepth || format.RoleOf(file) != mcp.InUse {
		return ""
	}
	return sign
}

// isPersonal reports whether the repository is one person's settings: files that chezmoi
// writes to their home directory, the settings of several of their programs (a development
// container has those of one), or opencode's directory in it, the only place where opencode
// reads themes outside of .opencode (opencode.ai/docs/themes, 2026-11-28).
func (h *homeSigns) isPersonal() bool {
	sorts := 0
	for _, sign := range []string{"shell", "editor", "git", "terminal"} {
		if h.seen[sign] {
			sorts++
		}
	}
	return sorts > 1 || h.seen["chezmoi"] || h.seen["opencode"] && h.seen["themes"]
}
