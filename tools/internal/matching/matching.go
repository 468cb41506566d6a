// Package matching says what searches of files have in common: which files a glob
// means, and what a model is told whose pattern is none.
package matching

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"marvin/tools"
)

// Small keep a pattern from making rg take a gigabyte: its own limits are 100 MB for a
// pattern and 1 GB for what it remembers of one. Patterns that people write need 100 KB.
var Small = []string{"--regex-size-limit=10M", "--dfa-size-limit=10M"}

// CheckGlob explains what is wrong with the parameter glob_filter.
func CheckGlob(glob string) error {
	if _, err := doublestar.Match(strings.TrimPrefix(glob, "!"), "x"); err != nil {
		return tools.Advise(fmt.Errorf("glob_filter %q: %w", glob, err), "Examples: *.go, *.{ts,tsx}, src/**/*.py")
	}
	return nil
}

// Glob says whether a file passes a glob. Without a slash the glob is about the name,
// with one about the path from where the search begins; behind ! it is about all others.
func Glob(glob, name string) bool {
	glob, except := strings.CutPrefix(glob, "!")
	if !strings.Contains(glob, "/") {
		name = path.Base(name)
	}
	matched, err := doublestar.Match(strings.TrimPrefix(glob, "/"), name)
	return err == nil && matched != except
}

// BadPattern explains a pattern that is no regular expression.
func BadPattern(pattern, reason string) error {
	if at := strings.LastIndex(reason, "error: "); at >= 0 { // rg draws the pattern, which is known
		reason = strings.TrimSpace(reason[at+len("error: "):])
	}
	return tools.Advise(fmt.Errorf("the pattern is not a regular expression: %s", reason),
		"To search for the text itself, escape it: {\"pattern\": %q}", regexp.QuoteMeta(pattern))
}
