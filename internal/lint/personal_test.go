package lint

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPersonalRepositories checks which repositories are one person's settings.
func TestPersonalRepositories(t *testing.T) {
	for name, test := range map[string]struct {
		files []string
		want  bool
	}{
		"chezmoi":                        {[]string{".chezmoiignore", "dot_claude/settings.json"}, true},
		"stow":                           {[]string{"git/.gitconfig", "nvim/.config/nvim/init.lua", ".codex/config.toml"}, true},
		"below config":                   {[]string{"config/zsh/.zshrc", "config/nvim/init.lua"}, true},
		"opencode's directory":           {[]string{"opencode.json", "themes/dracula.json"}, true},
		"a project with a theme":         {[]string{".opencode/themes/dracula.json", "opencode.json"}, false},
		"a container for development":    {[]string{".devcontainer/.zshrc", ".devcontainer/Dockerfile"}, false},
		"a project that includes config": {[]string{".gitconfig", "package.json"}, false},
		"templates of dotfiles":          {[]string{"templates/.zshrc", "templates/.vimrc"}, false},
		"a plugin for an editor":         {[]string{"lua/plugin/init.lua", "src/init.vim"}, false},
	} {
		signs := &homeSigns{}
		for _, file := range test.files {
			signs.see(file)
		}
		assert.Equal(t, test.want, signs.isPersonal(), name)
	}
}
