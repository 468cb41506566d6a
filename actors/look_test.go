package actors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/toolbox"
)

func TestSearchFindsWhatWasSaid(t *testing.T) {
	home := t.TempDir()
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.User {
			return modeltest.Calls(modeltest.Call{Name: "look"})
		}
		return modeltest.Text("First line.\nUse Exponential \"backoff\" <now> & then.\nÄrger in MÜNCHEN.")
	})
	looks := tool("look", func(context.Context, tools.Env) (tools.Output, error) {
		return tools.Output{Text: "zebras in a result"}, nil
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Keep: begins, Policy: &actors.Policy{Coding: true, Approval: messages.ApproveAll}, Tools: []tools.Tool{looks}})
	tree.Prompt("Where did the Parser go?")
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	files := persistence.Open(home, time.Now)
	list, err := sessions.New(files).List()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	for words, want := range map[string]string{
		"parser":             "user: Where did the Parser go?",
		"PARSER where":       "user: Where did the Parser go?",
		`exponential`:        `assistant: Use Exponential "backoff" <now> & then.`,
		`"backoff" <now> &`:  `assistant: Use Exponential "backoff" <now> & then.`,
		"ärger münchen":      "assistant: Ärger in MÜNCHEN.",
		"first münchen":      "assistant: First line.",
		"parser exponential": "", // in two messages
		"zebras":             "", // only in a result
		"kind":               "", // only in the file format
		"step":               "",
	} {
		found, ok, err := actors.NewQuery(files, words).SearchSession(list[0])
		got := ""
		if ok {
			got = fmt.Sprintf("%s: %s", found.Role, found.Line)
		}
		if err != nil || got != want {
			t.Errorf("%q finds %q, %v; want %q", words, got, err, want)
		}
	}
}

// crafted is a conversation whose last round has a call without a result.
func crafted(t *testing.T, home, dir string) sessions.Info {
	t.Helper()
	store := sessions.New(persistence.Open(home, time.Now))
	session, err := store.Create(sessions.Header{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	call := func(id string) messages.ToolCall {
		return messages.ToolCall{ID: id, Name: "run_command", Args: json.RawMessage(`{"command":"touch ` + dir + `/ran"}`)}
	}
	body, err := json.Marshal(map[string]any{
		"turn": "t1", "prompt": "go", "outcome": "completed", "text": "done",
		"messages": []messages.Message{
			{Role: messages.User, Text: "go"},
			{Role: messages.Tool, Result: messages.ToolResult{Call: "nobody's", Name: "look", Status: messages.OK, Text: "from nowhere"}},
			{Role: messages.Assistant, Calls: []messages.ToolCall{call("c1"), call("c2")}},
			{Role: messages.Tool, Result: messages.ToolResult{Call: "c2", Name: "run_command", Status: messages.OK, Text: "the second"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Append(false, sessions.Entry{Kind: "step", Body: body}); err != nil {
		t.Fatal(err)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	return session.Info()
}

func TestACraftedConversationRunsNothing(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	info := crafted(t, home, dir)
	workplace := atWork(t, actorstest.Setup{Home: home, Dir: dir, Policy: &actors.Policy{Coding: true, Approval: messages.ApproveAll}, Keep: goesOn(t)})
	if turn := workplace.Prompt("and now?"); turn.Ended.Outcome != messages.Completed {
		t.Fatalf("%+v", turn.Ended)
	}
	if _, err := os.Stat(dir + "/ran"); err == nil {
		t.Error("a call of the file ran")
	}
	var open []string
	for _, message := range workplace.server.Requests()[0].Messages {
		for _, call := range message.Calls {
			open = append(open, call.ID)
		}
		if message.Role == messages.Tool {
			if len(open) == 0 || open[0] != message.Result.Call {
				t.Fatalf("a result of %q, open are %q", message.Result.Call, open)
			}
			open = open[1:]
		}
	}
	if len(open) > 0 {
		t.Errorf("without a result: %q", open)
	}
	told, err := actors.ReadTranscript(persistence.Open(home, time.Now), info, &toolbox.Registry{})
	if err != nil || len(told.Problems) == 0 || !strings.Contains(told.Problems[0], "run_command has no result") {
		t.Errorf("it is told as %+v, %v", told, err)
	}
}

func TestAConversationThatThereIsNotIsNoEmptyOne(t *testing.T) {
	home := persistence.Open(t.TempDir(), time.Now)
	info := sessions.Info{Header: sessions.Header{ID: "20260101-000000-aaaaaa"}}
	const want = "there is no such session"
	for what, read := range map[string]func() error{
		"tell":    func() error { _, err := actors.ReadTranscript(home, info, &toolbox.Registry{}); return err },
		"tell to": func() error { _, err := actors.ReadBranch(home, info, 3, &toolbox.Registry{}); return err },
		"tree":    func() error { _, err := actors.Branches(home, info); return err },
		"resume":  func() error { _, err := actors.Resume(home, info.ID, ""); return err },
		"look":    func() error { _, err := actors.Look(home, info.ID); return err },
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var none *actors.StoredSession
	if none.ID() != "" || none.Close() != nil {
		t.Error("no conversation has a name, or cannot be closed")
	}
}
