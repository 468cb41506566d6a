package headless

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/jsonl"
	"marvin/ui/termsafe"
)

// Form is what stdout carries.
type Form string

// The forms of output. JSON is one object at the end, JSONL one envelope per event.
const (
	Text  Form = "text"
	JSON  Form = "json"
	JSONL Form = "jsonl"
)

// Result is how the run ended. Its Outcome decides the exit code.
type Result struct {
	Outcome messages.Outcome
	Text    string
	Usage   messages.Usage
	Err     string
	Session string
	Kept    string
	Stdout  error // why the answer could not be written, if it could not
}

// Runner is one run.
type Runner struct {
	Client   ui.Client
	Form     Form
	Stdout   io.Writer
	Stderr   io.Writer
	Kept     func() string      // the id of the conversation that is kept; nil or "" if none is
	Pictures []messages.Picture // that go with the prompt
	Together bool               // standard output and standard error are one terminal
	// Grace is how long the run may continue after its context ended; it covers a reader that
	// stopped reading. 2 s if zero.
	Grace time.Duration

	mu     sync.Mutex
	result Result
}

// Run sends the prompt and writes the answer until the turn ended. When ctx ends,
// the turn is cancelled in order, and Run returns within the grace period even if
// stdout is stuck.
func (r *Runner) Run(ctx context.Context, prompt messages.Prompt) Result {
	if r.Grace == 0 {
		r.Grace = 2 * time.Second
	}
	r.result = Result{Outcome: messages.Failed, Err: "the run did not end in time"}
	done := make(chan struct{})
	prompt.Pictures = r.Pictures
	r.Client.Send(prompt)
	go func() { // its own goroutine, because a write to a full pipe may never return
		defer close(done)
		r.follow()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		r.Client.Send(messages.Cancel{})
		select {
		case <-done:
		case <-time.After(r.Grace):
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.result
}

// follow reads events until the turn ended.
func (r *Runner) follow() {
	writer := newWriter(r.Form, r.Stdout)
	writer.together = r.Together
	for {
		batch, err := r.Client.Next(context.Background())
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.set(func(result *Result) { result.Err = err.Error() })
			}
			return
		}
		for _, envelope := range batch {
			writer = r.note(writer, envelope)
			writer = r.check(writer, writer.event(envelope))
			if _, ended := envelope.Event.(messages.TurnEnded); ended {
				r.check(writer, writer.end(r.whole()))
				return
			}
		}
		writer = r.check(writer, writer.flush())
	}
}

// check cancels the turn when the reader is gone.
func (r *Runner) check(writer *writer, err error) *writer {
	if err == nil {
		return writer
	}
	r.Client.Send(messages.Cancel{})
	r.set(func(result *Result) {
		result.Stdout = err
		result.undelivered()
	})
	return newWriter(r.Form, io.Discard)
}

// undelivered marks the run as failed if the complete answer could not be written. It is called
// when either fact becomes known, in any order.
func (result *Result) undelivered() {
	if result.Stdout != nil && result.Outcome == messages.Completed {
		result.Outcome = messages.Failed
	}
}

// tell prints a message on stderr, on its own line if that is a terminal.
func (r *Runner) tell(writer *writer, text string) *writer {
	writer = r.check(writer, writer.ownLine())
	fmt.Fprintln(r.Stderr, text)
	return writer
}

// note records what the result needs, and prints messages.
func (r *Runner) note(writer *writer, envelope messages.Envelope) *writer {
	switch event := envelope.Event.(type) {
	case messages.Notice:
		return r.tell(writer, event.Text)
	case messages.PlanChanged:
		return r.tell(writer, "[Plan] "+ui.PlanProgress(event.Plan))
	case messages.Waiting:
		if event.Why != "" {
			return r.tell(writer, event.Why)
		}
	case messages.UsageChanged:
		r.set(func(result *Result) { result.Usage = event.Usage })
	case messages.TurnEnded:
		r.set(func(result *Result) {
			result.Outcome, result.Text, result.Usage, result.Err = event.Outcome, event.Text, event.Usage, event.Err
			result.Session = envelope.Session
			result.undelivered()
		})
	case messages.Text, messages.Thinking, messages.ToolsCalled: // the writer's
	case messages.Opened, messages.TurnStarted, messages.ToolStarted, messages.ToolOutput, messages.ToolEnded, messages.AgentChanged, messages.Diagnosed, messages.Compacted: // on the way; JSON lines have it
	case messages.ModelChanged, messages.ModeChanged, messages.Granted, messages.AgentShown, messages.ContextShown, messages.NeedsShown, messages.Changes, messages.EffortChanged, messages.Cleared, messages.Closed: // there is no user to change anything
	case messages.Resumed, messages.Recalled, messages.Rewound, messages.Tree, messages.Artifacts: // was said before, and is no part of this answer
	case messages.Asked, messages.Answered, messages.Withdrawn, messages.Refused, messages.Steered: // answered elsewhere, or never sent
	}
	return writer
}

func (r *Runner) set(change func(*Result)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.result)
}

// whole is the result of a run that ended.
func (r *Runner) whole() Result {
	if r.Kept != nil {
		r.set(func(result *Result) { result.Kept = r.Kept() })
	}
	return r.snapshot()
}

func (r *Runner) snapshot() Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.result
}

// schemaVersion is the version of the JSON form's object. It grows when a field
// changes its meaning or goes away.
const schemaVersion = 1

// summary is the object of the JSON form.
type summary struct {
	Version int              `json:"v"`
	Session string           `json:"session"`
	Kept    string           `json:"session_id,omitempty"` // of the conversation that is kept
	Outcome messages.Outcome `json:"outcome"`
	Text    string           `json:"text"`
	Error   string           `json:"error,omitempty"`
	Usage   messages.Usage   `json:"usage"`
	Cost    float64          `json:"cost"`
}

// writer writes events to stdout in one form. Everything since the last flush is one write, at the
// reader's pace.
type writer struct {
	form      Form
	out       *bufio.Writer
	json      *jsonl.Writer
	lineBegun bool // the last byte written was not a line break
	together  bool // standard error is the same terminal
}

func newWriter(form Form, out io.Writer) *writer {
	buffered := bufio.NewWriterSize(out, 16<<10)
	return &writer{form: form, out: buffered, json: jsonl.NewWriter(buffered)}
}

func (w *writer) event(envelope messages.Envelope) error {
	switch w.form {
	case JSONL:
		return w.json.Write(envelope)
	case Text:
		switch event := envelope.Event.(type) {
		case messages.Text:
			return w.text(event.Chunk)
		case messages.ToolsCalled:
			return w.text(w.lineBreak() + "  🔧 " + termsafe.Line(strings.Join(event.Names, ", ")) + "\n") // a name with a line break would be a line of its own
		default: // standard output has the answer and the names of tools, and nothing else
		}
	}
	return nil
}

func (w *writer) text(chunk string) error {
	if chunk == "" {
		return nil
	}
	w.lineBegun = chunk[len(chunk)-1] != '\n'
	_, err := w.out.WriteString(chunk)
	return err
}

// lineBreak is what brings the next byte to the beginning of a line.
func (w *writer) lineBreak() string {
	if w.lineBegun {
		return "\n"
	}
	return ""
}

// ownLine has what comes on standard error begin a line, where both are one terminal.
func (w *writer) ownLine() error {
	if !w.together || w.form != Text {
		return nil
	}
	if err := w.text(w.lineBreak()); err != nil {
		return err
	}
	return w.flush()
}

// end closes the output: the last line break of text, or the object of JSON. On failure text
// gets nothing that the model did not say, except on a terminal, where the error follows on a
// line of its own.
func (w *writer) end(result Result) error {
	switch w.form {
	case JSON:
		err := w.json.Write(summary{
			Version: schemaVersion, Session: result.Session, Kept: result.Kept, Outcome: result.Outcome, Text: result.Text,
			Error: result.Err, Usage: result.Usage, Cost: result.Usage.Cost,
		})
		if err != nil {
			return err
		}
	case Text:
		if result.Outcome == messages.Completed || w.together {
			if err := w.text(w.lineBreak()); err != nil {
				return err
			}
		}
	}
	return w.flush()
}

func (w *writer) flush() error { return w.out.Flush() }
