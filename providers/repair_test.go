package providers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

func user(text string) messages.Message { return messages.Message{Role: messages.User, Text: text} }

func assistant(text string, calls ...messages.ToolCall) messages.Message {
	return messages.Message{Role: messages.Assistant, Text: text, Calls: calls}
}

func call(id, name, args string) messages.ToolCall {
	return messages.ToolCall{ID: id, Name: name, Args: json.RawMessage(args)}
}

func result(id, text string) messages.Message {
	return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Text: text, Status: messages.OK}}
}

// short writes a conversation with one line per message.
func short(conversation []messages.Message) string {
	var out strings.Builder
	for _, message := range conversation {
		switch message.Role {
		case messages.Tool:
			fmt.Fprintf(&out, "  %s(%s)=%s\n", message.Result.Name, message.Result.Call, message.Result.Text)
		default:
			fmt.Fprintf(&out, "%s %q", message.Role, message.Text)
			for _, call := range message.Calls {
				fmt.Fprintf(&out, " %s(%s)%s", call.Name, call.ID, call.Args)
			}
			out.WriteByte('\n')
		}
	}
	return out.String()
}

func TestEveryHistoryBecomesValid(t *testing.T) {
	for _, test := range []struct {
		name    string
		history []messages.Message
		want    string
	}{
		{
			"a call without result",
			[]messages.Message{user("go"), assistant("", call("a", "f", "{}")), user("and?")},
			"user \"go\"\nassistant \"\" f(a){}\n  f(a)=interrupted, effect unknown\nuser \"and?\"\n",
		},
		{
			"one of two results",
			[]messages.Message{user("go"), assistant("", call("a", "f", "{}"), call("b", "g", "{}")), result("b", "B")},
			"user \"go\"\nassistant \"\" f(a){} g(b){}\n  f(a)=interrupted, effect unknown\n  g(b)=B\n",
		},
		{
			"results in another order",
			[]messages.Message{user("go"), assistant("", call("a", "f", "{}"), call("b", "g", "{}")), result("b", "B"), result("a", "A")},
			"user \"go\"\nassistant \"\" f(a){} g(b){}\n  f(a)=A\n  g(b)=B\n",
		},
		{
			"a message between call and result",
			[]messages.Message{user("go"), assistant("", call("a", "f", "{}")), user("quick!"), result("a", "A")},
			"user \"go\"\nassistant \"\" f(a){}\n  f(a)=A\nuser \"quick!\"\n",
		},
		{
			"a result without call",
			[]messages.Message{result("x", "X"), user("go"), result("y", "Y"), assistant("ok")},
			"user \"go\"\nassistant \"ok\"\n",
		},
		{
			"a second result",
			[]messages.Message{user("go"), assistant("", call("a", "f", "{}")), result("a", "1"), result("a", "2")},
			"user \"go\"\nassistant \"\" f(a){}\n  f(a)=1\n",
		},
		{
			"ids that repeat in one answer",
			[]messages.Message{user("go"), assistant("", call("a", "f", "{}"), call("a", "g", "{}")), result("a", "1"), result("a", "2")},
			"user \"go\"\nassistant \"\" f(a){} g(call_2){}\n  f(a)=1\n  g(call_2)=2\n",
		},
		{
			"ids that repeat in each answer",
			[]messages.Message{user("go"), assistant("", call("call_0", "f", "{}")), result("call_0", "1"), assistant("", call("call_0", "f", "{}")), result("call_0", "2")},
			"user \"go\"\nassistant \"\" f(call_0){}\n  f(call_0)=1\nassistant \"\" f(call_2){}\n  f(call_2)=2\n",
		},
		{
			"ids that are missing, long or odd",
			[]messages.Message{user("go"), assistant("", call("", "f", "{}"), call(strings.Repeat("x", 41), "g", "{}"), call("a b", "h", "{}")), result(strings.Repeat("x", 41), "G")},
			"user \"go\"\nassistant \"\" f(call_1){} g(call_2){} h(call_3){}\n  f(call_1)=interrupted, effect unknown\n  g(call_2)=G\n  h(call_3)=interrupted, effect unknown\n",
		},
		{
			"a made id that is taken",
			[]messages.Message{user("go"), assistant("", call("call_2", "f", "{}"), call("", "g", "{}"))},
			"user \"go\"\nassistant \"\" f(call_2){} g(call_2_2){}\n  f(call_2)=interrupted, effect unknown\n  g(call_2_2)=interrupted, effect unknown\n",
		},
		{
			"empty messages",
			[]messages.Message{user(" \n"), assistant(""), {Role: messages.System}, user("go"), assistant(" ", call("a", "f", "")), result("a", "")},
			"user \"go\"\nassistant \"\" f(a){}\n  f(a)=(no output)\n",
		},
		{
			"names that no provider takes",
			[]messages.Message{user("go"), assistant("", call("a", "files.read file", "{}"), call("b", "", "{}"))},
			"user \"go\"\nassistant \"\" files_read_file(a){} unnamed(b){}\n  files_read_file(a)=interrupted, effect unknown\n  unnamed(b)=interrupted, effect unknown\n",
		},
		{"an unknown role", []messages.Message{user("go"), {Role: "developer", Text: "x"}}, "user \"go\"\n"},
		{"nothing", nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := providers.Repair(test.history)
			if text := short(got); text != test.want {
				t.Errorf("got\n%swant\n%s", text, test.want)
			}
			if breaches := modeltest.CheckMessages(got); len(got) > 0 && breaches != nil {
				t.Errorf("refused: %q", breaches)
			}
		})
	}
}

func TestTextsBecomeValidUTF8(t *testing.T) {
	got := providers.Repair([]messages.Message{
		user("half a \xf0\x9f smile"),
		assistant("\xff", call("a", "f", "{\"x\":\"\xc3\"}"), call("b", "f", `{"x":"\ud83d","n":12345678901234567890}`), call("c", "f", `{"x":"\ud83d\ude00"}`)),
		result("a", "\x80"),
	})
	want := "user \"half a � smile\"\nassistant \"�\" f(a){\"x\":\"�\"} f(b){\"n\":12345678901234567890,\"x\":\"�\"} f(c){\"x\":\"😀\"}\n  f(a)=�\n" +
		"  f(b)=interrupted, effect unknown\n  f(c)=interrupted, effect unknown\n"
	if text := short(got); text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
}

func TestBrokenArgumentsAreKeptAsText(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"a.go","text":"half`: `{"text":"{\"path\":\"a.go\",\"text\":\"half"}`,
		"*** Begin Patch":             `{"text":"*** Begin Patch"}`,
		`"{\"a\":1}"`:                 `{"a":1}`,
		`"\"{\\\"a\\\":1}\""`:         `{"a":1}`,
		`[1]`:                         `{"text":"[1]"}`,
		`null`:                        `{}`,
		``:                            `{}`,
		` {"a": 1} `:                  `{"a": 1}`,
	} {
		got := providers.Repair([]messages.Message{assistant("", call("a", "f", args))})
		if string(got[0].Calls[0].Args) != want {
			t.Errorf("%s became %s, want %s", args, got[0].Calls[0].Args, want)
		}
	}
}

func TestValidHistoryStaysAsItIs(t *testing.T) {
	signed := call("a", "f", `{"a":1}`)
	signed.Opaque, signed.Origin = json.RawMessage(`{"google":{"thought_signature":"x"}}`), "gemini"
	history := []messages.Message{
		user("go"), assistant("well", signed, call("b", "g", "{}")),
		{Role: messages.Tool, Result: messages.ToolResult{Call: "a", Name: "f", Text: "A", Status: messages.Denied}},
		{Role: messages.Tool, Result: messages.ToolResult{Call: "b", Name: "g", Text: "B", Status: messages.OK}},
		assistant("done"),
	}
	if got := providers.Repair(history); !reflect.DeepEqual(got, history) {
		t.Errorf("got\n%swant\n%s", short(got), short(history))
	}
}

// FuzzRepair makes a conversation of the bytes, repairs it and runs the strict server's checker. It
// also checks that the argument is unchanged, that a repaired conversation is stable, and that a
// longer one begins with the shorter one.
func FuzzRepair(f *testing.F) {
	f.Add([]byte("u hello\na text\nc id name {}\nr id out\n"))
	f.Add([]byte("c call_2 f\nc  g \xff\nr call_2\nr call_2 again\nc call_2 f {\"a\nu\xf0\x9f\n"))
	f.Add([]byte("c a f \"{}\"\n+ a g {\"x\":\"\\ud800\"}\n+ b h []\nu \nr b x\nr a \xff\ns x\nr a"))
	f.Fuzz(func(t *testing.T, script []byte) {
		history := conversation(script)
		before := short(history)
		got := providers.Repair(history)
		if after := short(history); after != before {
			t.Fatalf("the history was changed:\n%swas\n%s", after, before)
		}
		if len(got) > 0 {
			if breaches := modeltest.CheckMessages(got); breaches != nil {
				t.Fatalf("refused: %q\nhistory\n%srepaired\n%s", breaches, before, short(got))
			}
		}
		if again := providers.Repair(got); short(again) != short(got) {
			t.Fatalf("repaired twice\n%sonce\n%s", short(again), short(got))
		}
		for n := range history {
			// No request is made between a call and its results.
			if n > 0 && !answered(history[:n]) {
				continue
			}
			if longer, shorter := short(got), short(providers.Repair(history[:n])); !late(history[:n], history[n:]) && !strings.HasPrefix(longer, shorter) {
				t.Fatalf("after %d messages\n%sis not the beginning of\n%s", n, shorter, longer)
			}
		}
	})
}

// conversation reads lines "<kind> <id> <name> <args>"; + adds a call to the last message.
func conversation(script []byte) (history []messages.Message) {
	for line := range bytes.SplitSeq(script, []byte("\n")) {
		fields := strings.SplitN(string(line), " ", 4)
		field := func(i int) string {
			if i < len(fields) {
				return fields[i]
			}
			return ""
		}
		switch fields[0] {
		case "u", "a", "s":
			role := map[string]messages.Role{"u": messages.User, "a": messages.Assistant, "s": messages.System}[fields[0]]
			history = append(history, messages.Message{Role: role, Text: string(line[1:])})
		case "c":
			history = append(history, assistant("", call(field(1), field(2), field(3))))
		case "+":
			if n := len(history); n > 0 && history[n-1].Role == messages.Assistant {
				history[n-1].Calls = append(history[n-1].Calls, call(field(1), field(2), field(3)))
			}
		case "r":
			history = append(history, result(field(1), field(2)))
		}
	}
	return history
}

func answered(history []messages.Message) bool {
	for _, message := range providers.Repair(history) {
		if message.Result.Text == providers.EffectUnknown {
			return false
		}
	}
	return true
}

// late reports whether a result in rest still changes the messages before it.
func late(before, rest []messages.Message) bool {
	for n := range rest {
		all := append(append([]messages.Message{}, before...), rest[n])
		if rest[n].Role == messages.Tool && short(providers.Repair(all)) != short(providers.Repair(before)) {
			return true
		}
	}
	return false
}

func BenchmarkRepair(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var history []messages.Message
	for i := range 33 {
		id := fmt.Sprint("call_", i)
		history = append(history, user("what is in the file?"), assistant("", call(id, "read_file", `{"path":"a.go"}`)),
			result(id, strings.Repeat("word ", random.IntN(400))))
	}
	b.ReportAllocs()
	for b.Loop() {
		providers.Repair(history)
	}
}
