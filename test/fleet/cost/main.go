// Command cost prints the cost of checking an organization: time, memory, and bytes for
// each repository, on the first day and on the second, when nothing has changed.
//
//	MCPLUMB=bin/mcplumb go run ./cost [N…]
//
// N is a number of repositories. All of them are one shard.
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/mcplumb/mcplumb/test/fleet/organization"
)

func main() {
	counts := os.Args[1:]
	if len(counts) == 0 {
		counts = []string{"100", "500", "2000"}
	}
	fmt.Println("| repositories | day | time, ms each | of processors, ms each | peak memory | requests each | bytes each | records, bytes each | compressed |")
	fmt.Println("|---:|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, text := range counts {
		count, err := strconv.Atoi(text)
		if err == nil {
			err = measure(count)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// measure prints the cost of a number of repositories.
func measure(count int) error {
	dir, err := os.MkdirTemp("", "fleet-cost-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := organization.Make(dir, "../../testdata", count, 21); err != nil {
		return err
	}
	server, err := organization.Serve(dir, "../github/npm")
	if err != nil {
		return err
	}
	defer server.Close()
	list, err := mcplumb(server, dir, "fleet", "repos", organization.Name)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "list"), list.out, 0o644)
	}
	if err != nil {
		return err
	}
	for _, day := range [][]string{{"first", "--out", "day1"}, {"second", "--out", "day2", "--previous", "day1"}} {
		server.Forget()
		spent, err := mcplumb(server, dir, append([]string{"fleet", "check", "--repos", "list"}, day[1:]...)...)
		if err != nil {
			return err
		}
		requests, bytes := server.Requests()
		size, compressed, err := sizes(filepath.Join(dir, day[2]))
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %s | %.0f | %.0f | %d MB | %.1f | %d | %d | %d |\n", count, day[0], each(spent.time, count), each(spent.processors, count), spent.memory>>20,
			float64(requests)/float64(count), bytes/int64(count), size/int64(count), compressed/int64(count))
	}
	spent, err := mcplumb(server, dir, "fleet", "report", "day2", "--previous", "day1", "--format", "html=page.html", "--format", "json=report.json")
	if err != nil {
		return err
	}
	fmt.Printf("| %d | report | %.2f | %.2f | %d MB | | | | |\n", count, each(spent.time, count), each(spent.processors, count), spent.memory>>20)
	return nil
}

// each returns the milliseconds of one of a number of repositories.
func each(spent time.Duration, count int) float64 {
	return spent.Seconds() * 1000 / float64(count)
}

// spent is the output and the cost of a run of mcplumb.
type spent struct {
	out  []byte
	time time.Duration
	// processors is the time of all processors that it and git have worked.
	processors time.Duration
	memory     int64 // bytes at most of mcplumb itself, not of git
}

func mcplumb(server *organization.Server, dir string, args ...string) (s spent, err error) {
	c := exec.Command(os.Getenv("MCPLUMB"), args...)
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(os.Environ(), "GITHUB_API_URL="+server.URL+"/api/v3", "GITHUB_SERVER_URL="+server.URL, "GITHUB_TOKEN="+organization.Token)
	var out bytes.Buffer
	c.Stdout = &out
	began := time.Now()
	if err := c.Start(); err != nil {
		return s, err
	}
	ended := make(chan struct{})
	peak := make(chan int64)
	go func() { peak <- watch(c.Process.Pid, ended) }()
	err = c.Wait()
	s.time, s.out = time.Since(began), out.Bytes()
	s.processors = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	close(ended)
	s.memory = <-peak
	return s, err
}

// highWater finds the most memory that a Linux process has had. For a process that has
// ended, the kernel's number includes what its parent had when it started it.
var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watch returns the most memory that a process has until it ends, in bytes.
func watch(pid int, ended <-chan struct{}) (peak int64) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if m := highWater.FindSubmatch(status); err == nil && m != nil {
			kilobytes, _ := strconv.ParseInt(string(m[1]), 10, 64)
			peak = max(peak, kilobytes<<10)
		}
		select {
		case <-ended:
			return peak
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// sizes returns how many bytes a directory has, and how many as a compressed archive.
func sizes(dir string) (plain, compressed int64, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			plain += info.Size()
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	archive := dir + ".tar.gz"
	if err := exec.Command("tar", "-czf", archive, "-C", dir, ".").Run(); err != nil {
		return 0, 0, err
	}
	info, err := os.Stat(archive)
	if err != nil {
		return 0, 0, err
	}
	return plain, info.Size(), nil
}
