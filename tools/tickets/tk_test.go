package tickets

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWordsAreSplitAsByAShellThatExpandsNothing(t *testing.T) {
	for line, want := range map[string][]string{
		"":                             nil,
		"show  m-1":                    {"show", "m-1"},
		`create "It's $5 & $(rm x)"`:   {"create", "It's $5 & $(rm x)"},
		`a 'b "c" \n' d\ e ""`:         {"a", `b "c" \n`, "d e", ""},
		`"say \"hi\" \n \\"`:           {`say "hi" \n \`},
		"ls --tag=\"two words\"":       {"ls", "--tag=two words"},
		"add-note m-1 '|' \"zwölf 🐟\"": {"add-note", "m-1", "|", "zwölf 🐟"},
	} {
		got, err := splitWords(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{`show "m-1`, "ls | head", "start m-1 && close m-2", "ls ; rm x"} {
		if got, err := splitWords(line); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestFirstCreateOfAConversationIsTurnedBack(t *testing.T) {
	p := newProject(t)
	p.env.Compact = func() {} // set only in a conversation
	p.expect("tk", in{"args": "ls"}, "There are no tickets…")
	p.expect("tk", in{"args": `create "A title"`}, "Error: nothing was created: in every conversation, Marvin rejects the first \"tk create\"…")
	p.expect("tk", in{"args": `create "A title" -d "status: what
it is" -t epic -p 1 --tags a,b --acceptance "It works"`}, "Created mtt-…")
	made, _ := filepath.Glob(filepath.Join(p.dir, ".tickets/*.md"))
	if len(made) != 1 {
		t.Fatalf("made %v", made)
	}
	want := "type: epic\npriority: 1\nassignee: kmd\ntags: [a, b]\n---\n# A title\n\n status: what\nit is\n\n## Acceptance Criteria\n\nIt works\n\n"
	if content, err := os.ReadFile(made[0]); err != nil || !strings.HasSuffix(string(content), want) {
		t.Errorf("%s, %v", content, err)
	}
}

// Each `marvin tool tk args='create …'` is a separate process.
func TestCreateThatUserTypesIsDone(t *testing.T) {
	p := newProject(t)
	p.expect("tk", in{"args": `create "A title" -d "what is wanted"`}, "Created mtt-…")
	if made, _ := filepath.Glob(filepath.Join(p.dir, ".tickets/*.md")); len(made) != 1 {
		t.Errorf("made %v", made)
	}
}

func TestTkWorksWhereItIsNotInstalled(t *testing.T) {
	p := newProject(t)
	p.ticket("m-1", "open", "m-2", "tags: [x]\n")
	p.ticket("m-2", "open", "", "")
	for _, step := range [][2]string{
		{"tk ready", "m-2      [open] - The m-2"},
		{"blocked", "m-1      [open] - The m-1 <- [m-2]"},
		{"ls -T x", "m-1      [open] - The m-1 <- [m-2]"},
		{"dep-tree m-1", "m-1 [open] The m-1\n└── m-2 [open] The m-2"},
		{"start 2", "Updated m-2 -> in_progress"},
		{"close 2", "Updated m-2 -> closed"},
		{"ls --status=closed", "m-2      [closed] - The m-2"},
		{"reopen 2", "Updated m-2 -> open"},
		{"dep m-2 m-1", "Error: m-2 cannot wait for m-1…"},
		{`add-note m-1 "a note"`, "Note added to m-1"},
		{"show m-2", "---\nid: m-2…"},
		{"query .id", "Error: tk is not installed, and \"query .id\" needs it…"},
		{"ls --status", "Error: tk ls: --status has no value"},
		{"", "Error: the call gives no command for tk…"},
	} {
		p.expect("tk", in{"args": step[0]}, step[1])
	}
}

func TestTkItselfRunsWhereItIsInstalled(t *testing.T) {
	p := newProject(t)
	bin := t.TempDir()
	p.write("tk", "#!/bin/sh\nif [ \"$1\" = fail ]; then echo 'Error: no such thing' >&2; exit 1; fi\npwd\nfor arg in \"$@\"; do echo \"<$arg>\"; done\nhead -c 3 | wc -c\n")
	if err := errors.Join(os.Rename(filepath.Join(p.dir, "tk"), filepath.Join(bin, "tk")), os.Chmod(filepath.Join(bin, "tk"), 0o755)); err != nil {
		t.Fatal(err)
	}
	p.env.Environ = []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
	p.expect("tk", in{"args": `add-note m-1 "two  words; $HOME" ''`}, p.dir+"\n<add-note>\n<m-1>\n<two  words; $HOME>\n<>\n0\n")
	p.expect("tk", in{"args": "dep-tree m-1"}, p.dir+"\n<dep>\n<tree>\n<m-1>\n0\n")
	p.expect("tk", in{"args": "fail"}, "Error: tk fail: exit code 1: Error: no such thing\ntk help lists its commands.")
}
