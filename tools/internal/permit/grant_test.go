package permit

import (
	"strings"
	"testing"
)

func scopeOf(line string) Scope {
	return ScopeOf(Call{Tool: "run_command", Command: &line, Asks: true}, home)
}

func TestAGrantIsAsNarrowAsItsWords(t *testing.T) {
	for line, want := range map[string]string{
		"git status":                  "all `git status …` commands",
		"git status -s --branch":      "all `git status …` commands",
		"go vet ./... && go test ./x": "all `go vet …` commands, all `go test …` commands",
		"npm run build -- --watch":    "all `npm run build …` commands",
		"ls -la":                      "all `ls …` commands",
		"make test":                   "all `make test …` commands",
		"python3 tools/gen.py --all":  "all `python3 tools/gen.py …` commands",
		"python3 -m pytest -q":        "all `python3 -m pytest …` commands",
		"cd sub && go test ./...":     "all `cd sub …` commands, all `go test …` commands",
		"go test ./... || true":       "all `go test …` commands",
		"go test ./... | tail -5":     "all `go test …` commands, all `tail …` commands",
		"make":                        "exactly this command",
		"git -C /x status":            "exactly this command",
		"python3 -c 'print(1)'":       "exactly this command",
		"bash -c ls":                  "exactly this command",
		"env X=1 ls":                  "exactly this command",
		"timeout 5 ls":                "exactly this command",
		"find . -exec ls {} +":        "exactly this command",
		"uv run x.py":                 "exactly this command",
		"X=1 go test":                 "exactly this command",
		"go test > out":               "exactly this command",
		"ls *.go":                     "exactly this command",
		"echo $HOME_OF_IT":            "exactly this command",
		"sudo ls":                     "exactly this command",
		"a 1; b 2; c 3; d 4":          "exactly this command",
		"echo $(":                     "exactly this command",
		"`ls`":                        "exactly this command",
		"\"git status\"":              "exactly this command",
		"f() { ls; }; f":              "all `ls …` commands, all `f …` commands",
		"cat <<< text":                "exactly this command",
	} {
		scope := scopeOf(line)
		grants := scope.OfferedGrants()
		var words []string
		for _, grant := range grants {
			words = append(words, grant.String())
		}
		if got := strings.Join(words, ", "); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
		if !Covers(grants, scope) {
			t.Errorf("%s is not covered by its own grant", line)
		}
	}
}

// A grant by leading words covers a command only if it covers each of its parts.
func TestAGrantCoversEachPartOrNothing(t *testing.T) {
	grants := append(scopeOf("git status").OfferedGrants(), scopeOf("go test ./...").OfferedGrants()...)
	grants = append(grants, scopeOf("ls > out").OfferedGrants()...)
	for line, want := range map[string]bool{
		"git status":                       true,
		"git   'status' -s":                true,
		"git status; go test -run X ./...": true,
		"git status || true":               true,
		"(git status)":                     true,
		"ls > out":                         true,
		"ls > other":                       false,
		"git statusx":                      false,
		"git stash":                        false,
		"git -c a=b status":                false,
		"./git status":                     false,
		"git status; touch x":              false,
		"git status && git push":           false,
		"git status & touch x":             false,
		"git status\ntouch x":              false,
		"git status | sh":                  false,
		"git status > x":                   false,
		"git status $(touch x)":            false,
		"git status `touch x`":             false,
		"git status <(touch x)":            false,
		"git status $X":                    false,
		"X=1 git status":                   false,
		"git() { touch x; }; git status":   false,
		"\"git status\"":                   false,
		"env git status":                   false,
		"bash -c 'git status'":             false,
		"go test -exec 'touch x' ./...":    false,
		"":                                 false,
	} {
		if got := Covers(grants, scopeOf(line)); got != want {
			t.Errorf("%q: covered is %v", line, got)
		}
	}
	elsewhere := home
	elsewhere.Dir = "/elsewhere"
	line := "ls > out"
	if Covers(grants, ScopeOf(Call{Tool: "run_command", Command: &line}, elsewhere)) {
		t.Error("this very line is covered in another directory")
	}
	if other := (Scope{Tool: "write_note"}); Covers(grants, other) || !Covers(other.OfferedGrants(), other) || Covers(other.OfferedGrants(), scopeOf("ls")) {
		t.Error("a tool is covered by a grant for another one")
	}
}

// Additional text in a line never makes it covered.
func FuzzGrants(f *testing.F) {
	for _, one := range corpus(f) {
		f.Add(one.line)
	}
	grants := append(scopeOf("git status").OfferedGrants(), scopeOf("ls").OfferedGrants()...)
	f.Fuzz(func(t *testing.T, line string) {
		if Covers(grants, scopeOf(line+"\n\ntouch marker")) {
			t.Errorf("%q is covered with more after it", line)
		}
	})
}

// An "always" does not cover options that write a file or start another program.
func TestAnAlwaysCoversNoOptionThatStartsSomethingElse(t *testing.T) {
	for seen, later := range map[string][]string{
		"make all":         {"make all -f evil.mk", "make all CC=./evil", "make all --file=evil.mk", "make all SHELL=./evil"},
		"npm run build":    {"npm run build --script-shell=./x", "npm run build --script-shell ./x"},
		"find . -name a":   {"find . -fprintf out x", "find . -delete"},
		"sed -n 1p a":      {"sed 'w out' a", "sed '1e ls' a", "sed -f x a"},
		"sort a":           {"sort -o a a"},
		"git status; true": {"git status --short > x"},
	} {
		grants := scopeOf(seen).OfferedGrants()
		for _, line := range later {
			if Covers(grants, scopeOf(line)) {
				t.Errorf("always for %s covers %s", seen, line)
			}
		}
	}
	if !Covers(scopeOf("make all").OfferedGrants(), scopeOf("make all -j4 CC=clang")) || !Covers(scopeOf("sed -i s/a/b/ a").OfferedGrants(), scopeOf("sed -i s/c/d/ b")) {
		t.Error("an always covers less than it says")
	}
}
