// Package envvar reads an environment, a list of NAME=value: the one way in which the
// tools look a variable up, and what a Marvin is told by the one that called it.
package envvar

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// The variables by which a Marvin tells those that it starts what they may do.
const (
	DepthName    = "MARVIN_DEPTH"
	ReadOnlyName = "MARVIN_READONLY"
)

// Lookup returns the value of a variable, "" if there is none. The last assignment
// counts, as it does for a child.
func Lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if found, value, ok := strings.Cut(environ[i], "="); ok && name != "" && SameName(found, name) {
			return value
		}
	}
	return ""
}

// SameName compares names as the system does: Windows has Path.
func SameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// Depth is how many Marvins called one another to get here. What is no number counts as
// one, because somebody wanted to say something.
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

// ReadOnly says whether tools that write are off. What means neither yes nor no is an
// error, and yes for those who go on.
func ReadOnly(environ []string) (bool, error) {
	text := Lookup(environ, ReadOnlyName)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off", "":
		return false, nil
	}
	return true, fmt.Errorf("%s=%q means neither yes nor no; set it to 1 or 0", ReadOnlyName, text)
}

// ForChild is what a Marvin that this one starts is told.
func ForChild(environ []string) []string {
	told := []string{DepthName + "=" + strconv.Itoa(Depth(environ)+1)}
	if on, _ := ReadOnly(environ); on {
		told = append(told, ReadOnlyName+"=1")
	}
	return told
}
