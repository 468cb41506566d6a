package headless

import (
	"bufio"
	"io"
	"strings"

	"marvin/messages"
	"marvin/ui/jsonl"
	"marvin/ui/termsafe"
)

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
