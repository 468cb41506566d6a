package params

import (
	"bytes"
	"encoding/json"
)

// JsonTexts returns every text in a JSON value: strings and the names of members, at any
// depth. What is no JSON is one text.
func JsonTexts(raw json.RawMessage) []string {
	if len(raw) == 0 {
		return nil
	}
	var whole any
	if json.Unmarshal(raw, &whole) != nil {
		return []string{string(raw)}
	}
	var texts []string
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			texts = append(texts, value)
		case []any:
			for _, each := range value {
				walk(each)
			}
		case map[string]any:
			for name, each := range value {
				texts = append(texts, name)
				walk(each)
			}
		}
	}
	walk(whole)
	return texts
}

// PlainJSON is JSON in which a shell command reads as it was written: && is no \u0026.
func PlainJSON(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
