// Command hostile runs mcplumb over repositories made so that a run takes long or grows
// large. The steps of each must grow no more than in proportion to its size, which it
// counts, and its memory must stay within a runner's, which it measures.
//
// The steps are the counts of go build -cover: how often each block of the program runs.
// They are the same on every machine. A block that runs more than two and a half times
// as often in a repository of twice the size is named with its place.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
)

func main() {
	var o options
	flag.StringVar(&o.program, "mcplumb", "bin/mcplumb", "the program")
	flag.StringVar(&o.counted, "counted", "bin/mcplumb-counted", "the program, built to count its steps")
	flag.IntVar(&o.size, "size", 1<<20, "bytes of the large repositories")
	flag.IntVar(&o.memory, "memory", 300, "the most memory that a run may take, in MB")
	only := flag.String("only", "", "run only the cases with this in their names")
	flag.Parse()
	covdata, err := exec.Command("go", "tool", "-n", "covdata").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile: go tool -n covdata:", err)
		os.Exit(1)
	}
	o.covdata = strings.TrimSpace(string(covdata))

	failed := 0
	var mutex sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for _, c := range cases() {
		if !strings.Contains(c.name, *only) {
			continue
		}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			summary, problems := o.judge(c)
			mutex.Lock()
			defer mutex.Unlock()
			fmt.Printf("%-46s %s\n", c.name, summary)
			for _, problem := range problems {
				failed++
				fmt.Printf("  FAILED: %s\n", problem)
			}
		})
	}
	group.Wait()
	if failed > 0 {
		os.Exit(1)
	}
}
