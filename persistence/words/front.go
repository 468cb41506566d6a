package words

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

// Head contains the settings from a file's front matter, which is enclosed in "---" lines. Keys
// that mean the same in different programs set the same field.
type Head struct {
	Name        string
	Description string
	Hint        string   // the arguments of a command
	Model       string   // model of a command or an agent
	Policy      string   // what an agent may do, such as "read-only"
	Globs       []string // patterns for the files to which a rule applies
	Words       []string // a prompt that contains one of these words activates the rule
	Always      *bool    // whether a rule is always active; nil if not set
	Tools       []string // tools that a command, a skill or an agent may use; nil if not restricted
	Hidden      bool     // whether a skill is hidden from the model
	Broken      string   // reason why parseYAML rejected the front matter, or ""
}

// keys is a map from front matter keys to field names for [Head.set].
var keys = map[string]string{
	"name": "name", "description": "description", "argument-hint": "hint", "model": "model",
	"policy": "policy", "permissionmode": "policy",
	"globs": "globs", "paths": "globs", "applyto": "globs", "words": "words", "triggers": "words",
	"alwaysapply": "always", "always": "always",
	"tools": "tools", "allowed-tools": "tools", "allowedtools": "tools",
	"hide": "hidden", "disable-model-invocation": "hidden",
}

// split divides a text into front matter and body. Front matter without a closing line of dashes
// belongs to the body.
func split(text string) (head, body string) {
	rest, found := strings.CutPrefix(text, "---\n")
	if !found {
		return "", text
	}
	if strings.HasPrefix(rest, "---\n") {
		return "", rest[4:]
	}
	at := strings.Index(rest, "\n---")
	if at < 0 || at > headBytes {
		return "", text
	}
	body = rest[at+4:]
	if end := strings.IndexByte(body, '\n'); end >= 0 && strings.TrimRight(body[:end], " \t-") == "" {
		return rest[:at], body[end+1:]
	} else if end < 0 && strings.TrimRight(body, " \t-") == "" {
		return rest[:at], ""
	}
	return "", text
}

// readHead parses front matter line by line, or with parseYAML if a line needs YAML. If parseYAML
// rejects the text, readHead uses the line-by-line result, because the author probably meant plain
// lines.
func readHead(text string) Head {
	var head Head
	values, plain := lines(text)
	if !plain {
		parsed, why := parseYAML(text)
		if why == "" {
			values = parsed
		}
		head.Broken = why
	}
	for _, pair := range values {
		field, known := keys[pair.key]
		if !known {
			field = keys[strings.ToLower(strings.ReplaceAll(pair.key, "_", "-"))]
		}
		head.set(field, pair)
	}
	return head
}

type value struct {
	key, text string
	list      []string
}

// special contains the first characters of values that need the YAML parser.
const special = "&*!|>%@`{[\"'#?-"

// lines returns the key and value of each line. If a line needs the YAML parser, plain is false.
func lines(text string) (values []value, plain bool) {
	plain, values = true, make([]value, 0, 4)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n \t")
		if line == "" || line[0] == '#' {
			continue
		}
		key, rest, found := strings.Cut(line, ":")
		rest = strings.TrimSpace(rest)
		if !found || line[0] == ' ' || line[0] == '\t' || line[0] == '-' {
			plain = false
			continue
		}
		if rest == "" || strings.IndexByte(special, rest[0]) >= 0 || strings.Contains(rest, ": ") || strings.Contains(rest, " #") {
			plain = false
		}
		values = append(values, value{key: strings.TrimSpace(key), text: strings.Trim(rest, `"'`)})
	}
	return values, plain
}

// parseYAML parses the top-level keys. It refuses anchors, because aliases can expand a page of
// text to gigabytes.
func parseYAML(text string) (values []value, why string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,[]{}\"'", r) }) {
		if len(word) > 1 && word[0] == '&' {
			return nil, "it has anchors (&), which Marvin does not support"
		}
	}
	if strings.Count(text, "[")+strings.Count(text, "{") > 100 {
		return nil, "it is nested too deeply"
	}
	var found yaml.MapSlice
	if err := yaml.Unmarshal([]byte(replaceTabs(text)), &found); err != nil {
		return nil, "it is no YAML"
	}
	for _, item := range found {
		key, isText := item.Key.(string)
		if !isText {
			continue
		}
		one := value{key: key}
		switch is := item.Value.(type) {
		case []any:
			for _, entry := range is {
				one.list = append(one.list, scalar(entry))
			}
			one.text = strings.Join(one.list, ", ")
		default:
			one.text = scalar(is)
		}
		values = append(values, one)
	}
	return values, ""
}

// replaceTabs replaces each tab with a space, except at the start of a line. The YAML library
// (v1.19.2) removes tabs, so two words separated by a tab would become one.
func replaceTabs(text string) string {
	if strings.IndexByte(text, '\t') < 0 {
		return text
	}
	var all strings.Builder
	for line := range strings.Lines(text) {
		said := strings.TrimLeft(line, " \t")
		all.WriteString(line[:len(line)-len(said)] + strings.ReplaceAll(said, "\t", " "))
	}
	return all.String()
}

func scalar(of any) string {
	switch is := of.(type) {
	case string:
		return is
	case bool:
		return strconv.FormatBool(is)
	case uint64:
		return strconv.FormatUint(is, 10)
	case int64:
		return strconv.FormatInt(is, 10)
	case float64:
		return strconv.FormatFloat(is, 'g', -1, 64)
	}
	return ""
}

func (h *Head) set(field string, is value) {
	switch field {
	case "name":
		h.Name = strings.TrimSpace(is.text)
	case "description":
		h.Description = oneLine(is.text)
	case "hint":
		h.Hint = oneLine(is.text)
	case "model":
		h.Model = strings.TrimSpace(is.text)
	case "policy":
		h.Policy = strings.TrimSpace(is.text)
	case "globs":
		h.Globs = listOf(is)
	case "words":
		h.Words = listOf(is)
	case "tools":
		h.Tools = slices.Clip(append([]string{}, listOf(is)...)) // an empty list differs from nil
	case "always":
		if always, err := strconv.ParseBool(strings.TrimSpace(is.text)); err == nil {
			h.Always = &always
		}
	case "hidden":
		h.Hidden, _ = strconv.ParseBool(strings.TrimSpace(is.text))
	}
}

// oneLine replaces each run of white space with a single space.
func oneLine(text string) string {
	text = strings.TrimSpace(text)
	for at := range len(text) { // most strings need no change
		if text[at] < ' ' || text[at] >= utf8.RuneSelf || text[at] == ' ' && text[at-1] == ' ' {
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return text
}

// listOf returns the items of a list or of a comma-separated string. Commas inside brackets do not
// separate items, as in "{a,b}" or "Bash(git add:*, git commit:*)".
func listOf(is value) []string {
	if is.list != nil {
		return slices.DeleteFunc(slices.Clone(is.list), func(one string) bool { return strings.TrimSpace(one) == "" })
	}
	var all []string
	depth, from := 0, 0
	take := func(to int) {
		if one := strings.Trim(strings.TrimSpace(is.text[from:to]), `"'`); one != "" {
			all = append(all, one)
		}
	}
	for at, sign := range is.text {
		switch sign {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		case ',':
			if depth <= 0 {
				take(at)
				from = at + 1
			}
		}
	}
	take(len(is.text))
	return all
}
