package dialect_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/dialect"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "rewrite the golden files")

// question offers the tools that the corpus calls.
func question() providers.Question {
	q := providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}}
	for _, name := range []string{"read_file", "create_file", "git_status"} {
		q.Tools = append(q.Tools, providers.ToolSpec{Name: name, Doc: "A tool.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)})
	}
	return q
}

// model asks a server through the real client.
func model(t testing.TB, server *modeltest.Server) providers.Model {
	t.Helper()
	m := dialect.Wrap(openaichat.New(openaichat.Config{
		Provider: "test", BaseURL: server.URL + "/v1", Key: "sk-test", Model: "m", HTTP: &http.Client{Transport: &http.Transport{}},
	}))
	t.Cleanup(func() { m.Close() })
	return m
}

// This function asks over a connection that returns one line at a time, so that pieces are not
// joined.
func apart(t testing.TB, server *modeltest.Server) providers.Model {
	t.Helper()
	m := dialect.Wrap(ollama.New(ollama.Config{URL: server.URL, Model: "m", HTTP: &http.Client{Transport: lineByLine{}}}))
	t.Cleanup(func() { m.Close() })
	return m
}

// pieces divides a text into chunks of about n bytes, between characters.
func pieces(text string, n int) []string {
	var list []string
	var piece strings.Builder
	for _, r := range text {
		piece.WriteRune(r)
		if piece.Len() >= n {
			list = append(list, piece.String())
			piece.Reset()
		}
	}
	if piece.Len() > 0 {
		list = append(list, piece.String())
	}
	return list
}

func corpus(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(filepath.Base(path), ".txt")] = strings.TrimSuffix(string(content), "\n")
	}
	return texts
}

// TestCallsInText reads every answer of the corpus in pieces of several sizes and compares the
// results with the golden list.
func TestCallsInText(t *testing.T) {
	texts := corpus(t)
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	var current string
	size := 0
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
		return modeltest.Text(pieces(current, size)...)
	})
	m := model(t, server)
	var golden strings.Builder
	for _, name := range names {
		current = texts[name]
		var first string
		for _, size = range []int{1, 7, 1 << 20} {
			got := outcome(t, m, current)
			if first == "" {
				first = got
			} else if got != first {
				t.Errorf("%s in pieces of %d:\n%s\nin pieces of 1:\n%s", name, size, got, first)
			}
		}
		fmt.Fprintf(&golden, "%s\n%s", name, first)
	}
	compare(t, "testdata/corpus.golden", golden.String())
}

// outcome asks once, checks the rules for every answer, and describes the rest.
func outcome(t *testing.T, m providers.Model, text string) string {
	t.Helper()
	var shown strings.Builder
	reply, err := m.Respond(t.Context(), question(), func(part providers.Part) {
		if part.Kind == providers.TextPart {
			shown.WriteString(part.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if shown.String() != reply.Text {
		t.Errorf("shown %q, answered %q", shown.String(), reply.Text)
	}
	if len(reply.Calls) == 0 {
		if reply.Text != text || reply.Finish != providers.Stopped {
			t.Errorf("text %q came as %q (%s)", text, reply.Text, reply.Finish)
		}
		return fmt.Sprintf("\ttext, looks like a call: %v\n", dialect.LooksLikeCall(text))
	}
	if reply.Finish != providers.Called {
		t.Errorf("finish is %q", reply.Finish)
	}
	var out strings.Builder
	if reply.Text != "" {
		fmt.Fprintf(&out, "\tshows %q\n", reply.Text)
	}
	for _, call := range reply.Calls {
		fmt.Fprintf(&out, "\tcalls %s %s\n", call.Name, call.Args)
	}
	return out.String()
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and review the change. Got:\n%s", path, got)
	}
}

func TestProseStreamsAtOnce(t *testing.T) {
	chunks := []string{"There", " is", " a < b", "\n", "[1]", " and", "\n\n", "{x}", "\n<b>", "done", "\n```", "go\n", "<tool_call>", "\n```\n", "end"}
	m := apart(t, modeltest.Start(t, modeltest.Text(chunks...)))
	var got []string
	if _, err := m.Respond(t.Context(), question(), func(part providers.Part) { got = append(got, part.Text) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, chunks) {
		t.Errorf("pieces came as %q", got)
	}
}

func TestJSONAnswersStreamOnceTheyCannotBeCalls(t *testing.T) {
	m := apart(t, modeltest.Start(t, modeltest.Text("{", `"na`, `rrow": `, `1`, `, "b": 2`, `}`)))
	var got []string
	if _, err := m.Respond(t.Context(), question(), func(part providers.Part) { got = append(got, part.Text) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{`{"narrow": `, `1`, `, "b": 2`, `}`}; !slices.Equal(got, want) {
		t.Errorf("pieces came as %q, want %q", got, want)
	}
}

func TestALongCallShowsSignsOfLife(t *testing.T) {
	text := "<function=create_file>\n<parameter=content>" + strings.Repeat("line\n", 2000) + "</parameter>\n</function>"
	m := apart(t, modeltest.Start(t, modeltest.Text(pieces(text, 100)...)))
	signs := 0
	reply, err := m.Respond(t.Context(), question(), func(part providers.Part) {
		if part.Kind == providers.CallingPart && part.Text == "create_file" {
			signs++
		}
	})
	if err != nil || len(reply.Calls) != 1 || signs < 90 {
		t.Errorf("%d calls, %d signs of life, %v", len(reply.Calls), signs, err)
	}
}

// TestACutAnswerIsNoCall ends a complete block with every finish reason other than stop.
func TestACutAnswerIsNoCall(t *testing.T) {
	block := `{"name": "git_status", "arguments": {}}`
	tests := map[string]struct {
		step modeltest.Step
		err  error
	}{
		"length": {step: modeltest.Text(block).WithFaults(modeltest.Finish("length"))},
		"filter": {step: modeltest.Text(block).WithFaults(modeltest.Finish("content_filter"))},
		"cut":    {step: modeltest.Text(block).Append(modeltest.End()), err: providers.ErrCut},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var shown strings.Builder
			reply, err := model(t, modeltest.Start(t, test.step)).Respond(t.Context(), question(), func(part providers.Part) {
				if part.Kind == providers.TextPart {
					shown.WriteString(part.Text)
				}
			})
			if !errors.Is(err, test.err) || len(reply.Calls) != 0 || shown.String() != block {
				t.Errorf("%d calls, shown %q, %v", len(reply.Calls), shown.String(), err)
			}
		})
	}
}

// TestNoPrefixOfACallIsAnotherCall cuts the text at every byte: the result is a call with complete
// arguments or no call.
func TestNoPrefixOfACallIsAnotherCall(t *testing.T) {
	read := func(text string) []messages.ToolCall {
		reply, err := dialect.Wrap(answers{text}).Respond(t.Context(), question(), func(providers.Part) {})
		if err != nil {
			t.Fatal(err)
		}
		return reply.Calls
	}
	same := func(a, b messages.ToolCall) bool { return a.Name == b.Name && string(a.Args) == string(b.Args) }
	for name, text := range corpus(t) {
		all := read(text)
		if len(all) == 0 {
			continue
		}
		for n := range text {
			if calls := read(text[:n]); len(calls) > len(all) || !slices.EqualFunc(calls, all[:len(calls)], same) {
				t.Errorf("%s: %q calls %v", name, text[:n], calls)
			}
		}
	}
}

func TestNativeCallsLeaveTextAlone(t *testing.T) {
	text := "<tool_call>\n{\"name\": \"git_status\", \"arguments\": {}}\n</tool_call>"
	step := modeltest.Text(text).Append(modeltest.Calls(modeltest.Call{ID: "1", Name: "read_file", Args: `{"path":"a"}`}))
	reply, err := model(t, modeltest.Start(t, step)).Respond(t.Context(), question(), func(providers.Part) {})
	if err != nil || len(reply.Calls) != 1 || reply.Calls[0].Name != "read_file" || reply.Text != text {
		t.Errorf("got %+v, %v", reply, err)
	}
}

func TestWithoutToolsNothingIsACall(t *testing.T) {
	text := `{"name": "git_status", "arguments": {}}`
	q := question()
	q.Tools = nil
	reply, err := model(t, modeltest.Start(t, modeltest.Text(text))).Respond(t.Context(), q, func(providers.Part) {})
	if err != nil || len(reply.Calls) != 0 || reply.Text != text {
		t.Errorf("got %+v, %v", reply, err)
	}
}

// answers is a model that sends a text in pieces, without a server, for fuzzing and measuring.
type answers []string

func (a answers) Respond(_ context.Context, _ providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	for _, piece := range a {
		emit(providers.Part{Kind: providers.TextPart, Text: piece})
	}
	return providers.Reply{Text: strings.Join(a, ""), Finish: providers.Stopped}, nil
}

func (a answers) Close() error { return nil }

func FuzzTextIsNeverLostOrReordered(f *testing.F) {
	for _, text := range corpus(f) {
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var said answers
		for rest := text; rest != ""; {
			n := min(len(rest), int(size)+1)
			said, rest = append(said, rest[:n]), rest[n:]
		}
		var shown strings.Builder
		reply, err := dialect.Wrap(said).Respond(t.Context(), question(), func(part providers.Part) {
			if part.Kind == providers.TextPart {
				shown.WriteString(part.Text)
			}
		})
		if err != nil || shown.String() != reply.Text {
			t.Fatalf("shown %q, answered %q, %v", shown.String(), reply.Text, err)
		}
		if len(reply.Calls) == 0 && reply.Text != text || !strings.HasPrefix(text, reply.Text) {
			t.Fatalf("%q came as %q", text, reply.Text)
		}
		for _, call := range reply.Calls {
			if !strings.Contains(text, call.Name) || !json.Valid(call.Args) {
				t.Fatalf("%q calls %s %s", text, call.Name, call.Args)
			}
		}
	})
}

func BenchmarkProse(b *testing.B) {
	said := answers(pieces(strings.Repeat("A line of an ordinary answer, as they come.\n", 200), 5))
	m := dialect.Wrap(said)
	q := question()
	for b.Loop() {
		_, _ = m.Respond(b.Context(), q, func(providers.Part) {})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(said)), "ns/piece")
}

func BenchmarkLongCall(b *testing.B) {
	text := "<function=create_file>\n<parameter=content>" + strings.Repeat("line of code\n", 10_000) + "</parameter>\n</function>"
	said := answers(pieces(text, 5))
	m := dialect.Wrap(said)
	q := question()
	for b.Loop() {
		if reply, _ := m.Respond(b.Context(), q, func(providers.Part) {}); len(reply.Calls) != 1 {
			b.Fatal("no call")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(said)), "ns/piece")
}
