package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"marvin/tools/internal/hidden"
)

// A foreign schema is sent to a model with every request, and calls are checked against it, so its
// size and shape are limited.
const (
	MaxSchema      = 256 << 10 // received bytes
	MaxShapes      = 1500      // nodes, after references are expanded
	MaxEncoded     = 24 << 10  // bytes sent to a model
	MaxDepth       = 12
	MaxDescription = 400 // bytes per parameter description
)

// Intake converts a foreign schema to a form that providers accept and that calls can be checked
// against. It expands references, and a recursive reference becomes a schema that allows anything.
// It omits keywords that only some providers know, and patterns that are not valid in RE2. The
// server still checks the arguments against the original schema.
//
// References are expanded because a check against a schema with references can run forever, even if
// the schema has only forty lines. Without references, the time for a check is proportional to the
// sizes of the schema and the arguments.
func Intake(raw json.RawMessage) (json.RawMessage, error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	if len(raw) > MaxSchema {
		return nil, fmt.Errorf("the schema of its arguments is %d KB long; the limit is %d KB", len(raw)>>10, MaxSchema>>10)
	}
	if tooDeep(raw) {
		return nil, fmt.Errorf("the schema of its arguments is nested more than %d levels deep", deepestArguments)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var root map[string]any
	if err := decoder.Decode(&root); err != nil {
		return nil, fmt.Errorf("the schema of its arguments is not a JSON object: %w", err)
	}
	if !mayBeObject(root["type"]) {
		return nil, errors.New("the schema of its arguments does not describe an object")
	}
	for _, depth := range []int{MaxDepth, 3, 2} {
		taking := &conversion{root: root, left: MaxShapes, depth: depth}
		shape := taking.shape(root, nil)
		flatten(shape)
		shape["type"] = "object"
		if _, has := shape["properties"]; !has {
			shape["properties"] = map[string]any{}
		}
		for _, choice := range []string{"anyOf", "oneOf", "allOf", "then", "else", "enum", "const", "not"} {
			delete(shape, choice) // providers reject these keywords at the top of a schema
		}
		var out schemaWriter
		if err := out.value(shape); err != nil {
			return nil, fmt.Errorf("the schema of its arguments: %w", err)
		}
		if out.Len() <= MaxEncoded {
			return out.Bytes(), nil
		}
	}
	return nil, fmt.Errorf("the schema of its arguments is too long for a model: more than %d KB", MaxEncoded>>10)
}

// mayBeObject reports whether a schema's type allows an object.
func mayBeObject(kind any) bool {
	switch kind := kind.(type) {
	case nil:
		return true
	case []any:
		return slices.Contains(kind, any("object"))
	}
	return kind == "object"
}

// flatten adds the members of a schema's branches to the schema's top level, because providers
// reject branches there. A member is required if any branch of allOf requires it, or if every
// branch of anyOf or oneOf requires it. The server checks the other conditions.
func flatten(shape map[string]any) {
	properties, _ := shape["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	required, _ := shape["required"].([]string)
	for _, key := range []string{"allOf", "anyOf", "oneOf", "then", "else"} {
		branches, _ := shape[key].([]any)
		if one, ok := shape[key].(map[string]any); ok {
			branches = []any{one}
		}
		var common []string
		for i, branch := range branches {
			member, _ := branch.(map[string]any)
			if member == nil {
				continue
			}
			flatten(member)
			more, _ := member["properties"].(map[string]any)
			for name, value := range more {
				if old, has := properties[name]; has {
					value = either(old, value)
				}
				properties[name] = value
			}
			needs, _ := member["required"].([]string)
			switch {
			case key == "allOf":
				required = append(required, needs...)
			case i == 0:
				common = slices.Clone(needs)
			default:
				common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(needs, name) })
			}
		}
		if key == "anyOf" || key == "oneOf" {
			required = append(required, common...)
		}
	}
	if len(properties) > 0 {
		shape["properties"] = properties
	}
	var kept []string
	for _, name := range required {
		if properties[name] != nil && !slices.Contains(kept, name) {
			kept = append(kept, name)
		}
	}
	if len(kept) > 0 {
		shape["required"] = kept
	}
}

// either combines two schemas with "anyOf". It omits empty and repeated schemas.
func either(one, other any) any {
	first, _ := one.(map[string]any)
	second, _ := other.(map[string]any)
	switch {
	case len(first) == 0 || reflect.DeepEqual(one, other):
		return other
	case len(second) == 0:
		return one
	}
	if list, ok := first["anyOf"].([]any); ok && len(first) == 1 {
		if slices.ContainsFunc(list, func(known any) bool { return reflect.DeepEqual(known, other) }) {
			return one
		}
		return map[string]any{"anyOf": append(slices.Clone(list), other)}
	}
	return map[string]any{"anyOf": []any{one, other}}
}

// conversion is the state of one schema's conversion.
type conversion struct {
	root  map[string]any
	left  int // remaining nodes
	depth int
}

// shape converts a node that was reached through the references in path.
func (t *conversion) shape(node map[string]any, path []string) map[string]any {
	t.left--
	if t.left < 0 || len(path) > 64 {
		return map[string]any{}
	}
	if to, ok := node["$ref"].(string); ok {
		target := t.target(to)
		if target == nil || slices.Contains(path, to) {
			return keepDescription(node)
		}
		shape := t.shape(target, append(slices.Clip(path), to))
		maps.Copy(shape, keepDescription(node))
		return shape
	}
	shape := keepDescription(node)
	t.takeValue(node, shape)
	if t.depth == 0 {
		return shape
	}
	t.depth--
	defer func() { t.depth++ }()
	t.members(node, shape, path)
	for _, key := range []string{"items", "additionalProperties", "not", "then", "else"} {
		switch value := node[key].(type) {
		case map[string]any:
			shape[key] = t.shape(value, path)
		case bool:
			if key == "additionalProperties" {
				shape[key] = value
			}
		}
	}
	if kind := shape["type"]; shape["items"] == nil && (kind == "array" || kind != nil && kind != "object" && slices.Contains(listOf(kind), any("array"))) {
		shape["items"] = map[string]any{} // providers reject an array without items
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		list, ok := node[key].([]any)
		if !ok || len(list) == 0 {
			continue
		}
		shapes := make([]any, 0, len(list))
		for _, one := range list {
			member, _ := one.(map[string]any) // nil for a boolean schema, which becomes an empty schema
			shapes = append(shapes, t.shape(member, path))
		}
		shape[key] = shapes
	}
	return shape
}

func listOf(value any) []any {
	list, _ := value.([]any)
	return list
}

// members converts the keywords "properties" and "required".
func (t *conversion) members(node, shape map[string]any, path []string) {
	properties, ok := node["properties"].(map[string]any)
	if !ok {
		return
	}
	taken := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if name == "" || len(name) > 128 || !utf8.ValidString(name) || hidden.Count(name) > 0 {
			continue
		}
		member, _ := properties[name].(map[string]any)
		taken[name] = t.shape(member, path)
	}
	shape["properties"] = taken
	var required []string
	list, _ := node["required"].([]any)
	for _, one := range list {
		if name, ok := one.(string); ok && taken[name] != nil && !slices.Contains(required, name) {
			required = append(required, name)
		}
	}
	if len(required) > 0 {
		shape["required"] = required
	}
}

func keepDescription(node map[string]any) map[string]any {
	shape := map[string]any{}
	if text, ok := node["description"].(string); ok && text != "" {
		shape["description"] = Clip(hidden.Unhidden(text), MaxDescription)
	}
	return shape
}

// takeValue copies keywords that describe a single value, such as "minimum" and "pattern". It omits
// keywords with invalid values.
func (t *conversion) takeValue(node, shape map[string]any) {
	kinds := []string{"string", "number", "integer", "boolean", "array", "object", "null"}
	switch kind := node["type"].(type) {
	case string:
		if slices.Contains(kinds, kind) {
			shape["type"] = kind
		}
	case []any:
		var list []any
		for _, one := range kind {
			if name, ok := one.(string); ok && slices.Contains(kinds, name) && !slices.Contains(list, one) {
				list = append(list, one)
			}
		}
		if len(list) > 0 {
			shape["type"] = list
		}
	}
	for _, key := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"} {
		number, ok := node[key].(json.Number)
		if value, err := number.Float64(); !ok || err != nil || key == "multipleOf" && value <= 0 {
			continue
		}
		if _, err := strconv.Atoi(number.String()); err != nil && strings.HasSuffix(key, "th") || err != nil && strings.HasSuffix(key, "Items") {
			continue // a length must be an integer
		}
		shape[key] = number
	}
	if pattern, ok := node["pattern"].(string); ok && len(pattern) <= 1000 {
		if _, err := regexp.Compile(pattern); err == nil {
			shape["pattern"] = pattern
		}
	}
	if format, ok := node["format"].(string); ok && len(format) <= 40 {
		shape["format"] = format
	}
	if list, ok := node["enum"].([]any); ok && len(list) <= 200 {
		// Gemini rejects an empty value.
		list = slices.DeleteFunc(slices.Clone(list), func(value any) bool { return value == "" })
		if len(list) > 0 {
			shape["enum"] = list
		}
	}
	for _, key := range []string{"const", "default"} {
		if value, ok := node[key]; ok && value != nil {
			shape[key] = value
		}
	}
}

// target resolves a reference. It returns nil for an invalid or external reference.
func (t *conversion) target(reference string) map[string]any {
	rest, ok := strings.CutPrefix(reference, "#")
	if !ok {
		return nil // other documents are not fetched
	}
	node := t.root
	for step := range strings.SplitSeq(strings.TrimPrefix(rest, "/"), "/") {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if node, ok = node[step].(map[string]any); !ok {
			return nil
		}
	}
	return node
}
