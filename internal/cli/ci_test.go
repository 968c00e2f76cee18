package cli_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// pipeline is a checkout of a change, "after", to a repository that had "before", each a server
// that is reached over plain http, and the programs that jobs start.
type pipeline struct {
	dir, programs, base string
}

// newPipeline makes such a checkout, with a remote. Its mcplumb is this program; npx and npm
// know no other package, in no other version.
func newPipeline(t *testing.T) *pipeline {
	t.Helper()
	p := &pipeline{dir: filepath.Join(t.TempDir(), "checkout"), programs: t.TempDir()}
	origin := t.TempDir()
	git(t, origin, "init", "-q", "-b", "main")
	write(t, origin, ".mcp.json", `{"mcpServers": {"before": {"type": "http", "url": "http://before.acme.dev/mcp"}}}`+"\n")
	commitAll(t, origin, "before")
	git(t, filepath.Dir(p.dir), "clone", "-q", origin, p.dir)
	p.base = strings.TrimSpace(gitIn(t, p.dir, "", "rev-parse", "HEAD"))
	git(t, p.dir, "checkout", "-q", "-b", "change")
	write(t, p.dir, "app/.mcp.json", `{"mcpServers": {"after": {"type": "http", "url": "http://after.acme.dev/mcp"}}}`+"\n")
	commitAll(t, p.dir, "after")

	program, err := os.Executable()
	require.NoError(t, err)
	for name, script := range map[string]string{
		"mcplumb":   asProgram + `=1 exec '` + program + `' "$@"`,
		"npx":       `test "$1 $2" = "--yes mcplumb@` + cli.Version + `" || exit 9; shift 2; exec mcplumb "$@"`,
		"npm":       `test "$*" = "install --global --ignore-scripts mcplumb@` + cli.Version + `" || exit 9`,
		"sudo":      `exec "$@"`,
		"reviewdog": `cat >reviewdog.json`, // the real one reads it in test/formats
	} {
		require.NoError(t, os.WriteFile(filepath.Join(p.programs, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	return p
}

// shell runs commands as a job does, until one fails, with variables NAME=value.
func (p *pipeline) shell(t *testing.T, commands []string, env ...string) (code int, output string) {
	t.Helper()
	cmd := exec.Command("bash", "-e", "-c", strings.Join(commands, "\n"))
	cmd.Dir = p.dir
	cmd.Env = append([]string{"PATH=" + p.programs + ":" + os.Getenv("PATH"), "HOME=" + p.programs, "GIT_CONFIG_NOSYSTEM=1"}, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		return exit.ExitCode(), out.String()
	} else {
		require.NoError(t, err)
	}
	return 0, out.String()
}

// TestDocumentedJobs runs the commands of every job in docs/ci.md and of the template for
// GitLab, for a change and for its target branch: for a change they report what it adds, and
// write the report that the job's configuration names.
func TestDocumentedJobs(t *testing.T) {
	const page = "docs/ci.md"
	shell := blocks(t, page, "sh")
	for name, test := range map[string]struct {
		commands []string
		change   string // the variable that marks a change, or names its branch; BASE is the base's commit
		branch   string
		report   string
	}{
		"GitLab":            {jobCommands(t, template(t, nil)), "CI_MERGE_REQUEST_DIFF_BASE_SHA=BASE", "", "gl-code-quality-report.json"},
		"Azure":             {jobCommands(t, blocks(t, page, "yaml azure-pipelines.yml")[0]), "SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main", "", "mcplumb.xml"},
		"Azure, for GitHub": {jobCommands(t, blocks(t, page, "yaml azure-pipelines.yml")[0]), "SYSTEM_PULLREQUEST_TARGETBRANCH=main", "", "mcplumb.xml"},
		"CircleCI":          {jobCommands(t, blocks(t, page, "yaml .circleci/config.yml")[0]), "CIRCLE_BRANCH=change", "CIRCLE_BRANCH=main", "reports/mcplumb.xml"},
		"Jenkins":           {jenkinsCommands(t, blocks(t, page, "groovy Jenkinsfile")[0]), "CHANGE_TARGET=main", "", "mcplumb.xml"},
		"any":               {[]string{shell[1]}, "CI=true", "-", "mcplumb.sarif"},
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, test.commands)
			p := newPipeline(t)
			code, out := p.shell(t, test.commands, strings.Replace(test.change, "=BASE", "="+p.base, 1))
			assert.Equal(t, 1, code, out)
			assert.Contains(t, out, "after.acme.dev")
			assert.NotContains(t, out, "before.acme.dev")
			report, err := os.ReadFile(filepath.Join(p.dir, test.report))
			require.NoError(t, err)
			assert.Contains(t, string(report), "after.acme.dev")

			if test.branch == "-" {
				return
			}
			code, out = p.shell(t, test.commands, cmp.Or(test.branch, "CI=true"))
			assert.Equal(t, 1, code, out)
			assert.Contains(t, out, "before.acme.dev", "a branch has no base, so everything is reported")
		})
	}
}

// TestGitLabTemplate holds the template to what its inputs say, and the example that includes
// it to inputs that it has. GitLab itself compares Code Quality reports of two branches, so the
// report is not only about what is new.
func TestGitLabTemplate(t *testing.T) {
	p := newPipeline(t)
	merge := "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + p.base
	code, out := p.shell(t, jobCommands(t, template(t, map[string]string{"fail-on": "error"})), merge)
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "after.acme.dev")
	report, err := os.ReadFile(filepath.Join(p.dir, "gl-code-quality-report.json"))
	require.NoError(t, err)
	var issues []struct{ Location struct{ Path string } }
	require.NoError(t, json.Unmarshal(report, &issues))
	var paths []string
	for _, issue := range issues {
		paths = append(paths, issue.Location.Path)
	}
	assert.Contains(t, paths, ".mcp.json")
	assert.Contains(t, paths, "app/.mcp.json")

	write(t, p.dir, ".mcplumb.yaml", "fail-on: error\n")
	code, out = p.shell(t, jobCommands(t, template(t, nil)), merge)
	assert.Equal(t, 0, code, "without the input the settings decide: %s", out)

	var job struct {
		Mcplumb struct {
			Stage, Image string
			Artifacts    struct {
				When    string
				Reports struct{ Codequality string }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(template(t, nil)), &job))
	assert.Equal(t, "test", job.Mcplumb.Stage)
	assert.Equal(t, "ghcr.io/mcplumb/mcplumb:"+cli.Version+"-git", job.Mcplumb.Image)
	assert.Equal(t, "always", job.Mcplumb.Artifacts.When)
	assert.Equal(t, "gl-code-quality-report.json", job.Mcplumb.Artifacts.Reports.Codequality)

	var example struct {
		Include []struct {
			Remote string
			Inputs map[string]string
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(blocks(t, "docs/ci.md", "yaml .gitlab-ci.yml")[0]), &example))
	require.Len(t, example.Include, 1)
	assert.Equal(t, "https://raw.githubusercontent.com/mcplumb/mcplumb/v"+cli.Version+"/templates/mcplumb.yml", example.Include[0].Remote)
	template(t, example.Include[0].Inputs)
}

// template returns the jobs of the template for GitLab with inputs, as GitLab makes them of it:
// every input that is not given has its default, none is unknown, each fits its expression.
func template(t *testing.T, inputs map[string]string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(moduleRoot(t), "templates", "mcplumb.yml"))
	require.NoError(t, err)
	header, jobs, found := strings.Cut(string(content), "\n---\n")
	require.True(t, found)
	var spec struct {
		Spec struct {
			Inputs map[string]struct{ Default, Regex, Description string }
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(header))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&spec))
	for name := range inputs {
		require.Contains(t, spec.Spec.Inputs, name)
	}
	for name, input := range spec.Spec.Inputs {
		assert.NotEmpty(t, input.Description, name)
		value, given := inputs[name]
		if !given {
			value = input.Default
		}
		require.Regexp(t, regexp.MustCompile(input.Regex), value, name)
		require.Contains(t, jobs, "$[[ inputs."+name+" ]]", "nothing uses it")
		jobs = strings.ReplaceAll(jobs, "$[[ inputs."+name+" ]]", value)
	}
	require.NotContains(t, jobs, "$[[")
	return jobs
}

// jobCommands returns what the jobs of a configuration in YAML run, in order, after the
// variables that they set.
func jobCommands(t *testing.T, configuration string) []string {
	t.Helper()
	var root yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(configuration), &root))
	var commands []string
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind != yaml.MappingNode {
			for _, c := range n.Content {
				walk(c)
			}
			return
		}
		for i := 0; i < len(n.Content); i += 2 {
			switch key, value := n.Content[i].Value, n.Content[i+1]; key {
			case "variables":
				var variables map[string]string
				require.NoError(t, value.Decode(&variables))
				for _, name := range slices.Sorted(maps.Keys(variables)) {
					commands = append(commands, "export "+name+"='"+variables[name]+"'")
				}
			case "script", "command":
				if value.Kind == yaml.SequenceNode {
					for _, c := range value.Content {
						commands = append(commands, c.Value)
					}
				} else {
					commands = append(commands, value.Value)
				}
			default:
				walk(value)
			}
		}
	}
	walk(&root)
	return commands
}

// jenkinsCommands returns what a Jenkinsfile runs: the strings in single quotes after sh, which
// Groovy hands over as they are.
func jenkinsCommands(t *testing.T, file string) []string {
	t.Helper()
	assert.Equal(t, strings.Count(file, "{"), strings.Count(file, "}"))
	var commands []string
	for _, found := range regexp.MustCompile(`(?m)^ *sh '([^']+)'$`).FindAllStringSubmatch(file, -1) {
		commands = append(commands, found[1])
	}
	return commands
}

// TestDocumentedYAMLParses holds that every configuration of docs/ci.md is one document of YAML
// without a key that is there twice.
func TestDocumentedYAMLParses(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "ci.md"))
	require.NoError(t, err)
	names := regexp.MustCompile("(?m)^```(yaml \\S+)$").FindAllStringSubmatch(string(page), -1)
	require.Len(t, names, strings.Count(string(page), "\n```yaml"), "each says which file it is")
	require.Greater(t, len(names), 3)
	for _, name := range names {
		decoder := yaml.NewDecoder(strings.NewReader(blocks(t, "docs/ci.md", name[1])[0]))
		var content map[string]any
		require.NoError(t, decoder.Decode(&content), name[1])
		require.ErrorIs(t, decoder.Decode(&content), io.EOF, name[1])
	}
}

// TestMegaLinterPlugin holds the plugin to the names that MegaLinter asks for, to the members
// of its schema (megalinter-descriptor.jsonschema.json at 00f4c100, 2026-11, which permits no
// others), and to what it does: it calls the linter once for the whole repository.
func TestMegaLinterPlugin(t *testing.T) {
	const path = "packaging/megalinter/mega-linter-plugin-mcplumb/mcplumb.megalinter-descriptor.yml"
	var page struct{ Plugins []string }
	require.NoError(t, yaml.Unmarshal([]byte(strings.ToLower(blocks(t, "docs/ci.md", "yaml .mega-linter.yml")[0])), &page))
	assert.Equal(t, []string{"https://raw.githubusercontent.com/mcplumb/mcplumb/v" + cli.Version + "/" + path}, page.Plugins)

	content, err := os.ReadFile(filepath.Join(moduleRoot(t), filepath.FromSlash(path)))
	require.NoError(t, err)
	var plugin struct {
		ID           string `yaml:"descriptor_id"`
		Type         string `yaml:"descriptor_type"`
		LintAllFiles bool   `yaml:"lint_all_files"`
		Linters      []struct {
			LinterName string   `yaml:"linter_name"`
			Name       string   `yaml:"name"`
			URL        string   `yaml:"linter_url"`
			Repo       string   `yaml:"linter_repo"`
			License    string   `yaml:"linter_spdx_license"`
			Rules      string   `yaml:"linter_rules_url"`
			Settings   string   `yaml:"linter_rules_configuration_url"`
			Mode       string   `yaml:"cli_lint_mode"`
			Arguments  []string `yaml:"cli_lint_extra_args"`
			Fix        string   `yaml:"cli_lint_fix_arg_name"`
			Version    string   `yaml:"cli_version_arg_name"`
			Help       string   `yaml:"cli_help_arg_name"`
			HasSARIF   bool     `yaml:"can_output_sarif"`
			SARIF      []string `yaml:"cli_sarif_args"`
			Examples   []string `yaml:"examples"`
			Install    struct{ Dockerfile []string }
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&plugin))
	assert.Regexp(t, "^[A-Z]+$", plugin.ID)
	assert.Contains(t, []string{"language", "format", "tooling_format", "other"}, plugin.Type)
	assert.True(t, plugin.LintAllFiles)
	require.Len(t, plugin.Linters, 1)
	l := plugin.Linters[0]
	assert.Equal(t, "project", l.Mode)
	assert.True(t, l.HasSARIF)

	p := newPipeline(t)
	for _, command := range l.Install.Dockerfile {
		run, isRun := strings.CutPrefix(command, "RUN ")
		require.True(t, isRun, "a plugin runs nothing else")
		code, out := p.shell(t, []string{run})
		assert.Equal(t, 0, code, out)
	}
	var arguments []string
	for _, argument := range slices.Concat(l.Arguments, l.SARIF) {
		arguments = append(arguments, strings.Replace(argument, "{{SARIF_OUTPUT_FILE}}", "mcplumb.sarif", 1))
	}
	code, out := p.shell(t, []string{l.LinterName + " " + strings.Join(arguments, " ")})
	assert.Equal(t, 1, code, out)
	assertSARIF(t, filepath.Join(p.dir, "mcplumb.sarif"), ".mcp.json", "app/.mcp.json")
	for _, command := range []string{l.LinterName + " " + l.Version, l.LinterName + " " + l.Help, l.Examples[0] + " --fail-on never", l.LinterName + " check " + l.Fix + " --fail-on never"} {
		code, out := p.shell(t, []string{command})
		assert.Equal(t, 0, code, "%s: %s", command, out)
	}
}

// TestTrunkDefinition runs the command of the definition for Trunk on a file that it names.
func TestTrunkDefinition(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(moduleRoot(t), "packaging", "trunk", "linters", "mcplumb", "plugin.yaml"))
	require.NoError(t, err)
	type definition struct {
		Name, Package, Runtime string
		Known                  string `yaml:"known_good_version"`
		Files, Tools           []string
		Commands               []struct {
			Run, Output string
			Success     []int `yaml:"success_codes"`
		}
		Version struct{ Run string } `yaml:"version_command"`
	}
	var plugin struct {
		Tools struct{ Definitions []definition }
		Lint  struct {
			Files       []struct{ Name string }
			Definitions []definition
		}
	}
	require.NoError(t, yaml.Unmarshal(content, &plugin))
	require.Len(t, plugin.Tools.Definitions, 1)
	require.Len(t, plugin.Lint.Definitions, 1)
	tool, linter := plugin.Tools.Definitions[0], plugin.Lint.Definitions[0]
	assert.Equal(t, []string{tool.Name}, linter.Tools)
	assert.Equal(t, []string{plugin.Lint.Files[0].Name}, linter.Files)
	assert.Equal(t, cli.Version, tool.Known)
	assert.Equal(t, cli.Version, linter.Known)

	p := newPipeline(t)
	require.Len(t, linter.Commands, 1)
	command := linter.Commands[0]
	code, out := p.shell(t, []string{strings.Replace(command.Run, "${target}", "app/.mcp.json", 1) + " >mcplumb.sarif"})
	assert.Contains(t, command.Success, code, out)
	assert.Equal(t, "sarif", command.Output)
	assertSARIF(t, filepath.Join(p.dir, "mcplumb.sarif"), "app/.mcp.json")
	code, out = p.shell(t, []string{linter.Version.Run})
	assert.Equal(t, 0, code)
	assert.Contains(t, out, cli.Version)
}

// assertSARIF holds the results of a report to being in these files.
func assertSARIF(t *testing.T, path string, files ...string) {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	var report struct {
		Runs []struct {
			Results []struct {
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(content, &report))
	var found []string
	for _, result := range report.Runs[0].Results {
		found = append(found, result.Locations[0].PhysicalLocation.ArtifactLocation.URI)
	}
	slices.Sort(found)
	assert.Equal(t, files, slices.Compact(found))
}
