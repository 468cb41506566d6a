package persistence

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Writing YAML back through a library rewrites quotes, white space and comments. So
// the library is asked only where a value stands, and the text is cut there.

// yamlDocument is a mapping at the top of a YAML text.
type yamlDocument struct {
	text   string // as it is on disk
	lines  []int  // byte offset of each line
	values []*ast.MappingValueNode
	plain  yaml.MapSlice
}

// errByHand means that a value is written in a way that is left alone.
var errByHand = errors.New("this value is written in a way that Marvin does not edit; change it with an editor")

func readYAML(text string) (*yamlDocument, error) {
	d := &yamlDocument{text: text}
	for at := 0; at >= 0; {
		d.lines = append(d.lines, at)
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	if strings.HasPrefix(text, "\ufeff") {
		return nil, errors.New("it begins with a byte order mark, which would belong to the first key; save it without")
	}
	// The parser counts a CRLF as two lines. A blank leaves every position as it is.
	parsed := strings.ReplaceAll(text, "\r\n", " \n")
	if strings.Contains(parsed, "\r") {
		return nil, errors.New("its lines end in carriage returns; save it with plain line breaks")
	}
	file, err := parser.ParseBytes([]byte(parsed), 0)
	if err == nil {
		err = yaml.UnmarshalWithOptions([]byte(parsed), &d.plain, yaml.UseOrderedMap())
	}
	if err != nil {
		return nil, errors.New(yaml.FormatError(err, false, false))
	}
	if len(file.Docs) > 1 {
		return nil, errors.New("it holds several documents")
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return d, nil
	}
	switch body := file.Docs[0].Body.(type) {
	case *ast.MappingNode:
		d.values = body.Values
	case *ast.MappingValueNode:
		d.values = []*ast.MappingValueNode{body}
	default:
		return nil, errors.New("it is not a list of keys with values")
	}
	return d, nil
}

// value is what a key holds, nil if it is not there.
func (d *yamlDocument) value(key string) any {
	for _, item := range d.plain {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

// with is the text in which key holds value: a []string, string, bool or float64.
// Before it is given out it is read again: if anything but that key is different, or
// that key is not as wanted, the text is left alone.
func (d *yamlDocument) with(key string, value any) (string, error) {
	edited, err := d.splice(key, value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	after, err := readYAML(edited)
	if err != nil || !reflect.DeepEqual(without(d.plain, key), without(after.plain, key)) || !sameYAML(after.value(key), value) {
		return "", fmt.Errorf("%s: %w", key, errByHand)
	}
	return edited, nil
}

func without(items yaml.MapSlice, key string) yaml.MapSlice {
	others := yaml.MapSlice{}
	for _, item := range items {
		if item.Key != key {
			others = append(others, item)
		}
	}
	return others
}

func sameYAML(read, wanted any) bool {
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

func (d *yamlDocument) splice(key string, value any) (string, error) {
	at := slices.IndexFunc(d.values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
	if at < 0 {
		return d.appended(key + ": " + flow(value)), nil
	}
	item := d.values[at]
	switch node := item.Value.(type) {
	case *ast.NullNode:
		if start := d.offset(node); !strings.HasPrefix(d.text[start:], "null") && !strings.HasPrefix(d.text[start:], "~") {
			colon := d.at(item.Start.Position.Line, item.Start.Position.Column) + 1
			return d.text[:colon] + " " + flow(value) + d.text[colon:], nil
		}
		return d.scalar(node, value)
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return d.scalar(node, value)
	case *ast.LiteralNode:
		start := d.offset(node)
		return d.text[:start] + flow(value) + d.text[d.indentedEnd(node.Start.Position.Line):], nil
	case *ast.SequenceNode:
		if node.IsFlowStyle && node.End != nil {
			start, end := d.offset(node), d.at(node.End.Position.Line, node.End.Position.Column)+1
			return d.text[:start] + flow(value) + d.text[end:], nil
		}
		if list, ok := value.([]string); ok && !node.IsFlowStyle {
			return d.block(item, node, list)
		}
	}
	return "", errByHand
}

// appended is the text with one more line.
func (d *yamlDocument) appended(line string) string {
	text := d.text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += d.lineBreak()
	}
	return text + line + d.lineBreak()
}

func (d *yamlDocument) scalar(node ast.Node, value any) (string, error) {
	start, written := d.offset(node), strings.TrimSpace(node.GetToken().Origin)
	if !strings.HasPrefix(d.text[start:], written) {
		return "", errByHand
	}
	return d.text[:start] + flow(value) + d.text[start+len(written):], nil
}

// block edits a list with one item a line: lines of items that stay are not touched,
// nor are the comments between them.
func (d *yamlDocument) block(item *ast.MappingValueNode, node *ast.SequenceNode, list []string) (string, error) {
	if len(node.Entries) == 0 || len(node.Entries) != len(node.Values) {
		return "", errByHand
	}
	type cut struct {
		start, end int
		text       string
	}
	var cuts []cut
	kept := 0                                       // how many items of the list stand there already, in order
	last := node.Entries[0].Start.Position.Line - 1 // the line behind which new items go
	for i, entry := range node.Entries {
		line := entry.Start.Position.Line
		scalar, ok := node.Values[i].(ast.ScalarNode)
		if !ok || scalar.GetToken().Position.Line != line || strings.Contains(strings.TrimSpace(scalar.GetToken().Origin), "\n") {
			return "", errByHand
		}
		text := fmt.Sprint(scalar.GetValue())
		if kept < len(list) && text == list[kept] {
			kept, last = kept+1, line
			continue
		}
		cuts = append(cuts, cut{start: d.line(line), end: d.line(line + 1)})
	}
	indent := strings.Repeat(" ", node.Entries[0].Start.Position.Column-1)
	var added strings.Builder
	for _, text := range list[kept:] {
		added.WriteString(indent + "- " + yamlText(text) + d.lineBreak())
	}
	if len(list) == 0 {
		colon := d.at(item.Start.Position.Line, item.Start.Position.Column) + 1
		cuts = append(cuts, cut{start: colon, end: colon, text: " []"})
	} else if added.Len() > 0 {
		at, text := d.line(last+1), added.String()
		if at == len(d.text) && !strings.HasSuffix(d.text, "\n") {
			text = d.lineBreak() + strings.TrimSuffix(text, d.lineBreak())
		}
		cuts = append(cuts, cut{start: at, end: at, text: text})
	}
	slices.SortStableFunc(cuts, func(a, b cut) int { return b.start - a.start })
	edited := d.text
	for _, c := range cuts {
		edited = edited[:c.start] + c.text + edited[c.end:]
	}
	return edited, nil
}

// line is where a line begins, counted from 1; behind the last one it is the end.
func (d *yamlDocument) line(number int) int {
	if number > len(d.lines) {
		return len(d.text)
	}
	return d.lines[number-1]
}

// at is the byte at a line and a column, which the parser counts in runes from 1.
func (d *yamlDocument) at(line, column int) int {
	start := d.line(line)
	runes := 1
	for i := range d.text[start:] {
		if runes == column {
			return start + i
		}
		runes++
	}
	return len(d.text)
}

func (d *yamlDocument) offset(node ast.Node) int {
	position := node.GetToken().Position
	return d.at(position.Line, position.Column)
}

// indentedEnd is the end of the last indented line behind a line, without its break.
func (d *yamlDocument) indentedEnd(line int) int {
	end := line
	for next := line + 1; next <= len(d.lines); next++ {
		text := strings.TrimRight(d.text[d.line(next):d.line(next+1)], "\r\n")
		if text != "" && text[0] != ' ' {
			break
		}
		if strings.TrimSpace(text) != "" {
			end = next
		}
	}
	return d.line(end) + len(strings.TrimRight(d.text[d.line(end):d.line(end+1)], "\r\n"))
}

func (d *yamlDocument) lineBreak() string {
	if strings.Contains(d.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// flow writes a value on one line.
func flow(value any) string {
	switch value := value.(type) {
	case []string:
		quoted := make([]string, len(value))
		for i, text := range value {
			quoted[i] = yamlText(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case string:
		return yamlText(value)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// plainText needs no quotes in any YAML, 1.1 included, where yes is a boolean.
var (
	plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z-]*( [A-Za-z-]+)*$`)
	yamlWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
)

func yamlText(text string) string {
	if plainText.MatchString(text) && !slices.Contains(yamlWords, strings.ToLower(text)) {
		return text
	}
	quoted, err := encodeValue(text) // JSON strings are YAML strings
	if err != nil {
		return strconv.Quote(text)
	}
	return string(quoted)
}
