package github

import (
	"path/filepath"
	"strings"
	"testing"
)

// Both parts of a name become directory names and arguments of git.
func FuzzRepository(f *testing.F) {
	for _, text := range []string{"golang/go", "https://github.com/golang/go.git?x#y", "git@github.com:a/b", "../..", "-o/x", "a/--upload-pack=x", "github.com/a/b/tree/main", "a/.git"} {
		f.Add(text, "owner")
	}
	f.Fuzz(func(t *testing.T, text, owner string) {
		found, err := parse(text, owner)
		if err != nil {
			return
		}
		if !filepath.IsLocal(found.String()) || strings.Count(found.String(), "/") != 1 || found.owner[0] == '-' || strings.ContainsAny(found.String(), " \\\n\x00:@?#") {
			t.Errorf("%q, %q is %q", text, owner, found)
		}
	})
}
