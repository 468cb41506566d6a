package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// ownLimit is the timeout of a command line that the user wrote.
const ownLimit = 120 * time.Second

// RunOwn executes a command line that the user wrote, and returns the output of both streams. It
// asks for no confirmation. The command gets the whole environment, but no terminal. If w is not
// nil, RunOwn also writes the output to w while the command runs.
func RunOwn(ctx context.Context, line, dir string, environ []string, w io.Writer) (string, error) {
	if strings.ContainsRune(line, 0) {
		return "", errors.New("the command contains a NUL byte, which no shell accepts")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, ownLimit, tools.ErrDeadline)
	defer cancel()
	aloud := &liveOutput{to: w}
	result, err := proc.Run(ctx, proc.Command{
		// tools.Distrust prevents Marvin from running a shell whose program is below dir. The command's
		// PATH is unchanged.
		Shell: "exec 2>&1\n" + line, Dir: dir, Environ: passingAll(tools.Distrust(environ, dir)),
		Combined: aloud, Unattended: true,
	})
	output := block(result.Stdout)
	aloud.replace(output)
	for _, process := range result.Left {
		left := fmt.Sprintf("[left running in the background: pid %d: %s]\n", process.PID, tools.Visible(process.Command))
		output += left
		aloud.say(left)
	}
	var waits *proc.WaitError
	switch {
	case errors.As(err, &waits):
		return output, fmt.Errorf("%s needs a terminal; run it in /shell", waits.Program)
	case errors.Is(err, tools.ErrDeadline):
		return output, fmt.Errorf("stopped after %s; for longer work use /shell, or start the command in the background and write its output to a file", ownLimit)
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

// passingAll adds [proc.PassName] to environ, so that the command inherits all variables.
func passingAll(environ []string) []string {
	var names []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if name != "" && !strings.ContainsRune(name, ',') {
			names = append(names, name)
		}
	}
	return append(environ[:len(environ):len(environ)], proc.PassName+"="+strings.Join(names, ","))
}

// liveOutput is a writer that forwards a command's output while the command runs.
type liveOutput struct {
	to io.Writer // if nil, output is discarded

	mutex  sync.Mutex // a process that cannot be killed may still be writing
	binary bool
}

// Write forwards output. If p contains a NUL byte, Write discards p and all later output.
func (a *liveOutput) Write(p []byte) (int, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.binary = a.binary || bytes.IndexByte(p, 0) >= 0; !a.binary {
		a.say(string(p))
	}
	return len(p), nil
}

// replace forwards the given text if Write has discarded output.
func (a *liveOutput) replace(text string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.binary {
		a.say(text)
	}
}

func (a *liveOutput) say(text string) {
	if a.to != nil {
		_, _ = io.WriteString(a.to, text) // ignored, because the output is also returned
	}
}
