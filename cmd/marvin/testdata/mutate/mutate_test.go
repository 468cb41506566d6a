package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// module is a program with one test that looks at half of it.
var module = map[string]string{
	"go.mod": "module example\n\ngo 1.24\n",
	"sum/sum.go": `package sum

import "errors"

// Up adds the numbers from 1.
func Up(last int) (total int, err error) {
	if last < 0 {
		return 0, errors.New("negative")
	}
	total += last * (last + 1) / 2
	return total, nil
}

// Log is looked at by nobody.
func Log(lines []string, line string) []string {
	if len(lines) > 100 {
		lines = lines[1:]
	}
	return append(lines, line)
}
`,
	"sum/sum_test.go": `package sum

import "testing"

func TestUp(t *testing.T) {
	for last, want := range map[int]int{1: 1, 2: 3} {
		if got, err := Up(last); got != want || err != nil {
			t.Errorf("%d: %d, %v", last, got, err)
		}
	}
	if _, err := Up(-1); err == nil {
		t.Error("no error")
	}
}
`,
	"user/user.go":      "package user\n\nimport \"example/sum\"\n\n// Keep keeps a line.\nfunc Keep(lines []string, line string) []string { return sum.Log(lines, line) }\n",
	"user/user_test.go": "package user\n\nimport \"testing\"\n\nfunc TestKeep(t *testing.T) {\n\tif got := Keep(nil, \"a\"); len(got) != 1 {\n\t\tt.Error(got)\n\t}\n}\n",
}

func inModule(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// tried is what is said of all changes at one place.
func tried(t *testing.T, at string, users bool) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := mutate(options{at: at, users: users}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWhatATestNoticesAndWhatNone(t *testing.T) {
	inModule(t)
	for _, test := range []struct {
		at    string
		users bool
		want  []string
	}{
		{"sum/sum.go:8,sum/sum.go:10", false, []string{"2 of 2 changes were noticed"}}, // the error is forgotten, the sum dropped
		{"sum/sum.go:16", false, []string{"0 of 2 changes were noticed"}},              // nobody looks
		{"sum/sum.go:16", true, []string{"1 of 2 changes were noticed", "sum/sum.go:16: swap\n  - if len(lines) > 100 {\n  + if len(lines) >= 100 {"}},
	} {
		said := tried(t, test.at, test.users)
		for _, want := range test.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in\n%s", test.at, want, said)
			}
		}
	}
	source, err := os.ReadFile("sum/sum.go")
	if err != nil || string(source) != module["sum/sum.go"] {
		t.Errorf("the file was changed: %v\n%s", err, source)
	}
}

// The same seed is the same sample: what is found can be looked at again.
func TestTheSameSeedIsTheSameSample(t *testing.T) {
	inModule(t)
	found, err := list(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	order := func(seed uint64) (keys string) {
		changes, err := choose(found, options{seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes {
			keys += change.key() + "\n"
		}
		return keys
	}
	if first := order(1); first == "" || first != order(1) || first == order(2) {
		t.Errorf("the order of a seed:\n%s", first)
	}
}

// Helpers of tests are no part of a program: no test would notice that they changed.
func TestWhatOnlyTestsImportIsLeftOut(t *testing.T) {
	inModule(t)
	for path, text := range map[string]string{
		"cmd/main.go":         "package main\n\nimport \"example/sum\"\n\nfunc main() { _, _ = sum.Up(3) }\n",
		"sumtest/sumtest.go":  "package sumtest\n\n// Lines are some.\nfunc Lines() []string { return []string{\"a\"} }\n",
		"sum/outside_test.go": "package sum_test\n\nimport \"example/sumtest\"\n\nvar _ = sumtest.Lines()\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for want, patterns := range map[string][]string{"example/cmd example/sum": nil, "example/sumtest": {"./sumtest"}} {
		found, err := list(patterns, nil)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, one := range found.changed {
			paths = append(paths, one.path)
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%v changes %s, not %s", patterns, got, want)
		}
	}
}

func TestARowOfEquivalentsHasAReason(t *testing.T) {
	if _, err := readEquivalents(equivalentText); err != nil {
		t.Error(err)
	}
	if _, err := readEquivalents("a.go\tif x {\tif !(x) {\t\n"); err == nil {
		t.Error("a row without a reason was taken")
	}
}
