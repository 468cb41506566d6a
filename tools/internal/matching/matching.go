// Package matching contains the code that all file searches share. It matches globs, and returns
// the error for an invalid pattern.
package matching

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"marvin/tools"
)

// MemoryLimits lists the options that limit rg's memory. By default, rg allows 100 MB per pattern
// and a cache of 1 GB. Typical patterns need 100 KB.
var MemoryLimits = []string{"--regex-size-limit=10M", "--dfa-size-limit=10M"}

// CheckGlob returns an error for a glob that ends with a backslash. It accepts all brackets and
// braces, because file names can contain them.
func CheckGlob(glob string) error {
	if strings.HasSuffix(glob, `\`) {
		return tools.Advise(fmt.Errorf("glob_filter %q ends with a backslash", glob), "Examples: *.go, *.{ts,tsx}, src/**/*.py")
	}
	return nil
}

// Valid makes an invalid glob acceptable to every program by escaping its brackets and braces. It
// returns a valid glob unchanged.
func Valid(glob string) string {
	if doublestar.ValidatePattern(strings.TrimPrefix(glob, "!")) {
		return glob
	}
	return literalBrackets.Replace(literalBraces.Replace(glob))
}

// Clean removes a leading "./" or "/" from a glob, because globs are relative to the directory of
// the search. But "/name" becomes "./name", because "name" would match in every directory.
func Clean(glob string) string {
	glob, except := strings.CutPrefix(glob, "!")
	for strings.HasPrefix(glob, "./") {
		glob = strings.TrimPrefix(glob, "./")
	}
	if rooted, ok := strings.CutPrefix(glob, "/"); ok && !strings.Contains(rooted, "/") {
		glob = "./" + rooted
	} else {
		glob = rooted
	}
	if except {
		return "!" + glob
	}
	return glob
}

// GlobFrom is like [Glob], but the glob can also be relative to start, the directory in which the
// search began.
func GlobFrom(glob, start, name string) bool {
	below := strings.TrimPrefix(name, start+"/")
	if start == "." || below == name {
		return Glob(glob, name)
	}
	if strings.HasPrefix(glob, "!") {
		return Glob(glob, name) && Glob(glob, below)
	}
	return Glob(glob, name) || Glob(glob, below)
}

// Glob reports whether a glob matches a file name or a directory above the file. A glob such as
// "a/b" is compared with the whole path. A glob such as "b" or "b/" is compared with the last
// element of the path. A glob that ends with a slash matches only directories. A glob that contains
// "*" or "?" but no slash matches only files. Brackets and braces also match themselves, because
// frameworks name files "[slug].tsx" and "{id}.ts". A leading "!" negates the glob.
func Glob(glob, name string) bool {
	glob, except := strings.CutPrefix(glob, "!")
	return matches(strings.TrimSuffix(Clean(glob), "/"), name, strings.HasSuffix(glob, "/")) != except
}

// matches implements [Glob] for globs without a leading "!". If dirOnly is true, the glob must
// match a directory that contains the file.
func matches(glob, name string, dirOnly bool) bool {
	whole := strings.Contains(glob, "/")
	glob = strings.TrimPrefix(glob, "./")
	if glob == "" {
		return true
	}
	for _, form := range forms(glob) {
		switch {
		case whole && !dirOnly && match(form, name), whole && match(form+"/**", name) && name != form:
			return true
		case whole:
			continue
		case !dirOnly && match(form, path.Base(name)):
			return true
		}
		if wild := strings.ContainsAny(glob, "*?"); !wild || dirOnly {
			for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
				if match(form, path.Base(dir)) {
					return true
				}
			}
		}
	}
	return false
}

// forms returns the possible meanings of a glob. A bracket or brace is an operator in one meaning,
// and part of a file name in another.
func forms(glob string) []string {
	brackets, braces := strings.ContainsAny(glob, "[]"), strings.ContainsAny(glob, "{}")
	all := []string{glob}
	if brackets {
		all = append(all, literalBrackets.Replace(glob))
	}
	if braces {
		all = append(all, literalBraces.Replace(glob))
	}
	if brackets && braces {
		all = append(all, literalBrackets.Replace(literalBraces.Replace(glob)))
	}
	return all
}

var (
	literalBrackets = strings.NewReplacer("[", `\[`, "]", `\]`)
	literalBraces   = strings.NewReplacer("{", `\{`, "}", `\}`)
)

func match(glob, name string) bool {
	matched, err := doublestar.Match(glob, name)
	return err == nil && matched
}

// BadPattern returns the error for a pattern that is not a valid regular expression.
func BadPattern(pattern, reason string) error {
	if at := strings.LastIndex(reason, "error: "); at >= 0 { // rg repeats the pattern in its error, but the caller knows the pattern
		reason = strings.TrimSpace(reason[at+len("error: "):])
	}
	return tools.Advise(fmt.Errorf("the pattern is not a regular expression: %s", reason),
		"To search for the text itself, escape it: {\"pattern\": %q}", regexp.QuoteMeta(pattern))
}
