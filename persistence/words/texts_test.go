package words

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// heads are texts at the edges of valid front matter.
var heads = []string{
	"", "text", "---\n", "---\n---\nbody", "---\nname: a\n---\nbody\n---\n", "---\nname: a\n---", "---\nname: a\n----- \t\nbody", "---\nname: a\n---x\nbody", "---\nname: a\n\n", " ---\nname: a\n---\n",
	"---\nname:  a b \ndescription: two   words\tof it\nargument-hint: '[file]'\nmodel: \"m\"\npermissionMode: read-only\n---\n",
	"---\nglobs: '*.go, {a,b}/**, [c,d]'\ntriggers:\n  - one\n  - ''\n  - 2\n  - true\n  - 1.5\nalwaysApply: true\n---\n",
	"---\npaths: [a.go, b.go]\nalways: no\nallowed_tools: Bash(git add:*, ls), read_file\ndisable-model-invocation: true\n---\n", "---\ntools:\nhide: 1\nalways: x\n---\n", "---\ntools: []\nALLOWED-TOOLS: grep\n---\n",
	"---\nname: &a x\ndescription: *a\n---\n", "---\nname: R & D & more\n---\n", "---\nname: [a\ndescription: b: c\n- d\n---\n", "---\n# comment\nname: a # not it\n1: number\nnested:\n  name: b\n---\n", "---\nname: a\n" + "x: " + strings.Repeat("[", 101) + "\n---\n",
	"---\ndescription: |\n  two\n  lines\nname: 'it''s'\napplyTo: \"**\"\n---\n", "---\nname\n---\n", "---\ndescription: é  ü\n---\n", "---\r\nname: a\r\n---\r\n",
}

func TestFrontMatterTexts(t *testing.T) {
	var all strings.Builder
	for _, text := range heads {
		front, body := split(text)
		said, err := json.Marshal(readHead(front))
		fmt.Fprintf(&all, "%q: head %q, body %q, %s, %v\n", text, front, body, said, err)
	}
	dir := t.TempDir()
	for _, name := range []string{"main.go", "a b.txt", "docs/x.md", "odd:3"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		"", "@main.go", "see @main.go.", "see @main.go:10-20, @main.go#L3-L4 and (@main.go)", "@docs @docs/ @docs/x.md:0 @docs:3", "a@main.go", "`@main.go` ``@main.go` @docs`` @main.go`", "@a\\ b.txt @a b.txt", "@main.go:5-3 @main.go:x @main.go:5- @:3 @#3 @odd:3 @odd:3:4",
		"@../x @/etc/passwd @~/x @./main.go @docs/../main.go @none", "```\n@main.go\n```\n@docs\n~~~~\n```\n~~~\n@main.go\n~~~~\n@docs/x.md", "> ```\n> @main.go\n> ```\n@main.go", "@", "@ main.go", "@main.go\t@docs", "!`git status` and !`` and !` x ` and !`open", "!`a` @main.go !`b`\n```\n!`c`\n```",
	} {
		mentions := Mentions(text, dir)
		for i := range mentions {
			if mentions[i].Dir { // what a directory has differs from disk to disk
				mentions[i].Size = 0
			}
		}
		fmt.Fprintf(&all, "%q: mentions %+v; tokens %q; parts %+v; without %+v\n", text, mentions, mentionedPaths(text), partsOf(text, dir), partsOf(text, ""))
	}
	for _, text := range []string{"", "do $1", "$ARGUMENTS!", "${ARGUMENTS} $@ $2$1 $10 $1a $0 $9 $", "nothing"} {
		for _, given := range []string{"", " ", "a", "a  'b c' \"d\"", "it's \"a b\"c 'd", "$1 !`ls` @main.go", "''", "é\tü\n"} {
			got, parts := Expand(text, given, dir)
			fmt.Fprintf(&all, "%q of %q: %q %+v; fields %q\n", text, given, got, parts, fields(given))
		}
	}
	for _, text := range []string{"", "a", "<!-- x -->", "a\n<!-- x\ny -->\nb\n", " <!-- x --> rest\nb", "a <!-- x -->\n", "<!-- open\n", "```\n<!-- x -->\n```\n<!-- y -->\n", "<!-- a --><!-- b -->\n<!-- c -->\n"} {
		rest, count := removeComments(text)
		fmt.Fprintf(&all, "%q uncommented: %q, %d\n", text, rest, count)
	}
	for _, text := range []string{"", "Deploy now", "redeploy", "deploy_x deploy", "déploy", "deployé. deploy!", "2deploy deploy2", "a tests b", "日deploy"} {
		fmt.Fprintf(&all, "%q says deploy %v, nothing %v, either %v\n", text, containsWord(text, []string{" DEPLOY "}), containsWord(text, []string{"", " "}), containsWord(text, []string{"x", "tests"}))
	}
	for _, name := range []string{"", "a", "a.b", ".a", "-a", "a b", "é:1", "a/b", "1", "_a", "a_"} {
		fmt.Fprintf(&all, "%q well named %v, first line %q\n", name, wellNamed(name), firstLine("\n# "+name+strings.Repeat("é", 58)+"\nx"))
	}
	for _, pattern := range []string{"docs", "docs/*", "docs/**", "*.md", ".github", "a/b"} {
		for _, name := range []string{"docs", "docs/x.md", "y/docs/x.md", "x.md", ".github/a/b.md", "a/b/c", "/abs/docs", ".", ""} {
			if isNamed(pattern, name) {
				fmt.Fprintf(&all, "%q is meant by %q\n", name, pattern)
			}
		}
	}
	for _, each := range [][3]string{{"", "a", ""}, {"/", "a", ""}, {"/x", ".", ""}, {"/x", "a/b", ""}, {"/x/", "../a", ""}} {
		fmt.Fprintf(&all, "%q and %q joined: %q\n", each[0], each[1], joined(each[0], each[1]))
	}
	for _, sizes := range [][]int{nil, {5}, {5, 5}, {1, 5, 9}, {0, 0}} {
		for _, budget := range []int{-1, 0, 1, 5, 9, 10, 11, 14, 15, 16} {
			fmt.Fprintf(&all, "%v in %d: %d\n", sizes, budget, largestCut(sizes, budget))
		}
	}
	for _, text := range []string{"", "é日a", "one\ntwo\nthree\n", "abcdefgh\nij"} {
		for limit := range len(text) + 2 {
			fmt.Fprintf(&all, "%q cut at %d: %q\n", text, limit, beginning(text, limit))
		}
	}
	goldentest.Assert(t, "texts.golden", strings.ReplaceAll(all.String(), dir, "DIR"), os.Getenv("UPDATE_GOLDEN") != "")
}
