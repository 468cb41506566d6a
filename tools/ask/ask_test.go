package ask_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/ask"
)

// put calls the tool. The user's reply is answer.
func put(t *testing.T, args string, answer messages.Answer, unanswered string) (asked tools.Inquiry, told string, err error) {
	t.Helper()
	asked, output, err := putWhole(t, args, answer, unanswered)
	return asked, output.Text, err
}

func putWhole(t *testing.T, args string, answer messages.Answer, unanswered string) (asked tools.Inquiry, output tools.Output, err error) {
	t.Helper()
	call, err := ask.Tools()[0].Decode(json.RawMessage(args))
	if err != nil {
		return asked, output, err
	}
	output, err = call.Run(context.Background(), tools.Env{Conversation: tools.Conversation{Ask: func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		asked = inquiry
		question := messages.Asked{Kind: inquiry.Kind, Choices: []messages.Choice{messages.Yes, messages.No}, Questions: inquiry.Questions}
		if unanswered != "" {
			return tools.Reply{Answer: question.Stated(), Unanswered: unanswered}, nil
		}
		whole, err := question.CompleteAnswer(answer)
		return tools.Reply{Answer: whole}, err
	}}})
	return asked, output, err
}

const where = `{"questions":[{"question":"Where?","options":[{"label":"sqlite","reason":"one file","recommended":true},{"label":"files"}],"default":["files"]}]}`

func TestQuestionOutcome(t *testing.T) {
	yes := func(chosen ...messages.Chosen) messages.Answer {
		return messages.Answer{Choice: messages.Yes, Chosen: chosen}
	}
	two := `{"questions":[{"question":"Where?","options":[{"label":"here"},{"label":"there"}]},{"question":"Why?"}]}`
	for name, one := range map[string]struct {
		args       string
		answer     messages.Answer
		unanswered string
		want       string
	}{
		"an option":         {where, yes(messages.Chosen{Options: []string{"sqlite"}}), "", "The user answers:\nWhere? → sqlite"},
		"only its options":  {where, yes(messages.Chosen{Text: "in a pipe"}), "", "The user answers:\nWhere? → in their own words: in a pipe"},
		"no answer":         {where, messages.Answer{Choice: messages.No}, "", "The user was asked but did not answer. Your default applies; continue with it.\nWhere? → files"},
		"something else":    {where, messages.Answer{Choice: messages.No, Text: "leave it"}, "", "The user did not answer the questions, but wrote this instead: leave it\n"},
		"nobody":            {where, messages.Answer{}, "there is no user to ask", "No answer: there is no user to ask. Your default applies; continue with it, and say so in your answer.\nWhere? → files"},
		"nothing is stated": {two, yes(messages.Chosen{Options: []string{"here"}}), "", "The user answers:\n1. Where? → here\n2. Why? → there is no default; choose the option that is easiest to undo"},
	} {
		if _, told, err := put(t, one.args, one.answer, one.unanswered); err != nil || told != one.want {
			t.Errorf("%s: %q, %v", name, told, err)
		}
	}
}

func TestAQuestionAsModelsWriteIt(t *testing.T) {
	const want = "Where?\n  sqlite (recommended): one file\n  files\n  without an answer: sqlite"
	for _, args := range []string{
		`{"questions":[{"question":"Where?","options":[{"label":"sqlite","reason":"one file","recommended":true},{"label":"files"}]}]}`,
		`{"questions":[{"question":"Where?","header":"Store","multiSelect":false,"options":[{"label":"sqlite","description":"one file","recommended":true},"files"]}]}`,
		`{"question":"Where?","choices":[{"value":"sqlite","why":"one file","recommended":true},{"name":"files"}],"default":"SQLite"}`,
		`{"questions":"[{\"text\":\"Where?\",\"options\":[{\"label\":\"sqlite\",\"reason\":\"one file\",\"recommended\":true},{\"label\":\"files\"}]}]"}`,
	} {
		asked, _, err := put(t, args, messages.Answer{Choice: messages.No}, "")
		if err != nil || asked.Detail != want || asked.Title != "Where?" || asked.Wait != 10*time.Minute || !asked.Questions[0].Free {
			t.Errorf("%s: %v\n%+v", args, err, asked)
		}
	}
	asked, _, err := put(t, `{"questions":"What now?","minutes":"3"}`, messages.Answer{Choice: messages.No}, "")
	if err != nil || len(asked.Questions) != 1 || asked.Questions[0].Text != "What now?" || asked.Wait != 3*time.Minute {
		t.Errorf("%+v, %v", asked, err)
	}
}

func TestUnanswerableQuestionIsNotAsked(t *testing.T) {
	for args, want := range map[string]string{
		`{"questions":[]}`:                                    "there is no question",
		`{"questions":[{"question":" "}]}`:                    "question 1: it has no words",
		`{"questions":["a","b","c","d","e","f","g","h","i"]}`: "9 questions",
		`{"questions":[{"question":"a","options":["1","2","3","4","5","6","7","8","9","10"]}]}`:                          "10 options",
		`{"questions":[{"question":"a","options":["x","X"]}]}`:                                                           `two options are called "X"`,
		`{"questions":[{"question":"a","options":[{"label":"x","recommended":true},{"label":"y","recommended":true}]}]}`: "only one option may be marked as recommended",
		`{"questions":[{"question":"a","options":["x","y"],"default":["x","y"]}]}`:                                       `"default" has more than one`,
		`{"questions":[{"question":"a","options":[{"label":""}]}]}`:                                                      "has no label",
		`{"questions":[7]}`: "Example",
		`{}`:                "questions is required",
	} {
		if asked, _, err := put(t, args, messages.Answer{}, ""); err == nil || !strings.Contains(err.Error(), want) || asked.Kind != "" {
			t.Errorf("%s: %v, %+v", args, err, asked)
		}
	}
	asked, _, err := put(t, `{"questions":["\u001b]0;owned\u0007`+strings.Repeat("ü", 2000)+`"]}`, messages.Answer{Choice: messages.No}, "")
	if text := asked.Title; err != nil || strings.ContainsAny(text, "\x1b\a") || len(text) > 1100 {
		t.Errorf("%.80q, %v", text, err)
	}
}

// The calls of one reply ask in order, because each of them uses the place of the user. Otherwise
// their order would be random (actors TestQuestionsOfTheModelComeInOrder).
func TestQuestionTakesFocus(t *testing.T) {
	call, err := ask.Tools()[0].Decode(json.RawMessage(`{"questions":[{"question":"Which?","options":["a","b"],"default":"a"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if places := call.Places(tools.Env{}); len(places) != 1 || places[0] != tools.ThePerson || !places[0].Write {
		t.Errorf("it takes %+v", places)
	}
}

// The line about the call already contains the question, so its result contains only the answer.
func TestTheLineAboutAQuestionHasTheAnswerAlone(t *testing.T) {
	two := `{"questions":[{"question":"Where?"},{"question":"Why?"}]}`
	for _, row := range []struct {
		args   string
		answer messages.Answer
		want   string
	}{
		{where, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{"sqlite"}}}}, "sqlite"},
		{two, messages.Answer{Choice: messages.No}, "no answer"},
	} {
		if _, output, err := putWhole(t, row.args, row.answer, ""); err != nil || output.Summary != row.want {
			t.Errorf("%s: %q, %v", row.args, output.Summary, err)
		}
	}
}
