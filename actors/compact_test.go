package actors_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// filler is a tool whose result has about as many tokens as the argument says.
func filler(words int) tools.Tool {
	return tools.New(tools.Def[sayArgs]{
		Name: "fill", Doc: "Fills the conversation.",
		Run: sayFunc(func(in sayArgs) string { return in.Text + strings.Repeat(" some more words", words/3) }),
	})
}

func TestCompactionAtTheLimit(t *testing.T) {
	const window = 60_000 // bytes of a request, at about 4 per token
	dir := t.TempDir()
	summaries := 0
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		switch rounds := strings.Count(string(request.Raw), `"tool_call_id"`); {
		case len(request.Tools) == 0 && strings.Contains(request.Last().Text, "of the history"):
			summaries++
			return modeltest.Text("The user wants twenty fillings; some are done.")
		case request.Last().Text == "are you done?":
			return modeltest.Text("yes, all of it")
		case rounds >= 4 && summaries >= 2:
			return modeltest.Text("finished")
		}
		return modeltest.Calls(modeltest.Call{Name: "fill", Args: map[string]string{"text": fmt.Sprint("filling ", request.N)}})
	}).Window(window)
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Dir: dir, Home: t.TempDir(), Tools: []tools.Tool{filler(900)},
		Context: actors.ContextLimits{Warn: 7000, Compact: 8000, Refuse: 11000},
	})
	turn := tree.Prompt("please do twenty fillings and mention the word zebra")
	if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "finished" {
		t.Fatalf("ended %+v", turn.Ended)
	}
	var notices []string
	for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
		notices = append(notices, notice.Text)
	}
	if len(notices) < 4 || notices[0] != "🔄 Compacting conversation history..." || notices[1] != "── Context compacted. Older messages summarized. ──" {
		t.Errorf("people are told %q", notices)
	}
	for _, compacted := range actorstest.TurnEvents[messages.Compacted](turn) {
		if compacted.After >= compacted.Before {
			t.Errorf("%+v", compacted)
		}
	}
	for i, request := range server.Requests() {
		if len(request.Tools) > 0 && !strings.Contains(string(request.Raw), "zebra") {
			t.Errorf("request %d lost the user's words", i)
		}
	}
	backups, err := filepath.Glob(filepath.Join(dir, ".marvin", "logs", "context-backup-*.jsonl"))
	if err != nil || len(backups) < 2 {
		t.Fatalf("backups %v, %v", backups, err)
	}
	var saved strings.Builder
	for _, backup := range backups {
		content, err := os.ReadFile(backup)
		if err != nil {
			t.Fatal(err)
		}
		saved.Write(content)
	}
	for _, request := range server.Requests() {
		if len(request.Tools) > 0 && request.Last().Role == messages.Tool && !strings.Contains(saved.String(), request.Last().Result.Text[:10]) && request.N < 4 {
			t.Errorf("the backups lack %.40q", request.Last().Result.Text)
		}
	}
	if next := tree.Prompt("are you done?"); next.Ended.Text != "yes, all of it" {
		t.Errorf("the next turn ended %+v", next.Ended)
	}
}

func TestAConversationThatCannotBeBackedUpIsLeftAsItIs(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if strings.Count(string(request.Raw), `"tool_call_id"`) >= 3 {
			return modeltest.Text("finished")
		}
		return modeltest.Calls(modeltest.Call{Name: "fill", Args: map[string]string{"text": fmt.Sprint("filling ", request.N)}})
	})
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: "", Tools: []tools.Tool{filler(900)},
		Context: actors.ContextLimits{Warn: 1500, Compact: 1800, Refuse: 100_000},
	})
	turn := tree.Prompt("go")
	if turn.Ended.Outcome != messages.Completed {
		t.Fatalf("ended %+v", turn.Ended)
	}
	var said bool
	for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
		said = said || strings.HasPrefix(notice.Text, "The conversation could not be compacted and is unchanged:")
	}
	if !said {
		t.Errorf("it is not said: %s", actorstest.Lines(turn.Events))
	}
	requests := server.Requests()
	if last := requests[len(requests)-1]; !strings.Contains(string(last.Raw), "filling 0") {
		t.Error("something was dropped anyway")
	}
}

// A server that refuses a request shows that the window is smaller than assumed, and Marvin uses
// the smaller size.
func TestAWindowIsLearntFromARefusal(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		switch {
		case len(request.Tools) == 0 && strings.Contains(request.Last().Text, "of the history"):
			return modeltest.Text("Much was filled.")
		case strings.Contains(string(request.Raw), "Compacted history summary"):
			return modeltest.Text("that was close")
		}
		return modeltest.Calls(modeltest.Call{Name: "fill", Args: map[string]string{"text": fmt.Sprint("filling ", request.N)}})
	}).Window(40_000)
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: t.TempDir(), Home: t.TempDir(), Tools: []tools.Tool{filler(1500)}})
	if turn := tree.Prompt("go"); turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "that was close" {
		t.Errorf("ended %+v", turn.Ended)
	}
}

func TestSummaryPromptNamesWhatToKeep(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if strings.Contains(request.Last().Text, "of the history") {
			return modeltest.Text("They talked.")
		}
		return modeltest.Text(strings.Repeat("a long answer ", 400))
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: t.TempDir(), Home: t.TempDir(), Context: actors.ContextLimits{Warn: 70_000, Compact: 80_000, Refuse: 110_000}})
	asked := func() (told []bool) {
		for _, request := range server.Requests() {
			if strings.Contains(request.Last().Text, "of the history") {
				told = append(told, strings.Contains(request.Last().Text, "to keep this, with everything related to it: the zebra in the test"))
			}
		}
		return told
	}
	for i := range 8 {
		tree.Prompt(fmt.Sprint("question ", i))
	}
	for i, focus := range []string{"the zebra in the test", ""} {
		tree.Client.Send(messages.Compact{Focus: focus})
		tree.Finish()
		if got := asked(); len(got) <= i || got[len(got)-1] != (focus != "") {
			t.Fatalf("with focus %q the model got of it: %v", focus, got)
		}
		for j := range 8 {
			tree.Prompt(fmt.Sprint("more ", i, j))
		}
	}
}
