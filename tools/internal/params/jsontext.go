package params

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// JSONText is a string within a JSON value.
type JSONText struct {
	Argument string // name of the top-level member; "" if the top level is not an object
	Text     string
	Kind     TextKind
}

// TextKind is the role of a [JSONText].
type TextKind uint8

// The kinds of text.
const (
	StringText TextKind = iota
	ScalarText          // a number or a boolean
	NameText            // the name of a member of a nested object
)

// deepestJSON is the maximum number of layers of JSON within strings. [DecodeObject] has the same
// limit.
const deepestJSON = 3

// TextsOf returns the strings, numbers and booleans of a JSON value, and the member names of nested
// objects. If inStrings is true, TextsOf also searches JSON within strings. It returns nil for
// invalid JSON.
func TextsOf(raw json.RawMessage, inStrings bool) (list []JSONText) {
	whole, ok := decodeExact(raw)
	if !ok {
		return nil
	}
	var walk func(argument string, value any, top bool, layers int)
	walk = func(argument string, value any, top bool, layers int) {
		switch value := value.(type) {
		case string:
			list = append(list, JSONText{argument, value, StringText})
			if start := strings.TrimLeft(value, " \t\r\n"); inStrings && layers > 0 && start != "" && strings.ContainsRune(`{["`, rune(start[0])) {
				if inner, ok := decodeExact([]byte(start)); ok {
					walk(argument, inner, false, layers-1)
				}
			}
		case json.Number:
			list = append(list, JSONText{argument, numberText(value), ScalarText})
		case bool:
			list = append(list, JSONText{argument, strconv.FormatBool(value), ScalarText})
		case []any:
			for _, each := range value {
				walk(argument, each, false, layers)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if top {
					walk(name, value[name], false, layers)
					continue
				}
				list = append(list, JSONText{argument, name, NameText})
				walk(argument, value[name], false, layers)
			}
		}
	}
	walk("", whole, true, deepestJSON)
	return list
}

// decodeExact decodes a JSON value without rounding its numbers.
func decodeExact(raw []byte) (value any, ok bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return value, decoder.Decode(&value) == nil
}

// numberText writes a whole number in digits: 1e3 and 1000.0 become 1000.
func numberText(number json.Number) string {
	value, err := strconv.ParseFloat(string(number), 64)
	if err != nil || value != math.Trunc(value) || math.Abs(value) >= 1<<53 {
		return string(number)
	}
	return strconv.FormatInt(int64(value), 10)
}

// JsonTexts returns the texts that TextsOf(raw, true) finds. The name of each top-level member
// precedes the member's texts. Invalid JSON is returned as a single string.
func JsonTexts(raw json.RawMessage) []string {
	if len(raw) == 0 {
		return nil
	}
	if !json.Valid(raw) {
		return []string{string(raw)}
	}
	var texts []string
	last := ""
	for _, one := range TextsOf(raw, true) {
		if one.Argument != last {
			texts, last = append(texts, one.Argument), one.Argument
		}
		texts = append(texts, one.Text)
	}
	return texts
}

// PlainJSON encodes a value without HTML escapes, so that && in a shell command does not become
// \u0026\u0026.
func PlainJSON(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
