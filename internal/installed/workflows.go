package installed

import (
	"context"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
)

// written is what the workflows of a repository write when they release something.
type written struct {
	// files are the names of manifests, without directory, that they write into.
	files map[string]bool
	// raises are the kinds of packages whose version they set.
	raises map[identity.Kind]bool
}

// stampedFiles are the manifests that a workflow may write into, as one pattern.
const stampedFiles = `((?:server|manifest|plugin|marketplace|gemini-extension|qwen-extension|package)\.json)`

// wordings are the ways in which scripts of workflows write.
type wordings struct {
	// into write into a manifest, which is their first group: with the shell (jq … >
	// server.json, mv, cp, tee, sponge, sed -i) and with a line of JavaScript or Python. A
	// line that only reads one has none of these.
	into []*regexp.Regexp
	// byScript runs a script that does so.
	byScript *regexp.Regexp
	// raising set the version of a package.
	raising map[identity.Kind]*regexp.Regexp
}

// workflowWordings are compiled for the first line of a workflow: most runs see none.
var workflowWordings = sync.OnceValue(func() *wordings {
	redirected := regexp.MustCompile(`>\s*["']?[^\s"'|;&>]*?` + stampedFiles + `(?:["'\s;&|)]|$)`)
	moved := regexp.MustCompile(`\b(?:mv|cp)\s[^|;&]*?[\s/"']` + stampedFiles + `["']?\s*(?:$|[;&|)}\]])`)
	inPlace := regexp.MustCompile(`(?:\bsed\s+(?:-\S+\s+)*-i|\b(?:yq|dasel|jq)\s[^|;&]*(?:-i\b|--in-?place\b)|\btee\s|\bsponge\s|writeFile|write_text|json\.dump|'w'|"w")[^|]*?` + stampedFiles)
	laterNamed := regexp.MustCompile(stampedFiles + `[^|]*?(?:writeFile|write_text|json\.dump|,\s*['"]w['"])`)
	return &wordings{
		into:     []*regexp.Regexp{redirected, moved, inPlace, laterNamed},
		byScript: regexp.MustCompile(`(?i)(?:sync|stamp|update|bump|set)[\w-]*server[-_.]?json`),
		raising: map[identity.Kind]*regexp.Regexp{
			identity.NPM:  regexp.MustCompile(`\b(?:npm|pnpm|yarn|bun)\s+(?:pm\s+)?version\b|\bpkg\s+set\s+["']?version|\blerna\s+(?:version|publish)\b`),
			identity.PyPI: regexp.MustCompile(`\b(?:poetry|uv|hatch|pdm)\s+version\b|pyproject\.toml.*\bsed\s+-i|\bsed\s+-i.*pyproject\.toml`),
			mcp.Cargo:     regexp.MustCompile(`\bcargo\s+set-version\b|\bsed\s+-i.*Cargo\.toml`),
		},
	}
})

// readWorkflows reads the workflows and actions of a repository on GitHub. They are searched line
// by line: it is not known what their scripts do.
func readWorkflows(ctx context.Context, tree source.Tree) written {
	all := written{map[string]bool{}, map[identity.Kind]bool{}}
	listing, _ := tree.List(ctx, []string{".github"}, source.Want{File: func(file string) bool {
		ext := path.Ext(file)
		return ext == ".yml" || ext == ".yaml"
	}})
	for _, file := range listing.Paths {
		if read, err := tree.Read(ctx, file); err == nil {
			for line := range strings.Lines(string(read.Content)) {
				all.line(strings.TrimSpace(line))
			}
		}
	}
	return all
}

// line notes what a line of a workflow writes.
func (w *written) line(line string) {
	wordings := workflowWordings()
	for kind, pattern := range wordings.raising {
		if !w.raises[kind] && pattern.MatchString(line) {
			w.raises[kind] = true
		}
	}
	if wordings.byScript.MatchString(line) && !strings.Contains(line, "--check") {
		w.files["server.json"] = true
	}
	if !strings.Contains(line, ".json") {
		return
	}
	for _, pattern := range wordings.into {
		for _, found := range pattern.FindAllStringSubmatch(line, -1) {
			w.files[found[1]] = true
		}
	}
	if w.files["package.json"] {
		w.raises[identity.NPM] = true
	}
}
