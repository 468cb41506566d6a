package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers/modeltest"
)

func TestAPromptThatCallsNoServerReadsNothingOfTheirs(t *testing.T) {
	home := t.TempDir()
	all := map[string]settings.Server{"office": played("well", "*")}
	known(t, home, "office", all["office"])
	begin := func() (*actorstest.Tree, func() string) {
		var system string
		server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
			system = request.Messages[0].Text
			if last := request.Last(); last.Role != messages.Tool && strings.Contains(last.Text, "find") {
				return modeltest.Calls(modeltest.Call{Name: "find_tools", Args: map[string]string{"query": "says the text again"}})
			}
			return modeltest.Text("hello")
		})
		setup := actorstest.Setup{Server: server, Home: home, Others: actors.Extensions{Servers: all}, Tools: many(), Find: true, Environ: os.Environ(), Policy: &actors.Policy{Coding: true}, Config: func(config *actors.Config) { config.Dir = t.TempDir() }, Dir: t.TempDir()}
		return actorstest.Start(t, setup), func() string { return system }
	}
	tree, system := begin()
	tree.Prompt("greet me")
	first := system()
	if !strings.Contains(first, "MCP server office (1)") {
		t.Fatalf("the model is not told how much there is: %s", first)
	}
	// The next reader reports that the file is damaged.
	file := filepath.Join(home, ".config", "marvin", "mcp", "office.json")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat("x", int(info.Size()))), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	tree, system = begin()
	// hear collects the notices during a turn and after it.
	hear := func(turn actorstest.Turn) []messages.Notice {
		if told := actorstest.TurnEvents[messages.Notice](turn); len(told) > 0 {
			return told
		}
		return []messages.Notice{actorstest.ReadUntil[messages.Notice](tree)}
	}
	if told := hear(tree.Prompt("greet me")); len(told) != 1 || !strings.Contains(told[0].Text, "its name cannot be typed") {
		t.Errorf("told %+v", told) // each start reports the error, because no data could be read
	}
	if counted := system(); !strings.Contains(counted, "MCP server office (1)") {
		t.Errorf("not told how much there is: %s", counted)
	}
	if told := hear(tree.Prompt("find it")); !strings.Contains(told[0].Text, "damaged") {
		t.Errorf("told %+v", told)
	}
}
