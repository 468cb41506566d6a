package openaichat

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3"

	"marvin/messages"
	"marvin/providers"
)

// body encodes a question as a request body. Equal questions give equal bytes, and earlier messages
// of a conversation keep their bytes, because providers cache prefixes.
//
// openai-go's ChatCompletionNewParams is not used. It compacts each schema and each text again at
// every level of nesting, which takes 1 ms for 30 tools and 100 messages.
func (m *Model) body(question providers.Question) (*bytes.Reader, error) {
	var out bytes.Buffer
	out.Grow(roomFor(question))
	out.WriteString(`{"model":`)
	writeText(&out, m.config.Model)
	out.WriteString(`,"stream":true,"stream_options":{"include_usage":true}`)
	out.WriteString(m.effort(question.Effort))
	if len(question.Tools) > 0 { // servers refuse an empty list
		out.WriteString(`,"tools":[`)
		for i, tool := range question.Tools {
			if i > 0 {
				out.WriteByte(',')
			}
			writeTool(&out, tool)
		}
		out.WriteByte(']')
	}
	// The messages come last, because only they grow. So each request is a prefix of the next one.
	out.WriteString(`,"messages":[`)
	history := providers.PicturesBehind(providers.RepairFor(m.origin(), question.Messages), m.config.About.SeesPictures() && !m.blind.Load())
	if system := strings.ToValidUTF8(question.System, "\ufffd"); strings.TrimSpace(system) != "" {
		history = slices.Insert(history, 0, messages.Message{Role: messages.System, Text: system})
	}
	for i, message := range history {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := m.write(&out, message); err != nil {
			return nil, fmt.Errorf("encode message %d for %s: %w", i, m.config.Provider, err)
		}
	}
	out.WriteString(`]}`)
	return bytes.NewReader(out.Bytes()), nil
}

// roomFor estimates the size of the encoded request, in bytes. It does not count escapes.
func roomFor(question providers.Question) int {
	const each = 100 // names and punctuation
	room := 1<<10 + len(question.System)
	for _, tool := range question.Tools {
		room += each + len(tool.Doc) + len(tool.Schema)
	}
	for _, message := range question.Messages {
		room += each + len(message.Text) + len(message.Result.Text)
		for _, call := range message.Calls {
			room += each + len(call.Args)
		}
	}
	return room + room/8
}

// write encodes a message as openai-go does. It uses openai-go only for messages with pictures,
// because the first use of openai-go's types in a process takes 0.25 ms.
func (m *Model) write(out *bytes.Buffer, message messages.Message) error {
	text, call, role := message.Text, "", "user"
	switch {
	case message.Role == messages.Assistant:
		return m.writeAnswer(out, message)
	case message.Role == messages.Tool:
		text, call, role = message.Result.Text, message.Result.Call, "tool"
	case message.Role == messages.System:
		role = "system"
	case len(message.Pictures) > 0:
		encoded, err := pictureMessage(message).MarshalJSON()
		out.Write(encoded)
		return err
	}
	out.WriteString(`{"content":`)
	writeText(out, text)
	if role == "tool" {
		out.WriteString(`,"tool_call_id":`)
		writeText(out, call)
	}
	out.WriteString(`,"role":"` + role + `"}`)
	return nil
}

func pictureMessage(message messages.Message) json.Marshaler {
	var parts []openai.ChatCompletionContentPartUnionParam
	if message.Text != "" {
		parts = append(parts, openai.TextContentPart(message.Text))
	}
	for _, picture := range message.Pictures {
		parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: "data:" + picture.Type + ";base64," + base64.StdEncoding.EncodeToString(picture.Data)}))
	}
	return openai.UserMessage(parts).OfUser
}

func (m *Model) writeAnswer(out *bytes.Buffer, message messages.Message) error {
	out.WriteString(`{"content":`)
	if message.Text == "" {
		// As in the API's own answers, empty content is null. Some servers, such as DeepSeek,
		// require the content field. Others refuse an empty string.
		out.WriteString("null")
	} else {
		writeText(out, message.Text)
	}
	for i, call := range message.Calls {
		if i == 0 {
			out.WriteString(`,"tool_calls":[`)
		} else {
			out.WriteByte(',')
		}
		if err := m.writeCall(out, call); err != nil {
			return err
		}
	}
	if len(message.Calls) > 0 {
		out.WriteByte(']')
	}
	out.WriteString(`,"role":"assistant"`)
	if m.wantsThoughts() {
		var thoughts strings.Builder
		for _, thought := range message.Thinking {
			thoughts.WriteString(thought.Text)
		}
		out.WriteString(`,"reasoning_content":`) // the server requires the field even if it is empty
		writeText(out, thoughts.String())
	}
	out.WriteByte('}')
	return nil
}

func (m *Model) writeCall(out *bytes.Buffer, call messages.ToolCall) error {
	out.WriteString(`{"id":`)
	writeText(out, call.ID)
	out.WriteString(`,"function":{"arguments":`)
	writeText(out, string(call.Args))
	out.WriteString(`,"name":`)
	writeText(out, call.Name)
	out.WriteString(`},"type":"function"`)
	if len(call.Opaque) > 0 && call.Origin == m.config.Provider {
		out.WriteString(`,"extra_content":`)
		if err := json.Compact(out, call.Opaque); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

// writeTool writes a tool with its schema, which is already encoded.
func writeTool(out *bytes.Buffer, tool providers.ToolSpec) {
	out.WriteString(`{"type":"function","function":{"name":`)
	writeText(out, tool.Name)
	if tool.Doc != "" {
		out.WriteString(`,"description":`)
		writeText(out, tool.Doc)
	}
	if len(tool.Schema) > 0 {
		out.WriteString(`,"parameters":`)
		out.Write(tool.Schema)
	}
	out.WriteString("}}")
}
