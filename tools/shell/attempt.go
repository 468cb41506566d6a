package shell

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Attempt runs a command line as run_command would, with a time limit. It returns the exit code
// and, if the command failed, the last line of the output. When the command ends, all processes
// that it started are stopped. The error wraps [tools.ErrDeadline] after a timeout, the cause of
// ctx after a cancellation, and [tools.ErrUnconfined] if the command cannot be confined.
func Attempt(ctx context.Context, env tools.Env, line string, limit time.Duration) (code int, last string, err error) {
	cell, err := env.Jail()
	if err != nil {
		return 0, "", err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, tools.ErrDeadline)
	defer cancel()
	result, err := proc.Run(ctx, proc.Command{Shell: line, Dir: env.Dir, Environ: env.Environ, Jail: cell, Unattended: true, Ends: true, Progress: env.Progress})
	if err != nil || result.ExitCode != 0 {
		last = cmp.Or(lastLine(result.Stderr.Text()), lastLine(result.Stdout.Text()))
	}
	var waits *proc.WaitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &waits) {
		err = tools.AdviseUnconfined(err)
	}
	return result.ExitCode, last, err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return title(lines[len(lines)-1])
}
