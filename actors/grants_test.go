package actors_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	"marvin/tools/shell"
)

// together is a model that makes one call for each line of a prompt, in one round.
func together(request modeltest.Request) modeltest.Step {
	if request.Last().Role == messages.Tool {
		return modeltest.Text(request.Last().Result.Text)
	}
	var calls []modeltest.Call
	for line := range strings.Lines(request.Last().Text) {
		calls = append(calls, modeltest.Call{Name: "run_command", Args: map[string]string{"command": strings.TrimSpace(line)}})
	}
	return modeltest.Calls(calls...)
}

// unsandboxed is a conversation with a user and a shell without a sandbox.
func unsandboxed(t *testing.T, answer func(modeltest.Request) modeltest.Step, list ...tools.Tool) *actorstest.Tree {
	t.Helper()
	return actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, answer), Tools: append(shell.Tools(), list...), Dir: t.TempDir(),
		Policy: &actors.Policy{Coding: true, Person: true}, Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxOff}),
	})
}

// Always also answers the waiting questions that it covers, and no others.
func TestAlwaysAnswersWhatWaits(t *testing.T) {
	tree := unsandboxed(t, together)
	tree.Client.Send(messages.Say("echo 1\necho 2\necho 3; touch x\necho 4 && echo 5\ntouch y\ngit push --force"))
	asked := map[string]messages.Asked{} // by the first line of the detail
	for len(asked) < 6 {
		one := actorstest.ReadUntil[messages.Asked](tree)
		line, _, _ := strings.Cut(one.Detail, "\n")
		asked[line] = one
	}
	first := asked["echo 1"]
	if first.Always != "all `echo …` commands in this conversation, with all your permissions" {
		t.Errorf("always would be %q", first.Always)
	}
	tree.Client.Send(messages.Answer{Ask: first.Ask, Choice: messages.Always})
	settled := map[string]messages.Choice{}
	for len(settled) < 3 {
		one := actorstest.ReadUntil[messages.Answered](tree)
		settled[one.Ask] = one.Choice
	}
	if settled[asked["echo 2"].Ask] != messages.Yes || settled[asked["echo 4 && echo 5"].Ask] != messages.Yes {
		t.Errorf("settled %v of %v", settled, asked)
	}
	for line, one := range asked {
		if _, done := settled[one.Ask]; !done {
			tree.Client.Send(messages.Answer{Ask: one.Ask, Choice: messages.No})
			if no := actorstest.ReadUntil[messages.Answered](tree); no.Ask != one.Ask || no.Choice != messages.No {
				t.Errorf("%s: %+v", line, no)
			}
		}
	}
	tree.Finish()
}

// Permissions are listed with unique numbers, and revoked by number.
func TestGrantsAreListedAndRevoked(t *testing.T) {
	tree := unsandboxed(t, commanding)
	if asked, _ := answer(tree, "echo 1", messages.Always); !slices.Contains(asked.Choices, messages.Always) {
		t.Fatalf("asked %+v", asked)
	}
	answer(tree, "true", messages.Always)
	tree.Client.Send(messages.ListGrants{})
	list := actorstest.ReadUntil[messages.Granted](tree).Grants
	if want := []messages.Grant{{Number: 1, Covers: "all `echo …` commands"}, {Number: 2, Covers: "all `true …` commands"}}; !slices.Equal(list, want) {
		t.Errorf("granted %+v", list)
	}
	if asked := actorstest.TurnEvents[messages.Asked](tree.Prompt("echo 2")); len(asked) != 0 {
		t.Errorf("asked despite a grant: %+v", asked)
	}
	tree.Client.Send(messages.Revoke{Grant: 1})
	if list = actorstest.ReadUntil[messages.Granted](tree).Grants; len(list) != 1 || list[0].Number != 2 {
		t.Errorf("after the revocation %+v", list)
	}
	answer(tree, "echo 3", messages.Always)
	if list = actorstest.Pick[messages.Granted](tree.Seen)[len(actorstest.Pick[messages.Granted](tree.Seen))-1].Grants; len(list) != 2 || list[1].Number != 3 {
		t.Errorf("allowed again %+v", list)
	}
	tree.Client.Send(messages.Clear{})
	if list = actorstest.ReadUntil[messages.Granted](tree).Grants; len(list) != 0 {
		t.Errorf("a new conversation begins with %+v", list)
	}
	actorstest.ReadUntil[messages.Cleared](tree)
	answer(tree, "echo 4", messages.Yes)
}

// A permission of the conversation covers its sub-agents, and a sub-agent's permission belongs to
// the conversation.
func TestAGrantOfASubAgentIsTheConversations(t *testing.T) {
	tree := unsandboxed(t, delegating(func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text(request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "echo " + prompted(request)}})
	}), delegate(3, 1, nil))
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Always})
	turn := tree.Finish()
	if more := actorstest.TurnEvents[messages.Asked](turn); len(more) != 0 || !strings.Contains(turn.Ended.Text, "task 3") {
		t.Errorf("asked %+v; %s", more, turn.Ended.Text)
	}
	tree.Client.Send(messages.Revoke{Grant: 1})
	tree.Client.Send(messages.Say("go"))
	asked = actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	for range 2 {
		asked = actorstest.ReadUntil[messages.Asked](tree)
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	}
	tree.Finish()
}

// A no may say what to do instead, even to a sub-agent.
func TestANoSaysWhatToDoInstead(t *testing.T) {
	tree := unsandboxed(t, delegating(commanding), delegate(1, 1, nil))
	for _, prompt := range []string{"touch x", "go"} {
		tree.Client.Send(messages.Say(prompt))
		asked := actorstest.ReadUntil[messages.Asked](tree)
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No, Text: "read the makefile first"})
		if answered := actorstest.ReadUntil[messages.Answered](tree); answered.Text != "read the makefile first" {
			t.Errorf("%s: %+v", prompt, answered)
		}
		if said := tree.Finish().Ended.Text; !strings.Contains(said, "The user wants this instead, in their own words: read the makefile first") {
			t.Errorf("%s: the model is told %s", prompt, said)
		}
	}
}

// A request that is not carried out is answered with its id.
func TestRequestsAreAnsweredByTheirID(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Dir: t.TempDir(),
		Policy: &actors.Policy{Coding: true, Person: true}, Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxOff}),
		Models: actors.Models{Choose: func(name string) (actors.Choice, error) { return actors.Choice{}, errors.New("there is no " + name) }},
	})
	send := func(id string, op messages.Op) { tree.Client.Send(messages.Request{ID: id, Op: op}) }
	for i, refused := range []struct {
		op  messages.Op
		why string
	}{
		{messages.Cancel{}, "no turn is running"},
		{messages.Cancel{Turn: "t9"}, "no turn is running"},
		{messages.Cancel{Request: "none"}, "no turn is running, and no prompt with that name is waiting"},
		{messages.Answer{Ask: "c9", Choice: messages.Yes}, `no question "c9" is waiting for an answer`},
		{messages.Revoke{Grant: 7}, "no permission has the number 7"},
	} {
		send(fmt.Sprint(i), refused.op)
		if said := actorstest.ReadUntil[messages.Refused](tree); said.Request != fmt.Sprint(i) || !strings.Contains(said.Err, refused.why) {
			t.Errorf("%#v: %+v", refused.op, said)
		}
	}
	send("m1", messages.SetModel{Provider: "nobody"})
	if said := actorstest.ReadUntil[messages.Refused](tree); said.Request != "m1" || !strings.Contains(said.Err, "there is no nobody") {
		t.Errorf("%+v", said)
	}
	send("p1", messages.Say("echo 1"))
	send("p2", messages.Say("echo 2"))
	send("p3", messages.Say("echo 3"))
	if began := actorstest.ReadUntil[messages.TurnStarted](tree); began.Request != "p1" {
		t.Errorf("%+v", began)
	}
	asked := actorstest.ReadUntil[messages.Asked](tree)
	send("c1", messages.Cancel{Turn: "t9"})
	if said := actorstest.ReadUntil[messages.Refused](tree); said.Request != "c1" || !strings.Contains(said.Err, `"t9" is not running; the running turn is t1`) {
		t.Errorf("%+v", said)
	}
	send("c2", messages.Cancel{Request: "p2"}) // the prompt is waiting
	if gone := actorstest.ReadUntil[messages.Withdrawn](tree); gone.Request != "p2" || gone.Prompt != "echo 2" {
		t.Errorf("%+v", gone)
	}
	send("a1", messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	send("a2", messages.Answer{Ask: asked.Ask, Choice: messages.Yes}) // the question is already settled
	if said := actorstest.ReadUntil[messages.Refused](tree); said.Request != "a2" {
		t.Errorf("%+v", said)
	}
	if began := actorstest.ReadUntil[messages.TurnStarted](tree); began.Request != "p3" {
		t.Errorf("after the first came %+v", began)
	}
	actorstest.ReadUntil[messages.Asked](tree)
	send("c3", messages.Cancel{Request: "p3"}) // the prompt is already answered
	if ended := tree.Finish().Ended; ended.Outcome != messages.Cancelled {
		t.Errorf("%+v", ended)
	}
	tree.Client.Send(messages.Cancel{}) // a key of the user that comes too late is no mistake
	before := len(actorstest.Pick[messages.Refused](tree.Seen))
	answer(tree, "true", messages.Yes)
	if after := len(actorstest.Pick[messages.Refused](tree.Seen)); after != before {
		t.Error("a person is answered as a program is")
	}
}

func TestWaitingCallsCoveredByAlwaysRunSandboxed(t *testing.T) {
	tree := shellTreeOf(t, t.TempDir(), nil, together)
	tree.Client.Send(messages.Say(held + "\n" + held + "; true"))
	first, second := actorstest.ReadUntil[messages.Asked](tree), actorstest.ReadUntil[messages.Asked](tree)
	if first.Always != "all `tee …` commands in this conversation, in the sandbox" {
		t.Fatalf("always would be %q", first.Always)
	}
	tree.Client.Send(messages.Answer{Ask: first.Ask, Choice: messages.Always})
	results := map[string]string{}
	turn := tree.Finish()
	for _, ended := range actorstest.TurnEvents[messages.ToolEnded](turn) {
		results[ended.Call] = ended.Text
	}
	if len(actorstest.TurnEvents[messages.Asked](turn)) > 0 {
		t.Skip("this system has no complete sandbox")
	}
	if !strings.Contains(results[first.Ask], "NoNewPrivs:\t0") || !strings.Contains(results[second.Ask], "NoNewPrivs:\t1") {
		t.Errorf("looked at: %s, covered: %s", results[first.Ask], results[second.Ask])
	}
}

func TestAlwaysWorksAfterCodingWasSwitchedOn(t *testing.T) {
	sandbox := tools.NewSandbox(tools.SandboxConfig{Environ: os.Environ()})
	defer sandbox.Close()
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Config: func(config *actors.Config) { config.Dir = t.TempDir() }, Sandbox: sandbox, Policy: &actors.Policy{Person: true},
	})
	tree.Client.Send(messages.SetMode{Coding: true})
	if asked, _ := answer(tree, held, messages.Always); !strings.Contains(asked.Always, "in the sandbox") {
		t.Errorf("asked %+v", asked)
	}
	turn := tree.Prompt(held)
	if len(actorstest.TurnEvents[messages.Asked](turn)) > 0 {
		t.Skip("this system has no complete sandbox")
	}
	if !strings.Contains(turn.Ended.Text, "NoNewPrivs:\t1") {
		t.Errorf("covered: %s", turn.Ended.Text)
	}
}

func TestMissingSandboxIsReportedOnce(t *testing.T) {
	outer := unholdable(t)
	inner := filepath.Join(outer, "project")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	sandbox := tools.NewSandbox(tools.SandboxConfig{Environ: os.Environ(), Home: filepath.Join(outer, "home")})
	defer sandbox.Close()
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Dir: inner, Sandbox: sandbox, Policy: &actors.Policy{Coding: true, Person: true},
	})
	answer(tree, "touch a; echo 1", messages.Always)
	tree.Client.Send(messages.SetDir{Path: outer})
	asked, said := answer(tree, "touch a; echo 2", messages.Yes)
	if !strings.HasPrefix(asked.Detail, "There is no sandbox here, so Marvin asks first: ") || asked.Always != "" || !strings.HasPrefix(said, "2\n") {
		t.Errorf("asked %+v, said %q", asked, said)
	}
	asked, said = answer(tree, "touch a; echo 3", messages.Yes)
	if !strings.HasPrefix(asked.Detail, "touch a; echo 3\n") || asked.Always != "" || !strings.HasPrefix(said, "3\n") {
		t.Errorf("then asked %+v, said %q", asked, said)
	}
	notices := 0
	for _, notice := range actorstest.Pick[messages.Notice](tree.Seen) {
		if strings.HasPrefix(notice.Text, "There is no sandbox here") {
			notices++
		}
	}
	grants := actorstest.Pick[messages.Granted](tree.Seen)
	if last := grants[len(grants)-1]; notices != 1 || len(last.Grants) != 0 {
		t.Errorf("said %d times; granted %+v", notices, last)
	}
}

func TestAGrantIsForItsConversation(t *testing.T) {
	home := t.TempDir()
	setup := actorstest.Setup{
		Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Home: home, Dir: t.TempDir(), Keep: begins,
		Policy: &actors.Policy{Coding: true, Person: true}, Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxOff}),
	}
	begun := actorstest.Start(t, setup)
	answer(begun, "echo 0", messages.Yes)
	if err := begun.System.Stop(); err != nil {
		t.Fatal(err)
	}
	list, err := sessions.New(persistence.Open(home, time.Now)).List()
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	tree := actorstest.Start(t, setup)
	answer(tree, "echo 1", messages.Always)
	if asked := actorstest.TurnEvents[messages.Asked](tree.Prompt("echo 2")); len(asked) != 0 {
		t.Fatalf("asked despite a grant: %+v", asked)
	}
	tree.Client.Send(messages.Resume{ID: list[0].ID})
	actorstest.ReadUntil[messages.Resumed](tree)
	answer(tree, "echo 3", messages.Yes) // this waits until the question comes
}
