package shell

import (
	"context"
	"errors"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Attempt runs a line as a call of run_command would, for at most so long, and says with
// which code it exited and, of one that failed, the last line that it put out. Whatever it
// started ends with it. The error says why there is no code: it wraps [tools.ErrDeadline],
// [context.Canceled], or [tools.ErrUnconfined] where it did not begin.
func Attempt(ctx context.Context, env tools.Env, line string, limit time.Duration) (code int, last string, err error) {
	cell, err := env.Jail()
	if err != nil {
		return 0, "", err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, tools.ErrDeadline)
	defer cancel()
	result, err := proc.Run(ctx, proc.Command{Shell: line, Dir: env.Dir, Environ: env.Environ, Jail: cell, Alone: true, Ends: true, Progress: env.Progress})
	if err != nil || result.ExitCode != 0 {
		last = lastLine(result.Stderr.Text())
		if last == "" {
			last = lastLine(result.Stdout.Text())
		}
	}
	var waits *proc.Waits
	if err != nil && ctx.Err() == nil && !errors.As(err, &waits) {
		err = tools.Unconfined(err)
	}
	return result.ExitCode, last, err
}

// lastLine is the last line of an output that says something.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return title(lines[len(lines)-1])
}
