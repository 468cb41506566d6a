package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"marvin/tools"
)

func TestEveryToolHasItsShareOfTokensAndExamples(t *testing.T) {
	b := newBench(t)
	core := 0
	for _, tool := range b.registry.All() {
		encoded, err := tool.Schema()
		if err != nil {
			t.Fatal(err)
		}
		share := tools.EstimateTokens(tool.Name + tool.Doc + string(encoded))
		if tool.Core {
			core += share
		}
		if share > 545 { // launch_agent, which takes lists of tasks and kinds, says where and whose, and compares, has 542; most have a fourth of that
			t.Errorf("%s takes %d tokens", tool.Name, share)
		}
		if tool.Doc == "" || tool.Name != "find_tools" && len(tool.Examples) < 2 {
			t.Errorf("%s has %d example requests and the description %q", tool.Name, len(tool.Examples), tool.Doc)
		}
	}
	if core > 8000 {
		t.Errorf("the first request carries %d tokens of schemas", core)
	}
}

func TestEveryToolHelpsWithBadArguments(t *testing.T) {
	b := newBench(t)
	for _, tool := range b.registry.All() {
		shape := schemaOf(t, tool)
		if len(shape.Required) > 0 {
			if _, err := tool.Decode([]byte(`{}`)); err == nil || !strings.Contains(err.Error(), "is required") || !strings.Contains(err.Error(), "Example") {
				t.Errorf("%s without arguments: %v", tool.Name, err)
			}
		}
		for name, of := range shape.Properties {
			if of.Type == "object" || of.Type == "array" {
				continue
			}
			args, err := json.Marshal(map[string]any{name: map[string]int{"a": 1}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tool.Decode(args); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s with an object for %s: %v", tool.Name, name, err)
			}
		}
		if _, err := tool.Decode([]byte(`{"no_such_parameter":1}`)); err == nil || !strings.Contains(err.Error(), "no_such_parameter") {
			t.Errorf("%s with an unknown parameter: %v", tool.Name, err)
		}
	}
}

func TestEveryToolEndsSoonAfterACancel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	stopped := errors.New("stopped by the test")
	var stop atomic.Pointer[context.CancelCauseFunc]
	b.answers(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does a server notice the closed connection
		(*stop.Load())(stopped)
		<-r.Context().Done()
	})
	waited := 0
	for _, tool := range b.registry.All() {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop.Store(&cancel)
		output, err := b.call(ctx, t, tool, nil)
		if ctx.Err() != nil { // it asked and got no answer
			if waited++; !errors.Is(err, stopped) && !errors.Is(err, context.Canceled) && !strings.Contains(output.Text, stopped.Error()) {
				t.Errorf("%s ended with %q, %v, and not with its cancel", tool.Name, output.Text, err)
			}
		}
		cancel(nil)
	}
	if waited < 30 {
		t.Errorf("only %d tools wait for an answer", waited)
	}
}

// Answers that no service should give: too long, not text, or not the requested kind.
func TestEveryToolBearsWhatServicesShouldNotAnswer(t *testing.T) {
	t.Parallel()
	huge := bytes.Repeat([]byte("a"), 1<<20)
	for name, answer := range map[string]http.HandlerFunc{
		"30 MB of JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"results":[{"title":"`)
			for range 30 {
				if _, err := w.Write(huge); err != nil {
					return
				}
			}
		},
		"bytes": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("\x00\xff\xfe\x1b]0;title\x07\x9b31m"))
		},
		"another type": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `[[],{"a":null},"text",1e999]`) },
		"nulls":        func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `null`) },
		"nothing":      func(http.ResponseWriter, *http.Request) {},
		"503": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<html>\x1b[2J down", http.StatusServiceUnavailable)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is politeness: pauses between requests
			b := newBench(t)
			b.answers(answer)
			for _, tool := range b.registry.All() {
				if tool.Pool != tools.Net {
					continue
				}
				output, err := b.call(t.Context(), t, tool, nil)
				if len(output.Text) > 256<<10 {
					t.Errorf("%s gave %d bytes", tool.Name, len(output.Text))
				}
				if err != nil && len(err.Error()) > 8<<10 {
					t.Errorf("%s gave an error of %d bytes", tool.Name, len(err.Error()))
				}
				if output.Text == "" && err == nil {
					t.Errorf("%s said nothing", tool.Name)
				}
			}
		})
	}
}
