package modeltest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"time"
)

// errLeft ends an answer if the client has disconnected or the server is closing.
var errLeft = errors.New("the client left")

type player struct {
	form
	voice   voice
	to      http.ResponseWriter
	out     io.Writer
	zip     *gzip.Writer
	gone    <-chan struct{}
	closing <-chan struct{}
}

func (s *Server) play(to http.ResponseWriter, incoming *http.Request, request Request, step Step) {
	p := &player{form: step.form, to: to, out: to, gone: incoming.Context().Done(), closing: s.closing}
	if p.wait(p.headers) != nil {
		return
	}
	if step.page != nil {
		maps.Copy(to.Header(), step.page.header)
		to.WriteHeader(step.page.status)
		_, _ = io.WriteString(to, step.page.body)
		return
	}
	p.defaults(request, step.parts)
	contentType := "text/event-stream; charset=utf-8"
	p.voice = &openAI{form: p.form, request: request}
	switch request.Wire {
	case OpenAI:
	case Anthropic:
		p.voice = &anthropic{form: p.form, request: request}
	case Responses:
		p.voice = &responses{form: p.form, request: request}
	case Ollama:
		contentType = "application/x-ndjson"
		p.voice = &ollama{form: p.form, request: request}
	}
	parts := number(step.parts, request.N, p.sameIDs)
	if !request.Stream || p.atOnce {
		to.Header().Set("Content-Type", "application/json")
		_, _ = to.Write(p.wholeAnswer(parts))
		return
	}
	to.Header().Set("Content-Type", cmp.Or(p.contentType, contentType))
	to.Header().Set("Cache-Control", "no-cache")
	if p.gzip {
		to.Header().Set("Content-Encoding", "gzip")
		p.zip = gzip.NewWriter(to)
		p.out = p.zip
		defer p.zip.Close()
	}
	_ = p.stream(parts)
}

// defaults fills in the unset fields of p.form, based on the request and the parts.
func (p *player) defaults(request Request, parts []part) {
	p.model = cmp.Or(p.model, request.Model)
	p.input = cmp.Or(p.input, len(request.Raw)/4+1)
	p.output = cmp.Or(p.output, len(parts)+1)
	if p.reason == "" {
		p.reason = "stop"
		for _, part := range parts {
			if part.kind == calling {
				p.reason = "tool_calls"
			}
		}
	}
}

func (p *player) stream(parts []part) error {
	if p.mark {
		if err := p.write([]byte("\ufeff")); err != nil {
			return err
		}
	}
	if err := p.send(p.voice.open()...); err != nil {
		return err
	}
	for _, part := range parts {
		if err := p.act(part); err != nil {
			return err
		}
	}
	if len(parts) == 0 || !parts[len(parts)-1].kind.closes() {
		if err := p.finish(); err != nil {
			return err
		}
	}
	if p.keepOpen {
		return p.wait(make(chan struct{}))
	}
	return nil
}

func (p *player) act(part part) error {
	switch part.kind {
	case saying:
		return p.send(p.voice.say(part.text)...)
	case thinking:
		return p.send(p.voice.think(part.text)...)
	case calling:
		return p.send(p.voice.call(part.calls)...)
	case raw:
		return p.send([]byte(part.text))
	case verbatim:
		return p.write([]byte(part.text))
	case failing:
		return p.send(p.voice.fail(part.text))
	case pausing:
		return p.wait(part.gate)
	case hanging:
		for p.pings {
			if err := p.ping(); err != nil {
				return err
			}
		}
		return p.wait(make(chan struct{}))
	case dropping:
		panic(http.ErrAbortHandler)
	case resetting:
		return p.reset()
	case musing:
		return p.repeat(p.voice.think, part.text)
	case rambling:
		return p.repeat(p.voice.say, part.text)
	}
	return nil
}

// repeat keeps sending the given text until the client disconnects. After 8192 copies, which fill
// all buffers, it pauses after each copy to save CPU time.
func (p *player) repeat(speak func(string) [][]byte, text string) error {
	const atOnce = 8 << 10
	for n := 0; ; n++ {
		if err := p.send(speak(text)...); err != nil {
			return err
		}
		if n >= atOnce {
			time.Sleep(time.Millisecond)
		}
	}
}

// ping waits a second and then writes a keep-alive. Ollama's protocol has no keep-alives.
func (p *player) ping() error {
	second := make(chan struct{})
	clock := time.AfterFunc(time.Second, func() { close(second) })
	defer clock.Stop()
	if err := p.wait(second); err != nil {
		return err
	}
	switch p.voice.(type) {
	case *ollama:
		return nil
	case *anthropic:
		return p.write(p.voice.frame([]byte(`{"type":"ping"}`)))
	}
	return p.write([]byte(": ping\n\n"))
}

func (p *player) finish() error {
	payloads := p.voice.finish(p.reason)
	if !p.unended || len(payloads) == 0 {
		return p.send(payloads...)
	}
	last := len(payloads) - 1
	if err := p.send(payloads[:last]...); err != nil {
		return err
	}
	return p.write(bytes.TrimRight(p.voice.frame(payloads[last]), "\r\n"))
}

func (p *player) send(payloads ...[]byte) error {
	for _, payload := range payloads {
		if _, isOpenAI := p.voice.(*openAI); isOpenAI && p.pings {
			if err := p.write([]byte(": ping\n\n")); err != nil {
				return err
			}
		}
		if err := p.write(p.voice.frame(payload)); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) write(data []byte) error {
	select {
	case <-p.gone:
		return errLeft
	case <-p.closing:
		return errLeft
	default:
	}
	size := cmp.Or(p.split, len(data))
	for len(data) > 0 {
		n := min(size, len(data))
		if _, err := p.out.Write(data[:n]); err != nil {
			return err
		}
		data = data[n:]
		if p.zip != nil {
			if err := p.zip.Flush(); err != nil {
				return err
			}
		}
		if flusher, ok := p.to.(http.Flusher); ok {
			flusher.Flush()
		}
	}
	return nil
}

// wait returns when gate is closed, or at once if gate is nil. It returns errLeft if the client
// disconnects or the server closes.
func (p *player) wait(gate <-chan struct{}) error {
	if gate == nil {
		return nil
	}
	if flusher, ok := p.to.(http.Flusher); ok && p.voice != nil {
		flusher.Flush() // send the headers before the wait
	}
	select {
	case <-gate:
		return nil
	case <-p.gone:
		return errLeft
	case <-p.closing:
		return errLeft
	}
}

// reset closes the connection with RST, not with FIN.
func (p *player) reset() error {
	connection, _, err := http.NewResponseController(p.to).Hijack()
	if err != nil {
		return err
	}
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	return connection.Close()
}

// wholeAnswer returns the step as one body, for a request that does not stream.
func (p *player) wholeAnswer(parts []part) []byte {
	var text, thought strings.Builder
	var calls []Call
	for _, part := range parts {
		switch part.kind {
		case saying:
			text.WriteString(part.text)
		case thinking:
			thought.WriteString(part.text)
		case calling:
			calls = append(calls, part.calls...)
		}
	}
	return p.voice.whole(text.String(), thought.String(), calls, p.reason)
}
