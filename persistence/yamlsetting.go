package persistence

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// A setting below another one, as context.warn: the two levels that config.yaml has.

// find is the entry of a key with dots, nil if it is not there.
func (d *yamlDocument) find(key string) *ast.MappingValueNode {
	outer, inner, nested := strings.Cut(key, ".")
	for _, item := range d.values {
		if item.Key.GetToken().Value != outer {
			continue
		}
		if !nested {
			return item
		}
		for _, below := range belowOf(item.Value) {
			if below.Key.GetToken().Value == inner {
				return below
			}
		}
	}
	return nil
}

func belowOf(node ast.Node) []*ast.MappingValueNode {
	switch node := node.(type) {
	case *ast.MappingNode:
		return node.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{node}
	}
	return nil
}

// withSetting is the text in which a key with dots holds value. It is read again: if
// anything else is different, the text is left alone.
func (d *yamlDocument) withSetting(key string, value any) (string, error) {
	outer, inner, nested := strings.Cut(key, ".")
	if !nested {
		return d.with(key, value)
	}
	edited, err := d.spliceBelow(outer, inner, value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	after, err := readYAML(edited)
	if err != nil || !d.sameBut(after, outer, inner) || !sameYAML(mapOf(after.value(outer)).value(inner), value) {
		return "", fmt.Errorf("%s: %w", key, errByHand)
	}
	return edited, nil
}

func (d *yamlDocument) spliceBelow(outer, inner string, value any) (string, error) {
	if item := d.find(outer + "." + inner); item != nil {
		if _, scalar := item.Value.(ast.ScalarNode); !scalar || item.Value.Type() == ast.NullType {
			return "", errByHand
		}
		return d.scalar(item.Value, value)
	}
	line := inner + ": " + flow(value)
	parent := d.find(outer)
	if parent == nil {
		return d.appended(outer + ":" + d.lineBreak() + "  " + line), nil
	}
	indent := "  "
	if node, ok := parent.Value.(*ast.MappingNode); ok && node.IsFlowStyle {
		return "", errByHand
	}
	if below := belowOf(parent.Value); len(below) > 0 {
		indent = strings.Repeat(" ", below[0].Key.GetToken().Position.Column-1)
	} else if parent.Value.Type() != ast.NullType {
		return "", errByHand
	}
	at := d.line(parent.Key.GetToken().Position.Line + 1)
	before := d.text[:at]
	if !strings.HasSuffix(before, "\n") {
		before += d.lineBreak()
	}
	return before + indent + line + d.lineBreak() + d.text[at:], nil
}

// withoutSetting is the text without the lines of a key; one that is not there is no error.
func (d *yamlDocument) withoutSetting(key string) (string, error) {
	outer, inner, nested := strings.Cut(key, ".")
	item := d.find(key)
	if item == nil {
		return d.text, nil
	}
	if nested && len(belowOf(d.find(outer).Value)) == 1 { // an empty one goes with its last entry
		item, inner = d.find(outer), ""
	}
	position := item.Key.GetToken().Position
	start := d.line(position.Line)
	if strings.TrimSpace(d.text[start:d.offset(item.Key)]) != "" { // on the line of another one
		return "", fmt.Errorf("%s: %w", key, errByHand)
	}
	edited := d.text[:start] + d.text[d.line(d.lastLine(position.Line, position.Column)+1):]
	after, err := readYAML(edited)
	if err != nil || after.find(key) != nil || !d.sameBut(after, outer, inner) {
		return "", fmt.Errorf("%s: %w", key, errByHand)
	}
	return edited, nil
}

// sameBut says whether two documents differ in one entry at most.
func (d *yamlDocument) sameBut(after *yamlDocument, outer, inner string) bool {
	if !reflect.DeepEqual(without(d.plain, outer), without(after.plain, outer)) {
		return false
	}
	return inner == "" || reflect.DeepEqual(without(yaml.MapSlice(mapOf(d.value(outer))), inner), without(yaml.MapSlice(mapOf(after.value(outer))), inner))
}

// yamlMap is the mapping below a key.
type yamlMap yaml.MapSlice

func mapOf(value any) yamlMap {
	below, _ := value.(yaml.MapSlice)
	return yamlMap(below)
}

func (m yamlMap) value(key string) any {
	for _, item := range m {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}
