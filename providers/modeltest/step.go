package modeltest

import (
	"encoding/json"
	"net/http"
	"slices"

	"marvin/messages/lists"
)

// Step is the answer to one request. Steps are values; [Step.Append] and [Step.WithFaults] return
// changed copies. The zero Step is an empty answer that ends properly.
type Step struct {
	parts   []part
	form    form
	page    *page
	refused bool
}

// Call is a tool call by the model. If Args is a string, it is sent unchanged and may be invalid
// JSON. Any other value is encoded. An empty ID is replaced by a generated one.
type Call struct {
	ID   string
	Name string
	Args any
}

func (c Call) arguments() string {
	switch args := c.Args.(type) {
	case nil:
		return "{}"
	case string:
		return args
	case json.RawMessage:
		return string(args)
	}
	encoded, err := json.Marshal(c.Args)
	if err != nil {
		panic("modeltest: arguments of " + c.Name + ": " + err.Error())
	}
	return string(encoded)
}

type part struct {
	kind  partKind
	text  string
	calls []Call
	gate  <-chan struct{}
}

type partKind uint8

const (
	saying partKind = iota
	thinking
	calling
	raw      // text as the payload of an event
	verbatim // text as bytes, not as an event
	failing  // an error inside the stream
	pausing  // wait for gate
	dropping // an abrupt end of the transfer
	resetting
	ending  // a clean end of the transfer, without a finish reason
	hanging // an open connection without further content
	musing  // endless reasoning
	rambling
)

// closes returns true if a part of this kind ends the answer without a terminal event.
func (k partKind) closes() bool {
	return slices.Contains([]partKind{failing, dropping, resetting, ending, hanging, musing, rambling}, k)
}

// page is an answer that is not a stream.
type page struct {
	status int
	header http.Header
	body   string
}

// Text sends text, one event per chunk.
func Text(chunks ...string) Step {
	return Step{parts: lists.Map(chunks, func(chunk string) part { return part{kind: saying, text: chunk} })}
}

// Think sends each chunk as a reasoning event.
func Think(chunks ...string) Step {
	return Step{parts: lists.Map(chunks, func(chunk string) part { return part{kind: thinking, text: chunk} })}
}

// Calls returns an answer with the tool calls of one round.
func Calls(calls ...Call) Step {
	return Step{parts: []part{{kind: calling, calls: calls}}}
}

// Status sends an HTTP status and a body instead of a stream. header contains alternating names and
// values.
func Status(code int, body string, header ...string) Step {
	step := Step{page: &page{status: code, body: body, header: http.Header{"Content-Type": {"application/json"}}}}
	for pair := range slices.Chunk(header, 2) {
		step.page.header.Set(pair[0], pair[1])
	}
	return step
}

// Page sends the status 200 and a body that is not a stream, such as a login page.
func Page(contentType, body string) Step {
	return Status(http.StatusOK, body, "Content-Type", contentType)
}

// Refused expects a request that a real provider would refuse, and answers with status 400. If the
// request is valid, the test fails.
func Refused() Step { return Step{refused: true} }

// Append returns a copy of the step with the parts of the given steps added at the end. For
// example, text can follow reasoning, and a fault can follow text.
func (s Step) Append(next ...Step) Step {
	s.parts = slices.Clone(s.parts)
	for _, step := range next {
		s.parts = append(s.parts, step.parts...)
	}
	return s
}

// WithFaults adds faults that change how the whole answer is written.
func (s Step) WithFaults(faults ...Fault) Step {
	for _, fault := range faults {
		fault(&s.form)
	}
	return s
}
