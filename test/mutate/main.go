// Command mutate damages the files that mcplumb knows, in ways that a person may think of
// and in ways that no one does, and lints them. Whatever a file contains, the program neither
// panics nor skips a file silently, every output can be parsed by its readers, and none shows
// a credential.
//
// It does not start the program: a mutant takes a millisecond.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	root := flag.String("root", "../..", "the repository with the samples, a `DIRECTORY`")
	n := flag.Int("n", 10_000, "how many mutants")
	first := flag.Int("first", 0, "the first of them: those of one seed are always the same")
	seed := flag.Uint64("seed", 1, "another seed makes other mutants")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many run at a time")
	keep := flag.String("keep", "", "a `DIRECTORY` for the files of the mutants that show a mistake")
	flag.Parse()
	samples, err := load(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	run := &run{maker: maker{samples: samples, seed: *seed}, keep: *keep}
	began := time.Now()
	run.all(*first, *first+*n, *jobs)
	fmt.Printf("mutate: %d mutants of %d samples in %d s, %d with mistakes\n", *n, len(samples), int(time.Since(began).Seconds()), run.failed.Load())
	if run.failed.Load() > 0 {
		os.Exit(1)
	}
}

// size is how many mutants are linted as one repository, each in a directory of
// its own: outputs that tell of every rule are long.
const size = 100

// patience is the time after which a repository of so many mutants is given up, in case a
// run never ends. It does not measure speed: a loaded machine takes a minute for work that
// otherwise takes a second.
const patience = 30 * time.Minute

// shown is how many mistakes are shown; all are counted.
const shown = 50

type run struct {
	maker  maker
	keep   string
	failed atomic.Int64
	mutex  sync.Mutex // of standard output
}

// all judges the mutants from first to before last.
func (r *run) all(first, last, jobs int) {
	next := atomic.Int64{}
	next.Store(int64(first))
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for {
				from := int(next.Add(size)) - size
				if from >= last {
					return
				}
				r.some(from, min(from+size, last))
			}
		})
	}
	group.Wait()
}

// some judges the mutants from first to before last: those without settings as one
// repository, and where something is wrong with that, each for itself.
func (r *run) some(first, last int) {
	var together []*mutant
	for i := first; i < last; i++ {
		if m := r.maker.mutant(i); m.settings() {
			r.report(m, r.judge(m))
		} else {
			together = append(together, m)
		}
	}
	if len(r.judge(together...)) == 0 {
		return
	}
	before := r.failed.Load()
	for _, m := range together {
		r.report(m, r.judge(m))
	}
	if r.failed.Load() == before { // it takes several
		r.report(together[0], r.judge(together...))
	}
}

func (r *run) judge(mutants ...*mutant) []string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return judge(ctx, mutants)
}

// report prints the problems with a mutant, and keeps its files.
func (r *run) report(m *mutant, problems []string) {
	if len(problems) == 0 || r.failed.Add(1) > shown {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	fmt.Printf("FAILED: -seed %d -first %d -n 1: %s, %q: %s\n  %s\n", r.maker.seed, m.index, m.sample.name, m.path, m.damage, strings.Join(problems, "\n  "))
	if r.keep == "" {
		return
	}
	for name, content := range m.files {
		file := filepath.Join(r.keep, fmt.Sprint(m.index), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			fmt.Println(err)
		} else if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			fmt.Println(err)
		}
	}
}
