// Package phone sends questions from a conversation to the user's private ntfy topic, and receives
// the answers there. Each code in a message is valid for one question. A message reveals only the
// question's title, tool and deadline.
package phone

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"marvin/messages"
	"marvin/tools/ntfy"
	"marvin/ui"
)

const (
	looksEvery = 5 * time.Second // the interval between checks for answers while a question is open
	mostWrong  = 5               // after this many wrong codes, the codes of all open questions become invalid
)

// Phone sends a conversation's questions to the user's phone, and receives the answers.
type Phone struct {
	Service *ntfy.Service
	Profile string
	// Undoable reports whether the effect of the answer "yes" can be undone.
	Undoable func(messages.Asked) bool
	Log      *slog.Logger

	window ui.Client
	topic  string
	last   string // the next poll reads only messages after this id
	open   map[string]messages.Asked
	wrong  int
}

// Follow relays questions and answers between a window and the phone until the conversation or ctx
// ends.
func (p *Phone) Follow(ctx context.Context, window ui.Client) {
	p.window, p.open = window, map[string]messages.Asked{}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan []messages.Envelope)
	go func() {
		defer close(batches)
		for {
			batch, err := window.Next(ctx)
			if err != nil {
				return
			}
			select {
			case batches <- batch:
			case <-ctx.Done():
				return
			}
		}
	}()
	ticker := time.NewTicker(looksEvery)
	defer ticker.Stop()
	for {
		select {
		case batch, more := <-batches:
			if !more {
				return
			}
			for _, envelope := range batch {
				p.hear(ctx, envelope.Event)
			}
		case <-ticker.C:
			if len(p.open) > 0 {
				p.look(ctx)
			}
		}
	}
}

func (p *Phone) hear(ctx context.Context, event messages.Event) {
	switch event := event.(type) {
	case messages.Asked:
		p.forget(event.Ask) // the question may have changed
		p.ask(ctx, event)
	case messages.Answered:
		p.forget(event.Ask)
	case messages.TurnEnded, messages.Cleared:
		clear(p.open)
	case messages.Refused:
		p.tell(ctx, "Marvin: too late", "The question was answered or changed. "+event.Err, false)
	default: // the event is not about a question
	}
}

func (p *Phone) forget(ask string) {
	for code, asked := range p.open {
		if asked.Ask == ask {
			delete(p.open, code)
		}
	}
}

// ask sends a question to the phone. If the effect of the answer "yes" cannot be undone, the
// message contains no code, and the user must answer at the computer.
func (p *Phone) ask(ctx context.Context, asked messages.Asked) {
	if p.topic == "" {
		topic, err := p.Service.Private(p.Profile)
		if err != nil {
			p.Log.Warn("the question is not sent to the phone", "error", err.Error())
			return
		}
		p.topic = topic
	}
	about := asked.Title
	if asked.Tool != "" {
		about += " (" + asked.Tool + ")"
	}
	if !p.Undoable(asked) {
		p.tell(ctx, "Marvin waits for you", about+"\nThis cannot be undone, so answer the question at the computer, with \"marvin attach\" or \"marvin inbox\".", true)
		return
	}
	if len(p.open) == 0 { // earlier replies can belong to other conversations
		p.last, p.wrong = "", 0
	}
	code := ntfy.NewCode()
	text := about + "\nTo answer, send: yes " + code + "\nor: no " + code + " and what to do instead"
	if asked.Kind == messages.AskChoice { // the message must not reveal the choices
		text = about + "\nTo use the default answer, send: yes " + code + "\nor, not to answer: no " + code + "\nTo choose another answer, use the computer."
	}
	if !asked.Deadline.IsZero() {
		text += "\nWithout an answer, the default applies at " + asked.Deadline.Local().Format("15:04") + "."
	}
	if p.tell(ctx, "Marvin asks", text, true) {
		p.open[code] = asked
	}
}

// tell sends a message, and reports whether it was sent.
func (p *Phone) tell(ctx context.Context, title, text string, urgent bool) bool {
	id, err := p.Service.Tell(ctx, p.Profile, p.topic, title, text, urgent)
	if id == "" {
		p.Log.Warn("the message is not sent to the phone", "error", err.Error())
		return false
	}
	p.last = cmp.Or(p.last, id)
	return true
}

func (p *Phone) look(ctx context.Context) {
	replies, last, err := p.Service.Replies(ctx, p.Profile, p.topic, p.last)
	if err != nil {
		p.Log.Warn("the answers from the phone cannot be read", "error", err.Error())
		return
	}
	p.last = last
	for _, reply := range replies {
		asked, known := p.open[reply.Code]
		if !known {
			p.countWrong(ctx)
			continue
		}
		delete(p.open, reply.Code)
		answer := messages.Answer{Ask: asked.Ask, Choice: messages.No, Text: reply.Words, Digest: asked.Fingerprint()}
		if reply.Yes {
			answer.Choice, answer.Text = messages.Yes, ""
		}
		p.window.Send(messages.Request{ID: reply.Code, Op: answer})
	}
}

// countWrong counts a reply whose code belongs to no open question.
func (p *Phone) countWrong(ctx context.Context) {
	if p.wrong++; p.wrong < mostWrong || len(p.open) == 0 {
		return
	}
	clear(p.open)
	p.tell(ctx, "Marvin: too many wrong codes", "The codes for the open questions no longer work. Answer at the computer, with \"marvin attach\" or \"marvin inbox\".", true)
}
