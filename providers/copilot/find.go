package copilot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"marvin/providers"
)

// pathVar is the environment variable for the path of the CLI. If the variable is empty, Find
// searches PATH.
const pathVar = "COPILOT_CLI_PATH"

// Find returns the path of the Copilot CLI, from COPILOT_CLI_PATH or PATH. If that file is npm's
// start script, Find returns the native program, which needs neither node nor a second process.
// Relative entries of PATH are skipped, so that a project cannot provide its own CLI. The error
// wraps [providers.ErrUnavailable].
func Find(environ []string) (string, error) {
	if path := lookup(environ, pathVar); path != "" {
		if err := executable(path); err != nil {
			return "", fmt.Errorf("the Copilot CLI is %w: %s is set to %s: %w; set it to the path of the program, or unset it so that Marvin searches PATH",
				providers.ErrUnavailable, pathVar, path, err)
		}
		absolute, err := filepath.Abs(path) // the CLI is started in another directory
		return native(absolute), err
	}
	for _, dir := range filepath.SplitList(lookup(environ, "PATH")) {
		path := filepath.Join(dir, "copilot"+programEnding)
		if filepath.IsAbs(dir) && executable(path) == nil {
			return native(path), nil
		}
	}
	return "", fmt.Errorf("the Copilot CLI is %w: there is no copilot on PATH; install it with `npm install -g @github/copilot`, or set %s to its path",
		providers.ErrUnavailable, pathVar)
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		if wrapped, ok := errors.AsType[*fs.PathError](err); ok {
			return wrapped.Err
		}
		return err
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return errors.New("it is not a program")
	}
	return nil
}

// native locates the program that npm's start script would run. The program is inside or next to
// the script's package. If there is no such program, native returns path.
func native(path string) string {
	script, err := filepath.EvalSymlinks(path)
	if err != nil || !strings.HasSuffix(script, ".js") {
		return path
	}
	home := filepath.Dir(script)
	for _, platform := range platforms() {
		program := "copilot-" + platform + "-" + architecture()
		for _, dir := range []string{filepath.Dir(home), filepath.Join(home, "node_modules", "@github")} {
			candidate := filepath.Join(dir, program, "copilot"+programEnding)
			if executable(candidate) == nil {
				return candidate
			}
		}
	}
	return path
}

// platforms returns npm's possible names for this system, the most likely first. On Linux, the name
// depends on the C library.
func platforms() []string {
	switch runtime.GOOS {
	case "windows":
		return []string{"win32"}
	case "linux":
		if musl, _ := filepath.Glob("/lib/ld-musl-*"); len(musl) > 0 {
			return []string{"linuxmusl", "linux"}
		}
		return []string{"linux", "linuxmusl"}
	}
	return []string{runtime.GOOS}
}

func architecture() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

// lookup returns the value of an environment variable, or "" if it is unset. As in a child process,
// the last assignment wins.
func lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(environ[i], name+"="); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
