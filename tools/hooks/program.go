package hooks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Client sends requests to hooks that are web addresses.
type Client interface {
	Do(*http.Request) (*http.Response, error)
}

const (
	mostAnswer = 1 << 20  // maximum number of bytes in an answer; an answer can contain a long tool result
	mostStderr = 16 << 10 // maximum number of bytes kept from a program's standard error
	deepest    = 5        // maximum nesting depth of Marvin processes; a hook can start Marvin
	grace      = 200 * time.Millisecond
)

var errTooMuch = fmt.Errorf("its output is longer than %d bytes", mostAnswer)

// tell sends the input to the hook's program or URL, and waits for the answer.
func (h Hook) tell(ctx context.Context, place HookEnv, said HookInput) ending {
	limited, stop := context.WithTimeoutCause(ctx, h.Timeout, fmt.Errorf("it took longer than %s", h.Timeout))
	defer stop()
	told, err := h.input(said)
	if err != nil {
		return ending{err: err}
	}
	if place.Env.Depth() > deepest {
		return ending{err: fmt.Errorf("this Marvin process is nested %d levels deep, probably because a hook starts Marvin and each new process runs the hook again", place.Env.Depth())}
	}
	var end ending
	if h.URL != "" {
		end = h.post(limited, place, told)
	} else {
		end = h.run(limited, place, told)
	}
	if limited.Err() != nil {
		end.err = context.Cause(limited)
	}
	return end
}

func (h Hook) input(said HookInput) ([]byte, error) {
	if h.foreign != "" {
		return h.toldForeign(said)
	}
	return encoded(said)
}

func encoded(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // keeps "&&" readable for hooks that are shell scripts
	err := encoder.Encode(value)
	return text.Bytes(), err
}

// mouthful is a buffer for an answer. Write returns an error if the answer becomes too long.
type mouthful struct{ bytes.Buffer }

func (m *mouthful) Write(p []byte) (int, error) {
	if m.Len()+len(p) > mostAnswer {
		return 0, errTooMuch
	}
	return m.Buffer.Write(p)
}

func (h Hook) run(ctx context.Context, place HookEnv, told []byte) ending {
	command, err := h.command(place)
	if err != nil {
		return ending{err: err}
	}
	var stdout mouthful
	command.Stdin, command.Stdout, command.Limit = string(told), &stdout, mostStderr
	command.Ends, command.Grace = true, grace
	result, err := proc.Run(ctx, command)
	switch {
	case err != nil:
		return ending{err: err}
	case result.Signal != "":
		return ending{err: fmt.Errorf("a signal ended it: %s%s", result.Signal, appended(": ", stderrOf(result)))}
	}
	return ending{code: result.ExitCode, stdout: stdout.Bytes(), stderr: stderrOf(result)}
}

func stderrOf(result proc.Result) string { return strings.TrimSpace(result.Stderr.Text()) }

func (h Hook) command(place HookEnv) (proc.Command, error) {
	env := place.Env
	command := proc.Command{Dir: cmp.Or(env.Dir, place.Config), Environ: env.Environ}
	if info, err := os.Stat(command.Dir); err != nil || !info.IsDir() {
		command.Dir = string(filepath.Separator)
	}
	program, err := h.program(place)
	if err != nil {
		return command, err
	}
	command.Name, command.Args = program, h.Run[1:]
	if h.foreign != "" {
		command.Env = append(command.Env, "CLAUDE_PROJECT_DIR="+command.Dir)
	}
	if !h.Held {
		return place.markDistrusted(command)
	}
	env.Approved, env.Free = false, false // the user's approval of the call does not cover the hook
	cell, err := env.Jail()
	command.Jail = cell
	return command, err
}

// program returns the path of the hook's program. "~/NAME" is in the home directory, and a bare
// name is looked up on PATH. Any other relative path starts at the configuration directory.
func (h Hook) program(place HookEnv) (string, error) {
	name := h.Run[0]
	rest, home := strings.CutPrefix(name, "~/")
	switch {
	case home && place.Env.Home != "":
		return filepath.Join(place.Env.Home, rest), nil
	case filepath.IsAbs(name), !strings.ContainsAny(name, `/\`):
		return name, nil
	case place.Config == "":
		return "", errors.New("there is no home directory, so " + name + " cannot be found; give its full path")
	}
	return filepath.Join(place.Config, name), nil
}

// markDistrusted returns the command with an environment in which the project's writable
// directories are untrusted. It returns an error if the project can change the command's program or
// scripts. Programs in the configuration directory stay trusted even if the project contains the
// configuration directory. No tool writes to the configuration directory, and the sandbox hides it.
func (p HookEnv) markDistrusted(command proc.Command) (proc.Command, error) {
	trees := append(p.Env.Sandbox.Trees(), p.Env.Root, p.Env.Dir)
	everything := tools.Distrust(command.Environ, trees...)
	command.Environ = everything
	if p.inConfigDir(command.Name) {
		path, _ := proc.TrustedPath(everything)
		command.Env = append(command.Env, "PATH="+path)
		trees = slices.DeleteFunc(trees, func(tree string) bool { return below(p.Config, tree) })
		command.Environ = tools.Distrust(p.Env.Environ, trees...)
	}
	return command, p.distrust(command, everything)
}

// inConfigDir reports whether the file's path and its real path are both in the configuration
// directory.
func (p HookEnv) inConfigDir(file string) bool {
	real, err := filepath.EvalSymlinks(file)
	config, missing := filepath.EvalSymlinks(p.Config)
	return err == nil && missing == nil && below(file, p.Config) && below(real, config)
}

func below(path, dir string) bool {
	within, err := filepath.Rel(dir, path)
	return err == nil && dir != "" && filepath.IsLocal(within)
}

// distrust returns an error if the command line contains the path of a file that the project can
// change.
func (p HookEnv) distrust(command proc.Command, everything []string) error {
	for _, word := range append([]string{command.Name}, command.Args...) {
		if !strings.ContainsAny(word, `/\`) {
			continue
		}
		file := word
		if !filepath.IsAbs(file) {
			file = filepath.Join(command.Dir, file)
		}
		if info, err := os.Stat(file); err != nil || info.IsDir() || p.inConfigDir(file) {
			continue
		}
		if _, err := proc.Find(file, everything); errors.Is(err, proc.ErrNotFound) {
			return fmt.Errorf("%s is in a directory where this project can write, so the project may have changed it; move it to the directory of config.yaml, or add \"sandbox: true\" to the hook", file)
		}
	}
	return nil
}

func (h Hook) post(ctx context.Context, place HookEnv, told []byte) ending {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(told))
	if err != nil {
		return ending{err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	if place.Client == nil {
		return ending{err: errors.New("hooks with a URL do not work here")}
	}
	response, err := place.Client.Do(request)
	if err != nil {
		return ending{err: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer+1))
	switch {
	case err != nil:
		return ending{err: fmt.Errorf("its answer broke off: %w", err)}
	case len(body) > mostAnswer:
		return ending{err: errTooMuch}
	case response.StatusCode/100 != 2:
		return ending{err: fmt.Errorf("it answers %s", response.Status)}
	}
	return ending{stdout: body}
}
