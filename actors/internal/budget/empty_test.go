package budget

import (
	"reflect"
	"strings"
	"testing"

	"marvin/messages"
)

// nothing marks the results at these positions as empty.
func nothing(all []messages.Message, at ...int) []messages.Message {
	for _, one := range at {
		all[one].Result.Empty, all[one].Result.Text = true, strings.Repeat("no line matched ", 20)
	}
	return all
}

func TestEmptyResultsArePrunedFirst(t *testing.T) {
	all := nothing(reading(16_000, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"), 6, 10)
	all[8].Result.Empty, all[8].Result.Status = true, messages.ToolError // a failed call is not empty
	from := input(all, 0)
	whole := Plan{input: from}.size(all)
	from.Limits = Limits{Compact: (whole - 50) * 100 / enoughShare}
	leaving := Prune(from)
	if got := positions(leaving); !reflect.DeepEqual(got, []int{6}) {
		t.Fatalf("%v leave", got)
	}
	from.Limits = Limits{Compact: (whole - 200) * 100 / enoughShare}
	leaving = Prune(from)
	if got := positions(leaving); !reflect.DeepEqual(got, []int{2, 6, 10}) {
		t.Fatalf("%v leave", got)
	}
	after := WithPlaceholders(all, leaving)
	if got := after[6].Result; got.Text != emptyNote || got.Call != all[6].Result.Call || after[10].Result.Text != emptyNote {
		t.Errorf("%+v", got)
	}
	if !IsPlaceholder(after[6].Result.Text) || !IsPlaceholder(after[2].Result.Text) || IsPlaceholder(all[2].Result.Text) || IsPlaceholder(after[2].Result.Text+"\nand more") {
		t.Error("it is not known which results left")
	}
	if text := after[2].Result.Text; !strings.Contains(text, "left the view") {
		t.Errorf("another one says %q", text)
	}
	from.Messages = after
	for _, one := range Prune(from) {
		if one.At == 6 || one.At == 10 {
			t.Errorf("%d leaves a second time", one.At)
		}
	}
}

// A summary does not mention calls with empty results, but it mentions failed calls.
func TestASummaryLeavesOutWhatBroughtNothing(t *testing.T) {
	all := []messages.Message{{Role: messages.User, Text: "look"}, {Role: messages.Assistant, Text: "I look.", Calls: []messages.ToolCall{
		{ID: "1", Name: "code_grep", Args: []byte(`{"pattern":"unicorn"}`)},
		{ID: "2", Name: "code_grep", Args: []byte(`{"pattern":"horse"}`)},
		{ID: "3", Name: "code_grep", Args: []byte(`{"pattern":"("}`)},
	}}}
	for _, result := range []messages.ToolResult{
		{Call: "1", Name: "code_grep", Status: messages.OK, Text: "No matches for unicorn", Empty: true},
		{Call: "2", Name: "code_grep", Status: messages.OK, Text: "a.go: horse"},
		{Call: "3", Name: "code_grep", Status: messages.ToolError, Text: "the pattern is broken", Empty: true},
	} {
		all = append(all, messages.Message{Role: messages.Tool, Result: result})
	}
	plan := Plan{input: input(all, 0), dropped: all}
	story := strings.Join(plan.entries(details[0]), "")
	if strings.Contains(story, "unicorn") {
		t.Errorf("it is told: %s", story)
	}
	for _, want := range []string{"I look.", `"horse"`, "a.go: horse", "the pattern is broken", `"("`} {
		if !strings.Contains(story, want) {
			t.Errorf("no %s in %s", want, story)
		}
	}
	// Results in another order than their calls are matched by id.
	all[2], all[3] = all[3], all[2]
	plan = Plan{input: input(all, 0), dropped: all}
	if story := strings.Join(plan.entries(details[0]), ""); !strings.Contains(story, `"horse"`) || !strings.Contains(story, "unicorn") {
		t.Errorf("out of order: %s", story)
	}
}
