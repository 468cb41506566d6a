package actors_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/history"
)

func TestAnotherModelAnswersFromTheNextTurnOn(t *testing.T) {
	first := modeltest.Start(t, modeltest.Text("one"), modeltest.Text("three"))
	other := modeltest.Start(t, modeltest.Text("two"))
	tree := actorstest.Start(t, actorstest.Setup{Server: first, Other: other})
	tree.Prompt("1")
	tree.Client.Send(messages.SetModel{Provider: "copilot", Model: "chosen"})
	if changed := actorstest.ReadUntil[messages.ModelChanged](tree); changed != (messages.ModelChanged{Provider: "copilot", Model: "chosen"}) {
		t.Errorf("front ends hear %+v", changed)
	}
	if turn := tree.Prompt("2"); turn.Ended.Text != "two" {
		t.Fatalf("%+v", turn.Ended)
	}
	request := other.Requests()[0]
	if request.Model != "chosen" || len(request.Messages) < 4 {
		t.Errorf("asked %q with %d messages; the conversation must continue", request.Model, len(request.Messages))
	}
	tree.Client.Send(messages.SetModel{Provider: "openai-compat"}) // the provider's default model
	actorstest.ReadUntil[messages.ModelChanged](tree)
	tree.Prompt("3")
	if request := first.Requests()[1]; request.Model != "other-model" {
		t.Errorf("asked %q", request.Model)
	}
	tree.Client.Send(messages.SetModel{Model: "same-provider"})
	if changed := actorstest.ReadUntil[messages.ModelChanged](tree); changed.Provider != "openai-compat" || changed.Model != "same-provider" {
		t.Errorf("%+v", changed)
	}
}

func TestAModelThatCannotBeChosenChangesNothing(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.Start(t, modeltest.Text("still here")),
		Models: actors.Models{Choose: func(string) (actors.Choice, error) {
			return actors.Choice{}, fmt.Errorf("no key; export GROQ_API_KEY")
		}},
	})
	tree.Client.Send(messages.SetModel{Provider: "groq"})
	if notice := actorstest.ReadUntil[messages.Notice](tree); notice.Level != messages.Problem || !strings.Contains(notice.Text, "GROQ_API_KEY") {
		t.Errorf("%+v", notice)
	}
	if turn := tree.Prompt("go"); turn.Ended.Text != "still here" {
		t.Errorf("%+v", turn.Ended)
	}
}

func TestGrantsDoNotOutliveAProfile(t *testing.T) {
	calls := func(n int) []modeltest.Step {
		var steps []modeltest.Step
		for range n {
			steps = append(steps, modeltest.Calls(modeltest.Call{Name: "say", Args: map[string]string{"text": "x"}}), modeltest.Text("done"))
		}
		return steps
	}
	gated := tools.New(tools.Def[sayArgs]{
		Name: "say", Doc: "Says.",
		Confirm: func(tools.Env, sayArgs) (string, string) { return "May it?", "say x" },
		Run:     sayFunc(func(in sayArgs) string { return in.Text }),
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t, calls(3)...), Tools: []tools.Tool{gated}, Policy: &actors.Policy{Person: true}})
	tree.Client.Send(messages.Say("1"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Always})
	tree.Finish()
	if turn := tree.Prompt("2"); len(actorstest.TurnEvents[messages.Asked](turn)) != 0 {
		t.Error("it asked again in spite of always")
	}
	tree.Client.Send(messages.SetProfile{Name: "alex"})
	if changed := actorstest.ReadUntil[messages.ModeChanged](tree); changed.Profile != "alex" {
		t.Errorf("%+v", changed)
	}
	tree.Client.Send(messages.Say("3"))
	asked = actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	tree.Finish()
}

// A new conversation knows nothing of the old one, not even from the chat log, which stays
// unchanged.
func TestClearForgetsTheConversationAndKeepsTheLog(t *testing.T) {
	home := t.TempDir()
	files := persistence.Open(home, time.Now)
	if err := chat.New(files.Profile("default")).Append(chat.Entry{Role: "you", Text: "zebra of last week"}); err != nil {
		t.Fatal(err)
	}
	t.Run("the conversation", func(t *testing.T) {
		server := modeltest.Start(t, modeltest.Text("Your zebra."), modeltest.Text("It begins").Append(modeltest.Hang()), modeltest.Text("What zebra?"))
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: &actors.Policy{Person: true, Persist: true}})
		tree.Prompt("my zebra")
		if strings.Contains(string(server.Requests()[0].Raw), "zebra of last week") { // the project of this text is unknown
			t.Error("the model is sent what an earlier conversation said")
		}
		tree.Client.Send(messages.Say("zebra again")) // this clears in the middle of a turn
		actorstest.ReadUntil[messages.Text](tree)
		tree.Client.Send(messages.Say("a queued zebra"))
		tree.Client.Send(messages.Clear{})
		actorstest.ReadUntil[messages.Cleared](tree)
		if turn := tree.Prompt("hello"); turn.Ended.Text != "What zebra?" {
			t.Fatalf("%+v", turn.Ended)
		}
		if raw := string(server.Requests()[2].Raw); strings.Contains(raw, "zebra") {
			t.Errorf("the new conversation knows of it: %s", raw)
		}
	})
	entries, err := chat.New(files.Profile("default")).Tail(20)
	if err != nil || len(entries) < 5 || entries[0].Text != "zebra of last week" {
		t.Errorf("the log has %+v, %v", entries, err)
	}
}

// talk is a model that summarizes when asked to, and otherwise answers at length.
func talk(request modeltest.Request) modeltest.Step {
	if strings.Contains(request.Last().Text, "of the history") {
		return modeltest.Text("They talked about zebras.")
	}
	return modeltest.Text(fmt.Sprintf("answer %d", request.N) + strings.Repeat(" and so on", 200))
}

func TestUserCompactsBetweenTwoTurns(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	t.Run("the conversation", func(t *testing.T) {
		server := modeltest.StartFunc(t, talk)
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Dir: dir, Policy: &actors.Policy{Person: true, Persist: true}})
		tree.Client.Send(messages.Compact{})
		if notice := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(notice.Text, "nothing to compact yet") {
			t.Errorf("%+v", notice)
		}
		for i := range 8 {
			tree.Prompt(fmt.Sprint("question ", i))
		}
		tree.Client.Send(messages.Compact{Focus: "zebras"})
		turn := tree.Finish()
		if begun := actorstest.TurnEvents[messages.TurnStarted](turn); len(begun) != 1 || begun[0].Prompt != "/compact zebras" {
			t.Errorf("people see %+v", begun)
		}
		if compacted := actorstest.TurnEvents[messages.Compacted](turn); turn.Ended.Outcome != messages.Completed || len(compacted) != 1 || compacted[0].After >= compacted[0].Before {
			t.Fatalf("%s", actorstest.Lines(turn.Events))
		}
		tree.Prompt("and now?")
		requests := server.Requests()
		var told strings.Builder
		for _, message := range requests[len(requests)-1].Messages[1:] { // the first is the system text
			told.WriteString(message.Text + "\n")
		}
		if got := told.String(); !strings.Contains(got, "They talked about zebras.") || strings.Contains(got, "question 0") || !strings.Contains(got, "question 7") || strings.Contains(got, "/compact") {
			t.Errorf("the next request tells %s", got)
		}
	}) // after Stop all files are written
	if backups, err := filepath.Glob(filepath.Join(dir, ".marvin", "logs", "context-backup-*.jsonl")); err != nil || len(backups) != 1 {
		t.Errorf("backups %v, %v", backups, err)
	}
	log, err := os.ReadFile(filepath.Join(home, ".config/marvin/profiles/default/chat_log.json"))
	if err != nil || !strings.Contains(string(log), "and now?") || strings.Contains(string(log), "/compact") {
		t.Errorf("%v; the log is %.200s", err, log)
	}
}

// A compaction by the tool, or by the user during a turn, happens before the model is asked again.
func TestACompactionIsDoneWithinTheRunningTurn(t *testing.T) {
	home := t.TempDir()
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.User && last.Text == "compact my history" {
			return modeltest.Calls(modeltest.Call{Name: "compact_history"})
		}
		return talk(request)
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Tools: history.New(persistence.Open(home, time.Now)).Tools()})
	for i := range 8 {
		tree.Prompt(fmt.Sprint("question ", i))
	}
	turn := tree.Prompt("compact my history")
	if turn.Ended.Outcome != messages.Completed || len(actorstest.TurnEvents[messages.Compacted](turn)) != 1 {
		t.Fatalf("%s", actorstest.Lines(turn.Events))
	}
	requests := server.Requests()
	if last := string(messagesOf(t, requests[len(requests)-1].Raw)); !strings.Contains(last, "They talked about zebras.") || !strings.Contains(last, "compact my history") {
		t.Errorf("the model was asked again with %s", last)
	}
}

func TestCodingBeginsWhereMarvinWasStarted(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t), Config: func(config *actors.Config) { config.Dir = "/project" }, Policy: &actors.Policy{Person: true}})
	tree.Client.Send(messages.SetMode{Coding: true})
	if changed := actorstest.ReadUntil[messages.ModeChanged](tree); changed.Dir != "/project" {
		t.Errorf("coding in %q", changed.Dir)
	}
	tree.Client.Send(messages.SetDir{Path: "/other"})
	actorstest.ReadUntil[messages.ModeChanged](tree)
	tree.Client.Send(messages.SetMode{Coding: true})
	if changed := actorstest.ReadUntil[messages.ModeChanged](tree); changed.Dir != "/other" {
		t.Errorf("a chosen directory became %q", changed.Dir)
	}
}
