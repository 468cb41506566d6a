package budget

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
)

// reading is a turn that reads files, one per round, with contents of this many bytes.
func reading(size int, names ...string) []messages.Message {
	all := []messages.Message{{Role: messages.User, Text: "look"}}
	for i, name := range names {
		id := fmt.Sprint("c", i)
		args, _ := json.Marshal(map[string]string{"path": name})
		all = append(all,
			messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: id, Name: "read_file", Args: args}}},
			messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: "read_file", Status: messages.OK, Text: strings.Repeat(fmt.Sprintf("line of %s\n", name), size/12)}})
	}
	return all
}

func positions(leaving []Removal) (at []int) {
	for _, one := range leaving {
		at = append(at, one.At)
	}
	return at
}

func TestPruningOrder(t *testing.T) {
	all := reading(16_000, "a", "b", "c", "d", "b", "e", "f", "g", "h", "i")
	from := input(all, 0)
	whole := Plan{input: from}.size(all)
	for share, want := range map[int][]int{
		95: {4},          // the first content of b, which was read again
		82: {2, 4},       // then the oldest
		64: {2, 4, 6, 8}, // and so on
	} {
		from.Limits = Limits{Compact: whole * share / enoughShare}
		if got := positions(Prune(from)); !reflect.DeepEqual(got, want) {
			t.Errorf("to %d%%: %v leave, want %v", share, got, want)
		}
	}
	more := reading(16_000, "a", "b", "b", "b", "c", "d", "e", "f", "g", "h")
	from = input(more, 0)
	from.Limits = Limits{Compact: Plan{input: from}.size(more) * 95 / enoughShare}
	if got := positions(Prune(from)); !reflect.DeepEqual(got, []int{4, 6}) {
		t.Errorf("of contents that are old %v leave where one is enough", got)
	}
	from.Limits = Limits{Compact: whole / 10}
	if got := Prune(from); got != nil {
		t.Errorf("a summary is made anyway, and yet %v leave", positions(got))
	}
}

func TestPrunedResultNamesItsFile(t *testing.T) {
	all := reading(16_000, "a", "b", "c", "d", "e", "f")
	all[2].Result.Text = messages.Frame("http://a", all[2].Result.Text+"[all 9000 lines (99999 bytes) are stored as artifact:3: read_file {\"path\": \"artifact:3\"} …]\n")
	from := input(all, 0)
	from.Limits = Limits{Compact: Plan{input: from}.size(all) * 80 / enoughShare}
	leaving := Prune(from)
	if len(leaving) == 0 || leaving[0].Address != "artifact:3" || !leaving[0].Foreign || leaving[0].Text == all[2].Result.Text {
		t.Fatalf("%+v", leaving)
	}
	after := WithPlaceholders(all, leaving)
	if text := after[2].Result.Text; !strings.Contains(text, `read_file {"path": "artifact:3"} shows it]`) || all[2].Result.Text == text {
		t.Errorf("%q", text)
	}
}

// After any pruning, the conversation keeps its form and its last messages, and is small enough.
func TestPruningKeepsTheForm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var names []string
		for range 1 + random.IntN(30) {
			names = append(names, string(rune('a'+random.IntN(6))))
		}
		all := reading(random.IntN(8000), names...)
		from := input(all, 0)
		whole := Plan{input: from}.size(all)
		from.Limits = Limits{Compact: whole * (20 + random.IntN(80)) / 100}
		leaving := Prune(from)
		after := WithPlaceholders(all, leaving)
		if len(after) != len(all) {
			t.Fatalf("%d messages of %d", len(after), len(all))
		}
		for i := range all {
			was, is := all[i], after[i]
			was.Result.Text, is.Result.Text = "", ""
			if !reflect.DeepEqual(was, is) || i >= len(all)-keepLast && all[i].Result.Text != after[i].Result.Text {
				t.Fatalf("message %d of %d is another one", i, len(all))
			}
		}
		if size := (Plan{input: from}).size(after); len(leaving) > 0 && size > from.Limits.Compact*(enoughShare+5)/100 {
			t.Fatalf("%d tokens stay of %d, %d leave", size, whole, len(leaving))
		}
	}
}

func TestSameContentIsReportedOnce(t *testing.T) {
	all := reading(4000, "a", "b")
	result := all[2].Result
	result.Call = "c9"
	if again := EarlierEqual(all, result); again != "[unchanged: word for word the 333 lines that read_file gave you above as the result of call c0]" {
		t.Errorf("%q", again)
	}
	for name, other := range map[string]messages.ToolResult{
		"short":     {Name: "read_file", Status: messages.OK, Text: "ok"},
		"different": {Name: "read_file", Status: messages.OK, Text: result.Text + "more"},
		"a failure": {Name: "read_file", Status: messages.ToolError, Text: result.Text},
		"another":   {Name: "tree", Status: messages.OK, Text: result.Text},
	} {
		if again := EarlierEqual(all, other); again != "" {
			t.Errorf("%s: %q", name, again)
		}
	}
}

// Pictures are removed with their results if they can be read again; the text about them stays.
func TestOldPicturesLeaveWhereTheyCanBeHadAgain(t *testing.T) {
	all := reading(16_000, "a", "b", "c", "d", "e", "f")
	for _, at := range []int{2, 4} {
		all[at].Result.Text = "[shot.png is a picture]\n"
		all[at].Result.Pictures = []messages.Picture{{Type: "image/png", Data: []byte("x"), Address: "artifact:3"}}
	}
	all[4].Result.Pictures[0].Address = ""
	from := input(all, 0)
	from.Limits = Limits{Compact: (Plan{input: from}.size(all) - 1) * 100 / enoughShare}
	leaving := Prune(from)
	if len(leaving) != 1 || leaving[0].At != 2 || !leaving[0].Stays {
		t.Fatalf("%+v", leaving)
	}
	after := WithPlaceholders(all, leaving)
	if left := after[2].Result; left.Text != all[2].Result.Text || len(left.Pictures) != 1 || left.Pictures[0].Data != nil || !strings.Contains(left.Pictures[0].Note, `read_file {"path": "artifact:3"} shows it`) {
		t.Errorf("%+v", left)
	}
	if len(all[2].Result.Pictures[0].Data) == 0 || len(after[4].Result.Pictures[0].Data) == 0 {
		t.Error("what stays was changed")
	}
}

func TestAnotherPageOfAFileSupersedesNothing(t *testing.T) {
	page := func(id, name, args string, status messages.Status) []messages.Message {
		return []messages.Message{
			{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: id, Name: name, Args: json.RawMessage(args)}}},
			{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: name, Status: status, Text: strings.Repeat("a line\n", 2000)}},
		}
	}
	pages := slices.Concat([]messages.Message{{Role: messages.User, Text: "look"}},
		page("c1", "read_file", `{"path":"a","start_line":301,"end_line":600}`, messages.OK),
		page("c2", "read_file", `{"path":"a","start_line":601,"end_line":900}`, messages.OK),
		page("c3", "read_file", `{"path":"a","start_line":901,"end_line":1200}`, messages.OK))
	for name, test := range map[string]struct {
		then []messages.Message
		old  []int
	}{
		"nothing":                 {nil, nil},
		"the same page":           {page("c4", "read_file", `{"end_line":900,"start_line":601,"path":"./a"}`, messages.OK), []int{4}},
		"the same page, in vain":  {page("c4", "read_file", `{"path":"a","start_line":601,"end_line":900}`, messages.ToolError), nil},
		"a search":                {page("c4", "code_grep", `{"path":"a","pattern":"x"}`, messages.OK), nil},
		"a change":                {page("c4", "apply_patch", `{"path":"./a","old_str":"x","new_str":"y"}`, messages.OK), []int{2, 4, 6}},
		"a change that failed":    {page("c4", "apply_patch", `{"path":"a","old_str":"x","new_str":"y"}`, messages.ToolError), nil},
		"a patch of several":      {page("c4", "apply_patch", `{"patch":"*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch"}`, messages.OK), []int{2, 4, 6}},
		"a change of another one": {page("c4", "create_file", `{"path":"b","content":"x"}`, messages.OK), nil},
	} {
		var old []int
		for at, again := range superseded(slices.Concat(pages, test.then)) {
			if again {
				old = append(old, at)
			}
		}
		slices.Sort(old)
		if !slices.Equal(old, test.old) {
			t.Errorf("%s: %v are old, want %v", name, old, test.old)
		}
	}
}
