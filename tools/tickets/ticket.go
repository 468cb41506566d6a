package tickets

import (
	"slices"
	"strings"
)

// ticket is the metadata of one ticket.
type ticket struct {
	file                            string // file name in the ticket directory
	id, status, title, parent, prio string
	deps, links, tags               []string
}

// parse parses a ticket file. It returns false if the file is not a ticket.
func parse(file, content string) (t ticket, ok bool) {
	front, body, ok := split(content)
	if !ok {
		return ticket{}, false
	}
	t.file = file
	for line := range strings.Lines(front) {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch field {
		case "id":
			t.id = value
		case "status":
			t.status = value
		case "priority":
			t.prio = value
		case "parent":
			t.parent, _, _ = strings.Cut(value, " ") // tk writes a comment after the value
		case "deps":
			t.deps = listIn(value)
		case "links":
			t.links = listIn(value)
		case "tags":
			t.tags = listIn(value)
		}
	}
	for line := range strings.Lines(body) {
		if title, found := strings.CutPrefix(line, "# "); found {
			t.title = strings.TrimSpace(title)
			break
		}
	}
	return t, t.id != ""
}

// split returns the front matter, which is between the first two "---" lines, and the body. ok is
// false if there is no front matter.
func split(content string) (front, body string, ok bool) {
	first, rest, _ := strings.Cut(content, "\n")
	if strings.TrimRight(first, "\r") != "---" {
		return "", "", false
	}
	end := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, "\r\n") == "---" {
			return rest[:end], rest[end+len(line):], true
		}
		end += len(line)
	}
	return "", "", false
}

// listIn parses a list such as [a, b].
func listIn(value string) []string {
	items := strings.Split(strings.Trim(value, "[]"), ",")
	for i := range items {
		items[i] = strings.Trim(strings.TrimSpace(items[i]), `"'`)
	}
	return slices.DeleteFunc(items, func(item string) bool { return item == "" })
}

// set returns content with a new value for a front matter field. If the field is missing, set adds
// it.
func set(content, field, value string) string {
	first, rest, _ := strings.Cut(content, "\n")
	ending := "\n"
	if strings.HasSuffix(first, "\r") {
		ending = "\r\n"
	}
	front, _, _ := split(content)
	at := len(first) + 1
	for line := range strings.Lines(front) {
		if strings.HasPrefix(line, field+":") {
			return content[:at] + field + ": " + value + ending + content[at+len(line):]
		}
		at += len(line)
	}
	return first + "\n" + field + ": " + value + ending + rest
}

// guard indents lines that tk would read as front matter. In Markdown, one leading space does not
// change the meaning of a line.
func guard(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\r\n", "\n")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		field, _, found := strings.Cut(line, ":")
		switch field {
		case "id", "status", "deps", "links", "created", "type", "priority", "assignee", "external-ref", "parent", "tags":
			if found {
				lines[i] = " " + line
			}
		}
		if strings.TrimRight(line, "\r") == "---" {
			lines[i] = " ---"
		}
	}
	return strings.Join(lines, "\n")
}

// value returns text as one line of at most 200 characters.
func value(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200])
	}
	return text
}

func (t ticket) line() string { return t.id + " [" + t.status + "] " + t.title }
