package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// jury runs clients. They have no network, an empty home directory, and programs on their
// PATH that leave a trace: a client that starts one cannot be tested in this way.
type jury struct {
	client  client
	install string // where npm has installed them
	work    string
	read    string // the path of read.mjs
}

// canaries are the programs that entries name.
func canaries() []string {
	return []string{"npx", "node", "uvx", "docker", "x", "sh", "bash", "npm", "python", "bun"}
}

// newJury sets up the directories and programs that a client runs in.
func newJury(c client, install, read, work string) (*jury, error) {
	j := &jury{client: c, install: install, read: read, work: work}
	if err := os.MkdirAll(filepath.Join(work, "bin"), 0o755); err != nil {
		return nil, err
	}
	for _, name := range canaries() {
		script := "#!/bin/sh\necho " + name + " >>" + j.trace() + "\n"
		if err := os.WriteFile(filepath.Join(work, "bin", name), []byte(script), 0o755); err != nil {
			return nil, err
		}
	}
	git, err := exec.LookPath("git") // which opencode asks where the project begins
	if err != nil {
		return nil, err
	}
	return j, os.Symlink(git, filepath.Join(work, "bin", "git"))
}

// trace is the file that a program leaves which a client starts.
func (j *jury) trace() string { return filepath.Join(j.work, "started") }

// project makes an empty project and a home, and returns a function that removes them.
func (j *jury) project() (root, home string, remove func(), err error) {
	dir, err := os.MkdirTemp(j.work, "case")
	if err != nil {
		return "", "", nil, err
	}
	root, home = filepath.Join(dir, "project"), filepath.Join(dir, "home")
	for _, d := range []string{filepath.Join(root, ".git"), home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return "", "", nil, err
		}
	}
	return root, home, func() { os.RemoveAll(dir) }, nil
}

// write writes a file of a project or a home.
func write(root, path, text string) error {
	full := filepath.Join(root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	return os.WriteFile(full, []byte(text), 0o644)
}

// run runs a client's program in a directory, without a network, and returns its output. A
// program that left a trace is an error.
func (j *jury) run(root, home string, environment []string, program string, arguments ...string) (stdout, stderr string, failed bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	unshare, err := exec.LookPath("unshare") // which the PATH of the client has not
	if err != nil {
		return "", "", false, err
	}
	isolated := []string{"-n", "19", unshare, "--map-root-user", "--net", "--pid", "--fork", "--kill-child", program}
	command := exec.CommandContext(ctx, "nice", append(isolated, arguments...)...)
	var out, said bytes.Buffer
	command.Dir, command.Stdout, command.Stderr = root, &out, &said
	command.Env = append([]string{"HOME=" + home, "PATH=" + filepath.Join(j.work, "bin"), "SET=filled", "TMPDIR=" + home, "DISABLE_AUTOUPDATER=1"}, environment...)
	err = command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		failed, err = true, nil
	}
	if trace, traced := os.ReadFile(j.trace()); traced == nil {
		return "", "", failed, fmt.Errorf("%s has started %s", j.client.id, strings.Fields(string(trace)))
	}
	return out.String(), said.String(), failed, err
}

// installed returns the path of something that npm has installed.
func (j *jury) installed(path ...string) (string, error) {
	pattern := filepath.Join(append([]string{j.install, "node_modules"}, path...)...)
	matches, err := filepath.Glob(pattern)
	if err != nil || len(matches) == 0 {
		return "", fmt.Errorf("%s is not installed: %w", pattern, errors.Join(err, os.ErrNotExist))
	}
	return matches[0], nil
}

// suffix is the end of the names of packages with programs for this machine.
func suffix() string {
	return "-linux-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
}

// packages are the files that have the version of each client.
func packages() map[string][]string {
	return map[string][]string{
		"claude-code": {"@anthropic-ai", "claude-code"},
		"codex":       {"@openai", "codex"},
		"gemini-cli":  {"@google", "gemini-cli"},
		"opencode":    {"opencode" + suffix()},
		"qwen":        {"@qwen-code", "qwen-code"},
	}
}

// version returns the version of the client that is installed.
func (j *jury) version() (string, error) {
	path, err := j.installed(append(packages()[j.client.id], "package.json")...)
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var manifest struct{ Version string }
	return manifest.Version, errors.Join(json.Unmarshal(content, &manifest))
}

// batch is how many entries share a file with Claude Code.
const batch = 120

// judgeClaude has Claude Code list the servers of a project: "Pending approval" for those
// that it loads, a diagnosis for the others. Entries whose names do not matter share a
// file, as it skips those that it does not load.
func judgeClaude(j *jury, cases []testCase) ([]record, error) {
	program, err := j.installed("@anthropic-ai", "claude-code"+suffix(), "claude")
	if err != nil {
		return nil, err
	}
	list := func(path, text string) (string, error) {
		root, home, remove, err := j.project()
		if err != nil {
			return "", err
		}
		defer remove()
		if err := write(root, path, text); err != nil {
			return "", err
		}
		stdout, stderr, failed, err := j.run(root, home, nil, program, "mcp", "list")
		if err == nil && failed {
			err = fmt.Errorf("claude mcp list failed with %s: %s", text, stderr)
		}
		return strings.ReplaceAll(stdout, root, ""), err
	}

	var entries []testCase
	judged := map[string]record{}
	for _, c := range cases {
		if c.Entry != "" {
			entries = append(entries, c)
			continue
		}
		out, err := list(c.Path, c.Text)
		if err != nil {
			return nil, err
		}
		judged[c.ID] = claudeSaid(c, c.Name, out)
	}
	var together func(some []testCase) error
	together = func(some []testCase) error {
		parts := make([]member, len(some))
		for i, c := range some {
			parts[i] = member{"k" + strconv.Itoa(i), c.Entry}
		}
		out, err := list(some[0].Path, object(member{"mcpServers", object(parts...)}))
		if err != nil {
			return err
		}
		if strings.Contains(out, "[Error]") && len(some) > 1 { // one of them makes it refuse the file
			return errors.Join(together(some[:len(some)/2]), together(some[len(some)/2:]))
		}
		for i, c := range some {
			judged[c.ID] = claudeSaid(c, parts[i].key, out)
		}
		return nil
	}
	for some := range slices.Chunk(entries, batch) {
		if err := together(some); err != nil {
			return nil, err
		}
	}
	all := make([]record, len(cases))
	for i, c := range cases {
		all[i] = judged[c.ID]
	}
	return all, nil
}

// claudeSaid reads what Claude Code said of the entry of a name.
func claudeSaid(c testCase, name, out string) record {
	r := of(c)
	var missing bool
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if shown, is := strings.CutPrefix(line, said(name)+": "); is || strings.HasPrefix(line, name+": ") {
			if !is {
				shown = strings.TrimPrefix(line, name+": ")
			}
			if shown, is = strings.CutSuffix(shown, " - ⏸ Pending approval (run `claude` to approve)"); is {
				r.Verdict, r.Shows = loaded, said(shown)
			}
		}
		if _, what, is := strings.Cut(line, "[Warning] ["+name+"] mcpServers."+name+": "); is {
			missing = missing || strings.Contains(what, "Missing environment variables:")
			r.Reason = strings.TrimPrefix(r.Reason+"; "+said(strings.ReplaceAll(what, `"`+name+`"`, quoted(c.Name)), `Skipped — invalid MCP server config for `+quoted(c.Name)+`: `), "; ")
		}
	}
	if _, what, is := strings.Cut(out, "[Error] "); is && r.Verdict != loaded {
		r.Verdict, r.Reason = refused, said(what[:strings.IndexByte(what+"\n", '\n')])
	}
	if r.Verdict == "" {
		r.Verdict = absent(c)
	}
	if r.Verdict == loaded {
		r.Filled = claudeFills(c, r.Shows, missing)
	}
	return r
}

// claudeFills reports whether Claude Code expands the value of a case. It shows a server
// that waits for approval with the variable's name, ${NAME}, without a default; it warns of
// variables without a value, wherever they are.
func claudeFills(c testCase, shows string, missing bool) string {
	reference := regexp.MustCompile(`^(a-)?\$\{(\w+)(?::-[^}]*)?\}(-z)?$`).FindStringSubmatch(c.Written)
	isShown := strings.Contains(shows, "a-")
	switch {
	case c.Written == "":
		return ""
	case missing && !strings.Contains(c.Written, "UNSET"):
		return "no" // a variable that others set
	case missing, reference != nil && isShown && strings.Contains(shows, "a-${"+reference[2]+"}-z"):
		return "yes"
	case isShown && strings.Contains(shows, c.Written):
		return "no"
	case isShown:
		return "otherwise"
	case strings.Contains(c.Written, "UNSET}"), reference == nil && !strings.Contains(c.Written, ":-"):
		return "no" // it would have been warned of
	}
	return ""
}

// judgeCodex has Codex list the servers of a trusted project.
func judgeCodex(j *jury, cases []testCase) ([]record, error) {
	program, err := j.installed("@openai", "codex"+suffix(), "vendor", "*", "bin", "codex")
	if err != nil {
		return nil, err
	}
	ask := func(c testCase) (record, error) {
		r := of(c)
		root, home, remove, err := j.project()
		if err != nil {
			return r, err
		}
		defer remove()
		trust := "[projects." + quoted(root) + "]\ntrust_level = \"trusted\"\n"
		if err := errors.Join(write(home, ".codex/config.toml", trust), write(root, c.Path, c.Text)); err != nil {
			return r, err
		}
		stdout, stderr, failed, err := j.run(root, home, []string{"CODEX_HOME=" + filepath.Join(home, ".codex")}, program, "mcp", "list", "--json")
		if err != nil {
			return r, err
		}
		if failed {
			_, cause, isCaused := strings.Cut(stderr, "Caused by:")
			if !isCaused {
				cause = stderr
			}
			r.Verdict, r.Reason = refused, said(cause, root+"/", home+"/")
			return r, nil
		}
		var list []struct {
			Name      string
			Enabled   bool
			Transport json.RawMessage
		}
		if err := json.Unmarshal([]byte(stdout), &list); err != nil {
			return r, fmt.Errorf("%s: %w: %s", c.ID, err, stdout)
		}
		r.Verdict = absent(c)
		for _, l := range list {
			if l.Name == c.Name {
				var compact bytes.Buffer
				if err := json.Compact(&compact, l.Transport); err != nil {
					return r, err
				}
				r.Verdict, r.Off, r.Shows, r.Filled = loaded, !l.Enabled, said(compact.String()), fill(c, compact.String())
			}
		}
		return r, nil
	}
	return oneByOne(cases, ask)
}

// oneByOne asks about one case after the other.
func oneByOne(cases []testCase, ask func(testCase) (record, error)) ([]record, error) {
	all := make([]record, len(cases))
	for i, c := range cases {
		var err error
		if all[i], err = ask(c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	return all, nil
}

// judgeSettings has Gemini CLI or Qwen Code read the settings of projects with its own
// code (read.mjs): one run for all of them.
func judgeSettings(j *jury, cases []testCase) ([]record, error) {
	node, err := j.installed("node"+suffix(), "bin", "node")
	if err != nil {
		return nil, err
	}
	root, home, remove, err := j.project()
	if err != nil {
		return nil, err
	}
	defer remove()
	for i, c := range cases {
		if err := write(filepath.Join(root, strconv.Itoa(i)), c.Path, c.Text); err != nil {
			return nil, err
		}
	}
	stdout, stderr, failed, err := j.run(root, home, []string{"GEMINI_CLI_TRUST_WORKSPACE=true", "CLIENTS=" + j.install}, node, j.read, j.client.id, strconv.Itoa(len(cases)))
	if err != nil || failed {
		return nil, errors.Join(err, fmt.Errorf("%s does not read: %s", j.client.id, stderr))
	}
	var answers []struct {
		Error   string
		Servers map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(stdout), &answers); err != nil || len(answers) != len(cases) {
		return nil, errors.Join(err, fmt.Errorf("%d answers to %d cases", len(answers), len(cases)))
	}
	all := make([]record, len(cases))
	for i, c := range cases {
		r, a := of(c), answers[i]
		entry, has := a.Servers[c.Name]
		switch {
		case a.Error != "":
			r.Verdict, r.Reason = refused, said(a.Error, root+"/"+strconv.Itoa(i)+"/")
		case !has:
			r.Verdict = absent(c)
		default:
			r.Verdict, r.Shows, r.Filled = loaded, said(string(entry)), fill(c, string(entry))
		}
		all[i] = r
	}
	return all, nil
}

// judgeOpencode has opencode print its configuration. It refuses a file with one bad entry,
// but names all of them, so that entries share a file: without those it is read.
func judgeOpencode(j *jury, cases []testCase) ([]record, error) {
	program, err := j.installed("opencode"+suffix(), "bin", "opencode")
	if err != nil {
		return nil, err
	}
	_, home, remove, err := j.project()
	if err != nil {
		return nil, err
	}
	defer remove()
	// read returns the entries of a file, or why it is refused.
	read := func(path, text string) (entries map[string]json.RawMessage, reason string, err error) {
		root, _, remove, err := j.project()
		if err != nil {
			return nil, "", err
		}
		defer remove()
		if err := write(root, path, text); err != nil {
			return nil, "", err
		}
		stdout, stderr, failed, err := j.run(root, home, []string{
			"XDG_CONFIG_HOME=" + home, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
		}, program, "debug", "config")
		if err != nil {
			return nil, "", err
		}
		if failed {
			return nil, regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(strings.ReplaceAll(stderr, root+"/", ""), ""), nil
		}
		var config struct{ MCP map[string]json.RawMessage }
		return config.MCP, "", json.Unmarshal([]byte(stdout), &config)
	}

	key := func(i int) string {
		if cases[i].Name == usual {
			return "k" + strconv.Itoa(i)
		}
		return cases[i].Name
	}
	reasons := map[int]string{} // of entries that are refused
	var shared map[string]json.RawMessage
	for {
		var members []member
		for i, c := range cases {
			if c.Entry != "" && reasons[i] == "" {
				members = append(members, member{key(i), c.Entry})
			}
		}
		var reason string
		if shared, reason, err = read(cases[0].Path, object(member{"mcp", object(members...)})); err != nil {
			return nil, err
		}
		if reason == "" {
			break
		}
		before := len(reasons)
		for i, c := range cases {
			at := " mcp." + key(i)
			for line := range strings.Lines(reason) {
				line = strings.TrimSpace(line)
				if c.Entry != "" && (strings.HasSuffix(line, at) || strings.Contains(line, at+".")) {
					reasons[i] += strings.Replace(line, at, " mcp."+c.Name, 1) + "\n"
				}
			}
		}
		if len(reasons) == before {
			return nil, fmt.Errorf("opencode names no entry that it refuses: %s", said(reason))
		}
	}
	all := make([]record, len(cases))
	for i, c := range cases {
		entries, reason, name := shared, reasons[i], key(i)
		if c.Entry == "" {
			name = c.Name
			if entries, reason, err = read(c.Path, c.Text); err != nil {
				return nil, fmt.Errorf("%s: %w", c.ID, err)
			}
		}
		all[i] = opencodeShows(c, entries, name, reason)
	}
	return all, nil
}

// opencodeShows makes the record of a case of the entries that opencode has, one of them by
// a name, or of why it refuses them.
func opencodeShows(c testCase, entries map[string]json.RawMessage, name, reason string) record {
	r := of(c)
	entry, has := entries[name]
	switch {
	case reason != "":
		r.Verdict, r.Reason = refused, said(reason)
	case !has:
		r.Verdict = absent(c)
	default:
		var state struct{ Enabled *bool }
		_ = json.Unmarshal(entry, &state) // an entry that is not an object has no state
		shows := strings.Join(strings.Fields(string(entry)), " ")
		r.Verdict, r.Shows, r.Off = loaded, said(shows), state.Enabled != nil && !*state.Enabled
		if !strings.Contains(shows, "***") { // replaces a value
			r.Filled = fill(c, shows)
		}
	}
	return r
}
