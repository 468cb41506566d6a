package show

import (
	"strconv"
	"strings"

	"marvin/messages/lists"
	"marvin/tools"
)

// Line puts text on one line, and makes hidden characters visible. It shortens text that exceeds
// the limit, and appends "…".
func Line(text string, limit int) string {
	return cut(tools.Visible(strings.Join(strings.Fields(text), " ")), limit)
}

// Text is like [Line], but keeps the line breaks. Several empty lines become one.
func Text(text string, limit int) string {
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\r", ""), "\n")
	kept := lines[:0]
	for _, line := range lines {
		line = strings.TrimRight(line, " \t")
		if line != "" || len(kept) > 0 && kept[len(kept)-1] != "" {
			kept = append(kept, line)
		}
	}
	return cut(tools.Visible(strings.Join(kept, "\n")), limit)
}

// cut shortens long text to the given number of characters, and appends "…". Unless the last word
// is long, the shortened text ends with a whole word.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	kept := string(runes[:limit])
	whole := runes[limit] == ' ' || runes[limit] == '\n'
	if space := strings.LastIndexAny(kept, " \n"); !whole && space > len(kept)-20 && space > 0 {
		kept = kept[:space]
	}
	return strings.TrimRight(kept, " \n,;") + "…"
}

// List returns a numbered list. Each item is a title, followed by the lines below the title. Empty
// lines are omitted.
func List(items [][]string) string {
	var out strings.Builder
	for i, item := range items {
		if i > 0 {
			out.WriteString("\n\n")
		}
		number := strconv.Itoa(i+1) + ". "
		out.WriteString(number + Block(item, strings.Repeat(" ", len(number))))
	}
	return out.String()
}

// Block joins the nonempty lines of an item, and indents every line after the first.
func Block(item []string, indent string) string {
	lines := lists.Filter(item, func(line string) bool { return line != "" })
	return strings.Join(lines, "\n"+indent)
}

// Join joins the nonempty parts.
func Join(separator string, parts ...string) string {
	kept := lists.Filter(parts, func(part string) bool { return part != "" })
	return strings.Join(kept, separator)
}

// FirstNames joins names with commas, up to the limit, and counts the rest: "a, b, 3 more".
func FirstNames(names []string, limit int) string {
	shown := lists.Map(names[:min(limit, len(names))], func(name string) string { return Line(name, 80) })
	if more := len(names) - limit; more > 0 {
		shown = append(shown, strconv.Itoa(more)+" more")
	}
	return strings.Join(shown, ", ")
}

// Count formats a number with commas between thousands: 1,234,567.
func Count(number int) string {
	digits := strconv.Itoa(number)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Label returns "name: text", or "" if there is no text.
func Label(name, text string) string {
	if text == "" {
		return ""
	}
	return name + ": " + text
}
