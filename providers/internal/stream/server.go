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

// Server is one address that is asked.
type Server struct {
	provider string // for errors
	client   *http.Client
	address  *url.URL
	invalid  error // of the address, told by the first question
}

// Answer is what a protocol makes of the events of one answer.
type Answer interface {
	// Take takes an event, which is valid until the next one. [ErrBroken] means that it cannot
	// be read, which a few may be.
	Take(data []byte) error
	// TakeWhole takes an answer that came as one body, if it is one: then it is whole.
	TakeWhole(data []byte) error
	// Release passes on what is held back, as [Pieces] does: nothing more has come yet.
	Release()
	// Heard is how many pieces came. Called says whether they are calls that are all complete,
	// and Settle ends the answer with them.
	Heard() int
	Called() bool
	Settle()
	// Begun says whether anything came, Whole whether all that matters is there, and Ended
	// whether nothing follows.
	Begun() bool
	Whole() bool
	Ended() bool
}

// ErrBroken is an event that cannot be read.
var ErrBroken = errors.New("the event is broken")

// mostBroken is how many events may be broken before it is no stream.
const mostBroken = 20

// NewServer makes one of the address in front of a path, with or without it. Nothing is
// sent. The client must have no timeout, which would end long answers; it is not changed.
// No redirect takes the request to another origin.
func NewServer(provider, address, path string, client *http.Client) *Server {
	s := &Server{provider: provider, client: client}
	base, err := url.Parse(strings.TrimSpace(address))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		s.invalid = fmt.Errorf("the address of %s, %q, is not a URL: begin it with http:// or https://", provider, address)
		return s
	}
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), path) + path
	s.address, s.client = base, origin.Only(client, base, providers.AddressSetting(provider))
	return s
}

// Close gives back idle connections.
func (s *Server) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// Ask posts a question and has the answer take what comes, until it has ended. The key is
// what the header has in it, which errors must not have.
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
		err = s.whole(came, kind, key, answer)
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
	_, _ = io.CopyN(io.Discard, came, 4<<10) // to the end, so that the connection can be used again
	return nil
}

// endGrace is how long we wait for the end of the transfer after the answer. wholeGrace is how long
// we wait after a complete answer for usage and the final event. Some servers keep the connection
// open and send pings.
const (
	endGrace   = 100 * time.Millisecond
	wholeGrace = 500 * time.Millisecond
)

// Refused is what a server says of a question that it does not take as it is.
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

// MostBytes is how long the events of one answer may be, in bytes. A token takes up to 600 bytes
// of them, so that the longest answers of models have 80 MiB.
const MostBytes = 512 << 20

// read takes in a stream. Leave ends the request.
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
			return nil // however the connection ended
		case calm.Over() && answer.Called():
			answer.Settle()
			return nil
		case errors.Is(err, sse.ErrTooLong):
			return fmt.Errorf("%w: %w", providers.ErrTooMuch, err)
		case errors.Is(err, io.EOF) && !answer.Begun():
			return fmt.Errorf("%w: %s sent no answer; check its address", providers.ErrMalformed, s.provider)
		default:
			return fmt.Errorf("%w: %s ended the stream without saying that it is complete", providers.ErrCut, s.provider)
		}
		switch err := answer.Take(data); {
		case !errors.Is(err, ErrBroken):
			if err != nil {
				return err
			}
		case broken == mostBroken:
			return fmt.Errorf("%w: events of %s are broken", providers.ErrMalformed, s.provider)
		default:
			broken++
		}
	}
	return nil
}

// failure says why there was no answer, or no whole one.
func (s *Server) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask %s: %w", s.provider, context.Cause(ctx))
	}
	return providers.Unreachable(s.address, err)
}
