package yamltext

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// A dotted key is one name, such as "theme", or two, such as "context.warn".

// Find returns the entry of a dotted key, or nil if the key is missing.
func (d *Document) Find(key string) *ast.MappingValueNode {
	outer, inner, nested := strings.Cut(key, ".")
	for _, item := range d.Values {
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

// WithSetting is like [Document.WithValue], but also accepts a dotted key such as "context.warn".
func (d *Document) WithSetting(key string, value any) (string, error) {
	outer, inner, nested := strings.Cut(key, ".")
	if !nested {
		return d.WithValue(key, value)
	}
	edited, err := d.spliceBelow(outer, inner, value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	after, err := Read(edited)
	if err != nil || !d.equalExcept(after, outer, inner) || !Same(mapOf(after.Value(outer)).value(inner), value) {
		return "", fmt.Errorf("%s: %w", key, ErrByHand)
	}
	return edited, nil
}

func (d *Document) spliceBelow(outer, inner string, value any) (string, error) {
	if item := d.Find(outer + "." + inner); item != nil {
		if _, scalar := item.Value.(ast.ScalarNode); !scalar || item.Value.Type() == ast.NullType {
			return "", ErrByHand
		}
		return d.scalar(item.Value, value)
	}
	line := inner + ": " + Flow(value)
	parent := d.Find(outer)
	if parent == nil {
		return d.Appended(outer + ":" + d.LineBreak() + "  " + line), nil
	}
	indent := "  "
	if node, ok := parent.Value.(*ast.MappingNode); ok && node.IsFlowStyle {
		return "", ErrByHand
	}
	if below := belowOf(parent.Value); len(below) > 0 {
		indent = strings.Repeat(" ", below[0].Key.GetToken().Position.Column-1)
	} else if parent.Value.Type() != ast.NullType {
		return "", ErrByHand
	}
	at := d.Line(parent.Key.GetToken().Position.Line + 1)
	before := d.Text[:at]
	if !strings.HasSuffix(before, "\n") {
		before += d.LineBreak()
	}
	return before + indent + line + d.LineBreak() + d.Text[at:], nil
}

// WithoutSetting returns the text without the lines of a key. A missing key is not an error.
func (d *Document) WithoutSetting(key string) (string, error) {
	outer, inner, nested := strings.Cut(key, ".")
	item := d.Find(key)
	if item == nil {
		return d.Text, nil
	}
	// Removing the only entry would leave the outer key empty.
	if nested && len(belowOf(d.Find(outer).Value)) == 1 {
		item, inner = d.Find(outer), ""
	}
	position := item.Key.GetToken().Position
	start := d.Line(position.Line)
	if strings.TrimSpace(d.Text[start:d.offset(item.Key)]) != "" { // the entry shares its line with another entry
		return "", fmt.Errorf("%s: %w", key, ErrByHand)
	}
	edited := d.Text[:start] + d.Text[d.Line(d.LastLine(position.Line, position.Column)+1):]
	after, err := Read(edited)
	if err != nil || after.Find(key) != nil || !d.equalExcept(after, outer, inner) {
		return "", fmt.Errorf("%s: %w", key, ErrByHand)
	}
	return edited, nil
}

// equalExcept reports whether two documents are equal except for one entry.
func (d *Document) equalExcept(after *Document, outer, inner string) bool {
	if !reflect.DeepEqual(Without(d.Plain, outer), Without(after.Plain, outer)) {
		return false
	}
	return inner == "" || reflect.DeepEqual(Without(yaml.MapSlice(mapOf(d.Value(outer))), inner), Without(yaml.MapSlice(mapOf(after.Value(outer))), inner))
}

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
