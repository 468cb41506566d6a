package command_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/view"
)

// noon is the time of all events on the desk.
var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// desk is a front end that only records: its lines are the messages to the user and the requests to
// the conversation, in order.
type desk struct {
	t      *testing.T
	paper  strings.Builder
	engine *command.Engine
	talk   conversation.State
	host   *papers
	open   *command.Pick // the open list

	lists, colours bool  // the abilities of this front end
	terminal       error // the error if there is no terminal
	clipboard      error
}

func sitDown(t *testing.T) *desk {
	d := &desk{t: t, terminal: command.ErrNoTerminal}
	d.host = &papers{note: d.note}
	d.talk = conversation.State{Opened: true, Provider: "openai", Model: "gpt-5", Profile: "default", Dir: "/srv/shop", Approval: messages.ApproveAsk}
	d.engine = &command.Engine{Env: command.Env{Client: d, Front: d, Talk: &d.talk, Now: func() time.Time { return noon }, Host: d.host}}
	return d
}

// note writes a line. It indents all lines of a text after the first.
func (d *desk) note(format string, words ...any) {
	text := strings.ReplaceAll(fmt.Sprintf(format, words...), "\n", "\n    ")
	for line := range strings.SplitSeq(text, "\n") {
		d.paper.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
}

// Send is part of ui.Client.
func (d *desk) Send(op messages.Op) {
	body, err := json.Marshal(op)
	if err != nil {
		d.t.Fatal(err)
	}
	d.note("asks: %s %s", messages.OpName(op), body)
	if prompt, ok := op.(messages.Prompt); ok && prompt.Parts != nil {
		d.note("with: %+v", *prompt.Parts)
	}
}

// Next is part of ui.Client.
func (d *desk) Next(context.Context) ([]messages.Envelope, error) { return nil, io.EOF }

func (d *desk) hear(event messages.Event) {
	envelope := messages.Envelope{At: noon, Event: event}
	d.talk.Apply(envelope)
	d.engine.Hear(envelope)
}

func (d *desk) Say(level messages.Level, text string)      { d.note("%s: %s", level, text) }
func (d *desk) Submit(prompt messages.Prompt)              { d.Send(prompt) }
func (d *desk) Go(work func() func())                      { work()() }
func (d *desk) Keys() string                               { return "Ctrl-C cancels" }
func (d *desk) StartDisplay(string) command.CommandDisplay { return nil } // printed_test.go tests a front end that shows it
func (d *desk) Leave()                                     { d.note("leaves") }

func (d *desk) Suspend(use func() error) error {
	if d.terminal != nil {
		return d.terminal
	}
	return use()
}

func (d *desk) Copy(text string) (string, error) {
	if d.clipboard != nil {
		return "", d.clipboard
	}
	d.note("copies: %q", text)
	return "by the terminal", nil
}

func (d *desk) Theme(name string) error {
	switch {
	case !d.colours:
		return command.ErrNoColours
	case name == "mud":
		return fmt.Errorf("there is no theme %s", name)
	}
	d.note("shows the theme %s", cmp.Or(name, "that is usual"))
	return nil
}

// Pick records the list as it opens; [desk.choose] answers it.
func (d *desk) Pick(pick command.Pick) bool {
	if !d.lists {
		return false
	}
	d.open = &pick
	d.note("list: %s", pick.List.Title)
	items := pick.List.Items
	if pick.Source != nil {
		for i := range pick.Source.Len() {
			items = append(items, pick.Source.Item(i))
		}
	}
	for _, item := range items {
		mark := " "
		if item.Now {
			mark = "*"
		}
		d.note("%s %s", mark, strings.Join([]string{item.Text, item.Note, item.Words, item.Off, item.Preview}, " | "))
	}
	return true
}

// choose performs the user's action in the open list.
func (d *desk) choose(how string, number int) {
	switch how {
	case "choose":
		if d.open.Source != nil {
			d.open.Source.Chosen(number - 1)
			return
		}
		d.open.Chosen(number - 1)
	case "move":
		d.open.Moved(number - 1)
	case "left":
		d.open.Left()
	case "later":
		for _, item := range d.open.Later()() {
			d.note("  later %s | %s", item.Text, item.Note)
		}
	case "rest":
		rest := d.open.Source
		d.note("the rest are %d, the first is %+v", rest.Len(), rest.Item(0))
		rest.VisitItems(func(index int, item view.Item) bool {
			d.note("searched is %d: %s | %s | %s", index, item.Text, item.Note, item.Words)
			return true
		})
		d.note("about shop are %v", rest.About(d.t.Context(), "shop"))
		rest.Chosen(0)
	}
}
