package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/ollama"
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

func TestShortConversationIsNotCounted(t *testing.T) {
	meter := new(Counter).MeterFor("openai", "gpt-5.1")
	question := providers.Question{System: strings.Repeat("rule ", 1000), Messages: []messages.Message{{Role: messages.User, Text: "hello"}}}
	if got := meter.Count(question, 90_000); got != Bound(question) {
		t.Errorf("%d tokens, want the bound %d", got, Bound(question))
	}
}

// The counts are those of OpenAI's o200k_base.
func TestTheEstimateIsNearTheCountOfATokenizer(t *testing.T) {
	for text, want := range map[string]int{
		english: 63, german: 70, code: 82, data: 73, chinese: 78,
	} {
		got := new(Counter).MeterFor("openai", "gpt-5.1").Text(text)
		if got < want*85/100 || got > want*115/100 {
			t.Errorf("%d tokens, want about %d: %s", got, want, text)
		}
	}
}

const (
	english = `The provider reports how many tokens a request took, and later estimates are corrected by that. A user sees the figure behind every answer, together with what it cost. When a conversation comes near the end of the window, older results of tools are left out first, then a summary takes the place of the beginning.`
	german  = `Bevor man mit dem Programmieren beginnt, muss man ein wenig Grundverständnis mitbringen, wie ein Computer überhaupt funktioniert. Hier ist es zunächst nicht wichtig zu verstehen, wie der Prozessor Befehle verarbeitet. Es ist aber sehr wohl wichtig, zu verstehen, welche Funktionen Arbeitsspeicher und andere Speichermedien des Computers haben.`
	code    = "func (m Meter) Learn(question providers.Question, usage providers.Usage) {\n\tif !usage.Known || Bound(question) < learnFrom {\n\t\treturn\n\t}\n\tfactor := float64(usage.Input) / float64(estimated(question))\n\tif factor < leastFactor {\n\t\treturn\n\t}\n\tm.update(func(known *model) { known.factor = min(factor, mostFactor) })\n}\n"
	data    = `{"type":"object","properties":{"path":{"type":"string","description":"The new file, relative to the working directory"},"content":{"type":"string","description":"The whole content; an empty string makes an empty file"},"limit":{"type":"integer","minimum":1,"maximum":100,"default":20}},"required":["path","content"]}`
	chinese = `我第一次真正接触「人工智能」这个概念,是在 2016 年左右。转眼多年过去,当下的数据规模、计算能力和模型参数量,都已经跨过了某个关键的「临界点」。优秀的AI助手能够帮助用户快速筛选有用信息,提供清晰的解决方案,节省宝贵时间。`
)

func TestManyConversationsShareACounter(t *testing.T) {
	counter, question := new(Counter), conversation(t, 30_000)
	want := new(Counter).MeterFor("a", "b").Count(question, 0)
	var together sync.WaitGroup
	for n := range 8 {
		together.Go(func() {
			meter := counter.MeterFor("provider", fmt.Sprint(n%2))
			if got := meter.Count(question, 0); got != want {
				t.Errorf("%d tokens, want %d", got, want)
			}
			meter.RecordRefusal(question, providers.ErrTooLong)
			meter.Window(0)
		})
	}
	together.Wait()
}

func TestLearnFollowsTheProvider(t *testing.T) {
	question := conversation(t, 40_000)
	raw := new(Counter).MeterFor("a", "b").Count(question, 0)
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
		meter := counter.MeterFor("a", "b")
		meter.Count(question, 0)
		meter.Learn(question, test.usage)
		if got := meter.Count(question, 0); got < test.want || got > test.want+1 {
			t.Errorf("%s: %d tokens, want %d", test.name, got, test.want)
		}
		if got := counter.MeterFor("a", "other").Count(question, 0); got != raw {
			t.Errorf("%s: another model has now %d tokens, want %d", test.name, got, raw)
		}
	}
}

func TestAShortQuestionTeachesNothing(t *testing.T) {
	meter := new(Counter).MeterFor("copilot", "claude-haiku-4.5")
	question := providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "hello"}}}
	before := meter.Count(question, 0)
	meter.Learn(question, providers.Usage{Input: 12_000, Known: true})
	if got := meter.Count(question, 0); got != before {
		t.Errorf("%d tokens, were %d", got, before)
	}
}

func TestRefusalLowersTheWindow(t *testing.T) {
	question := conversation(t, 60_000)
	size := new(Counter).MeterFor("a", "b").Count(question, 0)
	// Bodies that servers sent, from issues of continuedev/continue (6080),
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
		meter := new(Counter).MeterFor("a", "b")
		meter.RecordRefusal(question, fmt.Errorf("ask: %w", providers.ServerError("a", 400, []byte(body), "")))
		if got := meter.Window(0); got != want {
			t.Errorf("%s: window %d, want %d", body, got, want)
		}
	}
}

func TestOtherFailuresLeaveTheWindow(t *testing.T) {
	meter := new(Counter).MeterFor("groq", "llama-3.3-70b-versatile")
	meter.RecordRefusal(conversation(t, 1000), errors.New("connection reset; maximum context length is 10"))
	if got := meter.Window(0); got != 131_072 {
		t.Errorf("window %d", got)
	}
	meter.RecordRefusal(conversation(t, 60_000), providers.ErrTooLong)
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
		if bound, count := Bound(question), new(Counter).MeterFor("a", "b").Count(question, 0); count > bound {
			t.Errorf("%d tokens, but the bound is %d", count, bound)
		}
	})
}

func TestAToldWindowCounts(t *testing.T) {
	meter := (&Counter{}).MeterFor(providers.Ollama, "m")
	meter.RecordWindow(0, 0)
	if got := meter.Window(0); got != 32_768 {
		t.Errorf("untold: %d", got)
	}
	meter.RecordWindow(65_536, 131_072)
	if now, widest := meter.Widest(); meter.Window(0) != 65_536 || now != 65_536 || widest != 131_072 {
		t.Errorf("told: %d, %d of %d", meter.Window(0), now, widest)
	}
	meter.RecordWindow(2048, 2048)
	meter.RecordWindow(0, 0) // zeros change nothing
	if got := meter.Window(0); got != 2048 {
		t.Errorf("a smaller one: %d", got)
	}
}
