package headless

import (
	"bufio"
	"cmp"
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

// Form is the format of stdout.
type Form string

// In the JSON format, stdout contains one object, which is written at the end. In the JSONL format,
// stdout contains one envelope per event.
const (
	Text  Form = "text"
	JSON  Form = "json"
	JSONL Form = "jsonl"
)

// Result describes a finished run. Its Outcome determines the exit code.
type Result struct {
	Outcome messages.Outcome
	Text    string
	Usage   messages.Usage
	Err     string
	Session string
	Kept    string
	Stdout  error // error from writing the answer, if any
}

// Runner runs one prompt.
type Runner struct {
	Client   ui.Client
	Form     Form
	Stdout   io.Writer
	Stderr   io.Writer
	Kept     func() string      // id of the stored conversation, or ""; the function can be nil
	Pictures []messages.Picture // pictures that belong to the prompt
	Together bool               // standard output and standard error are the same terminal
	// Grace is the longest time that Run takes after its context has ended, even if the reader of
	// stdout has stopped reading. 0 means 2 s.
	Grace time.Duration

	mu     sync.Mutex
	result Result
}

// Run sends the prompt and writes the answer until the turn ends. When ctx ends, Run cancels the
// turn, and returns within the grace period even if stdout blocks.
func (r *Runner) Run(ctx context.Context, prompt messages.Prompt) Result {
	r.Grace = cmp.Or(r.Grace, 2*time.Second)
	r.result = Result{Outcome: messages.Failed, Err: "the run did not end in time"}
	done := make(chan struct{})
	prompt.Pictures = r.Pictures
	r.Client.Send(prompt)
	go func() { // in a goroutine, because a write to a full pipe may block forever
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

// follow receives and handles events until the turn ends.
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

// check examines the result of a write to stdout, and returns the writer for the rest of the
// output. If the write failed, the turn is canceled and the returned writer discards the output.
func (r *Runner) check(writer *writer, err error) *writer {
	if err == nil {
		return writer
	}
	r.Client.Send(messages.Cancel{})
	r.set(func(result *Result) {
		result.Stdout = err
		result.markUndelivered()
	})
	return newWriter(r.Form, io.Discard)
}

// markUndelivered marks the run as failed if the turn completed but its answer could not be
// written. A write error can precede or follow the end of the turn, so markUndelivered is called
// after both.
func (result *Result) markUndelivered() {
	if result.Stdout != nil && result.Outcome == messages.Completed {
		result.Outcome = messages.Failed
	}
}

// tell writes a message on a separate line of stderr, and returns the writer for later output.
func (r *Runner) tell(writer *writer, text string) *writer {
	writer = r.check(writer, writer.ownLine())
	fmt.Fprintln(r.Stderr, text)
	return writer
}

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
			result.markUndelivered()
		})
	case messages.Text, messages.Thinking, messages.ToolsCalled: // the writer handles these events
	case messages.Opened, messages.TurnStarted, messages.ToolStarted, messages.ToolOutput, messages.ToolEnded, messages.AgentChanged, messages.Diagnosed, messages.Compacted: // progress, which only the JSONL format reports
	case messages.ModelChanged, messages.ModeChanged, messages.Granted, messages.AgentShown, messages.ContextShown, messages.NeedsShown, messages.Changes, messages.EffortChanged, messages.Cleared, messages.Closed: // no effect on stderr or the result
	case messages.Resumed, messages.Recalled, messages.Rewound, messages.Tree, messages.Artifacts: // earlier content, not part of this answer
	case messages.Asked, messages.Answered, messages.Withdrawn, messages.Refused, messages.Steered: // these events concern other windows
	}
	return writer
}

func (r *Runner) set(change func(*Result)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.result)
}

// whole adds the id of the stored conversation to the result, and returns the result.
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

// schemaVersion is the version of the JSON object. It increases when a field changes its meaning or
// disappears.
const schemaVersion = 1

// summary is the object that the JSON format writes.
type summary struct {
	Version int              `json:"v"`
	Session string           `json:"session"`
	Kept    string           `json:"session_id,omitempty"` // id of the stored conversation
	Outcome messages.Outcome `json:"outcome"`
	Text    string           `json:"text"`
	Error   string           `json:"error,omitempty"`
	Usage   messages.Usage   `json:"usage"`
	Cost    float64          `json:"cost"`
}

// writer writes events to stdout in one format. It buffers its output.
type writer struct {
	form      Form
	out       *bufio.Writer
	json      *jsonl.Writer
	lineBegun bool // the last byte written was not a line break
	together  bool // stdout and stderr are the same terminal
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
			return w.text(w.lineBreak() + "  🔧 " + termsafe.Line(strings.Join(event.Names, ", ")) + "\n") // a line break in a name would start another line
		default: // in the "text" format, stdout contains only the answer and the names of tools
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

// lineBreak returns a line break if the last line of the output is incomplete, and "" otherwise.
func (w *writer) lineBreak() string {
	if w.lineBegun {
		return "\n"
	}
	return ""
}

// ownLine ends an incomplete line if standard output and standard error are the same terminal.
func (w *writer) ownLine() error {
	if !w.together || w.form != Text {
		return nil
	}
	if err := w.text(w.lineBreak()); err != nil {
		return err
	}
	return w.flush()
}

// end completes the output. In the [JSON] format, it writes the object. In the [Text] format, it
// adds a missing line break at the end. If the turn did not complete, end adds the line break only
// if stdout and stderr are the same terminal, because an error message follows.
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
