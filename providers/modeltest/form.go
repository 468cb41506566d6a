package modeltest

import "encoding/json"

// Fault changes how an answer is written. Some faults have no effect in some protocols. For
// example, [NoRole] has no effect in Ollama's protocol.
type Fault func(*form)

// form contains the options that a [Fault] can change. The zero value imitates OpenAI and Ollama.
type form struct {
	byteForm
	eventForm
	callForm
}

// byteForm contains the options for the transport of an answer.
type byteForm struct {
	crlf, noSpace, eventLines, multiLine, unended, mark bool
	pings, gzip, keepOpen                               bool
	split                                               int
	headers                                             <-chan struct{}
	contentType                                         string
}

// eventForm contains the options for the events of an answer.
type eventForm struct {
	noRole, noFinish, noDone, noUsage, usageEach, atOnce bool
	changeIDs, nulls, nullError, strangers               bool
	reason, model, thinkField                            string
	input, cached, written, output                       int
}

// callForm contains the options for tool calls.
type callForm struct {
	noIDs, sameIDs, noIndex, repeatName, objectArgs, doubleArgs, interleave bool
	index, signature                                                        json.RawMessage
	pieces                                                                  int
}

// Tokens sets the usage that the server reports. Ollama reports no cached tokens, and some of its
// versions exclude cached tokens from the input count.
func Tokens(input, cached, output int) Fault {
	return func(f *form) { f.input, f.cached, f.output = input, cached, output }
}

// Written makes the server report the given number of input tokens as written to its cache. Only
// [Anthropic] and [Responses] report this number.
func Written(tokens int) Fault { return func(f *form) { f.written = tokens } }

// Finish sets the finish reason, such as "length" or "content_filter".
func Finish(reason string) Fault { return func(f *form) { f.reason = reason } }

// NamedModel sets the model name in the server's answer.
func NamedModel(name string) Fault { return func(f *form) { f.model = name } }
