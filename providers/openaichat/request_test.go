package openaichat

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"marvin/messages"
)

// by returns a message in the types of openai-go.
func (m *Model) by(message messages.Message) json.Marshaler {
	switch message.Role {
	case messages.System:
		return openai.SystemMessage(message.Text).OfSystem
	case messages.Tool:
		return openai.ToolMessage(message.Result.Text, message.Result.Call).OfTool
	case messages.User:
		return openai.UserMessage(message.Text).OfUser
	}
	answer := openai.ChatCompletionAssistantMessageParam{}
	answer.Content.OfString = openai.String(message.Text)
	if message.Text == "" {
		answer.Content.OfString = param.Null[string]()
	}
	for _, call := range message.Calls {
		wire := openai.ChatCompletionMessageFunctionToolCallParam{
			ID:       call.ID,
			Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: call.Name, Arguments: string(call.Args)},
		}
		if len(call.Opaque) > 0 && call.Origin == m.config.Provider {
			wire.SetExtraFields(map[string]any{"extra_content": call.Opaque})
		}
		answer.ToolCalls = append(answer.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &wire})
	}
	if m.wantsThoughts() {
		var thoughts strings.Builder
		for _, thought := range message.Thinking {
			thoughts.WriteString(thought.Text)
		}
		answer.SetExtraFields(map[string]any{"reasoning_content": thoughts.String()})
	}
	return answer
}

// The hand-written encoding is byte for byte the one of openai-go, except for HTML characters in
// fields that openai-go does not know, which it escapes.
func TestMessagesAreThoseOfTheLibrary(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"", "a", "<b>&", "\"", "\\", "\n", "\x00", "\x7f", "\u2028", "\xff", "\xf0\x9f", "ü", "🙂", "</script>", strings.Repeat("x", 300)}
	text := func() (said string) {
		for range random.IntN(4) {
			said += pieces[random.IntN(len(pieces))]
		}
		return said
	}
	plain := strings.NewReplacer("<", "(", ">", ")", "&", "+")
	for range 2000 {
		model := &Model{config: Config{Provider: []string{"groq", "deepseek"}[random.IntN(2)]}}
		message := messages.Message{
			Role:   []messages.Role{messages.System, messages.User, messages.Assistant, messages.Tool}[random.IntN(4)],
			Text:   text(),
			Result: messages.ToolResult{Call: text(), Text: text()},
		}
		for range random.IntN(3) {
			message.Calls = append(message.Calls, messages.ToolCall{ID: text(), Name: "look" + text(), Args: []byte(text()), Origin: "groq", Opaque: []byte(`{ "sign" : "a+b/c==" }`)})
			message.Thinking = append(message.Thinking, messages.Thought{Text: plain.Replace(text())})
		}
		want, err := model.by(message).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := model.write(&got, message); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("is  %s, %v\nnot %s", got.Bytes(), err, want)
		}
	}
}

func TestDamagedExtraContentIsAnError(t *testing.T) {
	model := &Model{config: Config{Provider: "gemini"}}
	message := messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "c", Name: "look", Args: []byte("{}"), Origin: "gemini", Opaque: []byte(`{"sign":`)}}}
	if err := model.write(new(bytes.Buffer), message); err == nil {
		t.Error("nobody noticed")
	}
}
