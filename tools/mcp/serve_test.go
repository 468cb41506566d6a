package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// lines is a client of a Marvin that serves tools. It writes and reads lines.
type lines struct {
	to   *io.PipeWriter
	from *bufio.Reader
	end  chan error
}

func serves(t *testing.T, ctx context.Context, offers []Offer) *lines {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	l := &lines{to: to, from: bufio.NewReader(from), end: make(chan error, 1)}
	go func() { l.end <- Serve(ctx, in, out, "1.2.3", offers) }()
	t.Cleanup(func() { _, _ = to.Close(), from.Close() })
	return l
}

func (l *lines) say(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(l.to, text); err != nil {
		t.Fatal(err)
	}
}

func (l *lines) hear(t *testing.T) string {
	t.Helper()
	line, err := l.from.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// Marvin offers tools to other agents. It answers requests sent right before the end of the stream,
// and a last line without a newline.
func TestToolsAreOfferedToOtherAgents(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	said := func(_ context.Context, arguments json.RawMessage, progress func(string)) (string, error) {
		progress("half")
		progress("nearly")
		switch text := string(arguments); {
		case strings.Contains(text, "fails"):
			return "", errors.New("it is broken")
		case strings.Contains(text, "partly"):
			return "so far", errors.New("it is broken")
		default:
			return "said " + text, nil
		}
	}
	l := serves(t, t.Context(), []Offer{{Name: "reads", Doc: "Reads.", Schema: schema, Reads: true, Call: said}, {Name: "writes", Doc: "Writes.", Schema: schema, Call: said}})
	l.say(t, hello)
	if got := l.hear(t); !strings.Contains(got, `"serverInfo":{"name":"marvin","title":"Marvin","version":"1.2.3"}`) {
		t.Errorf("%s", got)
	}
	l.say(t, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n")
	if got := l.hear(t); !strings.Contains(got, `"readOnlyHint":true},"description":"Reads.","inputSchema":{"type":"object"},"name":"reads"}`) || !strings.Contains(got, `"readOnlyHint":false},"description":"Writes."`) {
		t.Errorf("%s", got)
	}
	call := func(id, arguments, meta string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"reads","arguments":` + arguments + meta + `}}`
	}
	l.say(t, call("3", `{"a":1}`, "")+"\n")
	if got := l.hear(t); !strings.Contains(got, `"text":"said {\"a\":1}"`) || strings.Contains(got, `"isError":true`) {
		t.Errorf("%s", got)
	}
	l.say(t, call("4", `{"a":1}`, `,"_meta":{"progressToken":"p"}`)+"\n")
	for _, want := range []string{`"progressToken":"p","message":"half","progress":1}`, `"progressToken":"p","message":"nearly","progress":2}`, `"id":4`} {
		if got := l.hear(t); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for arguments, want := range map[string]string{`{"how":"fails"}`: `"text":"Error: it is broken"`, `{"how":"partly"}`: `"text":"so far\nError: it is broken"`} {
		l.say(t, call("5", arguments, "")+"\n")
		if got := l.hear(t); !strings.Contains(got, want) || !strings.Contains(got, `"isError":true`) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	go func() { // the stream ends right after the last request
		_, _ = io.WriteString(l.to, call("6", `{"last":1}`, ""))
		_ = l.to.Close()
	}()
	if got := l.hear(t); !strings.Contains(got, `"id":6`) || !strings.Contains(got, `{\"last\":1}`) {
		t.Errorf("%s", got)
	}
	if err := <-l.end; err != nil {
		t.Errorf("the end of the stream is an error: %v", err)
	}
}

func TestServingEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	l := serves(t, ctx, nil)
	l.say(t, hello)
	l.hear(t)
	stop()
	if err := <-l.end; err != nil {
		t.Errorf("it was ended: %v", err)
	}
	l = serves(t, t.Context(), nil)
	l.say(t, hello)
	l.hear(t)
	l.say(t, "this is no JSON\n")
	if err := <-l.end; err == nil {
		t.Error("invalid JSON was served")
	}
}

// Each request with an id is owed a reply until it is sent.
func TestPendingAnswers(t *testing.T) {
	o := &owed{ids: map[string]bool{}, none: make(chan struct{}, 1)}
	for _, step := range []struct {
		line  string
		asked bool
		owes  int
		free  bool // no reply is owed any more
	}{
		{`{"id":1,"method":"a"}`, true, 1, false},
		{`{"id":"x","method":"a"}`, true, 2, false},
		{`{"method":"a"}`, true, 2, false},
		{`{"id":3,"result":{}}`, true, 2, false}, // a reply of the client
		{`{"id":1,"method":"a"}`, false, 2, false},
		{`no JSON`, true, 2, false},
		{`{"id":1,"result":{}}`, false, 1, false},
		{`{"method":"progress"}`, false, 1, false},
		{`{"id":"x","result":{}}`, false, 0, true},
		{`{"id":9,"result":{}}`, false, 0, true},
	} {
		o.note([]byte(step.line), step.asked)
		free := false
		select {
		case <-o.none:
			free = true
		default:
		}
		if len(o.ids) != step.owes || free != step.free {
			t.Errorf("%s: %d are owed, free %v", step.line, len(o.ids), free)
		}
	}
	o.settle()
	o.note([]byte(`{"id":1,"method":"a"}`), true)
	settled := make(chan struct{})
	go func() { o.settle(); close(settled) }()
	select {
	case <-settled:
		t.Error("it did not wait for an answer")
	default:
	}
	o.note([]byte(`{"id":1,"result":{}}`), false)
	<-settled
}
