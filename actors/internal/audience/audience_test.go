package audience_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marvin/actors/internal/audience"
	"marvin/messages"
)

func begin(t *testing.T) *audience.Hall {
	t.Helper()
	hall := audience.New(time.Now)
	hall.Push(messages.Envelope{Seq: 1, Event: messages.Opened{Dir: "/work"}})
	return hall
}

// read takes all waiting events of a window; there must be some.
func read(t *testing.T, window *audience.Window) []messages.Envelope {
	t.Helper()
	batch, err := window.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

// said returns the answer as a front end shows it.
func said(text string, batch []messages.Envelope) string {
	for _, envelope := range batch {
		switch event := envelope.Event.(type) {
		case messages.Cleared:
			text = ""
		case messages.Text:
			text += event.Chunk
		default: // no part of the answer
		}
	}
	return text
}

// A window that opens at any moment of an answer gets every word once.
func TestAWindowThatComesLaterMissesNoWord(t *testing.T) {
	hall, whole := begin(t), ""
	hall.Push(messages.Envelope{Event: messages.TurnStarted{Prompt: "count"}})
	texts := map[*audience.Window]string{}
	for i := range 2000 {
		word := fmt.Sprintf("%d ", i)
		whole += word
		hall.Push(messages.Envelope{Event: messages.Text{Chunk: word}})
		if i%7 == 0 {
			hall.Push(messages.Envelope{Event: messages.ToolsCalled{}})
		}
		if i%10 == 0 {
			texts[hall.Open(audience.WindowOptions{Role: messages.RoleSee})] = ""
		}
		for window := range texts {
			if i%10 == 0 && rand.IntN(4) == 0 {
				texts[window] = said(texts[window], read(t, window))
			}
		}
	}
	hall.Push(messages.Envelope{Event: messages.ToolsCalled{}})
	for window, text := range texts {
		if text = said(text, read(t, window)); text != whole {
			t.Errorf("a window read %d bytes instead of %d", len(text), len(whole))
		}
	}
}

// A window can open before the conversation has reported its first event.
func TestAWindowBeforeTheFirstEventGetsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := audience.New(time.Now)
		window := hall.Open(audience.WindowOptions{Role: messages.RoleSee})
		first := make(chan int)
		go func() {
			batch, _ := window.Next(t.Context())
			first <- len(batch)
		}()
		synctest.Wait() // the window waits
		hall.Push(messages.Envelope{Seq: 1, Event: messages.Opened{Dir: "/work"}})
		if got := <-first; got != 1 {
			t.Errorf("%d events", got)
		}
	})
}

func TestSlowWindowGetsEverythingAgain(t *testing.T) {
	hall := begin(t)
	slow := hall.Open(audience.WindowOptions{Role: messages.RoleSee})
	read(t, slow)
	for i := range 100 {
		hall.Push(messages.Envelope{Event: messages.TurnStarted{Prompt: fmt.Sprint("prompt ", i)}})
		hall.Push(messages.Envelope{Event: messages.Text{Chunk: strings.Repeat("x", 100<<10)}})
		hall.Push(messages.Envelope{Event: messages.TurnEnded{Exit: true}})
	}
	batch := read(t, slow)
	if cleared, is := batch[0].Event.(messages.Cleared); !is || cleared.Why != messages.ClearedBehind {
		t.Errorf("it begins with %T", batch[0].Event)
	}
	prompts := 0
	for _, envelope := range batch {
		switch event := envelope.Event.(type) {
		case messages.TurnStarted:
			prompts++
		case messages.TurnEnded:
			if event.Exit {
				t.Error("a window that reads later leaves because of an old turn")
			}
		default: // not counted
		}
	}
	if prompts != 100 {
		t.Errorf("it shows %d prompts", prompts)
	}
}

func TestALongConversationIsBoundedInMemory(t *testing.T) {
	hall := begin(t)
	for range 100 {
		hall.Push(messages.Envelope{Event: messages.TurnStarted{Prompt: "go"}})
		hall.Push(messages.Envelope{Event: messages.Text{Chunk: strings.Repeat("x", 1<<20)}})
		hall.Push(messages.Envelope{Event: messages.TurnEnded{}})
	}
	batch := read(t, hall.Open(audience.WindowOptions{Role: messages.RoleSee}))
	if text := said("", batch); len(text) > 33<<20 || len(text) < 8<<20 {
		t.Errorf("%d bytes are kept", len(text))
	}
	if notice, is := batch[1].Event.(messages.Notice); !is || !strings.Contains(notice.Text, "earlier turns") {
		t.Errorf("it begins with %+v", batch[1].Event)
	}
}

func TestEachWindowGetsItsOwnRequests(t *testing.T) {
	hall := begin(t)
	one, two := hall.Open(audience.WindowOptions{Name: "page", Role: messages.RoleDrive}), hall.Open(audience.WindowOptions{Name: "page", Role: messages.RoleDrive})
	read(t, one)
	read(t, two)
	prompt := one.PrepareOp(messages.Request{ID: "7", Op: messages.Prompt{Text: "go"}}).(messages.Request)
	answer := two.PrepareOp(messages.Answer{Ask: "a"}).(messages.Answer)
	one.PrepareOp(messages.ListTree{})
	for _, event := range []messages.Event{
		messages.TurnStarted{Request: prompt.ID}, messages.Answered{Ask: "a", By: answer.By}, messages.Refused{Request: prompt.ID, Err: "no"}, messages.Tree{},
	} {
		hall.Push(messages.Envelope{Event: event})
	}
	if got := fmt.Sprintf("%+v", events(read(t, one))); got != "[{Prompt: Request:7 Aside:false Pictures:[] Images:[]} {Ask:a Choice: Text: Chosen:[] Values:map[] Mode: Default:false By:page} {Request:7 Err:no} {Turns:[]}]" {
		t.Errorf("one hears %s", got)
	}
	if got := fmt.Sprintf("%+v", events(read(t, two))); got != "[{Prompt: Request: Aside:false Pictures:[] Images:[]} {Ask:a Choice: Text: Chosen:[] Values:map[] Mode: Default:false By:}]" {
		t.Errorf("two hears %s", got)
	}
}

func events(batch []messages.Envelope) (all []messages.Event) {
	for _, envelope := range batch {
		all = append(all, envelope.Event)
	}
	return all
}

// The state of a conversation depends on its turn, its questions and its windows.
func TestTheStateOfALiveConversation(t *testing.T) {
	hall := begin(t)
	window := hall.Open(audience.WindowOptions{Role: messages.RoleDrive})
	for _, step := range []struct {
		does func()
		want messages.LiveState
	}{
		{func() {}, messages.LiveIdle},
		{func() { hall.Push(messages.Envelope{Event: messages.TurnStarted{Prompt: "go  on"}}) }, messages.LiveWorking},
		{func() { hall.Push(messages.Envelope{Event: messages.Asked{Ask: "a", Title: "Run?"}}) }, messages.LiveWaiting},
		{func() { hall.Push(messages.Envelope{Event: messages.Answered{Ask: "a"}}) }, messages.LiveWorking},
		{func() { hall.Push(messages.Envelope{Event: messages.TurnEnded{Usage: messages.Usage{Cost: 0.5}}}) }, messages.LiveIdle},
		{window.Close, messages.LiveDone},
	} {
		step.does()
		if live := hall.Live(); live.State != step.want {
			t.Errorf("it is %s, not %s", live.State, step.want)
		}
	}
	if live := hall.Live(); live.Title != "go on" || live.Cost != 0.5 || live.Dir != "/work" || live.Prompts != 1 {
		t.Errorf("%+v", live)
	}
}
