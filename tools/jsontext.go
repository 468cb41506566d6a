package tools

import "encoding/json"

// jsonTexts returns every text in a JSON value: strings and the names of members, at any
// depth. What is no JSON is one text.
func jsonTexts(raw json.RawMessage) []string {
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
