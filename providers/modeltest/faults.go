package modeltest

import (
	"encoding/json"
	"strings"
)

// Each of the following faults occurs at one position in an answer. [Step.Append] adds such a
// fault.

// Pause waits until the given channel is closed.
func Pause(gate <-chan struct{}) Step {
	return Step{parts: []part{{kind: pausing, gate: gate}}}
}

// Drop closes the connection during the transfer. The client sees an unexpected end of the body.
func Drop() Step { return Step{parts: []part{{kind: dropping}}} }

// Reset closes the connection with a TCP reset. The client loses everything that it has not read.
// To make the loss predictable, put a [Pause] before Reset.
func Reset() Step { return Step{parts: []part{{kind: resetting}}} }

// End ends the transfer cleanly, but sends no finish reason and no terminal event. Only their
// absence shows that the answer is incomplete.
func End() Step { return Step{parts: []part{{kind: ending}}} }

// Hang sends nothing more and keeps the connection open until the client disconnects.
func Hang() Step { return Step{parts: []part{{kind: hanging}}} }

// ErrorEvent sends an error inside the stream and then ends the stream. Append [Hang] to keep the
// connection open.
func ErrorEvent(message string) Step {
	return Step{parts: []part{{kind: failing, text: message}}}
}

// Raw sends payload as an event. The payload need not be JSON.
func Raw(payload string) Step { return Step{parts: []part{{kind: raw, text: payload}}} }

// Bytes sends data unchanged, not as an event.
func Bytes(data string) Step { return Step{parts: []part{{kind: verbatim, text: data}}} }

// Malformed sends an event whose JSON breaks off.
func Malformed() Step { return Raw(`{"id":"x","choices":[{"index":0,"delta":{"content":"bro`) }

// HugeLine sends text of n bytes in one event.
func HugeLine(n int) Step { return Text(strings.Repeat("x", n)) }

// EndlessThinking sends reasoning until the client disconnects.
func EndlessThinking() Step { return Step{parts: []part{{kind: musing, text: "and then again "}}} }

// EndlessText sends pieces of text until the client disconnects. The product of the arguments is
// the number of phrases in a piece.
func EndlessText(times ...int) Step {
	pieces := 1
	for _, n := range times {
		pieces *= n
	}
	return Step{parts: []part{{kind: rambling, text: strings.Repeat("and then again ", pieces)}}}
}

// Garbled sends an invalid UTF-8 byte between two texts.
func Garbled(before, after string) Step { return Text(before + badByte + after) }

// The following faults change a whole answer. [Step.WithFaults] adds them.

// SlowHeaders delays the whole answer, including the status, until gate is closed.
func SlowHeaders(gate <-chan struct{}) Fault { return func(f *form) { f.headers = gate } }

// Pings puts a keep-alive comment before each event.
func Pings() Fault { return func(f *form) { f.pings = true } }

// CRLF ends lines with carriage return and line feed.
func CRLF() Fault { return func(f *form) { f.crlf = true } }

// NoSpace omits the space after "data:".
func NoSpace() Fault { return func(f *form) { f.noSpace = true } }

// EventLines adds event, id and retry fields to each event.
func EventLines() Fault { return func(f *form) { f.eventLines = true } }

// MultiLine spreads the JSON of each event over two data lines.
func MultiLine() Fault { return func(f *form) { f.multiLine = true } }

// ByteOrderMark puts a byte order mark at the beginning of the stream.
func ByteOrderMark() Fault { return func(f *form) { f.mark = true } }

// Split sends n bytes at a time. A read can therefore end inside a line, a JSON value or a
// character.
func Split(n int) Fault { return func(f *form) { f.split = n } }

// Gzip compresses the stream.
func Gzip() Fault { return func(f *form) { f.gzip = true } }

// ContentType sets the Content-Type header of a stream.
func ContentType(name string) Fault { return func(f *form) { f.contentType = name } }

// Unended omits the line breaks at the end of the last event.
func Unended() Fault { return func(f *form) { f.unended = true } }

// KeepOpen keeps the connection open after the last event.
func KeepOpen() Fault { return func(f *form) { f.keepOpen = true } }

// AtOnce sends one JSON body even if the client requests a stream.
func AtOnce() Fault { return func(f *form) { f.atOnce = true } }

// NoDone omits the terminal event. In Ollama's protocol the terminal event is the last line, which
// contains the finish reason.
func NoDone() Fault { return func(f *form) { f.noDone = true } }

// NoFinish omits the finish reason and everything after it.
func NoFinish() Fault { return func(f *form) { f.noFinish = true } }

// NoRole omits the first event, which contains the role but no text.
func NoRole() Fault { return func(f *form) { f.noRole = true } }

// NoUsage omits the token usage.
func NoUsage() Fault { return func(f *form) { f.noUsage = true } }

// UsageOnEach adds the token usage to every event.
func UsageOnEach() Fault { return func(f *form) { f.usageEach = true } }

// ChangingIDs gives every event a different id.
func ChangingIDs() Fault { return func(f *form) { f.changeIDs = true } }

// Nulls adds initial events in which fields such as "choices" and "delta" are null or empty.
func Nulls() Fault { return func(f *form) { f.nulls = true } }

// NullError adds "error":null to every event.
func NullError() Fault { return func(f *form) { f.nullError = true } }

// Strangers adds events or fields that the protocol does not define.
func Strangers() Fault { return func(f *form) { f.strangers = true } }

// ThinkField sets the name of the field that contains the reasoning, such as "reasoning" or
// "reasoning_details".
func ThinkField(name string) Fault { return func(f *form) { f.thinkField = name } }

// NoIDs omits the ids of calls.
func NoIDs() Fault { return func(f *form) { f.noIDs = true } }

// SameIDs gives all calls of the answer the same id.
func SameIDs() Fault { return func(f *form) { f.sameIDs = true } }

// NoIndex omits the index of calls, as Gemini does.
func NoIndex() Fault { return func(f *form) { f.noIndex = true } }

// Index gives all calls the same index, which can be any JSON value, such as -1, null or "1".
func Index(value string) Fault { return func(f *form) { f.index = json.RawMessage(value) } }

// RepeatedNames adds the tool's name to each piece of the arguments.
func RepeatedNames() Fault { return func(f *form) { f.repeatName = true } }

// ObjectArguments sends the arguments as a JSON object instead of a string that contains the
// object.
func ObjectArguments() Fault { return func(f *form) { f.objectArgs = true } }

// DoubleArguments sends arguments as a JSON string inside a JSON string.
func DoubleArguments() Fault { return func(f *form) { f.doubleArgs = true } }

// Pieces sends the arguments of a call in n pieces. In OpenAI's protocol, n = 1 puts the name and
// the arguments into one event, as Gemini does.
func Pieces(n int) Fault { return func(f *form) { f.pieces = n } }

// Interleaved mixes the pieces of parallel calls.
func Interleaved() Fault { return func(f *form) { f.interleave = true } }

// Signature adds the field extra_content to each call. In this field, Gemini sends a signature that
// the client must send back with the call.
func Signature(content string) Fault {
	return func(f *form) { f.signature = json.RawMessage(content) }
}
