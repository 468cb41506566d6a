package budget

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"marvin/messages"
)

func TestPartsFitWhateverIsDropped(t *testing.T) {
	giant := said("u11111111u9a")
	giant[0].Text = strings.Repeat("pasted without a blank or a line break: ", 6_000)
	for _, window := range []int{2048, 16_384, 200_000} {
		for name, all := range map[string][]messages.Message{
			"long results": long(said(strings.Repeat("u1212a", 12)), 20_000),
			"many rounds":  long(said(strings.Repeat("u1", 300)), 300),
			"a giant text": giant,
		} {
			from := input(all, window)
			plan := New(from)
			if plan.Parts() < 1 || plan.Parts() > mostParts {
				t.Errorf("%s, window %d: %d parts", name, window, plan.Parts())
			}
			babble := strings.Repeat("a summary that is far too long ", 2000)
			for n := range plan.Parts() {
				question := plan.Question(n, babble)
				size := count(question.System) + count(question.Messages[0].Text) + 12
				if size > from.Limits.Refuse*3/4 {
					t.Errorf("%s, window %d: part %d has %d tokens of %d", name, window, n, size, from.Limits.Refuse)
				}
			}
		}
	}
}

func TestPartsHoldTheWholeStoryInOrder(t *testing.T) {
	all := said(strings.Repeat("u2a", 60))
	from := input(all, 4096)
	plan := New(from)
	if plan.Parts() < 2 {
		t.Fatalf("%d parts: the test shows nothing", plan.Parts())
	}
	story, at := strings.Join(plan.parts, ""), 0
	for _, message := range plan.dropped {
		text := message.Text + message.Result.Text
		found := strings.Index(story[at:], text)
		if found < 0 {
			t.Fatalf("%q is not in the parts, or not behind what came before it", text)
		}
		at += found
	}
	second := plan.Question(1, "so far it was fine").Messages[0].Text
	for _, want := range []string{fmt.Sprintf("part 2 of %d", plan.Parts()), "so far it was fine", plan.parts[1]} {
		if !strings.Contains(second, want) {
			t.Errorf("the second question lacks %.80q", want)
		}
	}
}

func TestFilesAndBackupsGoFromSummaryToSummary(t *testing.T) {
	all := said("u")
	var backups []string
	for n := range 4 {
		for i := range 10 {
			more := round(100*n+i, 1, func(int) string { return strings.Repeat("some result\n", 100) })
			all = append(all, more...)
		}
		backups = append(backups, fmt.Sprintf("/project/.marvin/logs/context-backup-%d.jsonl", n))
		result, err := New(input(all, 0)).Assemble(fmt.Sprintf("summary %d", n), backups[n])
		if err != nil {
			t.Fatal(err)
		}
		all = result.Messages
	}
	text := all[0].Text
	if strings.Count(text, summaryMark) != 1 || !strings.HasPrefix(text, "[Compacted history summary]\n") || !strings.Contains(text, "summary 3") || strings.Contains(text, "summary 2") {
		t.Errorf("the summary is\n%s", text)
	}
	for _, want := range append(backups, "- f0.go — read_file", "- f109.go — read_file", "- f305.go — read_file") {
		if strings.Count(text, want+"\n")+strings.Count(text, want+" ") < 1 && !strings.HasSuffix(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestFilesAreThoseThatWereTouched(t *testing.T) {
	call := func(id, tool, args string, status messages.Status) []messages.Message {
		return []messages.Message{
			{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: id, Name: tool, Args: json.RawMessage(args)}}},
			{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: tool, Text: "done", Status: status}},
		}
	}
	all := said("u")
	for _, more := range [][]messages.Message{
		call("1", "read_file", `{"path":"a.go","start_line":1}`, messages.OK),
		call("2", "read_file", `{"path":"missing.go"}`, messages.ToolError),
		call("3", "apply_patch", `{"patch":"*** Begin Patch\n*** Update File: b.go\n@@\n-x\n+y\n*** Add File: c d.go\n+z\n*** End Patch"}`, messages.OK),
		call("4", "apply_patch", `{"patch":"--- a/e.go\n+++ b/e.go\n@@ -1 +1 @@\n--- a/f.go\n+++ /dev/null\n"}`, messages.OK),
		call("5", "create_file", `{"path":"a.go","content":"x"}`, messages.OK),
		call("6", "run_command", `{"command":"make test"}`, messages.OK),
		call("7", "odd", `["path"]`, messages.OK),
		said("uauauaua"),
	} {
		all = append(all, more...)
	}
	got := New(input(all, 0)).files(nil)
	want := []string{"b.go — apply_patch", "c d.go — apply_patch", "e.go — apply_patch", "a.go — read_file, create_file"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

func TestMechanicalSummaryTellsWhatHappened(t *testing.T) {
	all := said("ua2ua")
	all[4].Result.Status, all[4].Result.Text = messages.ToolError, "Error: no such file\nTry tree."
	all = append(append(all, said("u")[0]), round(50, 9, func(int) string { return "long ago" })...)
	all = append(all, said("uauauaua")...)
	result, err := New(input(long(all, 3000), 0)).Assemble("  \n", "/b.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Requests:\n- request 0\n- request 3\n", "Answers:\n- answer 1\n- answer 4", "Tools called:\n- read_file: 11", "Errors:\n- read_file (error): ", "- f50.go — read_file", "\n- /b.jsonl"} {
		if !strings.Contains(result.Messages[0].Text, want) {
			t.Errorf("%q is not in\n%s", want, result.Messages[0].Text)
		}
	}
}
