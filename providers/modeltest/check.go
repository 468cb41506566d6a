package modeltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"marvin/messages"
)

// OpenAI's API and most compatible servers enforce these limits.
const (
	maxTools = 128
	maxID    = 40
)

var validName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// check finds the reasons why a strict provider would refuse a request. It combines the rules of
// several providers, none of which enforces all of them.
func check(request Request) []string {
	var found breaches
	breach := found.add
	if !utf8.Valid(request.Raw) {
		breach("the body is not UTF-8")
	}
	if half := loneSurrogate(request.Raw); half != "" {
		breach("the body holds half a surrogate pair: %s", half)
	}
	if request.Model == "" && request.Raw != nil {
		breach("you must provide a model parameter")
	}
	if request.Choice != "" && !request.Offers(request.Choice) {
		breach("tool_choice names %q, which is not in tools", request.Choice)
	}
	if len(request.Tools) > maxTools {
		breach("tools: array too long, maximum length %d, got %d", maxTools, len(request.Tools))
	}
	for i, tool := range request.Tools {
		if err := checkTool(tool, request.Tools[:i]); err != nil {
			breach("tools[%d] %q: %v", i, tool.Name, err)
		}
	}
	return append(found, CheckMessages(request.Messages)...)
}

func checkTool(tool Tool, before []Tool) error {
	if !validName.MatchString(tool.Name) {
		return fmt.Errorf("the name does not match %s", validName)
	}
	if (Request{Tools: before}).Offers(tool.Name) {
		return fmt.Errorf("the name is taken by another tool")
	}
	if len(tool.Schema) == 0 {
		return nil // a function without parameters needs no schema
	}
	if _, known := goodSchemas.Load(string(tool.Schema)); known {
		return nil
	}
	if err := checkSchema(tool.Schema); err != nil {
		return err
	}
	goodSchemas.Store(string(tool.Schema), true)
	return nil
}

// goodSchemas caches valid schemas. A conversation sends the same schemas with each request, and
// checking them took a quarter of the time of a test with many requests.
var goodSchemas sync.Map

func checkSchema(text json.RawMessage) error {
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return fmt.Errorf("the schema is broken: %w", err)
	}
	if schema.Type != "object" {
		return fmt.Errorf("the schema must have type object, not %q", schema.Type)
	}
	if _, err := schema.Resolve(nil); err != nil {
		return fmt.Errorf("the schema does not compile: %w", err)
	}
	return nil
}

// CheckMessages returns the reasons why a strict provider would refuse a conversation. It checks
// the text of messages, the ids, names and arguments of calls, and the order of results.
func CheckMessages(conversation []messages.Message) []string {
	var breaches []string
	breach := func(i int, format string, args ...any) {
		breaches = append(breaches, fmt.Sprintf("messages[%d]: %s", i, fmt.Sprintf(format, args...)))
	}
	if len(conversation) == 0 {
		return []string{"messages: [] is too short"}
	}
	seen := map[string]bool{}
	var open []messages.ToolCall // the calls that have no result yet
	for i, message := range conversation {
		if message.Role != messages.Tool && len(open) > 0 {
			breach(i, "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'; no answer to %q", open[0].ID)
			open = nil
		}
		for _, text := range []string{message.Text, message.Result.Text, message.Result.Call, message.Result.Name} {
			if !utf8.ValidString(text) {
				breach(i, "invalid UTF-8: %q", text)
			}
		}
		switch message.Role {
		case messages.System, messages.User:
			if strings.TrimSpace(message.Text) == "" && len(message.Pictures) == 0 {
				breach(i, "a %s message without content", message.Role)
			}
		case messages.Assistant:
			if message.Text == "" && len(message.Calls) == 0 {
				breach(i, "an assistant message with neither content nor tool_calls")
			}
			for _, call := range message.Calls {
				for _, problem := range checkCall(call, seen) {
					breach(i, "%s", problem)
				}
				seen[call.ID] = true
			}
			open = message.Calls
		case messages.Tool:
			if message.Result.Text == "" {
				breach(i, "a tool message without content")
			}
			if len(open) == 0 {
				breach(i, "messages with role 'tool' must be a response to a preceding message with 'tool_calls' (%q)", message.Result.Call)
				continue
			}
			if open[0].ID != message.Result.Call {
				breach(i, "the result is for %q, but the next call that needs a result is %q", message.Result.Call, open[0].ID)
			}
			open = open[1:]
		default:
			breach(i, "unknown role %q", message.Role)
		}
	}
	if len(open) > 0 {
		breach(len(conversation)-1, "no tool message responds to %q", open[0].ID)
	}
	return breaches
}

func checkCall(call messages.ToolCall, seen map[string]bool) (problems []string) {
	switch {
	case call.ID == "":
		problems = append(problems, fmt.Sprintf("the call to %q has no id", call.Name))
	case seen[call.ID]:
		problems = append(problems, fmt.Sprintf("two calls have the id %q", call.ID))
	case utf8.RuneCountInString(call.ID) > maxID:
		problems = append(problems, fmt.Sprintf("string too long: the id %q is over %d characters", call.ID, maxID))
	case !utf8.ValidString(call.ID):
		problems = append(problems, fmt.Sprintf("the id %q is not UTF-8", call.ID))
	}
	if !validName.MatchString(call.Name) {
		problems = append(problems, fmt.Sprintf("the function name %q does not match %s", call.Name, validName))
	}
	if half := loneSurrogate(call.Args); half != "" {
		problems = append(problems, fmt.Sprintf("the arguments of %q hold half a surrogate pair: %s", call.Name, half))
	}
	if !utf8.Valid(call.Args) {
		problems = append(problems, fmt.Sprintf("the arguments of %q are not UTF-8", call.Name))
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(call.Args, &object); err != nil || object == nil {
		problems = append(problems, fmt.Sprintf("the arguments of %q are not a JSON object: %.80q", call.Name, call.Args))
	}
	return problems
}

// loneSurrogate returns the first escape of an unpaired surrogate, or "". json.Unmarshal silently
// replaces an escape such as "\ud83d", but providers refuse it (field note 18).
func loneSurrogate(raw []byte) string {
	for i := 0; i+6 <= len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if raw[i+1] != 'u' {
			i++ // a short escape, perhaps of the backslash itself
			continue
		}
		switch {
		case !isHalf(raw[i:], "89ab"):
			if isHalf(raw[i:], "cdef") {
				return string(raw[i : i+6])
			}
			i += 5
		case isHalf(raw[i+6:], "cdef"):
			i += 11
		default:
			return string(raw[i : i+6])
		}
	}
	return ""
}

// isHalf reports whether raw begins with \ud and one of the digits.
func isHalf(raw []byte, digits string) bool {
	return len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' && raw[2]|0x20 == 'd' && strings.IndexByte(digits, raw[3]|0x20) >= 0
}

// decodeStrictly decodes a request for a protocol that refuses unknown fields.
func decodeStrictly(raw []byte, body any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return decoder.Decode(body)
}

// breaches are the ways in which a request breaks its protocol.
type breaches []string

func (b *breaches) add(format string, args ...any) { *b = append(*b, fmt.Sprintf(format, args...)) }

func (b breaches) err() error {
	if len(b) == 0 {
		return nil
	}
	return errors.New(strings.Join(b, "; "))
}
