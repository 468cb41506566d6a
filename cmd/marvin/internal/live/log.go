package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/termsafe"
)

// endRequestID is the ID of a request that the role "see" does not allow. The refusal marks the end
// of the existing text.
const endRequestID = "told"

// Log prints the conversation so far, as lines of text. If follow is true, it then prints new text
// until the conversation or ctx ends.
func Log(ctx context.Context, window ui.Client, out io.Writer, follow bool) error {
	if !follow {
		window.Send(messages.Request{ID: endRequestID, Op: messages.Cancel{}})
	}
	printer := &printer{out: out, calls: map[string]string{}}
	for {
		batch, err := window.Next(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return printer.end()
		}
		if err != nil {
			return err
		}
		for _, envelope := range batch {
			if refused, is := envelope.Event.(messages.Refused); is && refused.Request == endRequestID {
				return printer.end()
			}
			printer.show(envelope.Event)
		}
		if printer.failed != nil {
			return printer.failed
		}
	}
}

type printer struct {
	out    io.Writer
	within bool              // whether the current line contains text
	calls  map[string]string // titles of running calls
	failed error
}

func (p *printer) write(text string) {
	if p.failed == nil && text != "" {
		_, p.failed = io.WriteString(p.out, text)
		p.within = !strings.HasSuffix(text, "\n")
	}
}

// line writes the given text on lines of its own.
func (p *printer) line(text string) {
	if p.within {
		p.write("\n")
	}
	p.write(text + "\n")
}

func (p *printer) end() error {
	if p.within {
		p.write("\n")
	}
	return p.failed
}

func (p *printer) show(event messages.Event) {
	switch event := event.(type) {
	case messages.TurnStarted:
		p.line("> " + event.Prompt)
	case messages.Steered:
		p.line("> " + event.Prompt)
	case messages.Text:
		p.write(event.Chunk)
	case messages.ToolStarted:
		p.calls[event.Call] = event.Title
	case messages.ToolEnded:
		p.printEnd(event)
	case messages.Asked:
		p.line("? " + event.Title + "\n" + event.Detail + "\n(to answer it, run marvin inbox)")
	case messages.Answered:
		p.line("= " + event.Words() + answeredBy(event.By))
	case messages.Notice:
		p.line("[" + string(event.Level) + "] " + event.Text)
	case messages.TurnEnded:
		if event.Err != "" {
			p.line("[" + string(event.Outcome) + "] " + event.Err)
		}
		p.line(fmt.Sprintf("[%s, $%.4f]", event.Outcome, event.Usage.Cost))
	case messages.Recalled:
		p.printTurn(event)
	default: // other events matter only to windows
	}
}

// answeredBy returns a window's name in parentheses, or "" if there is no name.
func answeredBy(window string) string {
	if window == "" {
		return ""
	}
	return " (" + termsafe.Line(window) + ")"
}

func (p *printer) printEnd(event messages.ToolEnded) {
	event.Title = cmp.Or(event.Title, p.calls[event.Call])
	delete(p.calls, event.Call)
	if event.Status == messages.OK {
		p.line(ui.CallLine(event))
		return
	}
	p.line("✗ " + ui.CallTitle(event) + ": " + event.Status.DescribeEnd(event.Exit, event.Job))
}

// printTurn prints an earlier turn.
func (p *printer) printTurn(turn messages.Recalled) {
	p.line("> " + turn.Prompt)
	for _, step := range turn.Steps {
		switch {
		case step.Tool != "":
			p.printEnd(messages.ToolEnded{Name: step.Tool, Title: step.Title, Status: step.Status, Exit: step.Exit, Job: step.Job})
		case step.Said:
			p.line("> " + step.Text)
		case step.Text != "":
			p.line(step.Text)
		}
	}
	if turn.Err != "" {
		p.line("[" + string(turn.Outcome) + "] " + turn.Err)
	}
}

// PrintStored prints the turns of a conversation that is not running.
func PrintStored(turns []messages.Recalled, out io.Writer) error {
	printer := &printer{out: out, calls: map[string]string{}}
	for _, turn := range turns {
		printer.printTurn(turn)
	}
	return printer.end()
}
