// Package envvar reads environments, which are lists of NAME=value. All tools look up variables
// with it. It also reads the restrictions that one Marvin passes to another.
package envvar

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// Variables by which a Marvin passes restrictions to the programs that it starts.
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

// SameName compares names as the system does, because Windows ignores case and has Path instead of
// PATH.
func SameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// Depth returns how many Marvins are above this one: its parent, the parent of that one, and so on.
// It returns 1 for an invalid value.
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

// ReadOnly reports whether the tools that can write are disabled. For an invalid value it returns
// true and an error.
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

// ForChild returns the variables for another Marvin that this process starts.
func ForChild(environ []string) []string {
	told := []string{DepthName + "=" + strconv.Itoa(Depth(environ)+1)}
	if on, _ := ReadOnly(environ); on {
		told = append(told, ReadOnlyName+"=1")
	}
	return told
}
