package tools

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"marvin/tools/internal/keys"
	"marvin/tools/internal/params"
	"marvin/tools/internal/proc"
)

// keyTime is the time limit for a program that reads or stores a key. It includes the time to
// unlock the keyring.
const keyTime = 10 * time.Second

// largestKey is the maximum length of a key in bytes. Real keys are shorter than 300 bytes.
const largestKey = 4096

// KeyAt returns the key from a source, which is file:PATH, keyring:NAME or !command. The error
// never contains the key.
func KeyAt(ctx context.Context, environ []string, home, source string) (string, error) {
	switch {
	case strings.HasPrefix(source, "file:"):
		return keyInFile(home, strings.TrimPrefix(source, "file:"))
	case strings.HasPrefix(source, "keyring:"):
		return keyInRing(ctx, environ, home, strings.TrimPrefix(source, "keyring:"))
	case strings.HasPrefix(source, "!"):
		return keyFrom(ctx, proc.Command{Shell: strings.TrimPrefix(source, "!"), Dir: safeDir(home), Environ: environ, Env: Trusted(environ), Unattended: true})
	}
	return "", errors.New("a key must be given as $NAME, file:PATH, keyring:NAME or !command")
}

func safeDir(home string) string {
	if home == "" {
		return "/"
	}
	return home
}

func keyInFile(home, path string) (string, error) {
	if rest, below := strings.CutPrefix(path, "~/"); below {
		path = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s is a relative path; write ~/… or /…", path)
	}
	text, problem := keys.ReadFile(path)
	if problem != "" {
		return "", fmt.Errorf("%s %s", path, problem)
	}
	return text, nil
}

func key(text string) (string, error) {
	switch text = strings.TrimSpace(text); {
	case text == "":
		return "", errors.New("nothing is there")
	case len(text) > largestKey:
		return "", errors.New("the content is too long for a key")
	}
	return text, nil
}

// ringPrograms are the programs that read keys from a system's keyring and store keys in it.
var ringPrograms = []struct {
	name     string
	ask, put func(name string) []string
}{
	{
		"secret-tool", func(name string) []string { return []string{"lookup", "service", "marvin", "account", name} },
		func(name string) []string {
			return []string{"store", "--label=Marvin: " + name, "service", "marvin", "account", name}
		},
	},
	{"security", func(name string) []string { return []string{"find-generic-password", "-s", "marvin", "-a", name, "-w"} }, nil},
}

var errNoRing = errors.New("no program for the system's keyring is installed; install libsecret-tools, or use $NAME or file:PATH")

func keyInRing(ctx context.Context, environ []string, home, name string) (string, error) {
	for _, program := range ringPrograms {
		if path, err := proc.Find(program.name, environ); err == nil {
			found, err := keyFrom(ctx, proc.Command{Name: path, Args: program.ask(name), Dir: safeDir(home), Environ: environ, Env: Trusted(environ), Unattended: true})
			var failed *exitError
			switch {
			case errors.As(err, &failed) && failed.said != "": // secret-tool prints nothing if it has no entry
				return "", fmt.Errorf("the keyring does not answer (%s)", failed.said)
			case err != nil:
				return "", fmt.Errorf("the keyring has no entry for marvin under %s (%w)", name, err)
			}
			return found, nil
		}
	}
	return "", errNoRing
}

// KeepKey stores a key in the system's keyring.
func KeepKey(ctx context.Context, environ []string, home, name, secret string) error {
	program := ringPrograms[0]
	path, err := proc.Find(program.name, environ)
	if err != nil {
		return errNoRing
	}
	_, err = runFor(ctx, proc.Command{Name: path, Args: program.put(name), Dir: safeDir(home), Environ: environ, Env: Trusted(environ), Stdin: secret, Unattended: true})
	if failed, ok := errors.AsType[*exitError](err); ok && failed.said != "" {
		return fmt.Errorf("the keyring did not store the key (%s)", failed.said)
	}
	return err
}

// keyFrom returns the key that a program prints.
func keyFrom(ctx context.Context, command proc.Command) (string, error) {
	text, err := runFor(ctx, command)
	if err != nil {
		return "", err
	}
	return key(text)
}

func runFor(ctx context.Context, command proc.Command) (string, error) {
	ctx, stop := context.WithTimeoutCause(ctx, keyTime, fmt.Errorf("it took longer than %s", keyTime))
	defer stop()
	result, err := proc.Run(ctx, command)
	switch {
	case err != nil:
		return "", err
	case result.ExitCode != 0:
		said, _, _ := strings.Cut(strings.TrimSpace(result.Stderr.Text()), "\n")
		return "", &exitError{code: result.ExitCode, said: Visible(params.Clip(said, 200))}
	}
	return result.Stdout.Text(), nil
}

// exitError means that a program failed. The error's text omits the program's output, which may
// contain a key.
type exitError struct {
	code int
	said string
}

func (e *exitError) Error() string { return fmt.Sprintf("it ended with exit code %d", e.code) }
