package asking_test

import (
	"reflect"
	"slices"
	"testing"

	"marvin/messages"
	"marvin/ui/asking"
)

var yesOrNo = []messages.Choice{messages.Yes, messages.No}

func TestAChoiceIsFilledInByLines(t *testing.T) {
	asked := messages.Asked{Ask: "a", Kind: messages.AskChoice, Choices: yesOrNo, Questions: []messages.Question{
		{Text: "Where?", Options: []messages.Option{{Label: "sqlite"}, {Label: "files"}}, Default: []string{"files"}},
		{Text: "Which?", Options: []messages.Option{{Label: "red"}, {Label: "blue"}, {Label: "green"}}, Several: true, Free: true},
		{Text: "Why?", Free: true, Default: []string{"because"}},
	}}
	for _, one := range []struct {
		lines []string
		want  []messages.Chosen
	}{
		{[]string{"2", "1, 3", "I like it"}, []messages.Chosen{{Options: []string{"files"}}, {Options: []string{"red", "green"}}, {Text: "I like it"}}},
		{[]string{"SQLite", "as you like", "2"}, []messages.Chosen{{Options: []string{"sqlite"}}, {Text: "as you like"}, {Text: "2"}}},
		{[]string{"", "4 and 5", ""}, []messages.Chosen{{}, {Text: "4 and 5"}, {}}},
	} {
		sheet := asking.New(asked)
		for i, line := range one.lines {
			if err := sheet.Pages[i].Take(line); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		answer := sheet.Answer()
		if _, err := asked.CompleteAnswer(answer); err != nil || !reflect.DeepEqual(answer.Chosen, one.want) {
			t.Errorf("%q: %+v, %v", one.lines, answer, err)
		}
	}
	sheet := asking.New(asked)
	for _, wrong := range []string{"3", "1 2", "a pigeon"} {
		if err := sheet.Page().Take(wrong); err == nil || sheet.Page().Answered() {
			t.Errorf("%q is taken", wrong)
		}
	}
	if sheet.Pages[0].Stated != "files" || sheet.Pages[2].Stated != "because" || sheet.Pages[1].Stated != "" {
		t.Errorf("%+v", sheet.Pages)
	}
}

func TestAFormIsFilledIn(t *testing.T) {
	asked := messages.Asked{Ask: "a", Kind: messages.AskForm, Choices: yesOrNo, Fields: []messages.Field{
		{Name: "name", Title: "Your name", Type: messages.StringField, Required: true},
		{Name: "size", Type: messages.NumberField, Default: 2.0},
		{Name: "loud", Type: messages.BooleanField, Default: true},
		{Name: "colour", Type: messages.EnumField, Options: []string{"red", "blue"}},
	}}
	sheet := asking.New(asked)
	if err := sheet.Page().CheckRequired(); err == nil || sheet.Page().Text != "Your name" || sheet.Pages[2].Stated != "yes" || sheet.Pages[1].Text != "size" {
		t.Errorf("%v %+v", err, sheet.Pages)
	}
	if err := sheet.Pages[1].Take("many"); err == nil {
		t.Error("many is a number")
	}
	for i, line := range []string{"alex", "1,5", "no", "2"} {
		if err := sheet.Pages[i].Take(line); err != nil || sheet.Pages[i].CheckRequired() != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	answer := sheet.Answer()
	want := map[string]any{"name": "alex", "size": 1.5, "loud": false, "colour": "blue"}
	if _, err := asked.CompleteAnswer(answer); err != nil || !reflect.DeepEqual(answer.Values, want) {
		t.Errorf("%v, %v", answer.Values, err)
	}
	if asking.New(messages.Asked{Kind: messages.AskConsent, Choices: yesOrNo}) != nil || asking.New(messages.Asked{Kind: messages.AskPlan}) != nil {
		t.Error("consent is filled in")
	}
}

func TestMarks(t *testing.T) {
	page := asking.New(messages.Asked{Kind: messages.AskChoice, Questions: []messages.Question{{Text: "?", Options: []messages.Option{{Label: "a"}, {Label: "b"}}}}}).Page()
	page.Toggle(0)
	page.Toggle(1)
	page.Toggle(7)
	if !reflect.DeepEqual(page.Marked, []bool{false, true}) {
		t.Errorf("%v", page.Marked)
	}
	if err := page.Write(" neither "); err != nil || page.Own != "neither" || slices.Contains(page.Marked, true) {
		t.Errorf("own words beside marks: %q and %v, %v", page.Own, page.Marked, err)
	}
	page.Toggle(1)
	if page.Own != "" || !page.Marked[1] {
		t.Errorf("a mark beside own words: %q and %v", page.Own, page.Marked)
	}
	page.Several = true
	if err := page.Write("also"); err != nil || !page.Marked[1] {
		t.Errorf("own words take a mark: %v, %v", page.Marked, err)
	}
	page.Toggle(0)
	page.Toggle(1)
	if !reflect.DeepEqual(page.Marked, []bool{true, false}) {
		t.Errorf("%v", page.Marked)
	}
}

// A page for each kind of field: its options, its default, and the results of typed lines.
func TestThePageOfEachField(t *testing.T) {
	for _, row := range []struct {
		field  messages.Field
		stated string
		free   bool
		takes  map[string]any // result by line, or the text of the error
	}{
		{messages.Field{Name: "n", Type: messages.StringField, Default: "x"}, "x", true, map[string]any{"": nil, " words ": "words", "1": "1"}},
		{messages.Field{Name: "n", Type: messages.NumberField, Default: 2.5}, "2.5", true, map[string]any{"": nil, "3": 3.0, "1,5": 1.5, "x": "that is not a number; write a number such as 3 or 2.5", "NaN": "that is not a number; write a number such as 3 or 2.5", "inf": "that is not a number; write a number such as 3 or 2.5"}},
		{messages.Field{Name: "n", Type: messages.NumberField}, "", true, map[string]any{"-0.5": -0.5}},
		{messages.Field{Name: "n", Type: messages.BooleanField, Default: false}, "no", false, map[string]any{"": nil, "1": true, "2": false, "YES": true, "no": false, "3": "choose a number from 1 to 2", "1,2": "choose a number from 1 to 2"}},
		{messages.Field{Name: "n", Type: messages.BooleanField, Default: "odd"}, "odd", false, nil},
		{messages.Field{Name: "n", Type: messages.EnumField, Options: []string{"red", "blue"}, Default: "blue"}, "blue", false, map[string]any{"": nil, "2": "blue", "Red": "red", "0": "choose a number from 1 to 2", "green": "choose a number from 1 to 2"}},
	} {
		for line, want := range row.takes {
			sheet := asking.New(messages.Asked{Kind: messages.AskForm, Fields: []messages.Field{row.field}})
			page := sheet.Page()
			if page.Text != "n" || page.Stated != row.stated || page.Free != row.free {
				t.Errorf("%+v", page)
			}
			if err := page.Take(line); err != nil {
				if err.Error() != want {
					t.Errorf("%+v takes %q: %v", row.field, line, err)
				}
				continue
			}
			if got := sheet.Answer().Values["n"]; got != want {
				t.Errorf("%+v takes %q as %v, want %v", row.field, line, got, want)
			}
		}
	}
	required := messages.Field{Name: "n", Title: "Name", Doc: "yours", Type: messages.StringField, Required: true}
	page := asking.New(messages.Asked{Kind: messages.AskForm, Fields: []messages.Field{required}}).Page()
	if err := page.CheckRequired(); err == nil || err.Error() != "this question needs an answer; choose an option, write your own answer, or close the question with Esc" || page.Text != "Name" || page.Doc != "yours" {
		t.Errorf("%v, %+v", err, page)
	}
	required.Default = "x"
	if page := asking.New(messages.Asked{Kind: messages.AskForm, Fields: []messages.Field{required}}).Page(); page.CheckRequired() != nil {
		t.Error("what is stated is no answer")
	}
}

func TestSheetTextAndMarks(t *testing.T) {
	questions := []messages.Question{{Text: "which?", Options: []messages.Option{{Label: "a"}, {Label: "b"}, {Label: "c"}}, Several: true, Free: true}}
	for detail, want := range map[string]string{"": "", "else": "else", messages.TextOf(questions): ""} {
		if got := asking.New(messages.Asked{Kind: messages.AskChoice, Questions: questions, Detail: detail}).About(); got != want {
			t.Errorf("%q is about %q", detail, got)
		}
	}
	sheet := asking.New(messages.Asked{Kind: messages.AskChoice, Questions: questions})
	page := sheet.Page()
	for line, want := range map[string]messages.Chosen{
		"3, 1;3": {Options: []string{"a", "c"}}, "B": {Options: []string{"b"}}, "4": {Text: "4"}, "a word": {Text: "a word"}, "1 x": {Text: "1 x"}, "": {},
	} {
		page.Toggle(1)
		if err := page.Take(line); err != nil {
			t.Error(err)
		}
		if got := sheet.Answer().Chosen[0]; !reflect.DeepEqual(got, want) || page.Answered() != (line != "") {
			t.Errorf("%q is %+v", line, got)
		}
	}
	if err := page.Take(""); err != nil || page.Answered() {
		t.Errorf("%v, %+v", err, page)
	}
	page.Toggle(0)
	page.Toggle(2)
	page.Toggle(3)
	page.Toggle(-1)
	if err := page.Write(" own "); err != nil || !reflect.DeepEqual(sheet.Answer().Chosen[0], messages.Chosen{Options: []string{"a", "c"}, Text: "own"}) {
		t.Errorf("%+v", sheet.Answer())
	}
	if page.Toggle(0); !reflect.DeepEqual(sheet.Answer().Chosen[0], messages.Chosen{Options: []string{"c"}, Text: "own"}) {
		t.Errorf("%+v", sheet.Answer())
	}
}
