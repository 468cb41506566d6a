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

// Attempt runs a command line as run_command would; limit is the timeout. It returns the exit code
// and, if the command failed, the last line of its output. The end of the command also ends all
// processes that it started. The error says why there is no code: it wraps [tools.ErrDeadline],
// [context.Canceled], or, if the command did not start, [tools.ErrUnconfined].
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
