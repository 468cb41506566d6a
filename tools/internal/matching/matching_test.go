package matching_test

import (
	"strings"
	"testing"

	"marvin/tools/internal/matching"
)

func TestAGlobMeansNamesOrPaths(t *testing.T) {
	for _, one := range []struct {
		glob, name string
		want       bool
	}{
		{"*.go", "src/a.go", true},
		{"*.go", "src/a.py", false},
		{"*.{ts,tsx}", "web/view.tsx", true},
		{"src/*.go", "src/a.go", true},
		{"src/*.go", "src/deep/a.go", false},
		{"src/*.go", "a.go", false},
		{"src/**/*.go", "src/very/deep/a.go", true},
		{"/a.go", "a.go", true},
		{"/a.go", "src/a.go", false},
		{"!*.md", "docs/a.md", false},
		{"!*.md", "docs/a.go", true},
		{"!docs/**", "docs/a.go", false},
		{"[", "a", false},
		{"[", "[", true},
		{"![", "a", true},
		{"src/", "src/deep/a.go", true},
		{"src", "src/a.go", true},
		{"src", "web/src/a.go", true},
		{"./src/**", "src/a.go", true},
		{"/src/**", "src/a.go", true},
		{"src", "source/a.go", false},
		{"lib/src", "lib/src/a.go", true},
		{"app/[locale]/**", "app/[locale]/page.tsx", true},
		{"[[...slug]].tsx", "app/[[...slug]].tsx", true},
		{"app/[locale]/*.{ts,tsx}", "app/[locale]/page.tsx", true},
		{"{id}.ts", "api/{id}.ts", true},
		{"[ab].go", "src/a.go", true},
	} {
		if got := matching.Glob(one.glob, one.name); got != one.want {
			t.Errorf("%s takes %s: %v", one.glob, one.name, got)
		}
	}
}

func TestInvalidPatternIsExplained(t *testing.T) {
	for _, glob := range []string{"", "*.go", "!*.go", "src/**/*.{py,pyi}", "[a-c]*"} {
		if err := matching.CheckGlob(glob); err != nil {
			t.Errorf("%q: %v", glob, err)
		}
	}
	for _, glob := range []string{`a\`} {
		if err := matching.CheckGlob(glob); err == nil || !strings.Contains(err.Error(), "glob_filter") || !strings.Contains(err.Error(), "*.{ts,tsx}") {
			t.Errorf("%q: %v", glob, err)
		}
	}
	err := matching.BadPattern("f(", "missing )")
	if !strings.Contains(err.Error(), "missing )") || !strings.Contains(err.Error(), `{"pattern": "f\\("}`) {
		t.Error(err)
	}
}
