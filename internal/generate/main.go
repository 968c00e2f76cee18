// Command generate writes the files that are made from the program itself:
// docs/checks.md, docs/rules/*.md, docs/clients.md, docs/precision.md, docs/requirements-rows.md, docs/settings.schema.json,
// .pre-commit-hooks.yaml, renovate/mcp.json and the definition for Trunk, and the tables of advisories and known packages that are
// made from checks/advisories.yaml and checks/known_packages.yaml. Into what people
// write it puts this version and the pinned commits of actions
// (.github/actions.txt). With -check it writes nothing and fails if one is stale.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/cli"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/test/ecosystem/judged"
)

func main() {
	check := flag.Bool("check", false, "fail if a generated file is stale instead of writing it")
	extras := flag.String("extras", "", "write man pages and completions into `DIR` instead")
	flag.Parse()
	if *extras != "" {
		if err := writeExtras(*extras, releaseDay()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for _, c := range checks.All() {
		if len(c.Meta().Tags) == 0 {
			fmt.Fprintf(os.Stderr, "the page of %s has no valid front matter: see go test ./checks -run TestFrontMatter\n", c.ID)
			os.Exit(1)
		}
	}
	files, err := generated()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for path, content := range files {
		if err := put(path, content, *check); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	pages, err := filepath.Glob("docs/rules/*.md")
	for _, page := range pages {
		if files[page] == "" {
			err = fmt.Errorf("%s is the page of no rule: delete it", page)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// releaseDay returns the time of the commit that a release is built from, which the release
// program sets in the environment; without it, the start of 1970.
func releaseDay() time.Time {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		seconds = 0
	}
	return time.Unix(seconds, 0).UTC()
}

// generated returns every generated file's content by its path from the module
// root.
func generated() (map[string]string, error) {
	table, err := advisories()
	if err != nil {
		return nil, err
	}
	known, err := knownPackageTable()
	if err != nil {
		return nil, err
	}
	files, err := stamped(cli.Version)
	if err != nil {
		return nil, err
	}
	verdicts, err := judged.Read("test/ecosystem")
	if err != nil {
		return nil, err
	}
	screens, err := pictures()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, screens)
	if files["docs/requirements-rows.md"], err = requirementsPage(); err != nil {
		return nil, err
	}
	files["docs/precision.md"] = judged.Page(verdicts)
	files["docs/checks.md"] = checksPage(checks.All())
	pages, err := rulePages(checks.All(), verdicts)
	if err != nil {
		return nil, err
	}
	maps.Copy(files, pages)
	files["docs/clients.md"] = clientsPage(mcp.Clients(), format.All())
	files[presetPath], err = renovatePreset(format.All(), mcp.Clients())
	if err != nil {
		return nil, err
	}
	files[advisoryTable] = table
	files[knownTable] = known
	files["docs/settings.schema.json"] = settingsSchema(checks.All())
	files[".pre-commit-hooks.yaml"] = hooksPage(format.All())
	files[trunkPath] = trunkPlugin(format.All())
	return files, nil
}

func put(path, content string, check bool) error {
	old, err := os.ReadFile(path)
	switch {
	case err == nil && string(old) == content:
		return nil
	case !check:
		return os.WriteFile(path, []byte(content), 0o644)
	case err != nil:
		return err
	}
	return fmt.Errorf("%s is stale: run `make generate`", path)
}
