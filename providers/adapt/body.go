package adapt

import (
	"encoding/json"
	"slices"
	"strings"
)

// reform adapts a request body to the form f, and adds the fields from the configuration.
func (h *Host) reform(raw []byte, f form) ([]byte, error) {
	var body map[string]json.RawMessage
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	if err := add(body, h.Body); err != nil {
		return nil, err
	}
	f.adaptLimit(body)
	for _, field := range f.fields {
		delete(body, field)
		for _, list := range []string{"tools", "messages", "system", "input"} {
			if body[list] != nil && isMark(field) {
				body[list] = withoutField(body[list], field)
			}
		}
	}
	if len(f.keywords) > 0 {
		body["tools"] = eachSchema(body["tools"], f.keywords)
	}
	for _, list := range []string{"messages", "input"} {
		if written, err := f.rewritten(body[list], list == "input"); err == nil && written != nil {
			body[list] = written
		}
	}
	if f.shapes&plainText != 0 && body["system"] != nil {
		body["system"] = joinParts(body["system"])
	}
	return json.Marshal(body)
}

func add(body map[string]json.RawMessage, more map[string]any) error {
	for name, value := range more {
		if inner, ok := value.(map[string]any); ok {
			var there map[string]json.RawMessage
			if json.Unmarshal(body[name], &there) == nil && there != nil {
				if err := add(there, inner); err != nil {
					return err
				}
				value = there
			}
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return err
		}
		body[name] = encoded
	}
	return nil
}

// adaptLimit renames the field for the maximum answer length and lowers the limit to f.most.
func (f form) adaptLimit(body map[string]json.RawMessage) {
	for from, to := range map[string]string{"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"} {
		wanted := f.shapes&newLimit != 0 && from == "max_tokens" || f.shapes&oldLimit != 0 && from == "max_completion_tokens"
		if body[from] != nil && wanted {
			body[to] = body[from]
			delete(body, from)
			break
		}
	}
	for _, name := range limits {
		var tokens int
		if f.most > 0 && json.Unmarshal(body[name], &tokens) == nil && tokens > f.most {
			body[name], _ = json.Marshal(f.most)
		}
	}
}

// isMark reports whether a field can occur inside messages and tools.
func isMark(field string) bool { return field == "cache_control" || field == "strict" }

// withoutField removes all fields with the given name, except inside arguments and schemas.
func withoutField(raw json.RawMessage, field string) json.RawMessage {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return raw
	}
	var clean func(value any)
	clean = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, one := range value {
				clean(one)
			}
		case map[string]any:
			delete(value, field)
			for name, inner := range value {
				if !slices.Contains([]string{"arguments", "parameters", "input_schema"}, name) && (name != "input" || value["type"] != "tool_use") {
					clean(inner)
				}
			}
		}
	}
	clean(value)
	return encoded(value, raw)
}

func encoded(value any, otherwise json.RawMessage) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		return otherwise
	}
	return text
}

// eachSchema removes keywords from the schemas of all tools.
func eachSchema(raw json.RawMessage, keywords []string) json.RawMessage {
	var list []map[string]any
	if json.Unmarshal(raw, &list) != nil {
		return raw
	}
	for _, tool := range list {
		if function, ok := tool["function"].(map[string]any); ok {
			tool = function
		}
		for _, name := range []string{"parameters", "input_schema"} {
			schema(tool[name], keywords)
		}
	}
	return encoded(list, raw)
}

// schema removes keywords from a JSON schema, but keeps each property whose name is a keyword.
func schema(value any, keywords []string) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			schema(one, keywords)
		}
	case map[string]any:
		for _, keyword := range keywords {
			delete(value, keyword)
		}
		for name, inner := range value {
			if properties, ok := inner.(map[string]any); ok && (name == "properties" || name == "$defs" || name == "definitions") {
				for _, property := range properties {
					schema(property, keywords)
				}
				continue
			}
			if name != "enum" && name != "const" && name != "default" && name != "examples" {
				schema(inner, keywords)
			}
		}
	}
}

// rewritten applies f to the messages of a request body. If items is true, the messages are input
// items of the Responses API.
func (f form) rewritten(raw json.RawMessage, items bool) (json.RawMessage, error) {
	if f.shapes&inBody == 0 || raw == nil {
		return raw, nil
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return raw, err
	}
	tools := map[string]string{} // tool names by call ID
	for _, message := range list {
		role, content := text(message["role"]), message["content"]
		var calls []struct {
			ID       string
			Function struct{ Name string }
		}
		_ = json.Unmarshal(message["tool_calls"], &calls) // absent in a message without calls
		for _, call := range calls {
			tools[call.ID] = call.Function.Name
		}
		bare := content == nil || string(content) == "null" || string(content) == `""`
		switch {
		case f.shapes&someText != 0 && bare && role == "assistant":
			content = json.RawMessage(`"` + filler + `"`)
		case f.shapes&emptyText != 0 && bare && role == "assistant":
			content = json.RawMessage(`""`)
		}
		if f.shapes&plainText != 0 {
			content = joinParts(content)
		}
		if f.shapes&partsText != 0 && len(content) > 0 && content[0] == '"' {
			kind := "text"
			if items {
				kind = map[bool]string{true: "output_text", false: "input_text"}[role == "assistant"]
			}
			content = json.RawMessage(`[{"type":"` + kind + `","text":` + string(content) + `}]`)
		}
		if content != nil {
			message["content"] = content
		}
		if name := tools[text(message["tool_call_id"])]; f.shapes&namedResult != 0 && name != "" {
			message["name"] = encoded(name, nil)
		}
	}
	return json.Marshal(list)
}

func text(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text) // if raw is not a JSON string, the result is ""
	return text
}

// joinParts joins a list of text parts into one string. It returns any other value unchanged.
func joinParts(raw json.RawMessage) json.RawMessage {
	var parts []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &parts) != nil {
		return raw
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		if part.Text == nil || !strings.HasSuffix(part.Type, "text") {
			return raw
		}
		texts[i] = *part.Text
	}
	return encoded(strings.Join(texts, "\n\n"), raw)
}
