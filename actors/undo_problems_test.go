package actors_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/files"
	"marvin/tools/language"
)

func TestProblemsAreReportedAfterUndo(t *testing.T) {
	tree := atWork(t, actorstest.Setup{
		Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll}, Lsp: &language.Set{Now: time.Now},
	}, files.Tools()...)
	problems := func() int {
		told := actorstest.ReadUntil[messages.Diagnosed](tree.Tree)
		if len(told.Files) != 1 || told.Files[0].Path != "a.json" {
			t.Fatalf("%+v", told)
		}
		return len(told.Files[0].Problems)
	}
	say := func(name, content string) {
		prompt, err := json.Marshal([]modeltest.Call{{Name: name, Args: createArgs{Path: "a.json", Content: content}}})
		if err != nil {
			t.Fatal(err)
		}
		tree.Client.Send(messages.Say(string(prompt)))
	}
	say("create_file", "[1,\n")
	if problems() != 1 {
		t.Error("a broken file has no problem")
	}
	actorstest.ReadUntil[messages.TurnEnded](tree.Tree)
	say("append_file", "2]\n")
	if problems() != 0 {
		t.Error("a file that was mended has one")
	}
	actorstest.ReadUntil[messages.TurnEnded](tree.Tree)
	tree.Client.Send(messages.Undo{})
	tree.Client.Send(messages.Answer{Ask: actorstest.ReadUntil[messages.Asked](tree.Tree).Ask, Choice: messages.Yes})
	if problems() != 1 {
		t.Error("what was taken back broke nothing")
	}
	if notice := actorstest.ReadUntil[messages.Notice](tree.Tree); !strings.Contains(notice.Text, "Undone: 1 file") || !strings.Contains(notice.Text, "Problems now (errors: 1") {
		t.Errorf("the person is told %q", notice.Text)
	}
	tree.Prompt("go on")
	requests := tree.server.Requests()
	if last := string(requests[len(requests)-1].Raw); !strings.Contains(last, "Problems now (errors: 1") {
		t.Errorf("the model is not told: %s", last)
	}
}
