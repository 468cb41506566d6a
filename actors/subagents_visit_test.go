package actors_test

import (
	"strings"
	"testing"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// The user can look at one sub-agent, and stop it alone.
func TestOneSubAgentIsShownAndStoppedAlone(t *testing.T) {
	hanging := make(chan struct{}, 1)
	goOn := make(chan struct{})
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		switch {
		case request.Last().Role != messages.Tool:
			return modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: "looking at " + prompted(request)}})
		case prompted(request) == "task 2":
			hanging <- struct{}{}
			return modeltest.Text("half of it").Append(modeltest.Hang())
		}
		<-goOn
		return modeltest.Text("done with ", prompted(request))
	}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(3, 3, nil), say()}})
	tree.Client.Send(messages.Say("go"))
	started := actorstest.ReadUntil[messages.ToolStarted](tree)
	<-hanging
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 2})
	shown := actorstest.ReadUntil[messages.AgentShown](tree)
	for !strings.Contains(shown.Text, "· looking at") { // its activity is reported separately from its requests
		tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 2, More: true})
		shown = actorstest.ReadUntil[messages.AgentShown](tree)
	}
	for _, want := range []string{"> task 2", "→ say", "\n✓ say · looking at"} {
		if !strings.Contains(shown.Text, want) {
			t.Errorf("%q is not in the view:\n%s", want, shown.Text)
		}
	}
	if shown.Agent != 2 || shown.State != messages.AgentWorking || strings.Contains(shown.Text, "task 1") {
		t.Errorf("shown is %+v", shown)
	}
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 2, Stop: true})
	for {
		if changed := actorstest.ReadUntil[messages.AgentChanged](tree); changed.Agent == 2 && changed.State == messages.AgentStopped {
			break
		}
	}
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 2, Stop: true})
	if notice := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(notice.Text, "has ended") {
		t.Errorf("stopped again it says %q", notice.Text)
	}
	close(goOn)
	turn := tree.Finish()
	want := "completed|done with task 1|\ncancelled|half of it|stopped by the user\ncompleted|done with task 3|\n"
	said := strings.Replace(turn.Ended.Text, "cancelled||", "cancelled|half of it|", 1) // its text may not have arrived yet
	if turn.Ended.Outcome != messages.Completed || said != want {
		t.Errorf("the caller has %s, %q, not %q", turn.Ended.Outcome, turn.Ended.Text, want)
	}
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 1})
	if notice := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(notice.Text, "has ended") {
		t.Errorf("after its call it says %q", notice.Text)
	}
}

func TestASubAgentIsReadAsItSpeaks(t *testing.T) {
	words, goOn := []string{"one", " two", " three\n\nand", " four"}, make(chan struct{})
	server := modeltest.StartFunc(t, delegating(func(modeltest.Request) modeltest.Step {
		step := modeltest.Text()
		for _, word := range words {
			step = step.Append(modeltest.Pause(goOn), modeltest.Text(word))
		}
		return step.Append(modeltest.Pause(goOn))
	}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(1, 1, nil)}})
	tree.Client.Send(messages.Say("go"))
	started := actorstest.ReadUntil[messages.ToolStarted](tree)
	actorstest.ReadUntil[messages.AgentChanged](tree)
	more, want := messages.VisitAgent{Call: started.Call, Agent: 1, More: true}, "> task 1\n\n"
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 1})
	if shown := actorstest.ReadUntil[messages.AgentShown](tree); shown.More || shown.Text != strings.TrimSpace(want) {
		t.Errorf("before its first word it is %+v", shown)
	}
	for i, word := range words {
		if i%2 == 0 { // the answer may come before or after the wait begins
			tree.Client.Send(more)
			goOn <- struct{}{}
		} else {
			goOn <- struct{}{}
			tree.Client.Send(more)
		}
		want += word
		if shown := actorstest.ReadUntil[messages.AgentShown](tree); !shown.More || shown.Text != want {
			t.Errorf("behind %q it is %+v, not %q", word, shown, want)
		}
	}
	tree.Client.Send(more)
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 1}) // once this is answered, the request before it is waiting
	if shown := actorstest.ReadUntil[messages.AgentShown](tree); shown.More || shown.Text != want {
		t.Errorf("before its end it is %+v", shown)
	}
	close(goOn)
	if shown := actorstest.ReadUntil[messages.AgentShown](tree); shown.State != messages.AgentEnded || shown.Text != want {
		t.Errorf("at its end it is %+v", shown)
	}
	turn := tree.Finish()
	tree.Client.Send(more)
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 1, Stop: true})
	actorstest.ReadUntil[messages.Notice](tree)
	if notes := actorstest.Pick[messages.Notice](tree.Seen); len(notes) != 1 || turn.Ended.Outcome != messages.Completed {
		t.Errorf("%s, and people read %+v", turn.Ended.Outcome, notes)
	}
}

// A sub-agent that waits for a slot has nothing to show, and is not reported as ended.
func TestWaitingSubAgentIsShownAsWaiting(t *testing.T) {
	hanging, goOn := make(chan struct{}, 2), make(chan struct{})
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		hanging <- struct{}{}
		<-goOn
		return modeltest.Text("done with ", prompted(request))
	}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(2, 1, nil)}})
	tree.Client.Send(messages.Say("go"))
	started := actorstest.ReadUntil[messages.ToolStarted](tree)
	<-hanging
	for _, stop := range []bool{false, true} {
		tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 2, Stop: stop})
		if notice := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(notice.Text, "has not started yet") {
			t.Errorf("stop %t: it says %q", stop, notice.Text)
		}
	}
	tree.Client.Send(messages.VisitAgent{Call: started.Call, Agent: 3})
	if notice := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(notice.Text, "has ended") {
		t.Errorf("of one that there never was it says %q", notice.Text)
	}
	close(goOn)
	if turn := tree.Finish(); !strings.Contains(turn.Ended.Text, "completed|done with task 2|") {
		t.Errorf("%+v", turn.Ended)
	}
}
