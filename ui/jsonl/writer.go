package jsonl

import (
	"bytes"
	"encoding/json"
	"io"

	"marvin/ui/termsafe"
)

// Writer writes values as lines of JSON.
type Writer struct {
	out     io.Writer
	buffer  bytes.Buffer
	encoder *json.Encoder
}

// NewWriter returns a Writer for the given output. The Writer does not escape HTML, because people
// read the output.
func NewWriter(out io.Writer) *Writer {
	w := &Writer{out: out}
	w.encoder = json.NewEncoder(&w.buffer)
	w.encoder.SetEscapeHTML(false)
	return w
}

// Write encodes each value as a line, and writes all lines with a single write. It escapes terminal
// controls and invisible characters, because users may view the lines in a terminal.
func (w *Writer) Write(values ...any) error {
	w.buffer.Reset()
	for _, value := range values {
		if err := w.encoder.Encode(value); err != nil {
			return err
		}
	}
	_, err := w.out.Write(termsafe.JSON(w.buffer.Bytes()))
	if w.buffer.Cap() > maxBuffer {
		w.buffer = bytes.Buffer{}
	}
	return err
}

// maxBuffer is the maximum size, in bytes, of a buffer that is kept for the next call.
const maxBuffer = 1 << 20
