package copilot_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

func TestAnswersAreStreamed(t *testing.T) {
	gate := make(chan struct{})
	server := behind(t,
		modeltest.Think("hm").Append(modeltest.Text("one "), modeltest.Pause(gate), modeltest.Text("two")).WithFaults(modeltest.Tokens(30, 20, 5)),
		modeltest.Text("three"),
	)
	model := asks(t, server)
	var parts []providers.Part
	reply, err := model.Respond(within(t), question(user("go")), func(part providers.Part) {
		if part.Text == "one " {
			close(gate) // the rest comes only after the beginning was read
		}
		if part.Kind != providers.NoticePart { // not the notice about the start
			parts = append(parts, part)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []providers.Part{{Kind: providers.ThinkingPart, Text: "hm"}, {Text: "one "}, {Text: "two"}}
	if !reflect.DeepEqual(parts, want) {
		t.Errorf("parts are %v", parts)
	}
	if reply.Text != "one two" || reply.Finish != providers.Stopped || len(reply.Calls) != 0 {
		t.Errorf("reply is %+v", reply)
	}
	if reply.Usage != (providers.Usage{Input: 30, Cached: 20, Output: 5, Known: true, Turns: 1}) {
		t.Errorf("usage is %+v", reply.Usage)
	}

	ask(t, model, question(user("go"), assistant("one two"), user("on")))
	if got := spoken(server); !slices.Equal(got, []string{"user: go", "assistant: one two", "user: on"}) {
		t.Errorf("the second request says %q", got)
	}
	first := server.Requests()[0]
	if first.Messages[0].Text != "You are Marvin." || len(first.Tools) != 0 || len(first.Raw) > 500 {
		t.Errorf("the CLI adds to its input: %s", first.Raw)
	}
}

func TestInvalidOwnKeyVariablesAreReported(t *testing.T) {
	server := behind(t)
	model := model(t, start(t, append(ownKey(t, server), "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=many")))
	reply, err := model.Respond(within(t), question(user("go")), func(providers.Part) {})
	if err == nil || !strings.Contains(err.Error(), `COPILOT_PROVIDER_MAX_PROMPT_TOKENS="many" is not a number of tokens`) || len(server.Requests()) > 0 {
		t.Errorf("%+v, %v after %d requests", reply, err, len(server.Requests()))
	}
}

func TestCancelledAnswerLeavesASessionThatAnswers(t *testing.T) {
	server := behind(t, modeltest.Text("half").Append(modeltest.Hang()), modeltest.Text("whole"))
	model := asks(t, server)
	ctx, cancel := context.WithCancelCause(within(t))
	stopped := errors.New("enough")
	reply, err := model.Respond(ctx, question(user("go")), atText(func() { cancel(stopped) }))
	if !errors.Is(err, stopped) || reply.Text != "half" {
		t.Fatalf("%+v, %v", reply, err)
	}
	if reply := ask(t, model, question(user("go"), assistant("half\n[Cancelled]"), user("again"))); reply.Text != "whole" {
		t.Errorf("reply is %+v", reply)
	}
	if got := spoken(server); got[0] != "user: go" || got[len(got)-1] != "user: again" {
		t.Errorf("the conversation was begun again: %q", got)
	}
}

func TestDeathOfTheCLIEndsTheAnswer(t *testing.T) {
	server := behind(t, modeltest.Text("half").Append(modeltest.Hang()), modeltest.Text("whole"))
	model := model(t, real(t, server))
	if _, err := model.Respond(within(t), question(user("go")), atText(func() { kill(t) })); !errors.Is(err, providers.ErrCut) || !strings.Contains(err.Error(), "killed") {
		t.Fatal(err)
	}
	if reply := ask(t, model, question(user("go"), assistant("half [The answer broke off.]"), user("again"))); reply.Text != "whole" {
		t.Errorf("reply is %+v", reply)
	}
	if got := spoken(server); len(got) != 1 || !strings.Contains(got[0], `{"role":"assistant","text":"half [The answer broke off.]"}`) || !strings.HasSuffix(got[0], "again") {
		t.Errorf("the new session got %q", got)
	}
}

func TestNewModelGetsTheConversation(t *testing.T) {
	server := behind(t, modeltest.Text("hello"), modeltest.Text("again"), modeltest.Text("third"))
	first := asks(t, server)
	ask(t, first, question(user("go")))

	second := shared.model(t, t.Name()+"-2", server)
	history := []messages.Message{
		user("go"), assistant("hello"),
		user("look </conversation>"),
		{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "c1", Name: "alpha", Args: json.RawMessage(`{"x":1}`)}}},
		{Role: messages.Tool, Result: messages.ToolResult{Call: "c1", Name: "alpha", Text: "line\nline"}},
		assistant("seen"), user("new"),
	}
	ask(t, second, question(history...))
	if server.Requests()[1].Model != t.Name()+"-2" {
		t.Errorf("asked %s", server.Requests()[1].Model)
	}
	got := spoken(server)
	for _, part := range []string{
		`{"role":"user","text":"go"}`, `{"role":"user","text":"look </conversation>"}`,
		`{"role":"assistant","calls":[{"tool":"alpha","arguments":"{\"x\":1}"}]}`,
		`{"role":"tool","tool":"alpha","result":"line\nline"}`, "\n\nnew",
	} {
		if len(got) != 1 || !strings.Contains(got[0], part) {
			t.Errorf("the record lacks %s: %q", part, got)
		}
	}
	if got, err := marked("shared"); err != nil || len(got) != 1 {
		t.Errorf("processes are %v, %v", got, err)
	}

	// Another profile has another system text, and needs a new session.
	changed := question(user("go"), assistant("hello"), user("who are you?"))
	changed.System = "You are somebody else."
	ask(t, first, changed)
	if last := server.Requests()[2]; last.Messages[0].Text != changed.System || len(last.Messages) != 2 {
		t.Errorf("asked %s", last.Raw)
	}
}

func TestLastModelTakesTheCLIAlong(t *testing.T) {
	server := behind(t, modeltest.Text("one"), modeltest.Text("two"), modeltest.Text("three"))
	cli := real(t, server)
	if got := running(t); len(got) != 0 {
		t.Errorf("started before the first question: %v", got)
	}
	one, two := copilot.New(copilot.Config{CLI: cli, Model: "m"}), copilot.New(copilot.Config{CLI: cli, Model: "m"})
	ask(t, one, question(user("go")))
	ask(t, two, question(user("go")))
	signal(t, syscall.SIGSTOP) // it cannot end before SIGCONT
	one.Close()
	two.Close()
	if len(running(t)) == 0 {
		t.Error("closing waits for the CLI's end")
	}
	signal(t, syscall.SIGCONT)
	for before := time.Now(); len(running(t)) > 0; {
		time.Sleep(time.Millisecond)
		if time.Since(before) > patience {
			t.Fatal("the CLI still runs")
		}
	}
	if reply := ask(t, model(t, cli), question(user("go"))); reply.Text != "three" {
		t.Errorf("reply is %+v", reply)
	}
}

func TestErrorsOfTheProviderKeepTheirStatus(t *testing.T) {
	copilottest.Path(t)
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if strings.HasSuffix(request.Last().Text, "too long") {
			return modeltest.Status(http.StatusBadRequest, `{"error":{"message":"This model's maximum context length is 10 tokens.","code":"context_length_exceeded"}}`)
		}
		if strings.HasSuffix(request.Last().Text, "again") {
			return modeltest.Text("fine")
		}
		return modeltest.Status(http.StatusForbidden, `{"error":{"message":"not for you"}}`)
	})
	model := asks(t, server)
	_, err := model.Respond(within(t), question(user("go")), discard)
	var status *providers.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusForbidden {
		t.Errorf("error is %v", err)
	}
	if _, err = model.Respond(within(t), question(user("too long")), discard); !errors.Is(err, providers.ErrTooLong) {
		t.Errorf("error is %v", err)
	}
	if reply := ask(t, model, question(user("again"))); reply.Text != "fine" || len(spoken(server)) != 1 {
		t.Errorf("reply is %+v to %q", reply, spoken(server))
	}
}

func TestSilenceIsNotAskedAgain(t *testing.T) {
	server := behind(t, modeltest.Text("half").Append(modeltest.Hang()), modeltest.Text("whole"))
	model := asks(t, server)
	ctx, cancel := context.WithCancelCause(within(t))
	if _, err := model.Respond(ctx, question(user("go")), atText(func() { cancel(providers.ErrSilent) })); !errors.Is(err, providers.ErrSilent) {
		t.Fatal(err)
	}
	ask(t, model, question(user("go"), assistant("half"), user("again")))
	if got := spoken(server); len(got) != 1 {
		t.Errorf("the silent session was used again: %q", got)
	}
}

func TestNothingOfAConversationStaysOnDisk(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	server := behind(t, modeltest.Text("hello"))
	world := ownKey(t, server)
	cli := start(t, world)
	model := model(t, cli)
	ask(t, model, question(user("the secret word is xylophone")))
	model.Close()
	cli.Stop(within(t))
	for _, dir := range []string{strings.TrimPrefix(world[1], "HOME="), os.TempDir()} {
		if err := grep(os.DirFS(dir), "xylophone"); err != nil {
			t.Errorf("in %s: %v", dir, err)
		}
	}
}

func TestAnswerThatBreaksOffIsAskedForAgain(t *testing.T) {
	server := behind(t, modeltest.Text("half").Append(modeltest.Drop()), modeltest.Text("whole"))
	model := asks(t, server)
	var notices []string
	reply, err := model.Respond(within(t), question(user("go")), func(part providers.Part) {
		if part.Kind == providers.AnewPart {
			notices = append(notices, part.Text)
		}
	})
	if err != nil || reply.Text != "whole" || len(notices) != 1 || !strings.Contains(notices[0], "asks again") {
		t.Errorf("%+v, %v, notices %q", reply, err, notices)
	}
}

func TestOneSessionKeepsALongTextWhole(t *testing.T) {
	server := behind(t, modeltest.Text("one"), modeltest.Calls(modeltest.Call{Name: "tool_0"}), modeltest.Text("two"))
	model := asks(t, server)
	long := strings.Repeat("a line of a log\n", 5000)
	history := []messages.Message{user(long)}
	ask(t, model, question(history...))
	history = append(history, assistant("one"), messages.Message{Role: messages.System, Text: "It is another day."}, user("go on"))
	asked := question(history...)
	asked.Tools = []providers.ToolSpec{{Name: "tool_0", Doc: "does", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}}
	reply := ask(t, model, asked)
	if len(reply.Calls) != 1 {
		t.Fatalf("%+v", reply)
	}
	asked.Messages = append(history, messages.Message{Role: messages.Assistant, Calls: reply.Calls},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: reply.Calls[0].ID, Name: "tool_0", Text: "the result"}},
		messages.Message{Role: messages.System, Text: "The directory is another one."})
	if reply := ask(t, model, asked); reply.Text != "two" || len(reply.Notices) != 0 {
		t.Errorf("%+v", reply)
	}
	last := server.Requests()[2].Messages
	if got := last[1].Text; !strings.Contains(got, strings.TrimSpace(long)) {
		t.Errorf("of %d bytes %d are left", len(long), len(got))
	}
	if got := last[3].Text; !strings.Contains(got, "It is another day.") || !strings.HasSuffix(got, "go on") {
		t.Errorf("the second prompt is %q", got)
	}
	if got := last[len(last)-1].Result.Text; got != "the result\n\nThe directory is another one." {
		t.Errorf("the result is %q", got)
	}
}
