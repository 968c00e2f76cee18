package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pinTable names the actions of others that workflows use, each with the commit
// that is pinned and the version that the commit is.
const pinTable = ".github/actions.txt"

// megalinterPath is where the plugin for MegaLinter is.
const megalinterPath = "packaging/megalinter/mega-linter-plugin-mcplumb/mcplumb.megalinter-descriptor.yml"

// stamped returns the files that people write and that name this version or an
// action of others, with both as they are now.
func stamped(version string) (map[string]string, error) {
	table, err := os.ReadFile(pinTable)
	if err != nil {
		return nil, err
	}
	pins, err := parsePins(string(table))
	if err != nil {
		return nil, err
	}
	paths, err := stampedPaths()
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	files := map[string]string{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if files[path], err = stampPins(stampVersion(string(content), version), pins, used); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pins)) {
		if !used[name] {
			return nil, fmt.Errorf("%s: nothing uses %s", pinTable, name)
		}
	}
	return files, nil
}

// stampedPaths returns the paths of those files from the module root. A file that is
// generated as a whole needs no stamp.
func stampedPaths() ([]string, error) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		return nil, err
	}
	workflows, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil {
		return nil, err
	}
	pages = slices.DeleteFunc(pages, func(page string) bool { return page == "docs/checks.md" || page == "docs/clients.md" })
	return slices.Concat([]string{"README.md", "action.yml", "setup/action.yml", "templates/mcplumb.yml", megalinterPath, "editors/vscode/package.json", "editors/vscode/package-lock.json"}, pages, workflows), nil
}

// ownVersion finds the places that name a version of mcplumb: as an action or a workflow,
// a file at a tag, a package of npm or a component, a revision of the hooks, an image, with git
// (-git) or alone, the extension for an editor.
var ownVersion = regexp.MustCompile(`(mcplumb/mcplumb(?:/[\w./-]+)?@v|mcplumb/mcplumb/v|\bmcplumb@|rev: v|ghcr\.io/mcplumb/mcplumb:|"name": "mcplumb",\s+"version": ")\d+\.\d+\.\d+(-git\b|)(?:-[0-9A-Za-z.]+)?`)

// stampVersion writes a version to all of its places.
func stampVersion(content, version string) string {
	return ownVersion.ReplaceAllString(content, "${1}"+version+"${2}")
}

// usesAction finds the actions of workflows, with the text after them.
var usesAction = regexp.MustCompile(`(?m)^( *(?:- )?uses: )([^@\s]+)@(\S+)( # .*)?$`)

// stampPins writes the commit and the version of its pin behind every action of
// others, and notes which pins it used.
func stampPins(content string, pins map[string]pin, used map[string]bool) (string, error) {
	var unknown []string
	content = usesAction.ReplaceAllStringFunc(content, func(line string) string {
		parts := usesAction.FindStringSubmatch(line)
		path := strings.SplitN(parts[2], "/", 3) // owner, repository, path within it
		name := strings.Join(path[:min(2, len(path))], "/")
		if name == "mcplumb/mcplumb" {
			return line
		}
		p, known := pins[name]
		if !known {
			unknown = append(unknown, parts[2])
			return line
		}
		used[name] = true
		return parts[1] + parts[2] + "@" + p.commit + " # " + p.version
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("%s has no %s", pinTable, strings.Join(unknown, ", "))
	}
	return content, nil
}

// pin is a commit and the version whose tag it has.
type pin struct{ commit, version string }

// pinRow is a row of the table: owner/repository, commit, version.
var pinRow = regexp.MustCompile(`^([\w.-]+/[\w.-]+) ([0-9a-f]{40}) (v\d+\.\d+\.\d+)$`)

// parsePins reads the table: a row for each action, comments after #.
func parsePins(table string) (map[string]pin, error) {
	pins := map[string]pin{}
	for i, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := pinRow.FindStringSubmatch(line)
		if row == nil {
			return nil, fmt.Errorf("%s:%d: %q is not NAME COMMIT VERSION", pinTable, i+1, line)
		}
		if _, twice := pins[row[1]]; twice {
			return nil, fmt.Errorf("%s:%d: %s is there twice", pinTable, i+1, row[1])
		}
		pins[row[1]] = pin{row[2], row[3]}
	}
	return pins, nil
}
