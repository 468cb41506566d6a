package beside_test

import (
	"context"
	"strings"
	"testing"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/ui/internal/beside"
)

func TestPanicIsReportedBeforeTheEndOfTheWork(t *testing.T) {
	work, done := beside.New(), make(chan struct{})
	work.Start(func() { panic("a bug") }, func() { close(done) })
	<-done
	err := work.Crash()
	if err == nil || !strings.HasPrefix(err.Error(), "internal error: a bug\n") || !strings.Contains(err.Error(), "beside_test.go") {
		t.Errorf("told: %v", err)
	}
	if err := work.Crash(); err != nil {
		t.Errorf("told again: %v", err)
	}
	work.Start(func() { panic("another") }, func() {})
	if err := <-work.Crashed(); !strings.HasPrefix(err.Error(), "internal error: another\n") {
		t.Errorf("told: %v", err)
	}
}

func TestWorkThatEndsWellIsNoCrash(t *testing.T) {
	work, done := beside.New(), make(chan struct{})
	worked := false
	work.Start(func() { worked = true }, func() { close(done) })
	<-done
	if err := work.Crash(); err != nil || !worked {
		t.Errorf("worked %v, told %v", worked, err)
	}
}

func TestAConversationIsFollowedToItsEnd(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t, modeltest.Text("hello"))})
	work := beside.New()
	tree.Client.Send(messages.Prompt{Text: "go"})
	said, last := "", messages.Event(nil)
	for batch := range work.Follow(t.Context(), tree.Client) {
		for _, envelope := range batch {
			last = envelope.Event
			switch event := last.(type) {
			case messages.Text:
				said += event.Chunk
			case messages.TurnEnded:
				tree.Client.Send(messages.Quit{})
			}
		}
	}
	if _, closed := last.(messages.Closed); !closed || said != "hello" || work.Crash() != nil {
		t.Errorf("it said %q and ended with %T", said, last)
	}
}

func TestUnreadConversationIsClosed(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t)})
	ctx, stop := context.WithCancel(t.Context())
	work := beside.New()
	batches := work.Follow(ctx, tree.Client) // the conversation reported that it is open
	stop()
	for range batches { // at most one more batch, then it is closed
	}
	if err := work.Crash(); err != nil {
		t.Error(err)
	}
}

func TestAPanicOfTheConversationEndsIt(t *testing.T) {
	work := beside.New()
	for batch := range work.Follow(t.Context(), nil) {
		t.Errorf("nobody said %+v", batch)
	}
	if err := work.Crash(); err == nil || !strings.Contains(err.Error(), "nil pointer") {
		t.Errorf("told: %v", err)
	}
}
