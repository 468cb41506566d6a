package yamltext

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Document is the top-level mapping of a YAML file.
type Document struct {
	Text   string // the text as it is on disk
	lines  []int  // byte offset of each line
	Values []*ast.MappingValueNode
	Plain  yaml.MapSlice
}

// ErrByHand reports that Marvin cannot edit the notation of a value.
var ErrByHand = errors.New("Marvin cannot change a value in this notation; change it with an editor")

func Read(text string) (*Document, error) {
	d := &Document{Text: text}
	for at := 0; at >= 0; {
		d.lines = append(d.lines, at)
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	if err := CheckText([]byte(text)); err != nil {
		return nil, err
	}
	// The parser counts CRLF as two lines. Replacing CR with a space keeps all byte offsets.
	parsed := strings.ReplaceAll(text, "\r\n", " \n")
	if strings.Contains(parsed, "\r") {
		return nil, errors.New("its lines end in carriage returns; save it with Unix line breaks")
	}
	file, err := parser.ParseBytes([]byte(parsed), 0)
	if err == nil {
		err = yaml.UnmarshalWithOptions([]byte(parsed), &d.Plain, yaml.UseOrderedMap())
	}
	if err != nil {
		return nil, errors.New(yaml.FormatError(err, false, false))
	}
	if len(file.Docs) > 1 || DoubleStart(parsed) > 0 {
		return nil, errors.New("it holds several documents")
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return d, nil
	}
	switch body := file.Docs[0].Body.(type) {
	case *ast.MappingNode:
		d.Values = body.Values
	case *ast.MappingValueNode:
		d.Values = []*ast.MappingValueNode{body}
	default:
		return nil, errors.New("it is not a list of keys with values")
	}
	return d, nil
}

// Value returns the value of a key, or nil if the key is missing.
func (d *Document) Value(key string) any {
	return yamlMap(d.Plain).value(key)
}

// WithValue returns the text after setting a key. The value must be a []string, string, bool or
// float64. WithValue parses the edited text, and returns an error if the key has a different value
// or another key has changed.
func (d *Document) WithValue(key string, value any) (string, error) {
	edited, err := d.splice(key, value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	after, err := Read(edited)
	if err != nil || !reflect.DeepEqual(Without(d.Plain, key), Without(after.Plain, key)) || !Same(after.Value(key), value) {
		return "", fmt.Errorf("%s: %w", key, ErrByHand)
	}
	return edited, nil
}

func Without(items yaml.MapSlice, key string) yaml.MapSlice {
	others := yaml.MapSlice{}
	for _, item := range items {
		if item.Key != key {
			others = append(others, item)
		}
	}
	return others
}

func Same(read, wanted any) bool {
	switch wanted := wanted.(type) {
	case []string:
		list, ok := read.([]any)
		return ok && slices.EqualFunc(list, wanted, func(item any, text string) bool { return fmt.Sprint(item) == text })
	case float64:
		number, err := strconv.ParseFloat(fmt.Sprint(read), 64)
		return err == nil && number == wanted
	}
	return read == wanted
}

// Line returns the offset at which a line begins. Lines are counted from 1. For a line after the
// last one, it returns the length of the text.
func (d *Document) Line(number int) int {
	if number > len(d.lines) {
		return len(d.Text)
	}
	return d.lines[number-1]
}

// offsetAt returns the offset of a column in a line. The parser counts columns in runes, from 1.
func (d *Document) offsetAt(line, column int) int {
	start := d.Line(line)
	runes := 1
	for i := range d.Text[start:] {
		if runes == column {
			return start + i
		}
		runes++
	}
	return len(d.Text)
}

func (d *Document) offset(node ast.Node) int {
	position := node.GetToken().Position
	return d.offsetAt(position.Line, position.Column)
}
