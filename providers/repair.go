package providers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"marvin/messages"
)

// EffectUnknown is the result of a call whose own result was never stored.
const EffectUnknown = "interrupted, effect unknown"

// OpenAI's API sets these limits on the length of names in calls. Most compatible servers share
// them.
const (
	maxCallID   = 40
	maxToolName = 64
)

// Repair returns the conversation in a form that every provider accepts, because one bad message
// would make each later request fail (field notes 15 and 18). It makes text valid UTF-8, ids
// unique, and the names and arguments of calls valid. It removes reasoning, empty messages, and
// results without a call. It puts results in the order of their calls. If a call has no result,
// Repair adds [EffectUnknown].
//
// System messages become user messages, because many servers accept a system message only at the
// beginning.
//
// A repaired message depends only on earlier messages and on the results of its own calls. The
// repaired message therefore stays the same when the conversation grows. Repair does not modify its
// argument. Repairing 100 messages takes about 50 µs.
func Repair(history []messages.Message) []messages.Message { return RepairFor("", history) }

// RepairFor is like [Repair], but keeps the reasoning of one model. origin is this model's name, as
// provider/model. A server would refuse another model's signed or encrypted reasoning.
func RepairFor(origin string, history []messages.Message) []messages.Message {
	results := pair(history)
	repaired := make([]messages.Message, 0, len(history)+len(results))
	ids := map[string]bool{}
	count := 0
	for i, message := range history {
		message.Text = validUTF8(message.Text)
		empty := strings.TrimSpace(message.Text) == ""
		switch message.Role {
		case messages.System, messages.User:
			if message.Role == messages.System { // the question has its own system text, which comes first
				message.Role, message.Text = messages.User, news(message.Text)
			}
			if !empty || len(message.Pictures) > 0 {
				repaired = append(repaired, messages.Message{Role: message.Role, Text: message.Text, Pictures: message.Pictures})
			}
		case messages.Assistant:
			if empty && len(message.Calls) == 0 {
				continue
			}
			answer := messages.Message{Role: messages.Assistant, Text: message.Text, Thinking: ownThoughts(origin, message)}
			if empty {
				answer.Text = ""
			}
			at := len(repaired)
			repaired = append(repaired, answer)
			calls := make([]messages.ToolCall, len(message.Calls))
			for j, call := range message.Calls {
				count++
				calls[j] = repairCall(call, ids, count)
				repaired = append(repaired, messages.Message{
					Role: messages.Tool, Result: repairResult(results[place{i, j}], calls[j]),
				})
			}
			if len(calls) > 0 {
				repaired[at].Calls = calls
			}
		}
	}
	return repaired
}

// newsMark begins each text that Marvin itself puts into a user message.
const newsMark = "[Marvin] "

func news(text string) string {
	if strings.HasPrefix(text, newsMark) {
		return text
	}
	return newsMark + text
}

// ownThoughts returns the message's nonempty thoughts whose Origin is equal to origin. If origin is
// "", ownThoughts returns none.
func ownThoughts(origin string, message messages.Message) []messages.Thought {
	var own []messages.Thought
	for _, thought := range message.Thinking {
		if thought.Origin != origin || origin == "" || thought.Text == "" && thought.Opaque == "" {
			continue
		}
		thought.Text = strings.ToValidUTF8(thought.Text, "\ufffd")
		thought.Offset = min(max(thought.Offset, 0), len(message.Text))
		own = append(own, thought)
	}
	return own
}

// place is the position of a call: the index of its message, and the index of the call in that
// message.
type place struct{ message, call int }

// pair returns the result of each call. Several calls may have the same id, because some providers
// count from call_0 in each answer. A result belongs to the latest message that has a call with the
// same id as the result. If this message has several such calls, the result belongs to the first
// one without a result.
func pair(history []messages.Message) map[place]*messages.ToolResult {
	results := map[place]*messages.ToolResult{}
	open := map[string][]place{} // the calls that can still get a result, keyed by id
	for i := range history {
		message := &history[i]
		if message.Role == messages.Tool {
			waiting := open[message.Result.Call]
			if len(waiting) > 0 {
				results[waiting[0]] = &message.Result
				open[message.Result.Call] = waiting[1:]
			}
			continue
		}
		if message.Role != messages.Assistant {
			continue
		}
		for j, call := range message.Calls {
			if waiting := open[call.ID]; len(waiting) > 0 && waiting[0].message == i {
				open[call.ID] = append(waiting, place{i, j})
			} else {
				open[call.ID] = []place{{i, j}}
			}
		}
	}
	return results
}

func repairCall(call messages.ToolCall, ids map[string]bool, count int) messages.ToolCall {
	if !plainID(call.ID) || ids[call.ID] {
		call.ID = fmt.Sprintf("call_%d", count)
		for n := 2; ids[call.ID]; n++ {
			call.ID = fmt.Sprintf("call_%d_%d", count, n)
		}
	}
	ids[call.ID] = true
	call.Name = strings.Map(inName, call.Name) // the name is ASCII by now
	call.Name = cmp.Or(call.Name[:min(len(call.Name), maxToolName)], "unnamed")
	call.Args = repairArguments(call.Args)
	if !json.Valid(call.Opaque) || !utf8.Valid(call.Opaque) {
		call.Opaque = nil
	}
	return call
}

// inName returns char, or '_' if a tool name must not contain char.
func inName(char rune) rune {
	if char == '_' || char == '-' || '0' <= char && char <= '9' || 'a' <= char && char <= 'z' || 'A' <= char && char <= 'Z' {
		return char
	}
	return '_'
}

// plainID reports whether an id is short and consists of visible ASCII characters, so that it can
// be sent unchanged.
func plainID(id string) bool {
	return id != "" && len(id) <= maxCallID && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' })
}

// repairArguments converts arguments to a JSON object. Arguments that are not an object become the
// value of a field "text", so that the model sees them.
func repairArguments(raw json.RawMessage) json.RawMessage {
	text := bytes.TrimSpace(raw)
	for range 3 { // the object can be encoded as a string, even several times
		var inner string
		if len(text) == 0 || text[0] != '"' || json.Unmarshal(text, &inner) != nil {
			break
		}
		text = bytes.TrimSpace([]byte(inner))
	}
	switch {
	case len(text) == 0 || string(text) == "null":
		return json.RawMessage("{}")
	case text[0] == '{' && json.Valid(text):
		return plainEscapes(bytes.ToValidUTF8(text, []byte("\ufffd")))
	}
	encoded, err := json.Marshal(map[string]string{"text": strings.ToValidUTF8(string(text), "\ufffd")})
	if err != nil {
		panic("providers: " + err.Error()) // a map of strings can always be encoded
	}
	return encoded
}

// plainEscapes replaces the escapes of lone surrogates in JSON. Such escapes are valid, but many
// servers cannot decode them.
func plainEscapes(text json.RawMessage) json.RawMessage {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) {
		return text
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // long ids must not become floating-point numbers
	var value any
	if decoder.Decode(&value) != nil {
		return text
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return text
	}
	return encoded
}

// validUTF8 replaces invalid UTF-8 with U+FFFD. Nearly all text is valid, and utf8.ValidString is
// thirty times as fast as strings.ToValidUTF8.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

func repairResult(result *messages.ToolResult, call messages.ToolCall) messages.ToolResult {
	if result == nil {
		result = &messages.ToolResult{Text: EffectUnknown, Status: messages.Interrupted}
	}
	text := cmp.Or(validUTF8(result.Text), "(no output)")
	return messages.ToolResult{Call: call.ID, Name: call.Name, Text: text, Status: result.Status, Pictures: result.Pictures}
}
