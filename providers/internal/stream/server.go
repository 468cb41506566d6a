package stream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marvin/messages/origin"
	"marvin/providers"
	"marvin/providers/internal/sse"
)

// Server sends requests to one address.
type Server struct {
	provider string // the name in errors
	client   *http.Client
	address  *url.URL
	invalid  error // the error for an invalid address, returned by [Server.Ask]
}

// Answer is an answer that a protocol package builds from events.
type Answer interface {
	// Take handles an event. The data is valid until the next call. Take returns [ErrBroken] for an
	// unreadable event. [Server.Ask] skips a few such events.
	Take(data []byte) error
	// TakeWhole handles a body that contains a whole answer or an error. It ignores any other body.
	TakeWhole(data []byte) error
	// Release forwards the held text, like [Pieces.Release]. It is called before each wait for more
	// data, and at the end of the answer.
	Release()
	// Heard returns the number of pieces so far.
	Heard() int
	// Called reports whether the answer contains at least one call and no incomplete call.
	Called() bool
	// Settle ends an answer whose final event is missing. The answer's calls must be complete.
	Settle()
	// Begun reports whether any part of the answer has arrived.
	Begun() bool
	// Whole reports whether the answer is complete.
	Whole() bool
	// Ended reports whether the final event has arrived or Settle was called.
	Ended() bool
}

// ErrBroken means that an event cannot be read.
var ErrBroken = errors.New("the event is broken")

// mostBroken is the maximum number of broken events in a stream.
const mostBroken = 20

// NewServer returns a server with the given address. If the address does not end with path,
// NewServer appends path. Redirects to other origins are refused. The client must have no timeout,
// because a timeout would interrupt long answers.
func NewServer(provider, address, path string, client *http.Client) *Server {
	s := &Server{provider: provider, client: client}
	base, err := url.Parse(strings.TrimSpace(address))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		s.invalid = fmt.Errorf("the address of %s, %q, is not a URL: begin it with http:// or https://", provider, address)
		return s
	}
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), path) + path
	s.address, s.client = base, origin.Restrict(client, base, providers.AddressSetting(provider))
	return s
}

// Close closes idle connections.
func (s *Server) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// Ask posts the body and calls answer.Take for each event, until answer.Ended returns true. The
// header contains the key, which is a secret. Ask removes the key from error messages.
func (s *Server) Ask(ctx context.Context, key string, header http.Header, body []byte, answer Answer) error {
	if s.invalid != nil {
		return s.invalid
	}
	asking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	request, err := http.NewRequestWithContext(asking, http.MethodPost, s.address.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = header
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	response, err := s.client.Do(request)
	if err != nil {
		return s.failure(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return providers.ReadStatus(s.provider, response, key)
	}
	came := bufio.NewReaderSize(response.Body, 512)
	if kind, whole := WholeBody(response.Header, came); whole {
		err = s.readWhole(came, kind, key, answer)
	} else {
		err = s.read(came, answer, func() { stop(nil) })
	}
	if err != nil {
		if ctx.Err() != nil {
			err = s.failure(ctx, err)
		}
		return err
	}
	timer := time.AfterFunc(endGrace, func() { stop(nil) })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, came, 4<<10) // drain the body, so that the connection can be reused
	return nil
}

// wholeGrace is the maximum wait for the usage and the final event after the answer is complete.
// endGrace is the maximum wait for the end of the response after the final event. Some servers keep
// the connection open and send pings.
const (
	endGrace   = 100 * time.Millisecond
	wholeGrace = 500 * time.Millisecond
)

// Refused returns the server's message, in lower case, if the server answered with status 400, 404
// or 422. Otherwise ok is false.
func Refused(err error) (message string, ok bool) {
	var status *providers.StatusError
	if !errors.As(err, &status) {
		return "", false
	}
	switch status.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity:
		return strings.ToLower(status.Message), true
	}
	return "", false
}

// MostBytes is the maximum size of an answer's events, in bytes. With up to 600 bytes per token,
// the longest answers need 80 MiB.
const MostBytes = 512 << 20

func (s *Server) read(body io.Reader, answer Answer, leave func()) error {
	defer answer.Release()
	calm := Calm{Leave: leave}
	events, broken := sse.NewReader(calm.Reader(body), sse.DefaultLimit), 0
	defer calm.Stop()
	var grace *time.Timer
	defer func() {
		if grace != nil {
			grace.Stop()
		}
	}()
	for size := 0; !answer.Ended(); {
		if grace == nil && answer.Whole() {
			grace = time.AfterFunc(wholeGrace, leave)
		}
		calm.Watch(answer.Called(), answer.Heard())
		if !events.Ready() {
			answer.Release()
		}
		data, err := events.Next()
		size += len(data)
		switch {
		case size > MostBytes:
			return fmt.Errorf("%w: its stream is longer than %d MiB", providers.ErrTooMuch, MostBytes>>20)
		case err == nil:
		case answer.Whole():
			return nil // the answer is complete, even if the connection broke
		case calm.EndedStream() && answer.Called():
			answer.Settle()
			return nil
		case errors.Is(err, sse.ErrTooLong):
			return fmt.Errorf("%w: %w", providers.ErrTooMuch, err)
		case errors.Is(err, io.EOF) && !answer.Begun():
			return fmt.Errorf("%w: %s sent no answer; check the server's address", providers.ErrMalformed, s.provider)
		default:
			return fmt.Errorf("%w: %s ended the stream without saying that it is complete", providers.ErrCut, s.provider)
		}
		switch err := answer.Take(data); {
		case !errors.Is(err, ErrBroken):
			if err != nil {
				return err
			}
		case broken == mostBroken:
			return fmt.Errorf("%w: some events from %s are malformed", providers.ErrMalformed, s.provider)
		default:
			broken++
		}
	}
	return nil
}

func (s *Server) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask %s: %w", s.provider, context.Cause(ctx))
	}
	return providers.Unreachable(s.address, err)
}
