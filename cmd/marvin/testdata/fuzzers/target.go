package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// target is one Fuzz function.
type target struct {
	dir, name     string
	binary, cache string
}

// grace is how much longer than told a target may take in all. An input that takes 10 s
// is a finding of the testing package's own; this is for a target that ignores its time.
const grace = time.Minute

var (
	written  = regexp.MustCompile(`Failing input written to (\S+)`)
	progress = regexp.MustCompile(`(?m)^fuzz: elapsed: \w+, (execs: \d+).*?(new interesting: \d+)`)
)

// run fuzzes for a while. An error is a finding, with the path of what reproduces it, or
// says that the run was interrupted.
func (t target) run(ctx context.Context, every time.Duration) error {
	within, cancel := context.WithTimeout(ctx, every+grace)
	defer cancel()
	cmd := exec.CommandContext(within, t.binary, "-test.run=^$", "-test.fuzz=^"+t.name+"$", "-test.fuzztime="+every.String(),
		"-test.fuzzcachedir="+t.cache, "-test.parallel=1", "-test.fuzzminimizetime=1s") // during which nothing else is tried
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it has a worker
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, 10) // behind the builds, for which the next targets wait
	err := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s %s: interrupted", t.dir, t.name)
	case within.Err() != nil:
		err = fmt.Errorf("it did not end within %s", every+grace)
	case err == nil:
		done := "nothing but its seeds"
		if figures := progress.FindAllSubmatch(said.Bytes(), -1); len(figures) > 0 {
			last := figures[len(figures)-1]
			done = fmt.Sprintf("%s, %s", last[1], last[2])
		}
		fmt.Printf("%-32s %-28s %s\n", t.dir, t.name, done)
		return nil
	}
	if input := written.FindSubmatch(said.Bytes()); input != nil {
		fmt.Fprintf(&said, "reproducer: %s\n", filepath.Join(t.dir, string(input[1])))
	}
	return fmt.Errorf("FOUND by %s %s: %w\n%s", t.dir, t.name, err, said.Bytes())
}
