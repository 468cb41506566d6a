package messages

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The mode key cycles through the modes and never reaches the one in which no call asks; each mode
// has its own description.
func TestModesGoRound(t *testing.T) {
	for from, to := range map[Approval]Approval{
		ApproveEdits: ApprovePlan, ApprovePlan: ApproveAsk, ApproveAsk: ApproveAuto, ApproveAuto: ApproveEdits, ApproveAll: ApproveEdits, "": ApproveEdits,
	} {
		if got := from.Next(); got != to {
			t.Errorf("behind %q comes %q", from, got)
		}
	}
	for mode, want := range map[Approval]string{
		ApprovePlan: "no tool may write", ApproveAsk: "Marvin asks before every call that writes", ApproveEdits: "commands that change something need",
		ApproveAuto: "asks only before actions that cannot be undone", ApproveAll: "even what cannot be undone",
	} {
		if !strings.Contains(mode.Description(), want) {
			t.Errorf("%s means %q", mode, mode.Description())
		}
		if err := mode.check(); err != nil {
			t.Error(err)
		}
	}
	if got := Approval("other").Description(); got != "" {
		t.Errorf("an unknown one means %q", got)
	}
	if err := Approval("other").check(); err == nil || err.Error() != `mode "other" is unknown; choose one of plan, ask, edits, auto, all` {
		t.Error(err)
	}
}

func TestPlanIsReported(t *testing.T) {
	step := func(letter byte) Step {
		return Step{Text: string(letter), Status: map[byte]StepStatus{'p': StepPending, 'n': StepInProgress, 'd': StepDone, 'c': StepCancelled}[letter]}
	}
	for steps, want := range map[string]struct {
		short, whole string
		over         bool
	}{
		"":     {"all 0 steps are finished", "", true},
		"dc":   {"all 2 steps are finished", "[x] d\n[-] c", true},
		"d":    {"its only step is finished", "[x] d", true},
		"dpp":  {"1 of 3 · next: p", "[x] d\n[ ] p\n[ ] p", false},
		"pdn":  {"1 of 3 · now: n", "[ ] p\n[x] d\n[>] n", false},
		"ncp":  {"1 of 3 · now: n", "[>] n\n[-] c\n[ ] p", false},
		"cdcd": {"all 4 steps are finished", "[-] c\n[x] d\n[-] c\n[x] d", true},
	} {
		var plan Plan
		for i := range len(steps) {
			plan.Steps = append(plan.Steps, step(steps[i]))
		}
		if plan.Short() != want.short || plan.String() != want.whole || plan.Finished() != want.over {
			t.Errorf("%q is %q, %q, over %v", steps, plan.Short(), plan.String(), plan.Finished())
		}
	}
	second := Plan{Steps: []Step{{Text: "one", Status: StepPending}, {Text: "two", Status: StepPending}}}
	if now, left := second.currentStep(); now.Text != "one" || !left {
		t.Errorf("of two the next is %q", now.Text)
	}
}

func TestQuestionsAreReported(t *testing.T) {
	for want, open := range map[string]int{"Run?": 1, "Run? (1 of 2)": 2} {
		if got := (Asked{Title: "Run?", Position: 2, Total: 2}).Heading(1, open); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	where := Question{Text: "Where?", Options: []Option{{Label: "a", Recommended: true, Reason: "near"}, {Label: "b"}, {Label: "c", Reason: "far"}}, Default: []string{"a", "c", "by", "car"}}
	for want, questions := range map[string][]Question{
		"":      nil,
		"When?": {{Text: "When?"}},
		"Where?\n  a (recommended): near\n  b\n  c: far\n  without an answer: a, c, by car":                      {where},
		"1. Where?\n  a (recommended): near\n  b\n  c: far\n  without an answer: a, c, by car\n2. When?\n  soon": {where, {Text: "When?", Options: []Option{{Label: "soon"}}}},
	} {
		if got := TextOf(questions); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, chosen := range map[string]Chosen{
		"": {}, "a, b": {Options: []string{"a", "b"}}, "own": {Text: "own"}, "a, own": {Options: []string{"a"}, Text: "own"},
	} {
		if chosen.String() != want || chosen.Empty() != (want == "") {
			t.Errorf("%+v is %q, empty %v", chosen, chosen.String(), chosen.Empty())
		}
	}
	if !(Chosen{Text: " \n"}).Empty() {
		t.Error("blanks are an answer")
	}
}

func TestPicturesAndWordsOfMessages(t *testing.T) {
	labels := Labels([]Picture{{Name: "a.png", Type: "image/png", Width: 3, Height: 4}, {Note: "too large", Type: "image/png"}, {Type: "image/gif", Height: 9}})
	if got := strings.Join(labels, " "); got != "[picture 1: a.png 3x4] [picture 2: too large] [picture 3: image/gif]" {
		t.Error(got)
	}
	for source, want := range map[Source]bool{FromFile: true, FromStranger: true, FromPerson: false, FromMarvin: false, FromModel: false, FromTool: false, "": false} {
		if got := (Origin{From: source}).Untrusted(); got != want {
			t.Errorf("of %q: %v", source, got)
		}
	}
	all := []Message{{Origin: Origin{Places: []string{"/b", "/a"}}}, {}, {Origin: Origin{Places: []string{"/a", "/c"}}}}
	if got := fmt.Sprint(Places(all), Places(nil)); got != "[/a /b /c] []" {
		t.Error(got)
	}
	if got := (Message{Thinking: []Thought{{Text: "a"}, {Opaque: "x"}, {Text: "b"}}}).Thought(); got != "ab" {
		t.Error(got)
	}
	one, two := RoundTrip{1, 2, 3, 4, 0.5, false}, RoundTrip{10, 20, 30, 40, 1, true}
	want := RoundTrip{11, 22, 33, 44, 1.5, true}
	if one.Plus(two) != want || two.Plus(one) != want || one.Plus(one).Estimated {
		t.Errorf("%+v", one.Plus(two))
	}
	note := Notification{Topic: "t", ID: "1", Text: "x"}
	for other, same := range map[Notification]bool{{"t", "1", "y"}: true, {"t", "2", "x"}: false, {"u", "1", "x"}: false} {
		if note.Same(other) != same {
			t.Errorf("%+v: %v", other, !same)
		}
	}
}

func TestUsageIsAddedUp(t *testing.T) {
	one := Usage{Cost: 1, Turns: 2, ModelTurns: map[string]int{"a": 1}, ModelCost: map[string]float64{"a": 1}, InputTokens: 3, CachedTokens: 4, OutputTokens: 5, ToolCalls: map[string]int{"t": 1}, Unpriced: []string{"a"}, Estimated: 6}
	two := Usage{Cost: 10, Turns: 20, ModelTurns: map[string]int{"a": 10, "b": 1}, ModelCost: map[string]float64{"b": 2}, InputTokens: 30, CachedTokens: 40, OutputTokens: 50, ToolCalls: map[string]int{"t": 9, "u": 1}, Unpriced: []string{"a", "b"}, Estimated: 60}
	want := Usage{Cost: 11, Turns: 22, ModelTurns: map[string]int{"a": 11, "b": 1}, ModelCost: map[string]float64{"a": 1, "b": 2}, InputTokens: 33, CachedTokens: 44, OutputTokens: 55, ToolCalls: map[string]int{"t": 10, "u": 1}, Unpriced: []string{"a", "b"}, Estimated: 66}
	if got := one.Plus(two); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if one.ModelTurns["a"] != 1 || len(one.Unpriced) != 1 {
		t.Errorf("what was added to is changed: %+v", one)
	}
}

func TestEachKindOfFieldIsNamed(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"set_mode","op":{"coding":"yes"}}`:                                    "the field \"op\" of set_mode: coding holds a JSON string, not true or false",
		`{"type":"answer","op":{"ask":"a","choice":"yes","chosen":{}}}`:                "the field \"op\" of answer: chosen holds a JSON object, not a list",
		`{"type":"answer","op":{"ask":"a","choice":"yes","values":[]}}`:                "the field \"op\" of answer: values holds a JSON array, not an object",
		`{"type":"answer","op":{"ask":"a","choice":"yes","mode":"x"}}`:                 `the field "op" of answer: mode "x" is unknown; choose one of plan, ask, edits, auto, all`,
		`{"type":"answer","op":{"ask":"a","choice":"always","text":"x"}}`:              "the field \"op\" of answer: if an answer has \"text\" (what to do instead), its choice must be no",
		`{"type":"branch","op":{"entry":0}}`:                                           "the field \"op\" of branch: \"entry\" is missing; give the name that \"tree\" lists for the turn",
		`{"type":"rewind","op":{"prompts":-1}}`:                                        "the field \"op\" of rewind: \"prompts\" must be at least 1: it counts back from the last prompt, which is 1",
		`{"type":"visit_agent","op":{"call":"c"}}`:                                     "the field \"op\" of visit_agent: \"agent\" is missing; give the number of the sub-agent in the call, from 1",
		`{"type":"visit_agent","op":{"agent":1,"call":" "}}`:                           "the field \"op\" of visit_agent: call is missing",
		`{"type":"label","op":{}}`:                                                     "the field \"op\" of label: text is missing",
		`{"type":"aside"}`:                                                             "the field \"op\" of aside: text is missing",
		`{"type":"resume","op":{"id":""}}`:                                             "the field \"op\" of resume: id is missing",
		`{"type":"rename","op":{"title":"\t"}}`:                                        "the field \"op\" of rename: title is missing",
		`{"type":"attend"}`:                                                            "the field \"op\" of attend: ask is missing",
		`{"type":"revoke","op":{"grant":1}}`:                                           "",
		`{"type":"branch","op":{"entry":1}}`:                                           "",
		`{"type":"rewind","op":{"prompts":0}}`:                                         "",
		`{"type":"visit_agent","op":{"agent":1,"call":"c"}}`:                           "",
		`{"type":"label","op":{"text":""}}`:                                            "",
		`{"type":"set_model","op":{"effort":"low"}}`:                                   "",
		`{"type":"answer","op":{"ask":"a","choice":"no","text":"x","mode":"edits"}}`:   "",
		`{"type":"answer","op":{"ask":"a","choice":"always","chosen":[{"text":"x"}]}}`: "",
	} {
		var request Request
		err := json.Unmarshal([]byte(line), &request)
		if err != nil {
			err = Misread(err)
		}
		if said := fmt.Sprint(err); want == "" && err != nil || want != "" && said != want {
			t.Errorf("%s: %s, want %q", line, said, want)
		}
	}
	var call ToolCall
	if err := json.Unmarshal([]byte(`{"id":7}`), &call); err == nil {
		t.Error("a call whose id is a number is read")
	}
	if err := json.Unmarshal([]byte(`{"id":"a","name":"b"}`), &call); err != nil || call.Args != nil || call.Opaque != nil {
		t.Errorf("%+v, %v", call, err)
	}
	unwritable := Answer{Ask: "a", Choice: Yes, Values: map[string]any{"f": func() {}}}
	if _, err := (Request{Op: unwritable}).MarshalJSON(); err == nil || !strings.HasPrefix(err.Error(), "encode answer: ") {
		t.Error(err)
	}
	if _, err := (Envelope{Event: Answered{Values: unwritable.Values}}).MarshalJSON(); err == nil || !strings.HasPrefix(err.Error(), "encode answered: ") {
		t.Error(err)
	}
}
