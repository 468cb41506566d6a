package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// OwnLimit is how long a person's own command may take.
const OwnLimit = 120 * time.Second

// Own runs a line that a person typed, without asking, and returns what it printed on
// both streams. Unlike a model's command it gets the whole environment, because its
// author has that anyway; like one it has no terminal. The error says how it ended if
// that was not well.
func Own(ctx context.Context, line, dir string, environ []string) (string, error) {
	if strings.ContainsRune(line, 0) {
		return "", errors.New("the command contains a NUL byte, which no shell takes")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, OwnLimit, tools.ErrDeadline)
	defer cancel()
	result, err := proc.Run(ctx, proc.Command{
		Shell: "exec 2>&1\n" + line, Dir: dir, Environ: passed(tools.Distrust(environ, dir)), // for the shell; the line has its whole PATH
	})
	output := block(result.Stdout)
	for _, process := range result.Left {
		output += fmt.Sprintf("[left running in the background: pid %d: %s]\n", process.PID, tools.Visible(process.Command))
	}
	switch {
	case errors.Is(err, tools.ErrDeadline):
		return output, fmt.Errorf("stopped after %s; for longer work use /shell, or start it in the background with its output in a file", OwnLimit)
	case errors.Is(err, context.Canceled):
		return output, errors.New("cancelled")
	case err != nil:
		return output, err
	case result.Signal != "":
		return output, fmt.Errorf("exit code %d, ended by a signal: %s", result.ExitCode, result.Signal)
	case result.ExitCode != 0:
		return output, fmt.Errorf("exit code %d", result.ExitCode)
	}
	return output, nil
}

// passed is an environment of which a child is given everything: it names all of its
// own variables as those to pass.
func passed(environ []string) []string {
	var names []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if name != "" && !strings.ContainsRune(name, ',') {
			names = append(names, name)
		}
	}
	return append(environ[:len(environ):len(environ)], proc.PassName+"="+strings.Join(names, ","))
}
