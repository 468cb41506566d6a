package command_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/command"
)

// silent is a conversation that never confirms a request.
type silent struct{}

func (silent) Send(messages.Op) {}

func (silent) Next(ctx context.Context) ([]messages.Envelope, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestPendingRequests(t *testing.T) {
	for _, row := range []struct {
		event messages.Event
		ends  bool
	}{
		{messages.Text{}, false},
		{messages.Thinking{}, false},
		{messages.Opened{}, false},
		{messages.UsageChanged{}, false},
		{messages.Waiting{}, false},
		{messages.AgentShown{More: true}, false},
		{messages.AgentChanged{State: messages.AgentEnded}, false},
		{messages.Cleared{Why: messages.ClearedRewind}, false},
		{messages.Cleared{Why: messages.ClearedResume}, false},
		{messages.Cleared{Why: messages.ClearedBranch}, false},
		{messages.Cleared{}, true},
		{messages.Cleared{Why: messages.ClearedHandoff}, true},
		{messages.AgentShown{}, true},
		{messages.AgentChanged{State: messages.AgentStopped}, true},
		{messages.ContextShown{}, true},
		{messages.Tree{}, true},
		{messages.NeedsShown{}, true},
		{messages.Changes{}, true},
		{messages.Artifacts{}, true},
		{messages.ModelChanged{}, true},
		{messages.Notice{}, true},
		{messages.ModeChanged{}, true},
		{messages.Granted{}, true},
		{messages.ToolEnded{}, true},
		{messages.TurnStarted{}, true},
		{messages.TurnEnded{}, true},
		{messages.Resumed{}, true},
		{messages.Rewound{}, true},
	} {
		front := &fixture{t: t, later: make(chan func(), 4)}
		engine := &command.Engine{Env: command.Env{Front: front, Talk: &front.talk, Now: time.Now, Client: silent{}}}
		engine.Take("/context")
		if working := engine.Working(); len(working) != 1 {
			t.Fatalf("%q", working)
		}
		engine.Hear(messages.Envelope{Event: row.event})
		if ended := len(engine.Working()) == 0; ended != row.ends {
			t.Errorf("%s ends it: %v", fmt.Sprintf("%T %+v", row.event, row.event), ended)
		}
	}
}
