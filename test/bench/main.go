// Command bench measures mcplumb end to end against the least any program could
// do: walk the tree, read the files, decode them with encoding/json. It prints
// the ratio of the two, measured in one run on one machine.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// serversPerFile is the number of servers in every generated file.
const serversPerFile = 20

func main() {
	binary := flag.String("mcplumb", "bin/mcplumb", "the program to measure")
	files := flag.Int("files", 1000, "number of configuration files to generate")
	rounds := flag.Int("rounds", 15, "measurements of each program; the median counts")
	bare := flag.String("bare", "", "internal: be the bare program over this directory")
	flag.Parse()
	if *bare != "" {
		decodeAll(*bare)
		return
	}
	if err := measure(*binary, *files, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// measure generates a tree, runs both programs over it in turn and prints the
// medians.
func measure(binary string, files, rounds int) error {
	dir, err := os.MkdirTemp("", "mcplumb-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := generate(dir, files); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%d files, %d servers, median of %d runs\n", files, files*serversPerFile, rounds)
	if err := compare(dir, self, binary, rounds, "plain tree"); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w: %s", args, err, out)
		}
	}
	if err := compare(dir, self, binary, rounds, "git work tree"); err != nil {
		return err
	}
	if err := measureEditor(binary, dir, "team-00/service-00000/.mcp.json", "editor", min(rounds, 3)); err != nil {
		return err
	}
	project, err := os.MkdirTemp("", "mcplumb-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(project)
	if err := generateProject(project); err != nil {
		return err
	}
	return measureEditor(binary, project, ".mcp.json", "one project", min(rounds, 3))
}

func compare(dir, self, binary string, rounds int, what string) error {
	var bare, ours []sample
	for range rounds {
		b, err := run(self, "-bare", dir)
		if err != nil {
			return err
		}
		o, err := run(binary, "check", dir)
		if err != nil {
			return err
		}
		bare, ours = append(bare, b), append(ours, o)
	}
	b, o := median(bare), median(ours)
	fmt.Printf("%-14s bare %6.1f ms %4d MB   mcplumb %6.1f ms %4d MB   ratio %.2f, in CPU time %.2f\n", what,
		milliseconds(b.wall), b.peak>>20, milliseconds(o.wall), o.peak>>20, float64(o.wall)/float64(b.wall), float64(o.cpu)/float64(b.cpu))
	return nil
}

type sample struct {
	wall time.Duration
	cpu  time.Duration // of the program and of those that it starts
	peak int64         // resident memory in bytes
}

func run(program string, args ...string) (sample, error) {
	cmd := exec.Command(program, args...)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out)
	}
	state := cmd.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	return sample{time.Since(start), state.UserTime() + state.SystemTime(), usage.Maxrss << 10}, nil
}

func median(samples []sample) sample {
	slices.SortFunc(samples, func(a, b sample) int { return int(a.wall - b.wall) })
	return samples[len(samples)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// generate writes one project a file: twenty pinned servers of the usual kinds.
func generate(dir string, files int) error {
	for i := range files {
		project := filepath.Join(dir, fmt.Sprintf("team-%02d", i%50), fmt.Sprintf("service-%05d", i))
		if err := os.MkdirAll(project, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(project, ".mcp.json"), config(i), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generateProject writes twenty files of one project: twenty servers for each of five clients, of
// which two pin other versions, and what names one of the servers.
func generateProject(dir string) error {
	files := map[string]string{".claude/settings.json": "{}\n"}
	for i := range 14 {
		files[fmt.Sprintf(".claude/agents/a%d.md", i)] = "---\nname: a\ntools: mcp__server-0-0__x\n---\n"
	}
	for i, name := range []string{".mcp.json", ".cursor/mcp.json", ".gemini/settings.json", ".roo/mcp.json", ".vscode/mcp.json"} {
		text := strings.ReplaceAll(string(config(0)), ".0\"]", fmt.Sprintf(".%d\"]", i%2))
		if strings.HasPrefix(name, ".vscode") {
			text = strings.Replace(text, "mcpServers", "servers", 1)
		}
		files[name] = text
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func config(file int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"mcpServers\": {\n")
	for i := range serversPerFile {
		if i > 0 {
			b.WriteString(",\n")
		}
		name, version := fmt.Sprintf("server-%d-%d", file, i), fmt.Sprintf("%d.%d.%d", i%3, i%7, file%11)
		switch i % 5 {
		case 0, 1:
			fmt.Fprintf(&b, `    %q: {
      "command": "npx",
      "args": ["-y", "@scope-%d/mcp-server-%d@%s"],
      "env": {"API_TOKEN": "${API_TOKEN}", "LOG_LEVEL": "info"}
    }`, name, i, i, version)
		case 2:
			fmt.Fprintf(&b, `    %q: {
      "command": "uvx",
      "args": ["mcp-server-%d==%s", "--repository", "."]
    }`, name, i, version)
		case 3:
			fmt.Fprintf(&b, `    %q: {
      "type": "http",
      "url": "https://mcp-%d.example.dev/mcp",
      "headers": {"Authorization": "Bearer ${TOKEN_%d}"}
    }`, name, i, i)
		default:
			fmt.Fprintf(&b, `    %q: {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "KEY", "ghcr.io/acme/server-%d@sha256:%064x"]
    }`, name, i, file)
		}
	}
	b.WriteString("\n  }\n}\n")
	return []byte(b.String())
}

// decodeAll is the baseline: two goroutines that read and decode the files that the walk
// finds.
func decodeAll(dir string) {
	paths := make(chan string, 64)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for path := range paths {
				content, err := os.ReadFile(path)
				if err != nil {
					panic(err)
				}
				var value any
				if err := json.Unmarshal(content, &value); err != nil {
					panic(err)
				}
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.Name() == ".mcp.json" {
			paths <- path
		}
		return err
	})
	close(paths)
	wait.Wait()
	if err != nil {
		panic(err)
	}
}
