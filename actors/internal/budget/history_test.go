package budget

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"marvin/messages"
)

// said makes a conversation from a line of signs: u is a request, a an answer, and a
// digit a round of so many calls with their results.
func said(signs string) []messages.Message {
	var all []messages.Message
	for i, sign := range signs {
		switch sign {
		case 'u':
			all = append(all, messages.Message{Role: messages.User, Text: fmt.Sprintf("request %d", i)})
		case 'a':
			all = append(all, messages.Message{Role: messages.Assistant, Text: fmt.Sprintf("answer %d", i)})
		default:
			all = append(all, round(i, int(sign-'0'), func(call int) string { return fmt.Sprintf("result %d.%d", i, call) })...)
		}
	}
	return all
}

func round(number, calls int, result func(call int) string) []messages.Message {
	asked := messages.Message{Role: messages.Assistant, Text: fmt.Sprintf("round %d", number)}
	var results []messages.Message
	for call := range calls {
		id := fmt.Sprintf("c%d_%d", number, call)
		asked.Calls = append(asked.Calls, messages.ToolCall{ID: id, Name: "read_file", Args: json.RawMessage(fmt.Sprintf(`{"path":"f%d.go"}`, number))})
		results = append(results, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: "read_file", Text: result(call), Status: messages.OK}})
	}
	return append([]messages.Message{asked}, results...)
}

// outline is a conversation on one line, for errors.
func outline(all []messages.Message) string {
	var words []string
	for _, message := range all {
		switch {
		case message.Role == messages.Tool:
			words = append(words, ".")
		case isSummary(message):
			words = append(words, "S")
		case len(message.Calls) > 0:
			words = append(words, fmt.Sprint(len(message.Calls)))
		default:
			words = append(words, string(message.Role[:1]))
		}
	}
	return strings.Join(words, "")
}

// orphans counts results without a call in front and calls without a result behind.
func orphans(all []messages.Message) int {
	open, orphans := []messages.ToolCall{}, 0
	for _, message := range all {
		if message.Role != messages.Tool {
			orphans += len(open)
			open = message.Calls
			continue
		}
		if len(open) == 0 || open[0].ID != message.Result.Call {
			orphans++
			continue
		}
		open = open[1:]
	}
	return orphans + len(open)
}

func contains(all []messages.Message, wanted messages.Message) bool {
	for _, message := range all {
		if reflect.DeepEqual(message, wanted) {
			return true
		}
	}
	return false
}

func TestCap(t *testing.T) {
	for _, test := range []struct {
		name, signs string
		limit       int
		want        string
	}{
		{"short", "uaua", 4, "uaua"},
		{"no limit", "uaua", 0, "uaua"},
		{"at a request", "uauaua", 4, "uaua"},
		{"in front of a request", "uauaua", 3, "ua"},
		{"in a round", "ua2u3a", 5, "ua"},
		{"just in front of its request", "ua2u3a", 6, "u3...a"},
		{"of a long turn", "u1111a", 6, "u1.1.a"},
		{"a long turn and a new request", "u111111au", 7, "u1.1.au"},
		{"only the new request has room", "u9au", 3, "uau"},
		{"a round longer than the limit", "u9", 4, "u9........."},
	} {
		got := Cap(said(test.signs), test.limit)
		if outline(got) != test.want {
			t.Errorf("%s: %s of %s, want %s", test.name, outline(got), outline(said(test.signs)), test.want)
		}
	}
}

func TestCapKeepsTheSummary(t *testing.T) {
	all := append([]messages.Message{{Role: messages.System, Text: summaryMark + "\nbefore"}}, said("uauaua")...)
	if got := Cap(all, 5); outline(got) != "Suaua" || got[0].Text != all[0].Text {
		t.Errorf("%s", outline(got))
	}
}

func FuzzCap(f *testing.F) {
	f.Add("ua2u3a9u", 5, false)
	f.Add("1111u", 3, true)
	f.Fuzz(func(t *testing.T, signs string, limit int, summary bool) {
		all, longest := said(plain(signs)), 0
		if len(all) == 0 {
			return
		}
		for _, message := range all {
			longest = max(longest, len(message.Calls)+1)
		}
		if summary {
			all = append([]messages.Message{{Role: messages.System, Text: summaryMark}}, all...)
		}
		got := Cap(all, limit)
		if orphans(got) > 0 {
			t.Fatalf("%s of %s has orphans", outline(got), outline(all))
		}
		if limit > 0 && len(got) > max(limit, longest+2) {
			t.Fatalf("%s of %s is longer than %d", outline(got), outline(all), limit)
		}
		if !reflect.DeepEqual(got[len(got)-1], all[len(all)-1]) || summary != isSummary(got[0]) {
			t.Fatalf("%s of %s lost its end or its summary", outline(got), outline(all))
		}
		first := got[0]
		if summary && len(got) > 1 {
			first = got[1]
		}
		if first.Role != messages.User && lastRequest(all[:len(all)-len(got)+1]) >= 0 && limit > 0 && len(got) < len(all) {
			t.Fatalf("%s of %s does not begin with a request", outline(got), outline(all))
		}
	})
}

// plain keeps the signs that [said] knows, and not too many of them.
func plain(signs string) string {
	signs = strings.Map(func(r rune) rune {
		if r == 'u' || r == 'a' || r >= '1' && r <= '9' {
			return r
		}
		return -1
	}, signs)
	return signs[:min(len(signs), 200)]
}
