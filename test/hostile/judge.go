package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// options are what to run, and the limits.
type options struct {
	program, counted string
	covdata          string // Go's program: "go tool" takes ten times as long to find it as it runs
	size, memory     int    // bytes, MB
}

// countedSize is the smaller of the sizes between which steps are counted, in bytes:
// beyond the limits of the program, and read in a moment.
const countedSize = 60_000

// patience is after how many seconds of CPU a run is killed: on a loaded machine wall time
// passes without using any. It does not measure speed.
const patience = 60

// growth is how much more often a block may run in a repository of twice the size: sorting
// takes a little more than twice as long.
const growth = 2.5

// enough is how often, for each part of a case, a block must run to be compared.
const enough = 32

// judge runs a case and returns its cost and the problems with it.
func (o *options) judge(c hostile) (summary string, problems []string) {
	n := c.sized(countedSize)
	once, err := o.steps(c, n)
	if err != nil {
		return "", []string{err.Error()}
	}
	twice, err := o.steps(c, 2*n)
	if err != nil {
		return "", []string{err.Error()}
	}
	problems = outgrown(once, twice, n)
	large := c.sized(o.size)
	// Without a memory limit the garbage collector runs late.
	usage, err := o.run(c, large, o.program, fmt.Sprintf("GOMEMLIMIT=%dMiB", o.memory*3/4))
	if err != nil {
		return "", append(problems, err.Error())
	}
	if usage.memory > o.memory {
		problems = append(problems, fmt.Sprintf("%d MB for %d bytes, at most %d are fine", usage.memory, o.size, o.memory))
	}
	return fmt.Sprintf("%7d: steps x %.2f  %7d: %4d MB, %5.1f s", n, twice.sum()/once.sum(), large, usage.memory, usage.seconds), problems
}

// sized returns how much of a case makes that many bytes.
func (c hostile) sized(bytes int) int {
	const sample = 100
	per := (c.files(2*sample).size() - c.files(sample).size()) / sample
	return max(bytes/max(per, 1), sample)
}

func (t tree) size() int {
	size := 0
	for _, text := range t {
		size += len(text)
	}
	return size
}

// write writes a case into a new directory.
func (c hostile) write(n int) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "mcplumb-hostile-"); err != nil {
		return "", err
	}
	if c.base != nil {
		base := c.base(n)
		if err = base.write(dir); err == nil {
			err = commit(dir)
		}
		for name := range base {
			err = errors.Join(err, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
		}
	}
	if err = errors.Join(err, c.files(n).write(dir)); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// commit makes a directory a repository, with one commit of its files.
func commit(dir string) error {
	as := []string{"-C", dir, "-c", "user.name=tests", "-c", "user.email=tests@example.com"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "base"}} {
		if out, err := exec.Command("git", append(as[:len(as):len(as)], args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// write writes the files into a directory.
func (t tree) write(dir string) error {
	for name, text := range t {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// usage is the cost of a run: CPU seconds, MB.
type usage struct {
	seconds float64
	memory  int
}

// run runs a program over a case, on one processor.
func (o *options) run(c hostile, n int, program string, environment ...string) (usage, error) {
	dir, err := c.write(n)
	if err != nil {
		return usage{}, err
	}
	defer os.RemoveAll(dir)
	if program, err = filepath.Abs(program); err != nil {
		return usage{}, err
	}
	args := c.args
	if args == nil {
		args = []string{"check", "--format", "json=/dev/null"}
	}
	if c.base != nil {
		args = append(args[:len(args):len(args)], "--base", "HEAD")
	}
	limited := []string{"-c", `ulimit -t "$0" && exec "$@"`, strconv.Itoa(patience), program}
	command := exec.Command("sh", append(limited, args...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), append(environment, "GOMAXPROCS=1")...)
	var said strings.Builder
	command.Stderr = &said
	err = command.Run()
	if system, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && system.Signal() == syscall.SIGKILL {
		return usage{}, fmt.Errorf("killed after %d s of CPU", patience)
	}
	// Findings, and a limit that was hit, are fine.
	if code := command.ProcessState.ExitCode(); code != 0 && code != 1 && code != 3 {
		return usage{}, fmt.Errorf("%v: %s", err, said.String())
	}
	used := usage{seconds: (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()}
	if system, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		used.memory = int(system.Maxrss >> 10) // KB on Linux
	}
	return used, nil
}

// steps are how often each block of the program ran, by its place.
type steps map[string]float64

func (s steps) sum() float64 {
	sum := 1.0
	for _, count := range s {
		sum += count
	}
	return sum
}

// steps runs a case and counts.
func (o *options) steps(c hostile, n int) (steps, error) {
	counters, err := os.MkdirTemp("", "mcplumb-steps-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(counters)
	if _, err := o.run(c, n, o.counted, "GOCOVERDIR="+counters); err != nil {
		return nil, err
	}
	profile := filepath.Join(counters, "profile")
	if out, err := exec.Command(o.covdata, "textfmt", "-i="+counters, "-o="+profile).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("covdata: %w: %s", err, out)
	}
	file, err := os.Open(profile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	counted := steps{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		// PLACE STATEMENTS COUNT
		if fields := strings.Fields(lines.Text()); len(fields) == 3 {
			count, err := strconv.ParseFloat(fields[2], 64)
			if err != nil {
				return nil, err
			}
			counted[fields[0]] += count
		}
	}
	if len(counted) == 0 {
		return nil, fmt.Errorf("%s does not count its steps", o.counted)
	}
	return counted, nil
}

// outgrown returns the worst blocks whose steps grow faster than the input. n is the size
// of the smaller case: a block that has run less often cannot be compared.
func outgrown(once, twice steps, n int) []string {
	var places []string
	for place, count := range twice {
		if count > growth*max(once[place], enough*float64(n)) {
			places = append(places, place)
		}
	}
	slices.SortFunc(places, func(a, b string) int { return int(twice[b] - twice[a]) })
	var problems []string
	for _, place := range places[:min(len(places), 3)] {
		problems = append(problems, fmt.Sprintf("%s ran %.0f times, and %.0f times for twice as much", place, once[place], twice[place]))
	}
	return problems
}
