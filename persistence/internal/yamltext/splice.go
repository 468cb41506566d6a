package yamltext

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/store"
)

// splice is like [Document.WithValue], but does not check the result.
func (d *Document) splice(key string, value any) (string, error) {
	at := slices.IndexFunc(d.Values, func(v *ast.MappingValueNode) bool { return v.Key.GetToken().Value == key })
	if at < 0 {
		return d.Appended(key + ": " + Flow(value)), nil
	}
	item := d.Values[at]
	switch node := item.Value.(type) {
	case *ast.NullNode:
		if start := d.offset(node); !strings.HasPrefix(d.Text[start:], "null") && !strings.HasPrefix(d.Text[start:], "~") {
			colon := d.offsetAt(item.Start.Position.Line, item.Start.Position.Column) + 1
			return d.Text[:colon] + " " + Flow(value) + d.Text[colon:], nil
		}
		return d.scalar(node, value)
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return d.scalar(node, value)
	case *ast.LiteralNode:
		start := d.offset(node)
		return d.Text[:start] + Flow(value) + d.Text[d.indentedEnd(node.Start.Position.Line):], nil
	case *ast.SequenceNode:
		if node.IsFlowStyle && node.End != nil {
			start, end := d.offset(node), d.offsetAt(node.End.Position.Line, node.End.Position.Column)+1
			return d.Text[:start] + Flow(value) + d.Text[end:], nil
		}
		if list, ok := value.([]string); ok && !node.IsFlowStyle {
			return d.editBlockList(item, node, list)
		}
	}
	return "", ErrByHand
}

// Appended returns the text followed by the given line and a line break.
func (d *Document) Appended(line string) string {
	text := d.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += d.LineBreak()
	}
	return text + line + d.LineBreak()
}

func (d *Document) scalar(node ast.Node, value any) (string, error) {
	start, written := d.offset(node), strings.TrimSpace(node.GetToken().Origin)
	// The parser (v1.19.2) adds the number of blanks after a plain scalar to the scalar's column.
	// Blanks include carriage returns, which Read() replaces with spaces.
	for first := d.Line(node.GetToken().Position.Line); start > first && !strings.HasPrefix(d.Text[start:], written); {
		start--
	}
	if !strings.HasPrefix(d.Text[start:], written) {
		return "", ErrByHand
	}
	return d.Text[:start] + Flow(value) + d.Text[start+len(written):], nil
}

// editBlockList changes a list with one item per line. It keeps the lines of the remaining items
// and the comments between them.
func (d *Document) editBlockList(item *ast.MappingValueNode, node *ast.SequenceNode, list []string) (string, error) {
	if len(node.Entries) == 0 || len(node.Entries) != len(node.Values) {
		return "", ErrByHand
	}
	type cut struct {
		start, end int
		text       string
	}
	var cuts []cut
	kept := 0                                       // number of leading items that stay
	last := node.Entries[0].Start.Position.Line - 1 // new items go after this line
	for i, entry := range node.Entries {
		line := entry.Start.Position.Line
		scalar, ok := node.Values[i].(ast.ScalarNode)
		if !ok || scalar.GetToken().Position.Line != line || strings.Contains(strings.TrimSpace(scalar.GetToken().Origin), "\n") {
			return "", ErrByHand
		}
		text := fmt.Sprint(scalar.GetValue())
		if kept < len(list) && text == list[kept] {
			kept, last = kept+1, line
			continue
		}
		cuts = append(cuts, cut{start: d.Line(line), end: d.Line(line + 1)})
	}
	indent := strings.Repeat(" ", node.Entries[0].Start.Position.Column-1)
	var added strings.Builder
	for _, text := range list[kept:] {
		added.WriteString(indent + "- " + YamlText(text) + d.LineBreak())
	}
	if len(list) == 0 {
		colon := d.offsetAt(item.Start.Position.Line, item.Start.Position.Column) + 1
		cuts = append(cuts, cut{start: colon, end: colon, text: " []"})
	} else if added.Len() > 0 {
		at, text := d.Line(last+1), added.String()
		if at == len(d.Text) && !strings.HasSuffix(d.Text, "\n") {
			text = d.LineBreak() + strings.TrimSuffix(text, d.LineBreak())
		}
		cuts = append(cuts, cut{start: at, end: at, text: text})
	}
	slices.SortStableFunc(cuts, func(a, b cut) int { return b.start - a.start })
	edited := d.Text
	for _, c := range cuts {
		edited = edited[:c.start] + c.text + edited[c.end:]
	}
	return edited, nil
}

// indentedEnd returns the offset of the end of the indented block that follows a line. If no
// indented block follows, it returns the end of the line itself. The end is before the line break.
func (d *Document) indentedEnd(line int) int {
	end := line
	for next := line + 1; next <= len(d.lines); next++ {
		text := strings.TrimRight(d.Text[d.Line(next):d.Line(next+1)], "\r\n")
		if text != "" && text[0] != ' ' {
			break
		}
		if strings.TrimSpace(text) != "" {
			end = next
		}
	}
	return d.Line(end) + len(strings.TrimRight(d.Text[d.Line(end):d.Line(end+1)], "\r\n"))
}

func (d *Document) LineBreak() string {
	if strings.Contains(d.Text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// Flow returns a value as YAML on one line.
func Flow(value any) string {
	switch value := value.(type) {
	case []string:
		quoted := make([]string, len(value))
		for i, text := range value {
			quoted[i] = YamlText(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case string:
		return YamlText(value)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

var (
	// plainText matches ASCII words separated by spaces. Such text needs quotes only if it is in
	// yamlWords.
	plainText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z-]*( [A-Za-z-]+)*$`) })
	// yamlWords contains words that some YAML versions do not read as strings. YAML 1.1, for
	// example, reads "yes" as a boolean.
	yamlWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
)

func YamlText(text string) string {
	if plainText().MatchString(text) && !slices.Contains(yamlWords, strings.ToLower(text)) {
		return text
	}
	quoted, err := store.EncodeValue(text) // JSON strings are YAML strings
	if err != nil {
		return strconv.Quote(text)
	}
	return string(quoted)
}

// LastLine returns the last line of the entry that begins at the given line and column. All
// following lines with a deeper indentation belong to the entry.
func (d *Document) LastLine(line, column int) int {
	last := line
	for next := line + 1; next <= len(d.lines); next++ {
		text := strings.TrimRight(d.Text[d.Line(next):d.Line(next+1)], "\r\n")
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
