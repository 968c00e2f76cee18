package linttest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/approved"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// LintFiles is LintAll without what rules say of the versions of packages: the
// tests of whole systems have packages with versions that come to age, and
// without.
func LintFiles(t *testing.T, files map[string]string) []rule.Finding {
	t.Helper()
	return slices.DeleteFunc(LintAll(t, files), func(f rule.Finding) bool {
		return f.Rule.ID == "unpinned-package" || f.Rule.ID == "vulnerable-package"
	})
}

// LintAll lints a tree of files with every rule, under the settings among them.
func LintAll(t *testing.T, files map[string]string) []rule.Finding {
	t.Helper()
	findings, err := Findings(files)
	require.NoError(t, err)
	WellFormed(t, findings)
	return findings
}

// Findings is LintAll for a program that generates pages.
func Findings(files map[string]string) ([]rule.Finding, error) {
	settings, err := policy.ParseSettings(policy.SettingsName, policy.SettingsName, []byte(files[policy.SettingsName]))
	if err != nil {
		return nil, err
	}
	o := lint.Options{Settings: settings}
	o.Source, o.Base = trees(files)
	for _, file := range settings.Policies {
		p, err := policy.ParseManaged(file.Path, file.Path, []byte(files[file.Path]), file.Client)
		if err != nil {
			return nil, err
		}
		o.Policies = append(o.Policies, p)
	}
	if dir := settings.Catalog.Approved; dir != "" {
		o.Approved = &mcp.Approved{Source: dir}
		if _, err := approved.Add(o.Approved, []byte(files[dir+"/v0.1/servers/index.html"])); err != nil {
			return nil, err
		}
	}
	result, err := lint.Run(context.Background(), o)
	if err == nil && len(result.Errors) > 0 {
		err = errors.New(result.Errors[0].Error())
	}
	if err != nil {
		return nil, err
	}
	return result.Findings, nil
}

// trees returns files and, if some are below base/, those as what they are compared with.
func trees(files map[string]string) (head, base source.Tree) {
	now, then := map[string]string{}, map[string]string{}
	for name, content := range files {
		if was, isThen := strings.CutPrefix(name, "base/"); isThen {
			then[was] = content
		} else {
			now[name] = content
		}
	}
	if len(then) == 0 {
		return source.Memory(now), nil
	}
	return source.Memory(now), source.Memory(then)
}

// WellFormed checks that findings are in words, and that none is reported twice.
func WellFormed(t *testing.T, findings []rule.Finding) {
	t.Helper()
	said := map[string]bool{}
	for _, f := range findings {
		text := ShowAll([]rule.Finding{f})
		require.NotContains(t, text, "%!", "badly formatted")
		require.False(t, said[text], "said twice: %s", text)
		said[text] = true
	}
}
