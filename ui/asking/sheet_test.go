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
		if _, err := asked.Whole(answer); err != nil || !reflect.DeepEqual(answer.Chosen, one.want) {
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
	if err := sheet.Page().Done(); err == nil || sheet.Page().Text != "Your name" || sheet.Pages[2].Stated != "yes" || sheet.Pages[1].Text != "size" {
		t.Errorf("%v %+v", err, sheet.Pages)
	}
	if err := sheet.Pages[1].Take("many"); err == nil {
		t.Error("many is a number")
	}
	for i, line := range []string{"alex", "1,5", "no", "2"} {
		if err := sheet.Pages[i].Take(line); err != nil || sheet.Pages[i].Done() != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	answer := sheet.Answer()
	want := map[string]any{"name": "alex", "size": 1.5, "loud": false, "colour": "blue"}
	if _, err := asked.Whole(answer); err != nil || !reflect.DeepEqual(answer.Values, want) {
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
