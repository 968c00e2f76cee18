package checks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/systems/ccpkg"
	"github.com/mcplumb/mcplumb/internal/systems/pml"
	"github.com/mcplumb/mcplumb/internal/systems/promptregistry"
)

// refusalRules are the words for refusals, with the rules that use them.
func refusalRules() map[*refusal.Wordings]*rule.Rule {
	return map[*refusal.Wordings]*rule.Rule{
		&refusal.ServerWordings: invalidServer, &nameWordings: invalidName, &lockWordings: InvalidLockfile,
		&brokenHashWordings: invalidIntegrity, &noHashWordings: missingIntegrity, &rootWordings: wrongRootKey,
		&pml.Wordings: InvalidLockfile, &ccpkg.Wordings: InvalidLockfile, &promptregistry.Wordings: InvalidLockfile,
	}
}

// TestEveryReasonBelongsToOneRule checks that exactly one rule reports each reason for which a
// reader refuses, and that a fixture of the rule shows it.
func TestEveryReasonBelongsToOneRule(t *testing.T) {
	for reason := mcp.Reason(1); reason < mcp.Reasons; reason++ {
		rules := 0
		for words, r := range refusalRules() {
			if words[reason].Text == nil {
				continue
			}
			rules++
			said, _ := words[reason].Text(&mcp.Refusal{Reason: reason, Want: []string{"this", "that"}})
			assert.True(t, refusedInFixtures(t, r)[reason], "no fixture of %s shows a refusal that says: %s", r.ID, said)
			assert.NotEqual(t, rule.Off, words[reason].Severity, said)
		}
		assert.Equal(t, 1, rules, "rules with words for reason %d", reason)
	}
}

// refusedInFixtures returns the reasons that the readers give for the files in a
// rule's fixtures.
func refusedInFixtures(t *testing.T, r *rule.Rule) map[mcp.Reason]bool {
	t.Helper()
	reasons := map[mcp.Reason]bool{}
	index := format.Known()
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "checks", r.ID, "fires-*.txtar"))
	require.NoError(t, err)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, f := range txtar.Parse(content).Files {
			match, ok := index.Lookup(f.Name)
			if !ok || match.Format.Unopened {
				continue
			}
			doc, err := format.Read(syntax.NewFile(f.Name, f.Data), match)
			if err != nil || doc == nil {
				continue
			}
			for _, r := range doc.Refusals {
				reasons[r.Reason] = true
			}
		}
	}
	return reasons
}

// TestReadersHoldNoSentences checks that only rules write texts for people: packages format and
// shape write none.
func TestReadersHoldNoSentences(t *testing.T) {
	files, err := filepath.Glob("../internal/format/*.go")
	require.NoError(t, err)
	shapes, err := filepath.Glob("../internal/shape/*.go")
	require.NoError(t, err)
	files = append(files, shapes...)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		if !strings.HasSuffix(file, "_test.go") {
			assert.NotContains(t, string(source), `"fmt"`, "%s: a message belongs to the rule", file)
		}
	}
}
