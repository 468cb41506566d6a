package jsonl

import (
	"bytes"
	"encoding/json"
	"io"

	"marvin/ui/termsafe"
)

// Writer writes values as lines.
type Writer struct {
	out     io.Writer
	buffer  bytes.Buffer
	encoder *json.Encoder
}

// NewWriter writes to out, without HTML escapes: people read answers.
func NewWriter(out io.Writer) *Writer {
	w := &Writer{out: out}
	w.encoder = json.NewEncoder(&w.buffer)
	w.encoder.SetEscapeHTML(false)
	return w
}

// Write writes all values, one a line, in one call to the writer below. What would steer
// a terminal or hide on it is escaped: somebody looks at the lines sooner or later.
func (w *Writer) Write(values ...any) error {
	w.buffer.Reset()
	for _, value := range values {
		if err := w.encoder.Encode(value); err != nil {
			return err
		}
	}
	_, err := w.out.Write(termsafe.JSON(w.buffer.Bytes()))
	if w.buffer.Cap() > kept {
		w.buffer = bytes.Buffer{}
	}
	return err
}

// kept is how much memory stays with a writer from one call to the next.
const kept = 1 << 20
