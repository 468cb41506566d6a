package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/internal/beside"
	"marvin/ui/internal/suspend"
	"marvin/ui/tui/internal/canvas"
)

const (
	rest     = 10 * time.Second // memory is freed this long after a turn or a search
	patience = 5 * time.Second  // time limit for closing the conversation and restoring the terminal
)

// errTerminalGone reports that the terminal is closed.
var errTerminalGone = errors.New("the terminal is gone")

func (s *Screen) run(ctx context.Context) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = beside.Panicked(cause)
		}
		s.restore()
	}()
	goesOn, done := suspend.NotifyContinued()
	defer done()
	s.goesOn = goesOn
	quit := make(chan struct{})
	defer close(quit)
	defer close(s.over)
	reading, stop := context.WithCancel(context.Background())
	defer stop()
	s.screen.EnablePaste()
	s.screen.EnableMouse(mouseEvents)
	s.screen.EnableFocus()
	if s.Looks.Asks {
		s.frame.Raw(canvas.AskGround)
	}
	if s.Images.Ask {
		s.frame.Raw(canvas.AskAttributes)
	}
	events := make(chan tcell.Event, 256)
	s.incoming = events
	s.work.Start(func() { s.screen.ChannelEvents(events, quit) }, func() {})
	batches := s.work.Follow(reading, s.Client)
	s.frame.Width, s.frame.Height = s.screen.Size()
	// The first frame waits up to [canvas.Frame] for events from the conversation.
	s.frame.Dirty, s.frame.Drawn = true, s.Now()
	if !s.Images.Ask {
		drawsPictures(s)
	}
	if s.First != "" {
		s.engine.Begin(s.First)
	}
	return s.loop(ctx, events, batches)
}

// loop receives and handles events until the screen ends. The state is changed only here.
func (s *Screen) loop(ctx context.Context, events chan tcell.Event, batches <-chan []messages.Envelope) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	done := ctx.Done()
	var tooLate <-chan time.Time
	for {
		timer.Reset(s.wait())
		select {
		case event, ok := <-events:
			if !ok {
				return nil
			}
			if err := s.terminal(event); err != nil {
				done, s.gone = nil, true
				s.leave()
			}
		case batch, ok := <-batches:
			if !ok {
				return errors.Join(s.work.Crash(), s.input.draft.keepAtLast())
			}
			s.apply(batch)
		case line := <-s.Lines:
			s.view.AddNotice(messages.Warning, line)
			s.frame.Dirty = true
		case then := <-s.done:
			if then != nil {
				then()
			}
			s.frame.Dirty = true
		case said := <-s.frame.Answers:
			handleReply(s, said)
		case err := <-s.work.Crashed():
			return err
		case <-s.goesOn:
			s.suspend(func() {}) // the shell may have changed the terminal's modes
		case <-done:
			done = nil
			s.leave()
		case <-timer.C:
			s.tick()
		case <-tooLate:
			return fmt.Errorf("the conversation did not close within %s", patience)
		}
		if s.leaving && tooLate == nil {
			tooLate = time.After(patience)
		}
		if s.view.Closed {
			return s.input.draft.keepAtLast()
		}
		s.input.draft.saveIfDue()
		s.drawIfDue()
	}
}

// wait returns the longest time for which the loop can wait for an event.
func (s *Screen) wait() time.Duration {
	now, wait := s.Now(), time.Hour
	if s.frame.Dirty {
		wait = min(wait, s.frame.DrawsAt().Sub(now))
	}
	if s.view.Turn.Running {
		wait = min(wait, time.Second-now.Sub(s.view.Turn.Began)%time.Second)
	}
	if len(s.engine.Working()) > 0 {
		wait = min(wait, time.Second)
	}
	if s.hint.text != "" {
		wait = min(wait, s.hint.ends.Sub(now))
	}
	if !s.frame.Rests.IsZero() {
		wait = min(wait, s.frame.Rests.Sub(now))
	}
	if s.ask.ID != "" && !s.ask.Armed {
		wait = min(wait, s.ask.ArmedAt().Sub(now))
	}
	if due := picturesDue(s); !due.IsZero() {
		wait = min(wait, due.Sub(now))
	}
	if due := s.input.burst.due(); !due.IsZero() {
		wait = min(wait, due.Sub(now))
	}
	if due := s.input.draft.due; !due.IsZero() && !s.input.draft.saving {
		wait = min(wait, due.Sub(now))
	}
	return max(wait, 0)
}

// tick is called when the duration returned by [Screen.wait] has passed.
func (s *Screen) tick() {
	now := s.Now()
	s.input.burst.endIfDue(now, len(s.incoming))
	if s.hint.text != "" && !now.Before(s.hint.ends) {
		s.hint.text, s.frame.Dirty = "", true
	}
	if s.ask.ID != "" && !s.ask.Armed && !now.Before(s.ask.ArmedAt()) {
		s.ask.Armed, s.frame.Dirty = true, true
		s.ask.Open()
	}
	if due := picturesDue(s); s.view.Turn.Running || len(s.engine.Working()) > 0 || !due.IsZero() && !now.Before(due) {
		s.frame.Dirty = true
	}
	if !s.frame.Rests.IsZero() && !now.Before(s.frame.Rests) {
		s.frame.Rests = time.Time{}
		if !s.view.Turn.Running {
			// This takes 10 ms and frees up to half of the program's memory.
			s.work.Start(debug.FreeOSMemory, func() {})
		}
	}
}

// drawIfDue draws a frame if one is due. Only drawIfDue calls [Screen.draw].
func (s *Screen) drawIfDue() {
	now := s.Now()
	if !s.frame.Dirty || s.gone || now.Before(s.frame.DrawsAt()) {
		return
	}
	s.frame.BeginFrame(now)
	s.draw(now)
	s.frame.Shown = true
}

// apply responds to a batch of events from the conversation.
func (s *Screen) apply(batch []messages.Envelope) {
	for _, envelope := range batch {
		if event, ok := envelope.Event.(messages.Withdrawn); ok {
			s.queue.handleWithdrawn(event.Request)
		}
		s.view.Apply(envelope)
		toast(s, envelope.Event)
		s.engine.Hear(envelope)
		s.input.past.loadProfile(s.view.Profile)
		if event, ok := envelope.Event.(messages.Rewound); ok {
			s.input.rewound(event)
		}
		s.notify.tell(envelope.Event)
		s.review.handleEvent(envelope.Event)
		switch event := envelope.Event.(type) {
		case messages.AgentShown:
			s.help.showAgent(event)
		case messages.AgentChanged:
			s.help.updateAgent(event)
		case messages.ToolEnded, messages.Notice: // a tool or a job can change the branch
			s.place.known = false
		case messages.TurnEnded:
			s.turnEnded(event)
			s.frame.Soon = true // show the end of the answer without delay
		case messages.ToolsCalled:
			s.frame.Soon = true // the text before the tool calls is complete
		default: // the view handles the other events
		}
	}
	s.ask.Follow()
	s.place.locate()
	s.notify.title()
	s.frame.MarkDirty(s.Now())
	if !s.frame.Shown {
		s.frame.Drawn = time.Time{}
	}
}

// turnEnded sends the prompts typed during the turn. If the turn was canceled, the prompts return
// to the input, because they may refer to the canceled work.
func (s *Screen) turnEnded(ended messages.TurnEnded) {
	s.frame.Rests = s.Now().Add(rest)
	switch {
	case ended.Exit:
		s.leave()
	case len(s.view.Queue) == 0 || s.leaving:
	case ended.Outcome == messages.Cancelled:
		s.queue.takeBack()
	case s.view.Queue[0].Request != "": // the conversation sends this prompt next
	default:
		next := s.view.Queue.Pop().Prompt
		s.input.draft.scheduleSave(true)
		s.send(next)
	}
}
