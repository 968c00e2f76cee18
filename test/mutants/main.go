// Command mutants tests whether the tests notice a mistake. It changes one small thing in
// the code (a condition, an operator, a constant, a case), runs the tests of the package
// with it, and prints the changes that no test noticed. It writes nothing into the tree:
// go's -overlay replaces one file with a changed copy.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// options are how mutants are drawn and tried.
type options struct {
	root               string
	count, first, jobs int
	seed               uint64
	limit              time.Duration
	all, list          bool
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the tree of mcplumb")
	flag.IntVar(&o.count, "n", 40, "how many changes to try; 0 tries all")
	flag.Uint64Var(&o.seed, "seed", 1, "which changes are drawn")
	flag.IntVar(&o.jobs, "jobs", 2, "how many are tried at a time")
	flag.IntVar(&o.first, "first", 0, "how many of those drawn are left out, to go on where a run was stopped")
	flag.DurationVar(&o.limit, "limit", time.Minute, "how long the tests of a package may take; a change with which they take longer is noticed")
	flag.BoolVar(&o.all, "all", false, "ask the tests of every package, not only those of the changed one")
	flag.BoolVar(&o.list, "list", false, "only print the changes")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "mutants: which packages? Name their directories: internal/format")
		os.Exit(2)
	}
	if err := run(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run draws changes of the Go files of the directories and tries them. The error reports
// what could not be read or run; surviving changes are not an error, because a person must
// judge them.
func run(o options, dirs []string) error {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	var all []mutant
	for _, dir := range dirs {
		found, err := inDirectory(root, path.Clean(filepath.ToSlash(dir)))
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	drawn := draw(all, o.count, o.seed)
	fmt.Printf("%d of %d changes, seed %d\n", len(drawn), len(all), o.seed)
	drawn = drawn[min(max(o.first, 0), len(drawn)):]
	if o.list {
		for _, m := range drawn {
			fmt.Println(m)
		}
		return nil
	}
	tests := newTester(root, o.limit)
	if o.all {
		if err := tests.askAll(); err != nil {
			return err
		}
	}
	return try(tests, drawn, o.jobs)
}

// draw returns count of the mutants, in the order of their places; all of them if
// count is 0 or more than there are.
func draw(all []mutant, count int, seed uint64) []mutant {
	drawn := slices.Clone(all)
	if count > 0 && count < len(drawn) {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
		drawn = drawn[:count]
	}
	slices.SortFunc(drawn, func(a, b mutant) int {
		if c := strings.Compare(a.file, b.file); c != 0 {
			return c
		}
		return a.start - b.start
	})
	return drawn
}

// try runs the tests with each mutant, jobs at a time, and prints those that no test
// noticed, and the counts. It is an error if the tests fail without any change.
func try(tests *tester, drawn []mutant, jobs int) error {
	work, err := os.MkdirTemp("", "mcplumb-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := tests.unchanged(directories(drawn)); err != nil {
		return err
	}
	var (
		lock    sync.Mutex
		counts  [outcomes]int
		failed  error
		next    = make(chan int)
		workers sync.WaitGroup
	)
	for range max(jobs, 1) {
		workers.Go(func() {
			for i := range next {
				outcome, err := tests.try(filepath.Join(work, fmt.Sprint(i)), drawn[i])
				lock.Lock()
				counts[outcome]++
				failed = errors.Join(failed, err)
				if outcome == survived {
					fmt.Println(outcome, drawn[i])
				}
				lock.Unlock()
			}
		})
	}
	for i := range drawn {
		next <- i
	}
	close(next)
	workers.Wait()
	fmt.Printf("%d killed (%d of them by the time limit), %d survived, %d do not compile\n",
		counts[killed]+counts[late], counts[late], counts[survived], counts[broken])
	return failed
}

// directories returns those that mutants are in, each once.
func directories(mutants []mutant) []string {
	var dirs []string
	for _, m := range mutants {
		dirs = append(dirs, path.Dir(m.file))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
