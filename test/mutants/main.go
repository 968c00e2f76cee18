// Command mutants asks of the tests whether they notice a mistake. It changes one
// small thing in the code (a condition, an operator, a constant, a case), runs the
// tests with it, and prints the changes that no test noticed. Nothing is written
// into the tree: go's -overlay stands a changed copy in for one file.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

func main() {
	root := flag.String("root", ".", "the tree of mcplumb")
	count := flag.Int("n", 300, "how many changes to try; 0 tries all")
	seed := flag.Uint64("seed", 1, "which changes are drawn")
	jobs := flag.Int("jobs", 2, "how many are tried at a time")
	first := flag.Int("first", 0, "how many of those drawn are left out, to go on where a run was stopped")
	list := flag.Bool("list", false, "only print the changes")
	flag.Parse()
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = []string{"checks", "internal/identity", "internal/format"}
	}
	if err := run(*root, dirs, *count, *seed, *first, *jobs, *list); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run draws changes of the Go files of the directories and tries them. The error
// says what could not be read or run; survivors are no error, a person reads them.
func run(root string, dirs []string, count int, seed uint64, first, jobs int, list bool) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	var all []mutant
	for _, dir := range dirs {
		found, err := inDirectory(root, dir)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	drawn := draw(all, count, seed)
	fmt.Printf("%d of %d changes, seed %d\n", len(drawn), len(all), seed)
	drawn = drawn[min(max(first, 0), len(drawn)):]
	if list {
		for _, m := range drawn {
			fmt.Println(m)
		}
		return nil
	}
	return try(root, drawn, jobs)
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

// try runs the tests with each mutant, jobs at a time, and prints what became of
// it and the counts. It is an error if the tests fail without any change.
func try(root string, drawn []mutant, jobs int) error {
	work, err := os.MkdirTemp("", "mcplumb-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	tests, err := newTester(root)
	if err != nil {
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
	fmt.Printf("%d killed, %d survived, %d do not compile\n", counts[killed], counts[survived], counts[broken])
	return failed
}
