package budget

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/providers/tokens"
)

// count is a real tokenizer, shared so that texts are counted once.
var count = new(tokens.Counter).For("openai", "gpt-5.1").Text

// input is a conversation whose turn under way begins with its last request.
func input(all []messages.Message, window int) Input {
	return Input{Messages: all, Turn: max(lastRequest(all), 0), Limits: Limits{}.Within(window), Count: count}
}

// long fills the results of a conversation with text of so many bytes each.
func long(all []messages.Message, size int) []messages.Message {
	for i := range all {
		if all[i].Role == messages.Tool {
			all[i].Result.Text = strings.Repeat(fmt.Sprintf("line %d of a long result\n", i), size/24)
		}
	}
	return all
}

func TestPlanKeepsWhatAModelNeeds(t *testing.T) {
	for _, test := range []struct{ name, signs, kept string }{
		{"the last eight messages", "uauauauauaua", "uauauaua"},
		{"a whole round at the border", "u11113a", "u1.1.3...a"},
		{"the request of a long turn", "uau111111", "u1.1.1.1."},
		{"the request that an answer belongs to", "u111au1111", "u1.1.1.1."},
		{"a round of many calls", "uau91", "u9.........1."},
	} {
		all := said(test.signs)
		plan := New(input(all, 0))
		if got := outline(plan.kept); got != test.kept {
			t.Errorf("%s: keeps %s of %s, want %s", test.name, got, outline(all), test.kept)
		}
		if last := all[lastRequest(all)]; !contains(plan.kept, last) {
			t.Errorf("%s: the last request is gone", test.name)
		}
	}
}

func TestPlanKeepsTheRequestOfTheTurnAndTheLastOne(t *testing.T) {
	all := said("uau1111u11111")
	from := input(all, 0)
	from.Turn = 2 // what came later in the turn was said while it ran
	result, err := New(from).Assemble(strings.Repeat("short ", 3), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := outline(result.Messages); got != "Suu1.1.1.1." {
		t.Errorf("result %s", got)
	}
	if !reflect.DeepEqual(result.Messages[result.Turn], all[2]) {
		t.Errorf("the turn begins with %+v, want %+v", result.Messages[result.Turn], all[2])
	}
}

func TestTurnIsFoundInTheResult(t *testing.T) {
	for _, signs := range []string{"u1auauauauaua1u", "u1auauauauau1", "ua1ua1u1111111", "u111111111"} {
		all := long(said(signs), 2000)
		from := input(all, 0)
		result, err := New(from).Assemble("a summary", "")
		if err != nil {
			t.Fatalf("%s: %v", signs, err)
		}
		if !reflect.DeepEqual(result.Messages[result.Turn], all[from.Turn]) {
			t.Errorf("%s: the turn begins at %d of %s", signs, result.Turn, outline(result.Messages))
		}
		from.Turn = len(all)
		if result, err = New(from).Assemble("a summary", ""); err != nil || result.Turn != len(result.Messages) {
			t.Errorf("%s between turns: %d of %s, %v", signs, result.Turn, outline(result.Messages), err)
		}
	}
}

func TestRow20PartsFitWhateverIsDropped(t *testing.T) {
	giant := said("u11111111u9a")
	giant[0].Text = strings.Repeat("pasted without a blank or a line break: ", 20_000)
	for _, window := range []int{2048, 8192, 32_768, 200_000, 0} {
		for name, all := range map[string][]messages.Message{
			"long results": long(said(strings.Repeat("u1212a", 20)), 40_000),
			"many rounds":  long(said(strings.Repeat("u1", 500)), 300),
			"a giant text": giant,
		} {
			from := input(all, window)
			plan := New(from)
			if plan.Parts() < 1 || plan.Parts() > mostParts {
				t.Errorf("%s, window %d: %d parts", name, window, plan.Parts())
			}
			babble := strings.Repeat("a summary that is far too long ", 5000)
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

func TestAGiantRoundIsShortened(t *testing.T) {
	all := long(said("ua1u9"), 60_000) // 15,000 tokens each, and none of them was read yet
	all[len(all)-10].Calls[0].Args = json.RawMessage(fmt.Sprintf(`{"path":"big.go","content":%q}`, strings.Repeat("x := 1\n", 20_000)))
	for _, window := range []int{32_768, 131_072} {
		from := input(all, window)
		result, err := New(from).Assemble("", "/backup")
		if err != nil {
			t.Fatal(err)
		}
		if result.After > from.Limits.Warn {
			t.Errorf("window %d: %d tokens are left, the warning is at %d", window, result.After, from.Limits.Warn)
		}
		if breaches := modeltest.CheckMessages(result.Messages); len(breaches) > 0 {
			t.Errorf("window %d: %v", window, breaches)
		}
		if got := outline(result.Messages); got != "Su9........." {
			t.Errorf("window %d: %s", window, got)
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

func TestNothingIsChangedWithoutGain(t *testing.T) {
	short := said("uauaua")
	if plan := New(input(short, 0)); !plan.Empty() || plan.Parts() != 0 {
		t.Errorf("a short conversation: %d parts, drops %s", plan.Parts(), outline(plan.dropped))
	} else if _, err := plan.Assemble("summary", ""); !errors.Is(err, ErrNoGain) {
		t.Errorf("a short conversation: %v", err)
	}
	if _, err := New(input(said("uauauauauaua"), 0)).Assemble(strings.Repeat("babble ", 4000), ""); !errors.Is(err, ErrNoGain) {
		t.Errorf("a summary that is longer than what it stands for: %v", err)
	}
	if plan := New(Input{Limits: Limits{}.Within(0), Count: count}); !plan.Empty() {
		t.Error("no conversation at all: something to drop")
	}
}

func TestPlanLeavesItsInputAlone(t *testing.T) {
	all := long(said("ua1u9u1"), 60_000)
	before := fmt.Sprintf("%+v", all)
	if _, err := New(input(all, 32_768)).Assemble("summary", "/b"); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%+v", all) != before {
		t.Error("messages of the conversation were changed")
	}
}

// FuzzPlan compacts random conversations for random windows, twice.
func FuzzPlan(f *testing.F) {
	f.Add("ua2u3a9u", 100, 4096, 0, "summary", 3)
	f.Add("u9999", 9000, 2048, 500, "", 0)
	f.Add("1111u11111", 3000, 0, 20_000, "\xff[Files touched]\n- x", 40)
	f.Fuzz(func(t *testing.T, signs string, size, window, fixed int, summary string, turn int) {
		signs = plain(signs)
		all := said(signs[:min(len(signs), 40)])
		if len(all) == 0 {
			return
		}
		for i := range all {
			length := max(size, 1) * (i%7 + 1) % 20_000
			switch {
			case all[i].Role == messages.Tool:
				all[i].Result.Text = strings.Repeat("résultat ", length/10+1)
			case i%5 == 0:
				all[i].Text += strings.Repeat(" word", length/10)
			case len(all[i].Calls) > 0 && i%3 == 0:
				all[i].Calls[0].Args = json.RawMessage(fmt.Sprintf(`{"path":"p","content":%q}`, strings.Repeat("code ", length/10)))
			}
		}
		from := Input{Messages: all, Turn: len(all), Fixed: max(fixed, 0) % 100_000, Limits: Limits{}.Within(2048 + max(window, 0)%300_000), Count: count}
		if turn >= 0 && turn < len(all) && all[turn].Role == messages.User {
			from.Turn = turn
		}
		for range 2 {
			before := from.Messages
			plan := New(from)
			for n := range plan.Parts() {
				if question := plan.Question(n, summary); count(question.System)+count(question.Messages[0].Text) > from.Limits.Refuse {
					t.Fatalf("part %d does not fit", n)
				}
			}
			result, err := plan.Assemble(summary, "/backup")
			if err != nil {
				if !errors.Is(err, ErrNoGain) {
					t.Fatal(err)
				}
				return
			}
			if breaches := modeltest.CheckMessages(result.Messages); len(breaches) > 0 {
				t.Fatalf("%s of %s: %v", outline(result.Messages), outline(before), breaches)
			}
			if plan.size(result.Messages) >= plan.size(before) || result.After >= result.Before {
				t.Fatalf("grew from %d to %d", result.Before, result.After)
			}
			if last := lastRequest(before); last >= 0 && !contains(result.Messages, before[last]) {
				t.Fatalf("%s of %s: the last request is gone", outline(result.Messages), outline(before))
			}
			if from.Turn < len(before) && !reflect.DeepEqual(result.Messages[result.Turn], before[from.Turn]) {
				t.Fatalf("%s of %s: the turn's request is gone", outline(result.Messages), outline(before))
			}
			if !reflect.DeepEqual(Backup(before)[0].Role, string(before[0].Role)) || !isSummary(result.Messages[0]) || !utf8.ValidString(result.Messages[0].Text) {
				t.Fatalf("the summary is %q", result.Messages[0].Text)
			}
			from.Messages, from.Turn = append(result.Messages, round(900, 2, func(int) string { return strings.Repeat("more ", 2000) })...), result.Turn
			if result.Turn == len(result.Messages) {
				from.Turn = len(from.Messages)
			}
		}
	})
}
