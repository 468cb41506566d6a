package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/ollama"
	"marvin/providers/tokens/internal/o200k"
)

// source is a real file of about 500 lines.
func source(tb testing.TB) string {
	tb.Helper()
	var all strings.Builder
	for _, name := range []string{"counter.go", "learn.go", "tokens_test.go", "../failure.go", "../repair.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// conversation is a coding turn: a request, then rounds of one call with a result
// of some kilobytes, all different.
func conversation(tb testing.TB, size int) providers.Question {
	tb.Helper()
	text := source(tb)
	question := providers.Question{System: "You are Marvin.", Messages: []messages.Message{{Role: messages.User, Text: "look at everything"}}}
	for n := 0; size > 0; n++ {
		id, part := fmt.Sprint("call_", n), fmt.Sprintf("// file %d\n%s", n, text[n*37%5000:][:6000])
		question.Messages = append(
			question.Messages,
			messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: id, Name: "read_file", Args: json.RawMessage(fmt.Sprintf(`{"path":"f%d.go"}`, n))}}},
			messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Text: part}},
		)
		size -= len(part)
	}
	return question
}

func TestCountIsThatOfTheReference(t *testing.T) {
	// From the examples of openai/tiktoken and openai-cookbook
	// (How_to_count_tokens_with_tiktoken.ipynb), encoding o200k_base.
	for text, want := range map[string]int{
		"": 0, "tiktoken is great!": 6, "antidisestablishmentarianism": 6, "2 + 2 = 4": 7, "お誕生日おめでとう": 8,
	} {
		if got := o200k.Count(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}

// worked is how long the processor worked for this process, however busy the machine is.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func TestNoTextIsSlowToCount(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 64<<10)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for name, unit := range map[string]string{
		"blank lines": "  \r\n", "blanks": " ", "line breaks": "\n", "one letter": "a", "accents": "e\u0301",
		"emoji": "😀", "apostrophes": "'s", "slashes": "/", "noise": string(noise), "tabs": "\t\n",
	} {
		text := strings.Repeat(unit, (128<<10)/len(unit))
		begin := worked(t)
		count := o200k.Count(text)
		if took := worked(t) - begin; took > 3*time.Second {
			t.Errorf("%s: %v of processor time for %d KB", name, took, len(text)>>10)
		}
		if count < 1 || count > len(text) {
			t.Errorf("%s: %d tokens of %d bytes", name, count, len(text))
		}
	}
}

func TestShortConversationIsNotCounted(t *testing.T) {
	counter := new(Counter)
	meter := counter.For("openai", "gpt-5.1")
	question := providers.Question{System: strings.Repeat("rule ", 1000), Messages: []messages.Message{{Role: messages.User, Text: "hello"}}}
	if got := meter.Count(question, 90_000); got != Bound(question) {
		t.Errorf("%d tokens, want the bound %d", got, Bound(question))
	}
	meter.Learn(conversation(t, 100_000), providers.Usage{Input: 20_000, Known: true})
	if counter.counted() {
		t.Error("texts were counted")
	}
	if meter.Count(question, 0); !counter.counted() {
		t.Error("nothing was counted: the check above shows nothing")
	}
}

func TestAGrowingConversationIsCountedOnce(t *testing.T) {
	counter := new(Counter)
	meter := counter.For("openai", "gpt-5.1")
	question := conversation(t, 60_000)
	before := meter.Count(question, 0)
	known := len(counter.young)
	added := messages.Message{Role: messages.User, Text: "and now something that was not said before"}
	question.Messages = append(question.Messages, added)
	if got, want := meter.Count(question, 0), before+messageTokens+o200k.Count(added.Text); got != want {
		t.Errorf("%d tokens after one more message, want %d", got, want)
	}
	if len(counter.young) != known+1 {
		t.Errorf("%d texts were counted again, want 1", len(counter.young)-known)
	}
	if fresh := new(Counter).For("openai", "gpt-5.1").Count(question, 0); fresh != meter.Count(question, 0) {
		t.Errorf("remembered counts add up to %d, fresh ones to %d", meter.Count(question, 0), fresh)
	}
}

func TestOldCountsAreForgottenAndUsedOnesKept(t *testing.T) {
	counter := new(Counter)
	for n := range 5 * generation {
		counter.text(fmt.Sprint(n))
		counter.text("used all the time")
	}
	if held := len(counter.young) + len(counter.old); held > 2*generation {
		t.Errorf("%d counts are held", held)
	}
	if _, ok := counter.recall(fingerprint{maphashOf("used all the time"), len("used all the time")}); !ok {
		t.Error("a text that is used all the time was forgotten")
	}
}

func TestManyConversationsShareACounter(t *testing.T) {
	counter, question := new(Counter), conversation(t, 30_000)
	want := new(Counter).For("a", "b").Count(question, 0)
	var together sync.WaitGroup
	for n := range 8 {
		together.Go(func() {
			meter := counter.For("provider", fmt.Sprint(n%2))
			if got := meter.Count(question, 0); got != want {
				t.Errorf("%d tokens, want %d", got, want)
			}
			meter.Refused(question, providers.ErrTooLong)
			meter.Window(0)
		})
	}
	together.Wait()
}

func TestLearnFollowsTheProvider(t *testing.T) {
	question := conversation(t, 40_000)
	raw := new(Counter).For("a", "b").Count(question, 0)
	for _, test := range []struct {
		name  string
		usage providers.Usage
		want  int
	}{
		{"as we count", providers.Usage{Input: raw, Known: true}, raw},
		{"a model with longer tokens", providers.Usage{Input: raw * 8 / 10, Known: true}, raw * 8 / 10},
		{"a model with shorter tokens", providers.Usage{Input: raw * 13 / 10, Known: true}, raw * 13 / 10},
		{"a server with a prompt of its own", providers.Usage{Input: raw * 5, Known: true}, raw * 2},
		{"a server that cut the prompt", providers.Usage{Input: 2048, Known: true}, raw},
		{"a server that does not tell", providers.Usage{}, raw},
	} {
		counter := new(Counter)
		meter := counter.For("a", "b")
		meter.Count(question, 0)
		meter.Learn(question, test.usage)
		if got := meter.Count(question, 0); got < test.want || got > test.want+1 {
			t.Errorf("%s: %d tokens, want %d", test.name, got, test.want)
		}
		if got := counter.For("a", "other").Count(question, 0); got != raw {
			t.Errorf("%s: another model has now %d tokens, want %d", test.name, got, raw)
		}
	}
}

func TestAShortQuestionTeachesNothing(t *testing.T) {
	meter := new(Counter).For("copilot", "claude-haiku-4.5")
	question := providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hello"}}}
	before := meter.Count(question, 0)
	meter.Learn(question, providers.Usage{Input: 12_000, Known: true})
	if got := meter.Count(question, 0); got != before {
		t.Errorf("%d tokens, were %d", got, before)
	}
}

func TestRefusalLowersTheWindow(t *testing.T) {
	question := conversation(t, 60_000)
	size := new(Counter).For("a", "b").Count(question, 0)
	// Bodies as servers sent them, from issues of continuedev/continue (6080),
	// crewAIInc/crewAI-examples (121), the Gemini API and llama.cpp's server.
	for body, want := range map[string]int{
		`{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens.","code":"context_length_exceeded"}}`:         8192,
		`{"error":{"message":"prompt is too long: 17000 tokens > 9000 maximum"}}`:                                                                                              9000,
		`{"error":{"message":"The input token count (12000) exceeds the maximum number of tokens allowed (10000)."}}`:                                                          10000,
		`{"error":{"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it"}}`:                                                    4096,
		`{"error":{"message":"Your input exceeds the context window of this model."}}`:                                                                                         size * 9 / 10,
		`{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 131075 tokens (3075 in the messages, 128000 in the completion)."}}`: 131072,
		`{"error":{"message":"This model's maximum context length is 99999999999999999999 tokens."}}`:                                                                          size * 9 / 10,
	} {
		meter := new(Counter).For("a", "b")
		meter.Refused(question, fmt.Errorf("ask: %w", providers.ServerError("a", 400, []byte(body), "")))
		if got := meter.Window(0); got != want {
			t.Errorf("%s: window %d, want %d", body, got, want)
		}
	}
}

func TestOtherFailuresLeaveTheWindow(t *testing.T) {
	meter := new(Counter).For("groq", "llama-3.3-70b-versatile")
	meter.Refused(conversation(t, 1000), errors.New("connection reset; maximum context length is 10"))
	if got := meter.Window(0); got != 131_072 {
		t.Errorf("window %d", got)
	}
	meter.Refused(conversation(t, 60_000), providers.ErrTooLong)
	if got := meter.Window(0); got >= 131_072 || got < 1000 {
		t.Errorf("window %d after a refusal", got)
	}
}

func TestWindowsOfTheCatalogueAreKnown(t *testing.T) {
	for _, row := range providers.Catalog {
		if known := Window(row.Name, row.Model) > 0; row.Model != "" && known != (row.Name != providers.Offline) {
			t.Errorf("%s/%s: window known is %v", row.Name, row.Model, known)
		}
	}
	if got := Window(providers.Ollama, "any"); got != ollama.DefaultWindow {
		t.Errorf("ollama has %d tokens, but its client asks for %d", got, ollama.DefaultWindow)
	}
	for model, want := range map[string]int{"anthropic/claude-sonnet-4.5": 200_000, "Claude-Opus-4.5": 200_000, "qwen/qwen3-32b": 40_960, "my-own": 0, "": 0} {
		if got := Window(providers.OpenAICompat, model); got != want {
			t.Errorf("%s: %d, want %d", model, got, want)
		}
	}
}

func FuzzBoundIsNeverBelowTheCount(f *testing.F) {
	f.Add("hello", `{"path":"a"}`)
	f.Add("\xff\xfe", "\x00")
	f.Add(strings.Repeat("ẞ", 800), strings.Repeat(" \n", 900))
	f.Fuzz(func(t *testing.T, text, args string) {
		question := providers.Question{System: text, Messages: []messages.Message{
			{Role: messages.User, Text: text},
			{Role: messages.Assistant, Text: args, Calls: []messages.ToolCall{{Name: text, Args: json.RawMessage(args)}}},
			{Role: messages.Tool, Result: messages.ToolResult{Text: args}},
		}}
		if bound, count := Bound(question), new(Counter).For("a", "b").Count(question, 0); count > bound {
			t.Errorf("%d tokens, but the bound is %d", count, bound)
		}
	})
}

func TestAToldWindowCounts(t *testing.T) {
	meter := (&Counter{}).For(providers.Ollama, "m")
	meter.Told(0, 0)
	if got := meter.Window(0); got != 32_768 {
		t.Errorf("untold: %d", got)
	}
	meter.Told(65_536, 131_072)
	if now, widest := meter.Widest(); meter.Window(0) != 65_536 || now != 65_536 || widest != 131_072 {
		t.Errorf("told: %d, %d of %d", meter.Window(0), now, widest)
	}
	meter.Told(2048, 2048)
	meter.Told(0, 0) // what says nothing takes nothing back
	if got := meter.Window(0); got != 2048 {
		t.Errorf("a smaller one: %d", got)
	}
}
