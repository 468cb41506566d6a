// Package matching holds what file searches share: the meaning of globs, and the error for an
// invalid pattern.
package matching

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"marvin/tools"
)

// Small limits rg's memory: its own limits are 100 MB for a pattern and 1 GB for its cache. Normal
// patterns need 100 KB.
var Small = []string{"--regex-size-limit=10M", "--dfa-size-limit=10M"}

// CheckGlob explains what is wrong with the parameter glob_filter. Brackets and braces that
// make no glob are taken as they are, since names of files have them.
func CheckGlob(glob string) error {
	if strings.HasSuffix(glob, `\`) {
		return tools.Advise(fmt.Errorf("glob_filter %q ends with a backslash", glob), "Examples: *.go, *.{ts,tsx}, src/**/*.py")
	}
	return nil
}

// Valid is a glob that every program takes: one whose brackets or braces make no glob has them
// as they are in names.
func Valid(glob string) string {
	if doublestar.ValidatePattern(strings.TrimPrefix(glob, "!")) {
		return glob
	}
	return literalBrackets.Replace(literalBraces.Replace(glob))
}

// Clean is a glob without what says only that it begins in the directory: ./ and /.
func Clean(glob string) string {
	glob, except := strings.CutPrefix(glob, "!")
	for strings.HasPrefix(glob, "./") {
		glob = strings.TrimPrefix(glob, "./")
	}
	if rooted, ok := strings.CutPrefix(glob, "/"); ok && !strings.Contains(rooted, "/") {
		glob = "./" + rooted // of the directory itself, not of any below
	} else {
		glob = rooted
	}
	if except {
		return "!" + glob
	}
	return glob
}

// GlobFrom is [Glob] of a file that a search found which began in start: a path counts from
// there or from the working directory.
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

// Glob says whether a file passes a glob. Without a slash the glob is about the name,
// with one about the path from where the search begins. One that matches a directory passes
// all files below it. Brackets and braces also match themselves, because frameworks name
// files [slug].tsx and {id}.ts. Behind ! the glob is about all other files.
func Glob(glob, name string) bool {
	glob, except := strings.CutPrefix(glob, "!")
	return matches(strings.TrimSuffix(Clean(glob), "/"), name, strings.HasSuffix(glob, "/")) != except
}

// matches is Glob without the exception; inside wants a directory of that name.
func matches(glob, name string, inside bool) bool {
	whole := strings.Contains(glob, "/")
	glob = strings.TrimPrefix(glob, "./")
	if glob == "" {
		return true
	}
	for _, form := range forms(glob) {
		switch {
		case whole && !inside && match(form, name), whole && match(form+"/**", name) && name != form:
			return true
		case whole:
			continue
		case !inside && match(form, path.Base(name)):
			return true
		}
		if wild := strings.ContainsAny(glob, "*?"); !wild || inside {
			for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
				if match(form, path.Base(dir)) {
					return true
				}
			}
		}
	}
	return false
}

// forms are the meanings of a glob: its brackets and braces as a glob has them, and as they
// are in a name.
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

// BadPattern explains a pattern that is no regular expression.
func BadPattern(pattern, reason string) error {
	if at := strings.LastIndex(reason, "error: "); at >= 0 { // rg draws the pattern, which is known
		reason = strings.TrimSpace(reason[at+len("error: "):])
	}
	return tools.Advise(fmt.Errorf("the pattern is not a regular expression: %s", reason),
		"To search for the text itself, escape it: {\"pattern\": %q}", regexp.QuoteMeta(pattern))
}
