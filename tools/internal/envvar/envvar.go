// Package envvar looks up variables in an environment, which is a list of NAME=value strings. It
// also handles the restrictions that a Marvin process passes to its child processes.
package envvar

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// These environment variables pass restrictions to child processes.
const (
	DepthName    = "MARVIN_DEPTH"
	ReadOnlyName = "MARVIN_READONLY"
)

// Lookup returns the value of a variable, or "" if it is unset. The last assignment wins, as in a
// child process.
func Lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if found, value, ok := strings.Cut(environ[i], "="); ok && name != "" && SameName(found, name) {
			return value
		}
	}
	return ""
}

// SameName compares variable names. On Windows it ignores case, because Windows has Path instead of
// PATH.
func SameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// Depth returns the number of Marvin processes among the ancestors of the current process. If
// MARVIN_DEPTH is not a number, the result is 1.
func Depth(environ []string) int {
	text := strings.TrimSpace(Lookup(environ, DepthName))
	if text == "" {
		return 0
	}
	depth, err := strconv.Atoi(text)
	if err != nil {
		return 1
	}
	return max(0, depth)
}

// ReadOnly reports whether MARVIN_READONLY disables the tools that can write. For an invalid value,
// it returns true and an error.
func ReadOnly(environ []string) (bool, error) {
	text := Lookup(environ, ReadOnlyName)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off", "":
		return false, nil
	}
	return true, fmt.Errorf("%s=%q is neither yes nor no; set it to 1 or 0", ReadOnlyName, text)
}

// ForChild returns the variables that tell a child process about its restrictions.
func ForChild(environ []string) []string {
	told := []string{DepthName + "=" + strconv.Itoa(Depth(environ)+1)}
	if on, _ := ReadOnly(environ); on {
		told = append(told, ReadOnlyName+"=1")
	}
	return told
}
