package sessionlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/actors/internal/foreign"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/persistence/sessions"
	"marvin/providers"
)

// chapters is a conversation with every kind of record; each step lists what it writes.
func chapters() [][]Record {
	user := func(text string) messages.Message { return messages.Message{Role: messages.User, Text: text} }
	says := func(text string, calls ...messages.ToolCall) messages.Message {
		return messages.Message{Role: messages.Assistant, Text: text, Calls: calls}
	}
	call := func(id, name string) messages.ToolCall {
		return messages.ToolCall{ID: id, Name: name, Args: json.RawMessage(`{"of":"` + id + `"}`)}
	}
	result := func(id, name string) messages.Message {
		return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: name, Status: messages.OK, Text: "result " + id}}
	}
	state := State{Provider: "p", Model: "m", Dir: "/d", Profile: "alex", Terminal: "term"}
	handed, asking := state, State{Provider: "p", Model: "m", Dir: "/e", Profile: "alex", Effort: "high", Approval: messages.ApproveAsk, Person: true, Root: "/d"}
	handed.Tainted = "a mail"
	var framed prompt.Frame
	_ = json.Unmarshal([]byte(`{"system":"Be kind.","profile":"alex","window":1000,"known":[{"name":"rules","text":"Be kind."}]}`), &framed)
	usage := &messages.Usage{Cost: 2}
	plan := &Plan{Is: messages.Plan{Why: "it is long", Steps: []messages.Step{{Text: "first", Status: "pending"}}}, Call: "c1"}
	foreignLog := &foreign.Log{By: "Codex", Branch: "main", Title: "\n  Their   title\nmore", Turns: []foreign.Turn{
		{At: hour(9), Prompt: "their question", Messages: []messages.Message{user("their question"), {Role: messages.Assistant, Text: "I look", Model: "gpt", At: hour(10), Usage: messages.RoundTrip{Cost: 0.5}, Calls: []messages.ToolCall{call("f1", "shell")}}, result("f1", "shell"), {Role: messages.Tool, Result: messages.ToolResult{Call: "f2", Name: "long", Status: messages.Interrupted, Text: strings.Repeat("ä", mostOfResult/2) + "b"}}, {Role: messages.Assistant, Text: "it is so", At: hour(11), Usage: messages.RoundTrip{Cost: 0.25}}}},
		{At: hour(14), Prompt: "only asked", Messages: []messages.Message{{Role: messages.User, Text: "only asked", At: hour(13)}}},
	}}
	return [][]Record{
		{TitleRecord("A trip")},
		{FrameRecord(framed), ToolsRecord([]providers.ToolSpec{{Name: "one"}}), BeginRecord("t1", user("one key-of-mine"), state).OnBranch("main")},
		{IntentRecord(call("c1", "write_file")), IntentRecord(call("c2", "run_command"))},
		{MessagesRecord("t1", 1, []messages.Message{says("doing", call("c1", "write_file"), call("c2", "run_command")), result("c1", "write_file"), result("c2", "run_command")})},
		{RequestRecord(Sent{For: "a summary", Model: "p/m", Requests: 1, Input: 10})},
		{EndRecord(Step{Turn: "t1", Offset: 4, Messages: []messages.Message{says("done")}, Outcome: messages.Completed, Text: "done", Usage: usage, Tainted: "a page", Plan: plan}, 2)},
		{RequestRecord(Sent{For: "a title", Model: "p/small", Host: "h", Places: []string{"/d"}, Calls: []SentCall{{"web_search", "net"}}})},
		{LabelRecord(10, "here")},
		{AsideRecord("beside?", messages.TurnEnded{Text: "beside", Outcome: messages.Completed}, 0.125, []Sent{{For: "beside", Model: "p/m"}})},
		{UndoRecord("You took back a.txt.")},
		{BeginRecord("t2", user("two"), state), ToolsRecord([]providers.ToolSpec{{Name: "two"}}), IntentRecord(call("c3", "send_mail")), IntentRecord(call("c4", "wait"))},
		{MessagesRecord("t2", 1, []messages.Message{says("", call("c4", "wait")), result("c4", "wait")})},
		{CompactionRecord([]messages.Message{user("summary"), says("so far")}, framed, []providers.ToolSpec{{Name: "three"}})},
		{MessagesRecord("t2", 0, []messages.Message{says("going on")}), MessagesRecord("t2", 5, []messages.Message{says("lost")})},
		{BeginRecord("t7", user("three"), State{}), EndRecord(Step{Turn: "t7", Offset: 1, Outcome: messages.Failed, Err: "it failed"}, 0)},
		HandoffRecords("go on", []messages.Message{user("go on"), says("## The summary\nof all")}, handed),
		{StateRecord(handed), StateRecord(asking), TextRecord("t9", "half"), TextRecord("t9", " an answer")},
		{BeginRecord("t8", user(strings.Repeat("long ", 1000)), asking), IntentRecord(call("c8", "wait")), TextRecord("t8", "I w"), UnfinishedCallsRecord([]messages.ToolCall{call("c8", "wait")}), UndoRecord("b.txt"), CompactionRecord([]messages.Message{user("all")}, framed, nil)},
		Imported(foreignLog, 0), Imported(foreignLog, 1),
		{{kind: stepKind, body: "no step"}, {kind: frameKind, body: 1}, {kind: toolsKind, body: 1}, {kind: compactionKind, body: 1}, {kind: asideKind, body: 1}, {kind: sentKind, body: 1}, {kind: undoneKind, body: 1}, {kind: intentKind, body: 1}, {kind: "of a later Marvin", body: 1}},
	}
}

func hour(at int) time.Time { return time.Date(2026, 11, 26, at, 0, 0, 0, time.UTC) }

// A conversation with every kind of record is read from each of its entries, as the model knows it
// and as the user sees it. The tree, the entries before prompts, and the file are compared as well.
func TestAConversationIsReadFromEachOfItsPlaces(t *testing.T) {
	home := persistence.Open(t.TempDir(), func() time.Time { return hour(12) })
	store := sessions.New(home)
	log := New(store, sessions.Header{Dir: "/d", Profile: "alex"}, "trip", func() time.Time { return hour(12) })
	hide := func(text string) string { return strings.ReplaceAll(text, "key-of-mine", "***") }
	if _, err := log.Content(); !errors.Is(err, ErrEmptyConversation) {
		t.Error(err)
	}
	var all strings.Builder
	for n, records := range chapters() {
		if err := log.Add(n%2 == 0, hide, records...); err != nil {
			t.Fatal(n, err)
		}
		if n == 0 && log.ID() != "" {
			t.Error("a name alone makes a file")
		}
	}
	id, last := log.Place()
	before := ""
	for entry := range last + 1 {
		content, err := Read(store, id, entry)
		now := told(content, err)
		fmt.Fprintf(&all, "\nup to %d, for the model:\n%s", entry, differs(before, now))
		before = now
	}
	ended, err := ReadEnd(store, id, last)
	fmt.Fprintf(&all, "\nthe end:\n%s", differs(before, told(ended, err)))
	list, err := store.List()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	list[0].Path, list[0].Size = "", 0
	fmt.Fprintf(&all, "\nin the list: %+v\n", list[0])
	for _, entry := range []int64{0, 8} {
		content, err := ReadTo(store, list[0], entry)
		fmt.Fprintf(&all, "\nfor people, to %d:\n%s", entry, told(content, err))
	}
	for back := range 9 {
		entry, prompt, err := log.FindPrompt(back)
		fmt.Fprintf(&all, "before %d: %d %q %v\n", back, entry, prompt.Text, err)
	}
	for _, leaf := range []int64{-1, 0, 7, last} {
		tree, err := Tree(store, id, leaf)
		fmt.Fprintf(&all, "\ntree of %d: %v\n", leaf, err)
		for _, turn := range tree.Turns {
			fmt.Fprintf(&all, "  %+v\n", turn)
		}
	}
	back, err := log.GoTo(9)
	fmt.Fprintf(&all, "\ngone to 9:\n%s", told(back, err))
	if _, err := log.GoTo(last + 100); err == nil {
		t.Error("there is no such place")
	}
	handed := log.NextForHandoff()
	fmt.Fprintf(&all, "handed over from %d in %s\n", handed.header.Forked.Entry, handed.Dir())
	if handed.header.Forked.Session != id || log.Next().header.Forked != nil {
		t.Errorf("%+v", handed.header)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(home.Data, "sessions", "*", "*.jsonl"))
	text, err := os.ReadFile(strings.Join(files, ""))
	fmt.Fprintf(&all, "\nthe file: %v\n%s", err, text)
	goldentest.Assert(t, "story.golden", strings.NewReplacer(id, "ID", "{Entry", "{").Replace(all.String()), os.Getenv("UPDATE_GOLDEN") != "")
}

// differs returns the removed and the added lines.
func differs(before, now string) (told string) {
	was, is := strings.SplitAfter(before, "\n"), strings.SplitAfter(now, "\n")
	for _, line := range was {
		if !slices.Contains(is, line) {
			told += "-" + line
		}
	}
	for _, line := range is {
		if !slices.Contains(was, line) {
			told += "+" + line
		}
	}
	return told
}

// told returns a content with one line for each part.
func told(c *Content, err error) string {
	if err != nil {
		return "  " + err.Error() + "\n"
	}
	var text strings.Builder
	line := func(what string, value any) {
		if encoded, err := json.Marshal(value); err != nil {
			fmt.Fprintf(&text, "  %s: %v\n", what, err)
		} else if word := string(encoded); word != "null" && word != `""` && word != "false" && word != "{}" {
			fmt.Fprintf(&text, "  %s: %s\n", what, word)
		}
	}
	for _, message := range c.Messages {
		line("knows", message)
	}
	for _, turn := range c.Turns {
		line("turn", turn)
	}
	line("frame", []any{len(c.Frame.System) > 0, c.Frame.Profile, c.Frame.Window})
	for _, tool := range c.Tools {
		line("tool", tool.Name)
	}
	line("earlier", c.Earlier)
	line("partial", c.Partial)
	line("state", c.State)
	line("unknown", c.Unknown)
	line("problems", c.Problems)
	return text.String()
}
