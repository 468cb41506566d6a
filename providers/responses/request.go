package responses

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

// body encodes a question as a request body. Equal questions give equal bytes, and new messages
// leave the bytes of earlier items unchanged. The server can therefore cache the earlier items.
func (m *Model) body(question providers.Question) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"model":%s`, stream.Encode(m.config.Model))
	out.WriteString(`,"stream":true,"store":false`)
	about := m.config.About
	reasons := about.Efforts == nil || len(about.Efforts) > 0
	if reasons && !m.unsealed.Load() && !m.thoughtless.Load() {
		out.WriteString(`,"include":["reasoning.encrypted_content"]`)
	}
	if effort := about.Fit(question.Effort); effort != "" && !m.thoughtless.Load() {
		fmt.Fprintf(&out, `,"reasoning":{"effort":%s`, stream.Encode(word(effort, about.Efforts)))
		if !m.unsummed.Load() {
			out.WriteString(`,"summary":"auto"`)
		}
		out.WriteByte('}')
	}
	for i, tool := range question.Tools {
		out.WriteString([]string{`,"tools":[`, ","}[min(i, 1)])
		writeTool(&out, tool)
	}
	if len(question.Tools) > 0 {
		out.WriteByte(']')
	}
	system := strings.ToValidUTF8(question.System, "\ufffd")
	if m.config.Admit != nil && strings.TrimSpace(system) == "" {
		system = "Answer." // a ChatGPT plan requires instructions
	}
	if strings.TrimSpace(system) != "" {
		fmt.Fprintf(&out, `,"instructions":%s`, stream.Encode(system))
	}
	if m.config.Admit != nil {
		fmt.Fprintf(&out, `,"prompt_cache_key":%s`, stream.Encode(cacheKey(system, question.Messages)))
	}
	out.WriteString(`,"input":[`) // the input comes last, because only the input grows
	var items [][]byte
	for _, message := range providers.RepairFor(m.origin(), question.Messages) {
		items = m.items(items, message)
	}
	out.Write(bytes.Join(items, []byte(",")))
	out.WriteString("]}")
	return out.Bytes()
}

// cacheKey returns a key that is the same for all questions in a conversation. The server finds its
// cache with this key.
func cacheKey(system string, all []messages.Message) string {
	sum := sha256.New()
	_, _ = io.WriteString(sum, system)
	for _, message := range all {
		if message.Role == messages.User {
			_, _ = io.WriteString(sum, message.Text)
			break
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// word returns the protocol's name for an effort. "max" becomes "xhigh" if the list of supported
// efforts lacks "max".
func word(effort providers.Effort, has []providers.Effort) string {
	switch {
	case effort == providers.Off:
		return "none"
	case effort == providers.Max && !slices.Contains(has, effort):
		return "xhigh"
	}
	return string(effort)
}

// writeTool writes a tool with its schema unchanged. The schema is not strict, because not all
// properties are required.
func writeTool(out *bytes.Buffer, tool providers.ToolSpec) {
	out.WriteString(`{"type":"function",`)
	stream.WriteTool(out, tool, "parameters", `{"type":"object","properties":{}}`)
	out.WriteString(`,"strict":false}`)
}

// items encodes a message, and appends the encoded items to the given slice.
func (m *Model) items(items [][]byte, message messages.Message) [][]byte {
	add := func(format string, values ...any) { items = append(items, fmt.Appendf(nil, format, values...)) }
	switch message.Role {
	case messages.User:
		if len(message.Pictures) == 0 {
			add(`{"type":"message","role":"user","content":%s}`, stream.Encode(message.Text))
			break
		}
		add(`{"type":"message","role":"user","content":[%s]}`, m.parts(message.Text, message.Pictures))
	case messages.Tool:
		result := message.Result
		if len(result.Pictures) == 0 {
			add(`{"type":"function_call_output","call_id":%s,"output":%s}`, stream.Encode(result.Call), stream.Encode(result.Text))
			break
		}
		add(`{"type":"function_call_output","call_id":%s,"output":[%s]}`, stream.Encode(result.Call), m.parts(result.Text, result.Pictures))
	case messages.Assistant:
		m.addAnswer(message, add)
	}
	return items
}

// addAnswer adds the reasoning, text and calls of an answer in their original order. Reasoning at
// the end is omitted, because the server refuses answers that end with reasoning.
func (m *Model) addAnswer(message messages.Message, add func(string, ...any)) {
	at := 0
	say := func(to int) {
		if text := message.Text[at:to]; strings.TrimSpace(text) != "" {
			add(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":%s}]}`, stream.Encode(text))
			at = to
		}
	}
	for _, thought := range message.Thinking {
		followed := len(message.Calls) > 0 || strings.TrimSpace(message.Text[max(at, thought.Offset):]) != ""
		if m.unsealed.Load() || m.thoughtless.Load() || !followed || !json.Valid([]byte(thought.Opaque)) {
			continue
		}
		say(max(at, thought.Offset))
		add(`%s`, thought.Opaque)
	}
	say(len(message.Text))
	for _, call := range message.Calls {
		add(`{"type":"function_call","call_id":%s,"name":%s,"arguments":%s}`, stream.Encode(call.ID), stream.Encode(call.Name), stream.Encode(string(call.Args)))
	}
}

func (m *Model) parts(text string, pictures []messages.Picture) []byte {
	var parts [][]byte
	if strings.TrimSpace(text) != "" {
		parts = append(parts, fmt.Appendf(nil, `{"type":"input_text","text":%s}`, stream.Encode(text)))
	}
	sees := m.config.About.SeesPictures() && !m.blind.Load()
	for _, picture := range pictures {
		if !sees || len(picture.Data) == 0 {
			parts = append(parts, fmt.Appendf(nil, `{"type":"input_text","text":%s}`, stream.Encode(providers.InWords(picture))))
			continue
		}
		parts = append(parts, fmt.Appendf(nil, `{"type":"input_image","detail":"auto","image_url":%s}`, stream.Encode("data:"+picture.Type+";base64,"+base64.StdEncoding.EncodeToString(picture.Data))))
	}
	return bytes.Join(parts, []byte(","))
}
