// A browser asks no registry, and their client is as large as all rules.

//go:build !js

package workspace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/registry"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// Asking says how registries are asked.
type Asking struct {
	// Cache is the directory that keeps answers, as --cache names it; "" for none.
	Cache string
	// All also asks about disabled servers.
	All bool
	// Approved asks the catalog of the organization for what it holds.
	Approved bool
}

// AskRegistries has the linter ask registries about the repository. What was answered once
// is not asked again.
func (w *Workspace) AskRegistries(ctx context.Context, how Asking) error {
	store, err := w.store(how.Cache)
	if err != nil {
		return err
	}
	w.Options.Ask = w.asker(ctx, how, store)
	return nil
}

// store opens the directory that keeps answers, nil for none.
func (w *Workspace) store(dir string) (registry.Store, error) {
	if dir == "" {
		return nil, nil
	}
	cache, err := w.openCache(dir)
	if err != nil {
		return nil, fmt.Errorf("--cache %s: %w", dir, err)
	}
	return cache, nil
}

// asker returns what asks registries, with a store of answers, nil for none.
func (w *Workspace) asker(ctx context.Context, how Asking, store registry.Store) func(context.Context, *mcp.Repo) ([]string, error) {
	env := w.Env
	client := registry.New(registry.Options{
		Places: registry.NewPlaces(w.registrySources(ctx)), Wait: env.Pause, Proxy: env.Proxy, Agent: "mcplumb/" + cmp.Or(env.Version, "dev"), All: how.All,
		Store: store, Now: env.Now, Note: func(sentence string) { w.Unusable = append(w.Unusable, sentence) },
	})
	asksRegistries, asksCatalog := askedBy(w.Options.Checks)
	how.Approved = how.Approved && asksCatalog
	isSaid, approved := false, w.approvedAsker(client, how)
	settled := env.Now().AddDate(0, 0, -minAge(w.Options.Settings))
	return func(ctx context.Context, repo *mcp.Repo) ([]string, error) {
		var silences []registry.Unanswered
		var err error
		if asksRegistries {
			silences, err = client.Fill(ctx, repo, settled)
		}
		sentences := make([]string, len(silences))
		for i, s := range silences {
			sentences[i] = s.String()
		}
		if err == nil {
			sentences = append(sentences, approved(ctx, repo)...)
		}
		if unsaved := client.Unsaved(); unsaved != nil && !isSaid {
			isSaid = true
			w.Notices = append(w.Notices, fmt.Sprintf("cannot store answers of registries in %s: %s", how.Cache, source.Explain(unsaved)))
		}
		return sentences, err
	}
}

// approvedAsker returns what asks the catalog of the organization, once, and leaves it in
// repositories. It returns a sentence where there was no answer.
func (w *Workspace) approvedAsker(client *registry.Client, how Asking) func(context.Context, *mcp.Repo) []string {
	place := w.Options.Settings.Catalog.Approved
	if !how.Approved || !policy.IsAddress(place) {
		return func(context.Context, *mcp.Repo) []string { return nil }
	}
	var known *mcp.Approved
	var silence string
	return func(ctx context.Context, repo *mcp.Repo) []string {
		if known == nil && silence == "" {
			var err error
			var failed *registry.Error
			if known, err = client.Approved(ctx, place); errors.As(err, &failed) {
				silence = "the catalog " + place + " does not say which servers are approved: " + failed.Reason
			}
		}
		repo.Approved = known
		if silence != "" {
			return []string{silence}
		}
		return nil
	}
}

// askedBy returns whether some rules ask registries and the catalog of the organization. nil
// are all, and rules that compare what is known with anything may need the registries.
func askedBy(rules []*rule.Rule) (registries, catalog bool) {
	isCatalog := func(c *rule.Rule) bool { return c.ID == "unapproved-server" }
	isOther := func(c *rule.Rule) bool { return !isCatalog(c) }
	return len(rules) == 0 || slices.ContainsFunc(rules, isOther), len(rules) == 0 || slices.ContainsFunc(rules, isCatalog)
}

// minAge is how many days ago a release must have been published.
func minAge(s *policy.Settings) int {
	if s.MinAge == nil {
		return policy.DefaultMinAge
	}
	return *s.MinAge
}

// registrySources gathers what says where registries are: mcplumb's settings, the
// environment, and the files of the clients of registries where those look for them.
func (w *Workspace) registrySources(ctx context.Context) registry.Sources {
	named, get := w.Options.Settings.Registries, w.Env.Getenv
	home := cmp.Or(get("HOME"), get("USERPROFILE"))
	s := registry.Sources{
		Named:       registry.Named{NPM: named["npm"], PyPI: named["pypi"], NuGet: named["nuget"], MCP: named["mcp"], OSV: named["osv"], PML: named["pml"]},
		Environment: get,
		UserNPM:     readUserFile(cmp.Or(get("NPM_CONFIG_USERCONFIG"), get("npm_config_userconfig"), below(home, ".npmrc"))),
		Pip:         readPipFiles(get, home),
		UV:          readUserFile(cmp.Or(get("UV_CONFIG_FILE"), below(cmp.Or(get("XDG_CONFIG_HOME"), below(home, ".config")), "uv", "uv.toml"))),
		Netrc:       readUserFile(cmp.Or(get("NETRC"), below(home, ".netrc"))),
		Docker:      readUserFile(below(cmp.Or(get("DOCKER_CONFIG"), below(home, ".docker")), "config.json")),
		DefaultNPM:  sync.OnceValue(func() string { return w.Env.defaultNPM(ctx, home) }),
	}
	if file, err := w.Options.Source.Read(ctx, ".npmrc"); err == nil {
		s.ProjectNPM = file.Content
	}
	return s
}

// readPipFiles reads the settings of pip: those of the machine, then those of the user,
// each in its own lines, so that a later one counts (pip's documentation, "Configuration").
func readPipFiles(get func(string) string, home string) []byte {
	if named := get("PIP_CONFIG_FILE"); named != "" || home == "" {
		return readUserFile(named)
	}
	var all [][]byte
	for _, path := range []string{
		"/etc/pip.conf", below(home, ".pip", "pip.conf"), below(home, "Library", "Application Support", "pip", "pip.conf"),
		below(get("APPDATA"), "pip", "pip.ini"), below(cmp.Or(get("XDG_CONFIG_HOME"), below(home, ".config")), "pip", "pip.conf"),
	} {
		all = append(all, readUserFile(path))
	}
	return bytes.Join(all, []byte("\n"))
}

// below returns a path below a directory, "" for one that is not known.
func below(dir string, parts ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, parts...)...)
}

// readUserFile reads a file of the user's, nothing if it does not exist.
func readUserFile(path string) []byte {
	if path == "" {
		return nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return content
}

// defaultNPM asks npm which registry it uses where no setting says so, from a directory whose
// files the repository does not write.
func (e *Env) defaultNPM(ctx context.Context, home string) string {
	program, err := e.LookPath("npm")
	if err != nil || home == "" {
		return ""
	}
	ask := exec.CommandContext(ctx, program, "config", "get", "registry", "--location=user")
	ask.Dir, ask.Env = home, e.Environ
	var answer bytes.Buffer
	ask.Stdout = &answer
	if ask.Run() != nil {
		return ""
	}
	return strings.TrimSpace(answer.String())
}
