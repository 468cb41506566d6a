package openaichat

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"marvin/providers"
	"marvin/providers/internal/sse"
	"marvin/providers/internal/stream"
)

// errEnough ends a request whose answer is complete.
var errEnough = errors.New("the answer is complete")

type answer struct {
	provider, key string
	pieces        stream.Pieces

	scanner scanner

	text   strings.Builder
	calls  assembly
	finish string
	done   bool // [DONE] has come
	model  string
	usage  *usage
	damage damage
	rest   *rest // the source of late token counts
}

// read decodes the answer from the response. Token counts that arrive too late can be read from
// a.rest. If the server keeps the connection open after [DONE], a timer cancels the request.
func (a *answer) read(ctx context.Context, response *http.Response, stop context.CancelCauseFunc) error {
	defer a.pieces.Release()
	body := bufio.NewReaderSize(response.Body, 512)
	if kind, whole := stream.WholeBody(response.Header, body); whole {
		return a.readWhole(body, kind)
	}
	calm := stream.Calm{Leave: func() { stop(errEnough) }}
	events := sse.NewReader(calm.Reader(body), sse.DefaultLimit)
	defer calm.Stop()
	for size := 0; !a.done && a.finish == ""; {
		calm.Watch(a.calls.closed() && a.damage.first == nil, a.pieces.Heard())
		if !events.Ready() {
			a.pieces.Release()
		}
		data, err := events.Next()
		if err != nil && calm.EndedStream() && a.calls.closed() {
			a.finish = string(providers.Called)
			return nil
		}
		if err != nil {
			return a.endError(err)
		}
		if size += len(data); size > stream.MostBytes {
			return fmt.Errorf("%w: its stream is longer than %d MiB", providers.ErrTooMuch, stream.MostBytes>>20)
		}
		err = a.event(data)
		if errors.Is(err, providers.ErrMalformed) && events.Unended() {
			return a.endError(io.ErrUnexpectedEOF)
		}
		if err := a.tolerate(err); err != nil {
			return err
		}
	}
	a.pieces.Release()
	if !a.done {
		a.rest = follow(ctx, events)
		if err := a.awaitEnd(); err != nil || a.rest != nil || !a.done {
			return err
		}
	}
	timer := time.AfterFunc(endGrace, func() { stop(errEnough) })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, body, 4<<10) // drain the body, so that the connection can be reused
	return nil
}

// endError returns the error for a stream that ended too early, or nil if the answer is complete.
func (a *answer) endError(err error) error {
	switch {
	case a.finish != "":
		return nil // the answer is complete, even if the connection broke
	case a.damage.first != nil && !a.damage.sound:
		return a.damage.first
	case errors.Is(err, sse.ErrTooLong):
		return fmt.Errorf("%w: %w", providers.ErrTooMuch, err)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: %s ended the stream without saying that it is complete", providers.ErrCut, a.provider)
	}
	return fmt.Errorf("%w: the connection to %s broke: %w", providers.ErrCut, a.provider, err)
}

func (a *answer) event(data []byte) error {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return nil
	}
	if string(data) == "[DONE]" {
		a.done = true
		return nil
	}
	c, err := a.scanner.decode(data)
	if err != nil {
		return fmt.Errorf("%w: an event from %s is broken (%w): %s", providers.ErrMalformed, a.provider, err, a.excerpt(data))
	}
	a.damage.sound = true
	if isError(c.Error) || c.Object == "error" {
		return a.serverError(data)
	}
	for _, choice := range c.Choices {
		part := choice.Delta
		if part == nil && a.text.Len() == 0 {
			part = choice.Message
		}
		if part != nil {
			a.take(part)
		}
		if choice.FinishReason == "error" {
			return a.serverError(data)
		}
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
	}
	a.model = cmp.Or(a.model, c.Model)
	if c.Usage != nil {
		a.usage = c.Usage // the last value, because some servers send running totals
	}
	return nil
}

func (a *answer) take(part *delta) {
	if thinking := part.thinking(); thinking != "" {
		a.pieces.Say(providers.ThinkingPart, thinking)
	}
	if said := string(part.Content.said) + part.Refusal; said != "" {
		a.text.WriteString(said)
		a.pieces.Say(providers.TextPart, said)
	}
	for _, piece := range part.ToolCalls {
		call := a.calls.add(piece)
		a.pieces.Emit(providers.Part{Kind: providers.CallingPart, Text: call.name, Size: len(piece.Function.Arguments)})
		a.pieces.Keep(len(piece.ID) + len(piece.Function.Name) + len(piece.ExtraContent))
	}
}

func isError(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != `""` && string(raw) != "{}" && string(raw) != "false"
}

// serverError converts an error that the server sends inside a stream. The status of the result is
// the numeric code of the server's error. Without such a code, errorKinds determines the status. If
// no kind matches, the status is 502.
func (a *answer) serverError(data []byte) error {
	var named struct {
		Code  json.RawMessage `json:"code"`
		Error struct {
			Code json.RawMessage `json:"code"`
			Type string          `json:"type"`
		} `json:"error"`
	}
	_ = json.Unmarshal(data, &named) // an error that is a plain string has no code
	for _, code := range []json.RawMessage{named.Error.Code, named.Code} {
		if status, err := strconv.Atoi(string(bytes.Trim(code, `"`))); err == nil && status >= 400 && status < 600 {
			return providers.ServerError(a.provider, status, data, a.key)
		}
	}
	return providers.ServerError(a.provider, stream.StatusOf(named.Error.Type+" "+string(named.Error.Code), errorKinds), data, a.key)
}

// errorKinds maps words in an error's type or code to HTTP statuses. Outside a stream, servers send
// these statuses for the same errors.
var errorKinds = []stream.ErrorKind{
	{Word: "rate_limit", Status: http.StatusTooManyRequests},
	{Word: "quota", Status: http.StatusTooManyRequests},
	{Word: "overloaded", Status: http.StatusServiceUnavailable},
	{Word: "context_length", Status: http.StatusBadRequest},
	{Word: "invalid_request", Status: http.StatusBadRequest},
	{Word: "authentication", Status: http.StatusUnauthorized},
}

// readWhole reads an answer that the server did not stream.
func (a *answer) readWhole(body io.Reader, kind string) error {
	data, err := io.ReadAll(io.LimitReader(body, sse.DefaultLimit))
	if err != nil {
		return a.endError(err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return a.endError(io.EOF)
	}
	if err := a.event(data); err != nil {
		if errors.Is(err, providers.ErrMalformed) {
			err = fmt.Errorf("%w: %s answered %s instead of a stream of events: %s; check the server's address", providers.ErrMalformed, a.provider, kind, a.excerpt(data))
		}
		return err
	}
	if a.finish == "" && a.empty() {
		return fmt.Errorf("%w: %s sent %s, which contains no answer: %s; check the server's address", providers.ErrMalformed, a.provider, kind, a.excerpt(data))
	}
	a.finish = cmp.Or(a.finish, string(providers.Stopped)) // a body that is complete JSON was not cut off
	return nil
}

func (a *answer) excerpt(data []byte) string {
	text := providers.Clean(string(data[:min(len(data), 4<<10)]), a.key)
	const enough = 200
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "") + "…"
	}
	return text
}

func (a *answer) reply() providers.Reply {
	reply := providers.Reply{Text: a.text.String(), Calls: a.calls.list(a.provider), Model: a.model}
	if a.finish != "" || a.done {
		reply.Finish = finish(a.finish, len(reply.Calls) > 0)
	}
	if a.usage != nil {
		reply.Usage = a.usage.counted()
	}
	if a.damage.pieces > 0 {
		reply.Torn = a.calls.incomplete() || len(reply.Calls) == 0
		reply.Notices = append(reply.Notices, a.damage.notice())
	}
	return reply
}

func (a *answer) empty() bool { return a.text.Len() == 0 && len(a.calls.calls) == 0 }

// finish translates the finish reason of a server. Some servers say "stop" although the model
// called tools. Others say "tool_calls" although there is no call.
func finish(reason string, called bool) providers.Finish {
	switch strings.ToLower(reason) {
	case "length", "max_tokens":
		return providers.Length
	case "content_filter", "safety":
		return providers.Filtered
	case "tool_calls", "function_call", "tool_use", "tool_call", "malformed_function_call":
		called = true
	}
	if called {
		return providers.Called
	}
	return providers.Stopped
}
