package copilot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
)

func user(text string) messages.Message {
	return messages.Message{Role: messages.User, Text: text}
}

func assistant(text string) messages.Message {
	return messages.Message{Role: messages.Assistant, Text: text}
}

func result(text string) messages.Message {
	return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "c", Name: "t", Text: text}}
}

func calling(text string) messages.Message {
	return messages.Message{Role: messages.Assistant, Text: text, Calls: []messages.ToolCall{{ID: "c", Name: "t", Args: json.RawMessage(`{}`)}}}
}

func TestSessionGetsOnlyNewMessages(t *testing.T) {
	type all = []messages.Message
	seen := all{user("one"), assistant("two"), user("three")}
	after := func(more ...messages.Message) all { return append(slices.Clone(seen), more...) }
	for _, test := range []struct {
		name string
		now  all
		said string
		want string // the new prompts; "-" if a new session is needed
	}{
		{"an answer and a prompt", after(assistant("four"), user("five")), "four", "five"},
		{"rounds of tools", after(calling("a\n"), result("r"), assistant("b"), user("five")), "a b", "five"},
		{"two prompts", after(assistant("four"), user("five"), user("six")), "four", "five\n\nsix"},
		{"a mark behind half an answer", after(assistant("fo\n[Cancelled]"), user("five")), "fo", "five"},
		{"nothing said", after(user("five")), "", "five"},
		{"another answer than ours", after(assistant("else"), user("five")), "four", "-"},
		{"our answer is missing", after(user("five")), "four", "-"},
		{"another beginning", all{user("ONE"), assistant("two"), user("three"), assistant("four"), user("five")}, "four", "-"},
		{"a shorter one", all{user("summary"), user("five")}, "four", "-"},
		{"news in between", after(assistant("four"), messages.Message{Role: messages.System, Text: "s"}, user("five")), "four", "s\n\nfive"},
		{"nothing new", seen, "", "-"},
		{"results at the end", after(calling(""), result("r")), "", "-"},
		{"other arguments", all{calling(""), user("five")}, "", "-"},
	} {
		fresh, ok := unseenPrompts(seen, test.now, test.said)
		got := "-"
		if ok {
			got = join(fresh)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestTheRecordIsBoundedAndKeepsTheNewest(t *testing.T) {
	history := []messages.Message{user("the oldest")}
	for i := range 40 {
		history = append(history, calling(""), result(fmt.Sprintf("%d %s", i, strings.Repeat("ä", maxRecord/50))))
	}
	huge := user(strings.Repeat("\"", 3*maxRecord))
	history = append(history, huge, assistant("the newest"))
	text, lost := opening(append(history, user("now")))
	if len(text) > maxRecord+1000 {
		t.Errorf("it has %d bytes", len(text))
	}
	for part, want := range map[string]bool{
		"the oldest": false, "(Older messages are left out.)": true, `"result":"39 ä`: true, "the newest": true, " […]": true,
	} {
		if strings.Contains(text, part) != want {
			t.Errorf("holds %q: %v", part, !want)
		}
	}
	if !strings.HasSuffix(text, "\n\nnow") {
		t.Errorf("ends with %q", text[len(text)-20:])
	}
	lines := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "{") {
			lines++
			if !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %.100s", line)
			}
		}
	}
	if lines < 10 || lost != len(history)-lines+1 { // the huge message is included, but cut
		t.Errorf("%d messages of %d, %d lost", lines, len(history), lost)
	}
}

func TestInterruptedRecordIsResumed(t *testing.T) {
	text, _ := opening([]messages.Message{user("go"), calling("wait"), result("done")})
	if !strings.Contains(text, `"result":"done"`) || !strings.Contains(text, "Continue that answer") {
		t.Errorf("it says %q", text)
	}
	if text, _ := opening([]messages.Message{user("go")}); text != "go" {
		t.Errorf("a beginning says %q", text)
	}
}

func TestPicturesReachTheCLI(t *testing.T) {
	picture := messages.Picture{Type: "image/png", Name: "a.png", Data: []byte{1, 2, 3}}
	earlier := messages.Message{Role: messages.User, Text: "see", Pictures: []messages.Picture{picture}}
	now := messages.Message{Role: messages.User, Text: "and this", Pictures: []messages.Picture{picture, {Type: "image/png", Name: "gone.png", Note: "it was refused"}}}
	all := []messages.Message{earlier, {Role: messages.Assistant, Text: "seen"}, now}
	blobs := shown(all)
	if len(blobs) != 1 {
		t.Fatalf("%d pictures go with the prompt", len(blobs))
	}
	sent, err := json.Marshal(blobs[0])
	if err != nil || !strings.Contains(string(sent), `"data":"AQID"`) || !strings.Contains(string(sent), `"mimeType":"image/png"`) {
		t.Errorf("it goes as %s, %v", sent, err)
	}
	text, _ := opening(all)
	if !strings.Contains(text, "[Picture a.png (image/png): you cannot see it]") || !strings.Contains(text, "[Picture gone.png (image/png): it was refused]") {
		t.Errorf("the CLI is told %s", text)
	}
}
