package offline

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/providers"
)

// untested is a bench in a project without a test command.
type untested struct{ bench }

func (untested) TestCommand() string { return "" }

// shelfless is a bench on which no tool is found.
type shelfless struct{ bench }

func (shelfless) Find(string, int) []Tool { return nil }

func TestWholeAnswers(t *testing.T) {
	made := append(newBench(), Tool{Name: runCommand, Schema: []byte(`{"properties":{"command":{"type":"string"}},"required":["command"]}`), Writes: true, Examples: []string{"run {ls|command}"}})
	all := []providers.ToolSpec{{Name: findTools}}
	var each, two []providers.ToolSpec
	for i, tool := range made {
		each = append(each, providers.ToolSpec{Name: tool.Name})
		if i%4 == 0 {
			two = append(two, providers.ToolSpec{Name: tool.Name})
		}
	}
	before := []messages.Message{{Role: messages.User, Text: "go"}, {Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "1", Name: "set_working_dir"}}}, {Role: messages.Tool, Result: messages.ToolResult{Call: "1", Name: "set_working_dir", Text: "ok"}}, {Role: messages.Assistant, Text: "ok"}}
	var out strings.Builder
	for _, world := range []struct {
		name    string
		finder  Finder
		offered []providers.ToolSpec
		before  []messages.Message
		texts   []string
	}{
		{"everything", made, all, nil, []string{
			"help", "hilfe", "aide", "hello", "hallo", "bonjour", "thanks", "danke", "merci", "who are you", "xyzzy plugh", "ich möchte fliegen", "je voudrais voler", "", " ", "?", "run the tests", "führ die tests aus", "lance les tests",
			"wake me at 7 and show main.go", "remind me", "status", "Status", "status x", "show_lines", "show_lines path=main.go", "show_lines path=main.go start_line=3 ", `show_lines path="my file" end_line=4`, `show_lines path="my file`, "show_lines =x", "show_lines path", "show_lines other=1", "show_lines path=", `show_lines {"path":"a"}`, "show_lines {bad", "show_lines { }",
			`paint {"color":"red"}`, "paint color=red amount=2", "paint color='dark red' amount=2", "tree path=x", "broken", "broken a=b", "run ls -l", "run make test please", "run ls and then pwd", "run ls, please", "run the thing", "run", "$ ls", "! ls", "./run.sh now", "cmd/x -v", "ls -la", "git status", "go to the shop", "make me a cake", "execute \"rm -r x\"", "führe ls aus", "exécute ls", "run echo a und b",
		}},
		{"each by its name", made, each, nil, []string{"xyzzy", "run the tests", "show main.go", "help"}},
		{"a few", made, two, nil, []string{"xyzzy", "run the tests", "show main.go", "paint it red with 2 litres"}},
		{"none", made, nil, nil, []string{"xyzzy", "hilfe", "montre main.go", "run the tests", "hello"}},
		{"no tests", untested{made}, all, nil, []string{"run the tests", "führ die tests aus", "lance les tests"}},
		{"another project", made, all, before, []string{"run the tests", "show main.go", "status"}},
		{"nothing found", shelfless{made}, all, nil, []string{"show main.go", "xyzzy", "status", "help"}},
	} {
		for _, text := range world.texts {
			question := providers.Question{Messages: append(slices.Clone(world.before), messages.Message{Role: messages.User, Text: text}), Tools: world.offered}
			reply, err := New(world.finder).Respond(t.Context(), question, func(providers.Part) {})
			fmt.Fprintf(&out, "%s: %q => %q", world.name, text, reply.Text)
			for _, call := range reply.Calls {
				fmt.Fprintf(&out, " %s %s", call.Name, call.Args)
			}
			if err != nil {
				fmt.Fprintf(&out, " %v", err)
			}
			out.WriteString("\n")
		}
	}
	goldentest.Assert(t, "answers.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Words are adjacent if only punctuation is between them, in the order of the request.
func TestAdjacentWords(t *testing.T) {
	s := newSentence("wake me, please at seven o'clock")
	pick := func(places ...int) (words []word) {
		for _, i := range places {
			words = append(words, s.words[i])
		}
		return words
	}
	n := len(s.words)
	for _, row := range []struct {
		words []word
		want  bool
	}{
		{nil, true},
		{pick(0), true},
		{pick(0, 1), true},
		{pick(0, 2), false},
		{pick(1, 0), false},
		{pick(0, 0), true},
		{pick(1, 1, 0), false},
		{s.words, true},
		{pick(n - 1), true},
	} {
		if got := s.adjacent(row.words); got != row.want {
			t.Errorf("%v: %t", row.words, got)
		}
	}
	short := sentence{request: s.request[:s.words[1].end], words: s.words}
	if !short.adjacent(pick(0, 1)) || short.adjacent(pick(2)) {
		t.Error("the end of a request is another one")
	}
}
