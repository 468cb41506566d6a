// Command fuzzers runs every fuzz target of the module for a while, several at a time,
// and stops at the first finding.
//
//	go run ./cmd/marvin/testdata/fuzzers -time 30s -jobs 8 [PATTERN]
//
// Each package is built once, with the instrumentation that `go test -fuzz` uses; a
// target is a process of its own with one worker. Each begins with the seeds: to try what
// `go test -fuzz` keeps from earlier hours takes longer than 30 s. Only a finding is
// written into the package, as a seed that the next `go test` runs.
//
// Decided against: `go test -fuzz` for one target after the other: 40 of them at 30 s
// are 20 minutes, and what is interesting is minimised for up to a minute each, while
// nothing else is tried.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	every := flag.Duration("time", 30*time.Second, "how long each target runs")
	jobs := flag.Int("jobs", 8, "how many run at a time")
	flag.Parse()
	chosen, err := regexp.Compile(flag.Arg(0))
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = fuzz(ctx, chosen, *every, *jobs)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fuzz builds the packages one after the other, and runs the targets of those that are
// built meanwhile.
func fuzz(ctx context.Context, chosen *regexp.Regexp, every time.Duration, jobs int) error {
	began := time.Now()
	place, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(place)
	dirs, err := packages(chosen)
	if err != nil {
		return err
	}
	running, ctx := errgroup.WithContext(ctx)
	running.SetLimit(jobs)
	targets := 0
	for number, dir := range dirs {
		binary := filepath.Join(place, fmt.Sprint(number))
		if _, err = output(ctx, dir, "go", "test", "-c", "-fuzz=.", "-o", binary, "."); err != nil {
			break
		}
		var names string
		if names, err = output(ctx, dir, binary, "-test.list", "^Fuzz"); err != nil {
			break
		}
		for _, name := range strings.Fields(names) {
			if chosen.MatchString(name) {
				targets++
				one := target{dir: dir, name: name, binary: binary, cache: binary + ".found"}
				running.Go(func() error { return one.run(ctx, every) })
			}
		}
	}
	if found := running.Wait(); found != nil {
		return found // which is also why a build was interrupted
	}
	if err == nil && targets == 0 {
		err = fmt.Errorf("no fuzz target is called %s", chosen)
	}
	fmt.Printf("%d targets, %s\n", targets, time.Since(began).Round(time.Second))
	return err
}

var declaration = regexp.MustCompile(`(?m)^func (Fuzz\w*)\(f \*testing\.F\)`)

// packages are the directories below this one with a target that is wanted.
func packages(chosen *regexp.Regexp) (dirs []string, err error) {
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, found := range declaration.FindAllSubmatch(source, -1) {
			if dir := filepath.Dir(path); chosen.Match(found[1]) && (len(dirs) == 0 || dirs[len(dirs)-1] != dir) {
				dirs = append(dirs, dir) // files of a directory come together
			}
		}
		return err
	})
	return dirs, err
}

// output runs a program and gives what it says. What it says on failure is the error.
func output(ctx context.Context, dir, name string, arguments ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, arguments...)
	cmd.Dir = dir
	said, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("%s %s in %s: %w\n%s%s", name, strings.Join(arguments, " "), dir, err, said, exit.Stderr)
	}
	return strings.TrimSpace(string(said)), err
}
