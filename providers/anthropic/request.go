package anthropic

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

// usualMost is the maximum length of an answer, in tokens, for unknown models. The protocol
// requires a maximum.
const usualMost = 8192

// mark is the value that tells the provider to cache the beginning of a request.
const mark = `{"type":"ephemeral"}`

// body encodes a request. Equal questions give equal bytes, and new messages leave the bytes of
// earlier messages unchanged. The provider can therefore cache the earlier messages.
func (m *Model) body(question providers.Question) []byte {
	var out bytes.Buffer
	history := providers.RepairFor(m.origin(), question.Messages)
	most := cmp.Or(m.config.About.Most, usualMost)
	fmt.Fprintf(&out, `{"model":%s`, stream.Encode(m.config.Model))
	fmt.Fprintf(&out, `,"max_tokens":%d,"stream":true`, most)
	if !m.thoughtless.Load() {
		m.writeEffort(&out, question.Effort, most, history)
	}
	if !m.unmarked.Load() {
		out.WriteString(`,"cache_control":` + mark)
	}
	m.writeTools(&out, question.Tools, history)
	if system := strings.ToValidUTF8(question.System, "\ufffd"); strings.TrimSpace(system) != "" {
		fmt.Fprintf(&out, `,"system":[{"type":"text","text":%s`, stream.Encode(system))
		if !m.unmarked.Load() {
			out.WriteString(`,"cache_control":` + mark)
		}
		out.WriteString("}]")
	}
	out.WriteString(`,"messages":[`)
	m.writeMessages(&out, history)
	out.WriteString("]}")
	return out.Bytes()
}

// adapts is a pattern for models that support adaptive thinking. Earlier models that can think
// accept a thinking budget.
var adapts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`claude-(?:(?:opus|sonnet|haiku)-(?:4-[6-9]|[5-9])|mythos|fable)`)
})

// hasXHigh matches models that accept the effort "xhigh", which is between "high" and "max".
var hasXHigh = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`claude-(?:(?:opus|sonnet|haiku)-(?:4-[7-9]|[5-9])|mythos-[5-9]|fable)`)
})

// alwaysThinks matches models whose thinking cannot be disabled. With the effort "off", they think
// only after the first tool call.
var alwaysThinks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`claude-sonnet-5-5`) })

// thinksByDefault is a pattern for models that think unless a request turns their thinking off.
var thinksByDefault = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`claude-(?:opus|sonnet|haiku)-[5-9]`)
})

// budgets contains, for each effort, a thinking budget in tokens. Models that match [adapts] need
// no budget.
var budgets = map[providers.Effort]int{providers.Minimal: 1024, providers.Low: 2048, providers.Medium: 8192, providers.High: 16_384, providers.XHigh: 24_576, providers.Max: 31_999}

// dropBound tells the server to drop reasoning that follows a changed message. Without dropBound,
// the server refuses the request.
const dropBound = `,"block_binding":{"prefix_mismatch_behavior":"drop_block"}`

// leastBudget is the smallest budget that the protocol accepts.
const leastBudget = 1024

// writeEffort writes the fields that control thinking. It omits the effort if [lacksOwnReasoning]
// returns true, because servers would refuse the effort.
func (m *Model) writeEffort(out *bytes.Buffer, wish providers.Effort, most int, history []messages.Message) {
	effort, name := m.config.About.Fit(wish), strings.ReplaceAll(strings.ToLower(m.config.Model), ".", "-")
	switch {
	case effort == providers.Off && alwaysThinks().MatchString(name):
		out.WriteString(`,"thinking":{"type":"between_tools"}`)
	case effort == providers.Off && thinksByDefault().MatchString(name):
		out.WriteString(`,"thinking":{"type":"disabled"}`)
	}
	if effort == "" && m.unbound.Load() && adapts().MatchString(name) {
		// The model thinks even if no effort is requested.
		out.WriteString(`,"thinking":{"type":"adaptive"` + dropBound + `}`)
	}
	if effort == "" || effort == providers.Off || lacksOwnReasoning(history) {
		return
	}
	if adapts().MatchString(name) {
		word := effort
		switch effort {
		case providers.Minimal:
			word = providers.Low
		case providers.XHigh:
			if !hasXHigh().MatchString(name) {
				word = providers.High
			}
		}
		out.WriteString(`,"thinking":{"type":"adaptive"`)
		if m.unbound.Load() {
			out.WriteString(dropBound)
		}
		fmt.Fprintf(out, `},"output_config":{"effort":%s`, stream.Encode(string(word)))
		out.WriteByte('}')
		return
	}
	if budget := min(budgets[effort], most-leastBudget); budget >= leastBudget {
		fmt.Fprintf(out, `,"thinking":{"type":"enabled","budget_tokens":%d}`, budget)
	}
}

// lacksOwnReasoning reports whether the latest calls lack this model's reasoning, for example
// because another model made the calls.
func lacksOwnReasoning(history []messages.Message) bool {
	for i := len(history) - 1; i >= 0; i-- {
		switch message := history[i]; {
		case message.Role == messages.Assistant && len(message.Calls) > 0:
			return len(message.Thinking) == 0
		case message.Role != messages.Tool:
			return false
		}
	}
	return false
}

// writeTools writes the tools with their schemas unchanged. If there are no tools, writeTools
// declares the tools of earlier calls, as the protocol requires, and forbids new calls.
func (m *Model) writeTools(out *bytes.Buffer, tools []providers.ToolSpec, history []messages.Message) {
	closed := len(tools) == 0
	if closed {
		seen := map[string]bool{}
		for _, message := range history {
			for _, call := range message.Calls {
				if !seen[call.Name] {
					seen[call.Name] = true
					tools = append(tools, providers.ToolSpec{Name: call.Name})
				}
			}
		}
	}
	for i, tool := range tools {
		out.WriteString([]string{`,"tools":[`, ","}[min(i, 1)])
		out.WriteByte('{')
		stream.WriteTool(out, tool, "input_schema", `{"type":"object"}`)
		out.WriteByte('}')
	}
	if len(tools) > 0 {
		out.WriteByte(']')
		if closed {
			out.WriteString(`,"tool_choice":{"type":"none"}`)
		}
	}
}

// writeMessages joins adjacent messages with the same role. For example, tool results, user text
// and Marvin's own notes become one user message.
func (m *Model) writeMessages(out *bytes.Buffer, history []messages.Message) {
	said := ""
	for _, message := range history {
		role := "user"
		if message.Role == messages.Assistant {
			role = "assistant"
		}
		blocks := m.blocks(message)
		switch {
		case said == "" && role == "assistant": // a conversation must begin with a user message
			out.WriteString(`{"role":"user","content":[{"type":"text","text":"(The conversation continues.)"}]},{"role":"assistant","content":[`)
		case said == role:
			out.WriteByte(',')
		case said == "":
			out.WriteString(`{"role":"user","content":[`)
		default:
			out.WriteString(`]},{"role":"` + role + `","content":[`)
		}
		said = role
		out.Write(bytes.Join(blocks, []byte(",")))
	}
	if said != "" {
		out.WriteString("]}")
	}
}

// blocks encodes a repaired message as one or more content blocks.
func (m *Model) blocks(message messages.Message) (blocks [][]byte) {
	add := func(format string, values ...any) { blocks = append(blocks, fmt.Appendf(nil, format, values...)) }
	switch message.Role {
	case messages.Tool:
		result := message.Result
		content := [][]byte{fmt.Appendf(nil, `{"type":"text","text":%s}`, stream.Encode(result.Text))}
		content = append(content, m.pictures(result.Pictures)...)
		failed := ""
		if result.Status != messages.OK && result.Status != "" {
			failed = `,"is_error":true`
		}
		add(`{"type":"tool_result","tool_use_id":%s,"content":[%s]%s}`, stream.Encode(callID(result.Call)), bytes.Join(content, []byte(",")), failed)
	case messages.Assistant:
		m.addAnswer(message, add)
	case messages.User:
		blocks = append(blocks, m.pictures(message.Pictures)...)
		if message.Text != "" {
			add(`{"type":"text","text":%s}`, stream.Encode(message.Text))
		}
	}
	return blocks
}

// addAnswer adds the reasoning, text and calls of an answer in the order in which they came.
func (m *Model) addAnswer(message messages.Message, add func(string, ...any)) {
	at := 0
	say := func(to int) {
		if text := message.Text[at:to]; strings.TrimSpace(text) != "" {
			add(`{"type":"text","text":%s}`, stream.Encode(text))
			at = to
		}
	}
	for _, thought := range message.Thinking {
		if m.thoughtless.Load() || thought.Opaque == "" {
			continue // no signature, so no model can verify it
		}
		say(max(at, thought.Offset))
		if data, sealed := strings.CutPrefix(thought.Opaque, sealedMark); sealed {
			add(`{"type":"redacted_thinking","data":%s}`, stream.Encode(data))
		} else {
			add(`{"type":"thinking","thinking":%s,"signature":%s}`, stream.Encode(thought.Text), stream.Encode(thought.Opaque))
		}
	}
	say(len(message.Text))
	for _, call := range message.Calls {
		add(`{"type":"tool_use","id":%s,"name":%s,"input":%s}`, stream.Encode(callID(call.ID)), stream.Encode(call.Name), call.Args)
	}
}

var outsideID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-zA-Z0-9_-]`) })

// callID replaces each character that the protocol does not allow in an id.
func callID(id string) string { return outsideID().ReplaceAllString(id, "_") }

// sealedMark is the prefix of reasoning that only the provider can read.
const sealedMark = "sealed:"

func (m *Model) pictures(pictures []messages.Picture) (blocks [][]byte) {
	sees := m.config.About.SeesPictures() && !m.blind.Load()
	for _, picture := range pictures {
		if !sees || len(picture.Data) == 0 {
			blocks = append(blocks, fmt.Appendf(nil, `{"type":"text","text":%s}`, stream.Encode(providers.InWords(picture))))
			continue
		}
		blocks = append(blocks, fmt.Appendf(nil, `{"type":"image","source":{"type":"base64","media_type":%s,"data":"%s"}}`, stream.Encode(picture.Type), base64.StdEncoding.EncodeToString(picture.Data)))
	}
	return blocks
}
