package fix_test

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// config is a file with servers that have the names.
func config(names ...string) string {
	var servers []string
	for _, name := range names {
		servers = append(servers, fmt.Sprintf(`"%s": {"command": "x"}`, name))
	}
	return `{"mcpServers": {` + strings.Join(servers, ", ") + `}}`
}

// ruleFor is a rule of a test: it says of each server with which fixes it is found.
func ruleFor(id string, find func(s *mcp.Server) (fixes []rule.Fix, found bool)) *rule.Rule {
	return &rule.Rule{ID: id, Severity: rule.Error, Run: func(p *rule.Pass) {
		for _, d := range p.Project.Documents {
			for _, s := range d.Servers {
				if fixes, found := find(s); found {
					p.Report(rule.Finding{File: d.File, Span: s.NameSpan, Server: s.Name, Message: id + " " + s.Name, Fixes: fixes})
				}
			}
		}
	}}
}

// rename is a fix that gives a server another name.
func rename(s *mcp.Server, name string, safety rule.Safety) rule.Fix {
	return rule.Fix{Title: s.Name + " to " + name, Safety: safety, Edits: []edit.Change{edit.Rename(s.Document.File, s.NameSpan, name)}}
}

// renames is a rule that finds servers of some names, with a safe fix each.
func renames(id string, to map[string]string) *rule.Rule {
	return ruleFor(id, func(s *mcp.Server) ([]rule.Fix, bool) {
		name, found := to[s.Name]
		if name == "" {
			return nil, found
		}
		return []rule.Fix{rename(s, name, rule.Safe)}, found
	})
}

// removes is a rule that finds servers of a name, with an unsafe fix that removes them.
func removes(name string) *rule.Rule {
	return ruleFor("removal", func(s *mcp.Server) ([]rule.Fix, bool) {
		return []rule.Fix{{Title: "remove " + s.Name, Safety: rule.Unsafe, Edits: []edit.Change{edit.Remove(s.Document.File, s.NameSpan)}}}, s.Name == name
	})
}

// run fixes files with rules.
func run(t *testing.T, files map[string]string, allow rule.Safety, rules ...*rule.Rule) *fix.Outcome {
	t.Helper()
	return runOn(t, source.Memory(files), allow, rules...)
}

func runOn(t *testing.T, tree source.Tree, allow rule.Safety, rules ...*rule.Rule) *fix.Outcome {
	t.Helper()
	outcome, err := fix.Run(t.Context(), fix.Options{Source: tree, Allow: allow, Lint: func(ctx context.Context, tree source.Tree) (*lint.Result, error) {
		return lint.Run(ctx, lint.Options{Source: tree, Checks: rules})
	}})
	require.NoError(t, err)
	return outcome
}

// said returns the fixes made and left, a line each, then the files.
func said(o *fix.Outcome) []string {
	var lines []string
	for _, made := range o.Made {
		lines = append(lines, "made "+made.Fix.Title)
	}
	for _, left := range o.Left {
		lines = append(lines, "left "+left.Fix.Title+": "+left.Reason)
	}
	for _, f := range o.Files {
		lines = append(lines, f.Path+" "+strings.NewReplacer(`{"mcpServers": {`, "", `: {"command": "x"}`, "", "}}", "", `"`, "").Replace(string(f.New)))
	}
	return lines
}

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		allow rule.Safety
		rules []*rule.Rule
		want  []string
	}{
		{
			"all fixes of all files are made in one round", map[string]string{"a/.mcp.json": config("a", "b"), "b/.mcp.json": config("a")}, rule.Safe,
			[]*rule.Rule{renames("names", map[string]string{"a": "x", "b": "y"})},
			[]string{"made a to x", "made b to y", "made a to x", "a/.mcp.json x, y", "b/.mcp.json x"},
		},
		{
			"what is unsafe is left", map[string]string{".mcp.json": config("a", "b")}, rule.Safe,
			[]*rule.Rule{ruleFor("names", func(s *mcp.Server) ([]rule.Fix, bool) {
				return []rule.Fix{rename(s, "x", map[string]rule.Safety{"a": rule.Safe, "b": rule.Unsafe}[s.Name])}, len(s.Name) == 1 && s.Name < "x"
			})},
			[]string{"made a to x", "left b to x: ", ".mcp.json x, b"},
		},
		{
			"a safe fix comes before an unsafe one", map[string]string{".mcp.json": config("a")}, rule.Unsafe,
			[]*rule.Rule{ruleFor("names", func(s *mcp.Server) ([]rule.Fix, bool) {
				return []rule.Fix{rename(s, "x", rule.Unsafe), rename(s, "y", rule.Safe)}, s.Name == "a"
			})},
			[]string{"made a to y", ".mcp.json y"},
		},
		{
			"one of two that want the same name waits, and does not find it any more", map[string]string{".mcp.json": config("a", "b")}, rule.Safe,
			[]*rule.Rule{renames("names", map[string]string{"a": "x", "b": "x"})},
			[]string{"made a to x", "left b to x: there is a key of that name already", ".mcp.json x, b"},
		},
		{
			"what waits is made in the next round", map[string]string{".mcp.json": config("a")}, rule.Safe,
			[]*rule.Rule{renames("one", map[string]string{"a": "b"}), renames("two", map[string]string{"a": "c", "b": "c"})},
			[]string{"made a to b", "made b to c", ".mcp.json c"},
		},
		{
			"an alternative takes the place of what cannot be made", map[string]string{".mcp.json": config("a", "x")}, rule.Safe,
			[]*rule.Rule{ruleFor("names", func(s *mcp.Server) ([]rule.Fix, bool) {
				return []rule.Fix{rename(s, "x", rule.Safe), rename(s, "y", rule.Safe)}, s.Name == "a"
			})},
			[]string{"made a to y", ".mcp.json y, x"},
		},
		{
			"a fix that leaves its finding is dropped", map[string]string{".mcp.json": config("a", "b", "c")}, rule.Safe,
			[]*rule.Rule{
				renames("names", map[string]string{"a": "x", "c": "z"}),
				ruleFor("command", func(s *mcp.Server) ([]rule.Fix, bool) {
					return []rule.Fix{{Title: "comment", Safety: rule.Safe, Edits: []edit.Change{
						edit.Insert(s.Document.File, s.Span, "note", edit.String("n"), edit.Where{}),
					}}}, s.Name == "b"
				}),
			},
			[]string{"made a to x", "made c to z", "left comment: the finding would stay", ".mcp.json x, b, z"},
		},
		{
			"a fix that brings up another finding is dropped", map[string]string{".mcp.json": config("a", "b", "c"), "sub/.mcp.json": config("a", "b")}, rule.Safe,
			[]*rule.Rule{renames("names", map[string]string{"a": "x", "b": "bad", "c": "z"}), renames("bad", map[string]string{"bad": ""})},
			[]string{
				"made a to x", "made c to z", "made a to x",
				"left b to bad: it would cause bad in .mcp.json", "left b to bad: it would cause bad in sub/.mcp.json",
				".mcp.json x, b, z", "sub/.mcp.json x, b",
			},
		},
		{
			"what is found of a server moves along with its name", map[string]string{".mcp.json": config("a")}, rule.Safe,
			[]*rule.Rule{renames("names", map[string]string{"a": "x"}), renames("other", map[string]string{"a": "", "x": ""})},
			[]string{"made a to x", ".mcp.json x"},
		},
		{
			"no fix removes an entry that a client starts", map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}`}, rule.Unsafe,
			[]*rule.Rule{removes("b")},
			[]string{
				`left remove b: it would take away "b", which Claude Code starts, and no identical entry remains`,
			},
		},
		{
			"an entry may be removed where an identical one remains", map[string]string{".mcp.json": config("a", "b")}, rule.Unsafe,
			[]*rule.Rule{removes("b")},
			[]string{"made remove b", ".mcp.json a"},
		},
		{
			"an identical entry for other clients does not count", map[string]string{".mcp.json": config("b"), ".cursor/mcp.json": config("a")}, rule.Unsafe,
			[]*rule.Rule{removes("b")},
			[]string{
				`left remove b: it would take away "b", which Claude Code starts, and no identical entry remains`,
			},
		},
		{
			"there is an end", map[string]string{".mcp.json": config("a")}, rule.Safe,
			[]*rule.Rule{ruleFor("names", func(s *mcp.Server) ([]rule.Fix, bool) {
				return []rule.Fix{rename(s, s.Name+"a", rule.Safe)}, true
			})},
			[]string{"left a to aa: the finding would stay"},
		},
		{
			"a file is created", map[string]string{".mcp.json": config("a")}, rule.Safe,
			[]*rule.Rule{ruleFor("alone", func(s *mcp.Server) ([]rule.Fix, bool) {
				create := edit.Create("b/.mcp.json", edit.Object(edit.Member{Name: "mcpServers", Value: edit.Object()}))
				return []rule.Fix{{Title: "both", Safety: rule.Safe, Edits: []edit.Change{rename(s, "x", rule.Safe).Edits[0], create}}}, s.Name == "a"
			})},
			[]string{"made both", ".mcp.json x", "b/.mcp.json {\n  mcpServers: {}\n}\n"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			outcome := run(t, test.files, test.allow, test.rules...)
			assert.Equal(t, test.want, said(outcome))
			assert.Empty(t, outcome.After.Errors)
		})
	}
}

// commands is a rule that finds servers by their commands, with a safe fix that
// replaces them.
func commands(id string, to map[string]string) *rule.Rule {
	return &rule.Rule{ID: id, Severity: rule.Error, Run: func(p *rule.Pass) {
		for _, d := range p.Project.Documents {
			for _, s := range d.Servers {
				if other, found := to[s.Launch.Command.Text]; found {
					f := rule.Finding{File: d.File, Span: s.Launch.Command.Span, Server: s.Name, Message: id}
					if other != "" {
						f.Fixes = []rule.Fix{{Title: "run " + other, Safety: rule.Safe, Edits: []edit.Change{edit.Rename(d.File, f.Span, other)}}}
					}
					p.Report(f)
				}
			}
		}
	}}
}

// TestWhatStoodBehind checks that a problem which a rule reports only once the first is gone
// is no reason to drop the fix of the first, and is fixed in its turn. An error of another rule
// is new, and so is one that had been fixed already.
func TestWhatStoodBehind(t *testing.T) {
	for name, test := range map[string]struct {
		rules []*rule.Rule
		want  []string
	}{
		"fixed, too": {
			[]*rule.Rule{commands("one", map[string]string{"x": "y", "y": "z"})},
			[]string{"made run y", "made run z"},
		},
		"left": {
			[]*rule.Rule{commands("one", map[string]string{"x": "y", "y": ""})},
			[]string{"made run y"},
		},
		"an error of another rule": {
			[]*rule.Rule{commands("one", map[string]string{"x": "y"}), commands("other", map[string]string{"y": ""})},
			[]string{"left run y: it would cause other in .mcp.json"},
		},
		"one that was fixed already": {
			[]*rule.Rule{commands("one", map[string]string{"x": "y", "y": "x"})},
			[]string{"made run y", "left run x: it would cause one in .mcp.json"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			outcome := run(t, map[string]string{".mcp.json": config("a")}, rule.Safe, test.rules...)
			outcome.Files = nil
			assert.Equal(t, test.want, said(outcome))
		})
	}
}

// TestFixThatNeedsAnother checks that a fix that was right only together with a dropped one is
// undone, and that those of other projects are not, unless no project can be named as the cause.
func TestFixThatNeedsAnother(t *testing.T) {
	assert.Equal(t, []string{
		"made c to z",
		"left a to x: it would cause bad in a/.mcp.json", "left b to y: it would cause needs in b/.mcp.json",
		"c/.mcp.json z",
	}, needing(t, "b/.mcp.json"))
	assert.Equal(t, []string{
		"left a to x: it would cause bad in a/.mcp.json", "left b to y: it would cause needs in d/.mcp.json",
		"left c to z: it would cause needs in d/.mcp.json",
	}, needing(t, "d/.mcp.json"))
}

// needing fixes four projects. One of them needs what is dropped in another, which shows in the
// file.
func needing(t *testing.T, path string) []string {
	t.Helper()
	rules := []*rule.Rule{renames("names", map[string]string{"a": "x", "b": "y", "c": "z"}), renames("bad", map[string]string{"x": ""})}
	needs := &rule.Rule{ID: "needs", Severity: rule.Error}
	files := map[string]string{"a/.mcp.json": config("a"), "b/.mcp.json": config("b"), "c/.mcp.json": config("c"), "d/.mcp.json": config("d")}
	outcome, err := fix.Run(t.Context(), fix.Options{Source: source.Memory(files), Allow: rule.Safe, Lint: func(ctx context.Context, tree source.Tree) (*lint.Result, error) {
		result, err := lint.Run(ctx, lint.Options{Source: tree, Checks: rules})
		servers := map[string]*mcp.Server{}
		for _, p := range result.Repo.Projects {
			servers[p.Documents[0].File.Path] = p.Documents[0].Servers[0]
		}
		if servers["b/.mcp.json"].Name == "y" && servers["a/.mcp.json"].Name != "x" {
			at := servers[path]
			result.Unmerged = append(result.Unmerged, rule.Finding{Rule: needs, Severity: rule.Error, File: at.Document.File, Span: at.NameSpan, Message: "x"})
		}
		return result, err
	}})
	require.NoError(t, err)
	return said(outcome)
}

// TestNewWarning checks that a fix may cause a warning, which is listed with the fix of the same
// server that changes the file, and that an error is not listed but drops the fix.
func TestNewWarning(t *testing.T) {
	warns := renames("warned", map[string]string{"y": "", "q": ""})
	warns.Severity = rule.Warning
	outcome := run(t, map[string]string{".mcp.json": config("a", "b", "c"), "sub/.mcp.json": config("a")}, rule.Safe,
		renames("names", map[string]string{"a": "x", "b": "y", "c": "bad"}), warns, renames("bad", map[string]string{"bad": ""}))
	assert.Equal(t, []string{"made a to x", "made b to y", "made a to x", "left c to bad: it would cause bad in .mcp.json", ".mcp.json x, y, c", "sub/.mcp.json x"}, said(outcome))
	assert.Equal(t, []*rule.Rule{warns}, outcome.Made[0].Brings, "the first fix of the file: no fix is one of the server y")
	assert.Empty(t, outcome.Made[1].Brings)
	assert.Empty(t, outcome.Made[2].Brings)
}

// TestErrorAtAnotherServer checks that a fix may not move an error to another server, although the
// rule does not find more of them than before.
func TestErrorAtAnotherServer(t *testing.T) {
	moves := &rule.Rule{ID: "moves", Severity: rule.Error, Run: func(p *rule.Pass) {
		d := p.Project.Documents[0]
		if d.Servers[0].Launch.Command.Text == "x" {
			f := rule.Finding{File: d.File, Span: d.Servers[0].NameSpan, Server: "a", Message: "x"}
			f.Fixes = []rule.Fix{{Title: "run y", Safety: rule.Safe, Edits: []edit.Change{edit.Rename(d.File, d.Servers[0].Launch.Command.Span, "y")}}}
			p.Report(f)
		} else {
			p.Report(rule.Finding{File: d.File, Span: d.Servers[1].NameSpan, Server: "b", Message: "x"})
		}
	}}
	outcome := run(t, map[string]string{".mcp.json": config("a", "b")}, rule.Safe, moves)
	assert.Equal(t, []string{"left run y: it would cause moves in .mcp.json"}, said(outcome))
}

// TestFixOfTwoFiles checks that a fix is made whole or not at all.
func TestFixOfTwoFiles(t *testing.T) {
	both := &rule.Rule{ID: "both", Severity: rule.Error, Run: func(p *rule.Pass) {
		first, second := p.Project.Documents[0], p.Project.Documents[1]
		if first.Servers[0].Name != "a" {
			return
		}
		p.Report(rule.Finding{File: first.File, Span: first.Servers[0].NameSpan, Server: "a", Message: "m", Fixes: []rule.Fix{{
			Title: "both", Safety: rule.Safe,
			Edits: []edit.Change{edit.Rename(first.File, first.Servers[0].NameSpan, "x"), edit.Rename(second.File, second.Servers[0].NameSpan, "x")},
		}}})
	}}
	files := map[string]string{".cursor/mcp.json": config("a"), ".mcp.json": config("a")}
	assert.Equal(t, []string{"made both", ".cursor/mcp.json x", ".mcp.json x"}, said(run(t, files, rule.Safe, both)))
	files[".mcp.json"] = config("a", "x")
	assert.Equal(t, []string{"left both: there is a key of that name already"}, said(run(t, files, rule.Safe, both)))
}

// TestCulpritsAmongMany checks that a few bad fixes do not keep hundreds of good ones
// from being made, in one file and in many, nor make a run check the tree as often.
func TestCulpritsAmongMany(t *testing.T) {
	const many = 200
	to := map[string]string{}
	var names []string
	files := map[string]string{}
	for i := range many {
		name := fmt.Sprintf("a%03d", i)
		names, to[name] = append(names, name), "b"+name
		if i%77 == 0 {
			to[name] = "bad" + name
		}
		files["many/"+name+"/.mcp.json"] = config(name)
	}
	files[".mcp.json"] = config(names...)
	lints := 0
	rules := []*rule.Rule{
		renames("names", to),
		ruleFor("bad", func(s *mcp.Server) ([]rule.Fix, bool) { return nil, strings.HasPrefix(s.Name, "bad") }),
	}
	outcome, err := fix.Run(t.Context(), fix.Options{Source: source.Memory(files), Allow: rule.Safe, Lint: func(ctx context.Context, tree source.Tree) (*lint.Result, error) {
		lints++
		return lint.Run(ctx, lint.Options{Source: tree, Checks: rules})
	}})
	require.NoError(t, err)
	assert.Len(t, outcome.Made, 2*(many-3))
	assert.Len(t, outcome.Left, 2*3)
	assert.Less(t, lints, 60)
	assert.Equal(t, 1, outcome.Rounds)
}

// TestCostOfManyFiles checks that fixes of ten times as many files allocate about ten times as much
// memory in total.
func TestCostOfManyFiles(t *testing.T) {
	cost := func(many int) float64 {
		files := map[string]string{}
		for i := range many {
			files[fmt.Sprintf("%04d/.mcp.json", i)] = config("a")
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		outcome := run(t, files, rule.Safe, commands("one", map[string]string{"x": "y", "y": "z"}))
		runtime.ReadMemStats(&after)
		require.Equal(t, 2, outcome.Rounds)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	cost(10) // what is made once
	assert.Less(t, cost(1000)/cost(100), 15.0)
}

// TestRoundsAreFew checks that fixes which never come to an end are stopped.
func TestRoundsAreFew(t *testing.T) {
	longer := &rule.Rule{ID: "command", Severity: rule.Error, Run: func(p *rule.Pass) {
		s := p.Project.Documents[0].Servers[0]
		command := s.Launch.Command
		p.Report(rule.Finding{File: s.Document.File, Span: command.Span, Server: s.Name, Message: "x", Fixes: []rule.Fix{
			{Title: "longer", Safety: rule.Safe, Edits: []edit.Change{edit.Rename(s.Document.File, command.Span, command.Text+"a")}},
		}})
	}}
	outcome := run(t, map[string]string{".mcp.json": config("a")}, rule.Safe, longer)
	assert.Equal(t, 10, outcome.Rounds)
	require.Len(t, outcome.Left, 1)
	assert.Equal(t, "other fixes came first, and there was no end of them", outcome.Left[0].Reason)
	assert.Equal(t, strings.Replace(config("a"), `"x"`, `"xaaaaaaaaaa"`, 1), string(outcome.Files[0].New))
	assert.Equal(t, config("a"), string(outcome.Files[0].Old))
}

// changing is a tree whose files are others each time they are read.
type changing struct {
	source.Tree
	reads map[string]int
}

func (c changing) Read(ctx context.Context, path string) (source.File, error) {
	file, err := c.Tree.Read(ctx, path)
	if c.reads[path]++; err == nil && c.reads[path] > 1 {
		if path == "gone/.mcp.json" {
			return source.File{}, fs.ErrNotExist
		}
		file.Content = append(file.Content, '\n')
	}
	return file, err
}

// TestFileThatChanges checks that edits are made in what was read, and in nothing
// else.
func TestFileThatChanges(t *testing.T) {
	tree := changing{source.Memory(map[string]string{".mcp.json": config("a"), "gone/.mcp.json": config("a")}), map[string]int{}}
	outcome := runOn(t, tree, rule.Safe, renames("names", map[string]string{"a": "x"}))
	assert.Equal(t, []string{"left a to x: the file is not as it was read", "left a to x: the file is not as it was read"}, said(outcome))
}

// TestRuleThatFails checks that a fix which makes a rule fail is dropped.
func TestRuleThatFails(t *testing.T) {
	outcome := run(t, map[string]string{".mcp.json": config("a", "b")}, rule.Safe,
		renames("names", map[string]string{"a": "x", "b": "y"}),
		ruleFor("fails", func(s *mcp.Server) ([]rule.Fix, bool) {
			if s.Name == "y" {
				panic("a mistake")
			}
			return nil, false
		}))
	assert.Equal(t, []string{"made a to x", "left b to y: with it a file or a rule can no longer be checked: rule fails failed on this project: a mistake", ".mcp.json x, b"}, said(outcome))
}

// TestNothingToDo checks that a tree without fixes is checked once.
func TestNothingToDo(t *testing.T) {
	outcome := run(t, map[string]string{".mcp.json": config("a")}, rule.Unsafe, renames("names", map[string]string{"a": ""}))
	assert.Empty(t, said(outcome))
	assert.Same(t, outcome.Before, outcome.After)
	assert.Len(t, outcome.After.Findings, 1)
}

// TestMoreThanThereIsRoomFor fixes what a rule had left out in the next round: it was
// there all along.
func TestMoreThanThereIsRoomFor(t *testing.T) {
	names := make([]string, 5002)
	for i := range names {
		names[i] = fmt.Sprint("a", i)
	}
	outcome := run(t, map[string]string{".mcp.json": config(names...)}, rule.Safe, ruleFor("names", func(s *mcp.Server) ([]rule.Fix, bool) {
		return []rule.Fix{rename(s, "b"+s.Name, rule.Safe)}, s.Name[0] == 'a'
	}))
	assert.Len(t, outcome.Made, 5002)
	assert.Equal(t, 2, outcome.Rounds)
	assert.Empty(t, outcome.After.Errors)
}
