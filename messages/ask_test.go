package messages_test

import (
	"reflect"
	"strings"
	"testing"

	"marvin/messages"
)

var (
	yesOrNo = []messages.Choice{messages.Yes, messages.No}
	store   = messages.Question{Text: "Where?", Options: []messages.Option{{Label: "sqlite"}, {Label: "files"}}, Default: []string{"files", "for now"}}
)

func TestAnAnswerIsMadeWhole(t *testing.T) {
	several, free := store, store
	several.Several, free.Free = true, true
	choice := messages.Asked{Ask: "a", Kind: messages.AskChoice, Choices: yesOrNo, Questions: []messages.Question{store, several, free}}
	form := messages.Asked{Ask: "a", Kind: messages.AskForm, Choices: yesOrNo, Fields: []messages.Field{
		{Name: "name", Type: messages.StringField, Required: true},
		{Name: "size", Type: messages.NumberField, Default: 2.0},
		{Name: "loud", Type: messages.BooleanField},
		{Name: "colour", Type: messages.EnumField, Options: []string{"red", "blue"}},
	}}
	plan := messages.Asked{Ask: "a", Kind: messages.AskPlan, Choices: yesOrNo}
	stated := messages.Chosen{Options: []string{"files"}, Text: "for now"}
	of := func(options ...string) messages.Chosen { return messages.Chosen{Options: options} }
	values := func(pairs ...any) messages.Answer {
		answer := messages.Answer{Choice: messages.Yes, Values: map[string]any{}}
		for i := 0; i < len(pairs); i += 2 {
			answer.Values[pairs[i].(string)] = pairs[i+1]
		}
		return answer
	}
	for name, one := range map[string]struct {
		asked        messages.Asked
		answer, want messages.Answer
		err          string
	}{
		"what is left out is stated": {
			choice,
			messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("sqlite")}},
			messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("sqlite"), stated, stated}},
			"",
		},
		"several, and own words": {
			choice,
			messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{}, of("files", "sqlite"), {Text: "a pipe"}}},
			messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{stated, of("files", "sqlite"), {Text: "a pipe"}}},
			"",
		},
		"no is no answer": {
			choice,
			messages.Answer{Choice: messages.No, Text: "later", Chosen: []messages.Chosen{of("sqlite")}},
			messages.Answer{Choice: messages.No, Text: "later", Chosen: []messages.Chosen{stated, stated, stated}},
			"",
		},
		"always is no answer":  {choice, messages.Answer{Choice: messages.Always}, messages.Answer{}, "not offered"},
		"a stranger":           {choice, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("pigeon")}}, messages.Answer{}, `question 1: "pigeon" is not one of the options of this question`},
		"two of one":           {choice, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("sqlite", "files")}}, messages.Answer{}, "only one"},
		"one twice":            {choice, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{}, of("files", "files")}}, messages.Answer{}, "question 2: \"files\" is chosen twice"},
		"words that none want": {choice, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{Text: "x"}}}, messages.Answer{}, "only its options"},
		"too many":             {choice, messages.Answer{Choice: messages.Yes, Chosen: make([]messages.Chosen, 4)}, messages.Answer{}, "4 answers to 3 questions"},
		"a form":               {form, values("name", "alex", "loud", true, "colour", "blue"), values("name", "alex", "size", 2.0, "loud", true, "colour", "blue"), ""},
		"a form without":       {form, values("size", 3.0), messages.Answer{}, "name is required"},
		"an empty name":        {form, values("name", ""), messages.Answer{}, `name: "" is no string`},
		"a number as text":     {form, values("name", "a", "size", "3"), messages.Answer{}, `size: "3" is no number`},
		"no such colour":       {form, values("name", "a", "colour", "green"), messages.Answer{}, `colour: "green" is not one of red, blue`},
		"no such field":        {form, values("name", "a", "age", 3.0), messages.Answer{}, `no field "age"`},
		"something nested":     {form, values("name", map[string]any{"a": 1.0}), messages.Answer{}, "is no string"},
		"nobody fills it in":   {form, messages.Answer{Choice: messages.No}, messages.Answer{Choice: messages.No, Values: map[string]any{"size": 2.0}}, ""},
		"a plan":               {plan, messages.Answer{Choice: messages.Yes}, messages.Answer{Choice: messages.Yes, Mode: messages.ApproveEdits}, ""},
		"a plan, asking":       {plan, messages.Answer{Choice: messages.Yes, Mode: messages.ApproveAsk}, messages.Answer{Choice: messages.Yes, Mode: messages.ApproveAsk}, ""},
		"a plan for anything":  {plan, messages.Answer{Choice: messages.Yes, Mode: messages.ApproveAll}, messages.Answer{}, `cannot run in mode "all"`},
		"a plan in words":      {plan, messages.Answer{Choice: messages.No, Text: "shorter", Mode: messages.ApproveEdits}, messages.Answer{Choice: messages.No, Text: "shorter"}, ""},
	} {
		got, err := one.asked.CompleteAnswer(one.answer)
		switch {
		case one.err == "" && (err != nil || !reflect.DeepEqual(got, one.want)):
			t.Errorf("%s: %+v, %v", name, got, err)
		case one.err != "" && (err == nil || !strings.Contains(err.Error(), one.err)):
			t.Errorf("%s: %v, want %q", name, err, one.err)
		}
	}
}
