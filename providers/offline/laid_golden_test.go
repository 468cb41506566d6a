package offline

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/providers"
)

// bench has tools with one parameter of each kind. Find returns them in this order.
type bench []Tool

func (b bench) Find(_ string, n int) []Tool { return slices.Clone(b[:min(n, len(b))]) }
func (b bench) TestCommand() string         { return "make check" }
func (b bench) Files() []string             { return []string{"main.go"} }
func (b bench) Has(string) bool             { return true }
func (b bench) Lookup(name string) (Tool, bool) {
	if at := slices.IndexFunc(b, func(tool Tool) bool { return tool.Name == name }); at >= 0 {
		return b[at], true
	}
	return Tool{}, false
}

func newBench() bench {
	tool := func(name, schema string, examples ...string) Tool {
		return Tool{Name: name, Schema: json.RawMessage(schema), Examples: examples}
	}
	list := bench{
		tool("show_lines", `{"properties":{"path":{"type":"string","description":"The file."},"start_line":{"type":"integer","description":"first line"},"end_line":{"type":"integer"},"max_depth":{"type":"integer","description":"levels deep"}},"required":["path"]}`, "show {README.md|path}", "print lines {3|start_line} to {9|end_line} of {main.go|path}"),
		tool("paint", `{"properties":{"color":{"type":"string","enum":["red","Blue",3]},"amount":{"type":"number","description":"litres of it"},"glossy_finish":{"type":"boolean"},"note":{"type":"string"}},"required":["color","amount"]}`, "paint it {red|color} with {2.5|amount} litres", "paint it {red|color} with {2.5|amount} litres {true|glossy_finish} glossy"),
		tool("sleep_well", `{"properties":{"duration":{"type":"string"},"numbers":{"type":"array"},"glob":{"type":"string"},"quiet":{"type":"string"}}}`, "sleep for {5 minutes|duration}", "sort {[1,2,3]|numbers}", "match {*.go|glob}", "whisper {=yes|quiet} softly"),
		tool("open_page", `{"properties":{"url":{"type":"string"},"place":{"type":"string"},"date":{"type":"string"},"to_unit":{"type":"string"},"target_lang":{"type":"string"},"expression":{"type":"string"},"end":{"type":"string"}}}`,
			"open {https://example.com|url}", "go to {Oslo|place}", "meet on {2026-05-01|date}", "meet until {7:30|end}", "turn into {km|to_unit}", "say it in {French|target_lang}", "add up {2+2|expression}"),
		tool("write_words", `{"properties":{"file_name":{"type":"string"},"text":{"type":"string"},"title":{"type":"string"}},"required":["text"]}`, "put {some words here|text} into {ideas|file_name}", "name it {thing|title}"),
		tool("send_gift", `{"properties":{"who":{"type":"string","description":"The person."},"when_time":{"type":"string"}},"required":["who"]}`, "send a gift to {Ann|who}"),
		tool("status", `{"properties":{}}`),
		{Name: "broken", Schema: json.RawMessage(`{`), Examples: []string{"break everything"}},
	}
	list[4].Writes, list[4].Changes, list[5].Changes = true, true, true
	return list
}

// Each request is matched with the examples of test tools. The file has the requests, and for each
// the best example, its score, the values, the unmatched words, and whether the match is certain.
func TestExampleMatching(t *testing.T) {
	model := New(newBench())
	offered := []providers.ToolSpec{{Name: findTools}}
	content, err := os.ReadFile(filepath.Join("testdata", "laid.golden"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(content)) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if text != "" && text[0] != '#' {
			best, sure := model.nearest(text, offered)
			reply, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: text}}, Tools: offered}, func(providers.Part) {})
			if err != nil {
				t.Fatal(err)
			}
			first, rest, _ := strings.Cut(reply.Text, "\n")
			if first == localized("refuse", "en") {
				first = "refused"
			}
			text += fmt.Sprintf(" => %s => %s, then %d lines", shown(best, sure), first, strings.Count(rest, "\n"))
			for _, call := range reply.Calls {
				text += fmt.Sprintf(" %s %s", call.Name, call.Args)
			}
		}
		out.WriteString(text + "\n")
	}
	goldentest.Assert(t, "laid.golden", strings.TrimSuffix(out.String(), "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}

func shown(r reading, sure bool) string {
	var values, unread []string
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		values = append(values, fmt.Sprintf("%s=%#v", name, r.values[name]))
	}
	for _, token := range r.unread {
		unread = append(unread, token.text)
	}
	return fmt.Sprintf("%s %.3f {%s} missing %v unread %q said %d unsaid %d sure %t", r.tool.Name, r.score, strings.Join(values, "; "), r.missing, unread, r.said, r.unsaid, sure)
}

func TestSlots(t *testing.T) {
	shape := schema{Properties: map[string]property{
		"n": {Type: "integer"}, "x": {Type: "number"}, "on": {Type: "boolean"}, "list": {Type: "array"}, "one": {Type: "string", Enum: []any{"a", "b"}},
	}}
	var out strings.Builder
	for _, row := range [][2]string{
		{"n", "5"},
		{"x", "2.5"},
		{"on", "loudly"},
		{"on", "true"},
		{"on", "false"},
		{"list", "[1]"},
		{"list", "milk"},
		{"one", "a"},
		{"n", "=3"},
		{"gone", "=vegan"},
		{"url", "https://x"},
		{"expression", "2+2"},
		{"from_lang", "German"},
		{"lang", "German"},
		{"from_unit", "km"},
		{"to_unit", "km"},
		{"unit", "km"},
		{"place", "Oslo"},
		{"location", "x"},
		{"origin", "x"},
		{"destination", "x"},
		{"time", "7:30"},
		{"start", "2 pm"},
		{"end", "4"},
		{"date", "1 May"},
		{"time", "soon"},
		{"end", "noon"},
		{"stop", "7"},
		{"wait", "5 minutes"},
		{"wait", "1h30m"},
		{"glob", "*.go"},
		{"text", "what is it?"},
		{"text", "what?"},
		{"path", "main.go"},
		{"path", "the notes"},
		{"file", "x"},
		{"dir", "~/x"},
		{"directory", "cmd/x"},
		{"file", "LICENSE"},
		{"text", "main.go"},
	} {
		s := newSlot(row[0], row[1], shape)
		fmt.Fprintf(&out, "%s %q: kind %d form %q words %d word %q says %v known %t longest %d", row[0], row[1], s.kind, s.form, s.words, s.word, s.says, s.known, s.longest())
		for _, text := range []string{"7", "2.5", "a", "B", "loudly", "main.go", "*.go", "the", `"the"`, "?", "10 km", "5 minutes and 10 s", "[1, x]", "x, 2,", "French", "Oslo", "7:30", "2 + 3"} {
			if tokens := split(text); len(tokens) <= s.longest() {
				if value, cost, ok := s.take(tokens); ok {
					fmt.Fprintf(&out, "; %s=%#v %.2f", text, value, cost)
				}
			}
		}
		out.WriteString("\n")
	}
	for _, text := range []string{"1h30m", "90s", "5m", "5", "an hour", "a minute and 5 s", "and 5 s", "5 and", "two hours", "5 secs", "5 s", "5 hrs", "-1 s", "5 days", "0 minutes", "1 hour and 30 min", "", "seven minutes 3 seconds"} {
		duration, ok := parseDuration(split(text))
		fmt.Fprintf(&out, "duration %q: %q %t\n", text, duration, ok)
	}
	for _, text := range []string{"a-b 10-20 10–20 1..3 12km -3.5°C 1e5", "(what) (is this)?", "it's Ann’s 'a b' \"c d\", «e» `f`", "x 'not closed", "''", "./... ... . ?", "dir/ (", "don't 'don't stop' now", strings.Repeat("w ", maxTokens) + "  the rest of it "} {
		var list []string
		for _, token := range split(text) {
			list = append(list, fmt.Sprintf("%s|%s|%d-%d|%t", token.text, token.folded, token.start, token.end, token.quoted))
		}
		if len(list) > 12 {
			list = append([]string{fmt.Sprint(len(list))}, list[len(list)-2:]...)
		}
		fmt.Fprintf(&out, "tokens: %s\n", strings.Join(list, " "))
	}
	for _, pair := range [][2]string{{"note", "note"}, {"note", "notes"}, {"no", "nos"}, {"car", "cars"}, {"cars", "car"}, {"car", "card"}, {"show", "showing"}, {"list", "listed"}, {"stay", "staying"}, {"copy", "copies"}, {"run", "running"}, {"game", "gaming"}, {"time", "timid"}, {"", "s"}} {
		fmt.Fprintf(&out, "same %q %q: %t\n", pair[0], pair[1], sameStem(pair[0], pair[1]))
	}
	goldentest.Assert(t, "slots.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestFaultsInPhrasesAreReported(t *testing.T) {
	for text, want := range map[string]string{
		"tool\n  go (a|b\n":       `en, line 2: '(' is not closed`,
		"tool\n  go [a)\n":        `en, line 2: '[' is not closed`,
		"tool\n  go a)\n":         `en, line 2: ")" closes nothing`,
		"tool\n  {x:number\n":     `en, line 2: "{x:number" is not closed`,
		"tool\n  <x\n":            `en, line 2: "<x" is not closed`,
		"tool\n\n# no\n  <who>\n": `en, line 4: nothing is called <who>`,
		"tool\n  {x:nokind}\n":    `en, line 2: {x:nokind} has no known kind`,
		"tool\n  {x}\n":           `en, line 2: {x} has no known kind`,
		"@a = b|(c\n":             `en, line 1: @a: '(' is not closed`,
		"tool\n  go [{x:no}]\n":   `en, line 2: {x:no} has no known kind`,
	} {
		if err := fault("en", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for line, want := range map[string]string{"need {x:no}": `no kind is called "no"`, "slot {x:number} {y:no}": `no kind is called "no"`, "words a": "a line must begin with core, with, fixed, need or slot"} {
		name, rest, _ := strings.Cut(line, " ")
		if err := (&frame{}).add(name, rest, nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v", line, err)
		}
	}
	if convertValue("true", "boolean") != true || convertValue("no", "boolean") != false || convertValue("7", "integer") != 7 || convertValue("x", "integer") != "x" || convertValue("2.5", "number") != 2.5 || convertValue("x", "number") != "x" || convertValue("7", "string") != "7" || convertValue(3, "boolean") != 3 {
		t.Error("values that a phrase fixes are typed otherwise")
	}
}
