package proc

import (
	"cmp"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

func prepare(command Command) (*running, error) {
	if !filepath.IsAbs(command.Dir) {
		return nil, fmt.Errorf("child process: the directory %q is not absolute", command.Dir)
	}
	run := &running{Command: command}
	run.Limit = cmp.Or(run.Limit, defaultLimit)
	run.Grace = cmp.Or(run.Grace, DefaultGrace)
	path, args, err := command.program()
	if err != nil {
		return nil, err
	}
	mark, environ := childEnviron(command)
	run.session.mark = mark
	run.stdout = &keeper{limit: run.Limit, last: &run.last, both: joined(command.Combined, command.Beside)}
	run.stderr = &keeper{limit: run.Limit, last: &run.last, both: command.Combined}
	run.child = &exec.Cmd{
		Path: path, Args: append([]string{cmp.Or(command.Argv0, command.Name, filepath.Base(path))}, args...),
		Dir: command.Dir, Env: environ,
		Stdout: run.stdout, Stderr: run.stderr,
		WaitDelay: Drain, SysProcAttr: sessionAttributes(),
	}
	if command.Stdout != nil {
		run.child.Stdout = guarded{command.Stdout}
	}
	if command.Stderr != nil {
		run.child.Stderr = io.MultiWriter(run.stderr, guarded{command.Stderr})
	}
	if command.Stdin != "" {
		run.child.Stdin = strings.NewReader(command.Stdin)
	}
	return run, run.confine()
}
