package modeltest

import "encoding/json"

// Fault changes how an answer is written. It changes nothing in a protocol without the feature
// (such as an index in Ollama's lines).
type Fault func(*form)

// form is everything about an answer but its content. The zero form is how OpenAI
// and Ollama write.
type form struct {
	byteForm
	eventForm
	callForm
}

// byteForm is how an answer goes over the wire.
type byteForm struct {
	crlf, noSpace, eventLines, multiLine, unended, mark bool
	pings, gzip, keepOpen                               bool
	split                                               int
	headers                                             <-chan struct{}
	contentType                                         string
}

// eventForm is which events there are, and what is in them.
type eventForm struct {
	noRole, noFinish, noDone, noUsage, usageEach, atOnce bool
	changeIDs, nulls, nullError, strangers               bool
	reason, model, thinkField                            string
	input, cached, written, output                       int
}

// callForm is how calls of tools are written.
type callForm struct {
	noIDs, sameIDs, noIndex, repeatName, objectArgs, doubleArgs, interleave bool
	index, signature                                                        json.RawMessage
	pieces                                                                  int
}

// Tokens sets the usage that the server reports. Ollama's protocol has no field
// for cached tokens: some of its versions leave them out of the input.
func Tokens(input, cached, output int) Fault {
	return func(f *form) { f.input, f.cached, f.output = input, cached, output }
}

// Written is how many tokens of the input the server put into its cache, which Anthropic and
// OpenAI's Responses tell.
func Written(tokens int) Fault { return func(f *form) { f.written = tokens } }

// Finish sets the reason why the answer ends: "length", "content_filter".
func Finish(reason string) Fault { return func(f *form) { f.reason = reason } }

// NamedModel sets the model that the server says answered.
func NamedModel(name string) Fault { return func(f *form) { f.model = name } }
