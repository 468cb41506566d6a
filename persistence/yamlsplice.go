package persistence

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/ast"
)

// splice cuts the value of a key out and puts another in, see [yamlDocument.with].
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
	// The parser says a column too far for each blank behind a plain word (v1.19.2), as
	// readYAML makes one of a carriage return.
	for first := d.line(node.GetToken().Position.Line); start > first && !strings.HasPrefix(d.text[start:], written); {
		start--
	}
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
	kept := 0                                       // how many leading items of the list are already there
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
	plainText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z-]*( [A-Za-z-]+)*$`) })
	yamlWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
)

func yamlText(text string) string {
	if plainText().MatchString(text) && !slices.Contains(yamlWords, strings.ToLower(text)) {
		return text
	}
	quoted, err := encodeValue(text) // JSON strings are YAML strings
	if err != nil {
		return strconv.Quote(text)
	}
	return string(quoted)
}

// lastLine is the last line of an entry that begins in a column: more deeply indented lines belong
// to it.
func (d *yamlDocument) lastLine(line, column int) int {
	last := line
	for next := line + 1; next <= len(d.lines); next++ {
		text := strings.TrimRight(d.text[d.line(next):d.line(next+1)], "\r\n")
		blanks := len(text) - len(strings.TrimLeft(text, " "))
		if strings.TrimSpace(text) == "" {
			continue
		}
		if blanks < column {
			break
		}
		last = next
	}
	return last
}
