// Package organization is a made-up organization: its repositories on disk, and a server
// that is GitHub for it.
package organization

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Name is the name of the organization.
const Name = "acme"

// project is a directory of configuration, as its files.
type project map[string]string

// readProjects returns the projects that repositories are made of: each project of the demo
// and each sample of a system, below testdata.
func readProjects(testdata string) ([]project, error) {
	var all []project
	for _, pattern := range []string{"demo/services/*", "systems/*"} {
		dirs, err := filepath.Glob(filepath.Join(testdata, pattern))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			p := project{}
			err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				content, err := os.ReadFile(filepath.Join(dir, path))
				p[path] = string(content)
				return err
			})
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	if len(all) < 10 {
		return nil, fmt.Errorf("%s has only %d projects", testdata, len(all))
	}
	return all, nil
}

// packages are those that the servers of the organization run.
var packages = []string{"postmark-mcp", "@modelcontextprotocol/server-filesystem", "@acme/mcp-tickets", "firecrawl-mcp", "@playwright/mcp", "notes-mcp"}

// versionOf finds exact versions of packages.
var versionOf = regexp.MustCompile(`@(\d+)\.(\d+)\.(\d+)`)

// files returns the files of the repository with a number, the same for the same seed.
func files(projects []project, seed, number uint64) map[string]string {
	random := rand.New(rand.NewPCG(seed, number))
	all := map[string]string{"README.md": fmt.Sprintf("# Service %d\n", number)}
	for i := range 5 + random.IntN(40) { // files that are not configuration
		all[fmt.Sprintf("src/part%d/file%d.go", i%7, i)] = fmt.Sprintf("package part%d\n\n// %d\n", i%7, random.Uint64())
	}
	if random.IntN(5) == 0 {
		return all // no configuration at all
	}
	var servers []string
	for i := range 1 + random.IntN(5) {
		name, version := packages[random.IntN(len(packages))], fmt.Sprintf("@1.%d.0", random.IntN(4))
		if random.IntN(6) == 0 {
			version = ""
		}
		alias := regexp.MustCompile(`\W+`).ReplaceAllString(strings.TrimPrefix(name, "@"), "-")
		if random.IntN(8) == 0 {
			alias = "tools"
		}
		servers = append(servers, fmt.Sprintf(`    "%s-%d": {"command": "npx", "args": ["-y", "%s%s"]}`, alias, i, name, version))
	}
	all[".mcp.json"] = "{\n  \"mcpServers\": {\n" + strings.Join(servers, ",\n") + "\n  }\n}\n"
	for range random.IntN(3) {
		chosen := random.IntN(len(projects))
		for path, content := range projects[chosen] {
			all[fmt.Sprintf("apps/app%d/%s", chosen, path)] = versionOf.ReplaceAllString(content, fmt.Sprintf("@$1.$2.%d", number%7))
		}
	}
	return all
}

// Make makes the bare repositories service-0, service-1 and so on below DIR/acme, from what
// is in testdata.
func Make(dir, testdata string, count int, seed uint64) error {
	projects, err := readProjects(testdata)
	if err != nil {
		return err
	}
	numbers := make(chan int)
	failed := make([]error, runtime.NumCPU())
	var workers sync.WaitGroup
	for i := range failed {
		workers.Go(func() {
			for n := range numbers {
				if failed[i] == nil {
					failed[i] = Commit(dir, fmt.Sprintf("service-%d", n), files(projects, seed, uint64(n)))
				}
			}
		})
	}
	for n := range count {
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// config lets a client leave out objects that it does not want, and request those that it
// does, as GitHub allows.
const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n"

// Commit commits files to the branch main of a repository below DIR/acme as its whole
// content, and creates the repository if it does not exist.
func Commit(dir, name string, files map[string]string) error {
	bare := filepath.Join(dir, Name, name+".git")
	from := "from refs/heads/main^0\n"
	if _, err := os.Stat(bare); err != nil {
		from = ""
		for _, sub := range []string{"objects", "refs/heads"} {
			if err := os.MkdirAll(filepath.Join(bare, sub), 0o755); err != nil {
				return err
			}
		}
		for file, content := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": config} {
			if err := os.WriteFile(filepath.Join(bare, file), []byte(content), 0o644); err != nil {
				return err
			}
		}
	}
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit refs/heads/main\ncommitter alice <alice@example.com> %d +0000\ndata 6\nChange\n%sdeleteall\n", 1_767_600_000+len(files), from)
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(files[path]), files[path])
	}
	command := exec.Command("git", "fast-import", "--quiet")
	command.Dir, command.Stdin = bare, &in
	command.Env = append(os.Environ(), "GIT_DIR="+bare)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}
