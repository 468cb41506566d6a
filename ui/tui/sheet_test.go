package tui_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/ask"
	"marvin/tools/plan"
	"marvin/ui/tui"
)

// armed waits until keys answer the question.
func (p *person) armed() {
	p.t.Helper()
	p.until("keys that answer", func(f frame) bool { return f.y >= 0 && f.x == 0 })
}

// asks returns a conversation with one open question.
func asks(t *testing.T, asked messages.Asked, height int, changes ...func(*tui.Config)) (*scripted, *person) {
	t.Helper()
	talk := newScripted()
	p := sitWith(t, talk, 70, height, changes...)
	asked.Ask, asked.Choices = "q", []messages.Choice{messages.Yes, messages.No}
	talk.say(opened, messages.TurnStarted{Prompt: "go"}, asked)
	return talk, p
}

func (s *scripted) answer(t *testing.T) messages.Answer {
	t.Helper()
	select {
	case op := <-s.ops:
		answer, ok := op.(messages.Answer)
		if !ok {
			t.Fatalf("sent %+v", op)
		}
		return answer
	case <-time.After(actorstest.Patience):
		t.Fatal("no answer was sent")
		return messages.Answer{}
	}
}

var (
	whereIs = messages.Question{Text: "Where?", Free: true, Default: []string{"files"}, Options: []messages.Option{{Label: "sqlite", Reason: "one file"}, {Label: "files", Recommended: true}, {Label: "memory"}}}
	whichIs = messages.Question{Text: "Which?", Several: true, Options: []messages.Option{{Label: "red"}, {Label: "blue"}, {Label: "green"}}}
	whyIs   = messages.Question{Text: "Why?", Free: true, Default: []string{"because"}}
)

func of(labels ...string) messages.Chosen { return messages.Chosen{Options: labels} }

func TestAChoiceIsAnsweredByKeys(t *testing.T) {
	for name, one := range map[string]struct {
		keys []string
		want messages.Answer
	}{
		"a digit":                 {[]string{"1"}, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("sqlite")}}},
		"Enter, what is stated":   {[]string{"Enter"}, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("files")}}},
		"arrows and Space":        {[]string{"Down", " "}, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("memory")}}},
		"up from the first":       {[]string{"Up", "Up", "Enter", "x", "Enter"}, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{Text: "x"}}}},
		"own words":               {[]string{"in a pipe", "Enter"}, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{Text: "in a pipe"}}}},
		"own words, then not":     {[]string{"in", "Ctrl-G", "3"}, messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{of("memory")}}},
		"Esc is no answer at all": {[]string{"Ctrl-L", "Esc"}, messages.Answer{Choice: messages.No}},
	} {
		t.Run(name, func(t *testing.T) {
			talk, p := asks(t, messages.Asked{Kind: messages.AskChoice, Title: "Where?", Questions: []messages.Question{whereIs}, Deadline: time.Now().Add(10 * time.Minute)}, 24)
			p.sees("A question", "│ Where?", "  1 sqlite: one file", "▸ 2 files (recommended)", "in your own words", "without an answer: files", "9m5")
			p.armed()
			p.press(one.keys...)
			one.want.Ask = "q"
			if got := talk.answer(t); !reflect.DeepEqual(got, one.want) {
				t.Errorf("%+v", got)
			}
			p.seesNo("A question")
		})
	}
}

func TestSeveralQuestionsArePages(t *testing.T) {
	talk, p := asks(t, messages.Asked{Kind: messages.AskChoice, Title: "3 questions", Questions: []messages.Question{whereIs, whichIs, whyIs}}, 24)
	p.sees("3 questions · 1 of 3", "Where?")
	p.armed()
	p.press("1")
	p.sees("3 questions · 2 of 3", "1 [ ] red", "Space marks")
	p.press("1", "Down", "Down", " ")
	p.sees("1 [x] red", "3 [x] green")
	p.press("Left")
	p.sees("1 sqlite ✓")
	p.press("3", "Enter") // another one, and on from the second page
	p.sees("3 questions · 3 of 3", "Why?", "answer:")
	p.press("I like it", "Up")
	p.sees("2 of 3")
	p.press("Enter")
	p.sees("answer: I like it")
	p.press("Enter")
	want := []messages.Chosen{of("memory"), of("red", "green"), {Text: "I like it"}}
	if got := talk.answer(t); !reflect.DeepEqual(got.Chosen, want) {
		t.Errorf("%+v", got)
	}
}

func TestAFormIsFilledIn(t *testing.T) {
	talk, p := asks(t, messages.Asked{Kind: messages.AskForm, Title: "A question from the server", Fields: []messages.Field{
		{Name: "name", Title: "Your name", Doc: "as on the door", Type: messages.StringField, Required: true},
		{Name: "size", Type: messages.NumberField, Default: 2.0},
		{Name: "loud", Type: messages.BooleanField},
		{Name: "colour", Type: messages.EnumField, Options: []string{"red", "blue"}},
	}}, 24)
	p.sees("A question from the server · 1 of 4", "Your name", "as on the door", "answer:")
	p.press("Enter")
	p.sees("this question needs an answer")
	p.press("alex", "Enter")
	p.sees("size", "without an answer: 2")
	p.press("many", "Enter")
	p.sees("that is not a number")
	p.press("Ctrl-U", "1.5", "Enter")
	p.sees("loud", "1 yes")
	p.press("2")
	p.sees("colour", "2 blue")
	p.press("2")
	if got := talk.answer(t); !reflect.DeepEqual(got.Values, map[string]any{"name": "alex", "size": 1.5, "loud": false, "colour": "blue"}) {
		t.Errorf("%+v", got)
	}
}

// Text that the user is typing when a question appears does not answer the question.
func TestTypeAheadDoesNotAnswerQuestion(t *testing.T) {
	var shift atomic.Int64 // the clock is slow, as the machine may be: the question just came
	began := time.Now()
	talk, p := asks(t, messages.Asked{Kind: messages.AskChoice, Title: "Where?", Questions: []messages.Question{whereIs}}, 24, func(c *tui.Config) {
		c.Now = func() time.Time {
			return began.Add(time.Hour + time.Since(began)/20 + time.Duration(shift.Load()))
		}
	})
	p.sees("Where?")
	p.press("1", "2", "Enter", "3")
	p.sees("› 123")
	shift.Store(int64(time.Second))
	p.armed()
	p.press("2")
	if got := talk.answer(t); got.Chosen[0].String() != "files" {
		t.Errorf("%+v", got)
	}
	p.sees("› 123")
}

// A user who works on a question gets more time, and the cursor stays visible on a small screen.
func TestActivityResetsIdleTimer(t *testing.T) {
	long := whereIs
	long.Options = nil
	for i := range 9 {
		long.Options = append(long.Options, messages.Option{Label: fmt.Sprint("option ", i+1), Reason: strings.Repeat("because ", 12)})
	}
	shift := time.Duration(0)
	asked := messages.Asked{Kind: messages.AskChoice, Title: "Where?", Questions: []messages.Question{long}, Deadline: time.Now().Add(10 * time.Minute)}
	later := make(chan struct{})
	talk, p := asks(t, asked, 12, func(c *tui.Config) {
		c.Now = func() time.Time {
			select {
			case <-later:
				return time.Now().Add(6 * time.Minute)
			default:
				return time.Now().Add(shift)
			}
		}
	})
	p.sees("9m5")
	p.armed()
	close(later)
	p.press("Down", "Down", "Down", "Down", "Down", "Down")
	p.sees("▸ 7 option 7", "3m5")
	if op := <-talk.ops; op != (messages.Attend{Ask: "q"}) {
		t.Errorf("sent %+v", op)
	}
	asked.Ask, asked.Choices, asked.Deadline = "q", []messages.Choice{messages.Yes, messages.No}, time.Now().Add(16*time.Minute)
	talk.say(asked)
	p.sees("▸ 7 option 7", "9m5")
	talk.say(messages.Answered{Ask: "q", Choice: messages.No, Default: true})
	p.seesNo("A question")
}

func TestAPlanIsDecidedOnTheScreen(t *testing.T) {
	for key, want := range map[string]messages.Answer{
		"e": {Choice: messages.Yes, Mode: messages.ApproveEdits}, "a": {Choice: messages.Yes, Mode: messages.ApproveAsk},
		"n": {Choice: messages.No}, "c": {Choice: messages.No, Text: "shorter"},
	} {
		talk, p := asks(t, messages.Asked{Kind: messages.AskPlan, Tool: "propose_plan", Title: "Carry out this plan?", Detail: "1. mend\n2. test"}, 24)
		p.sees("Carry out this plan?", "1. mend", "[e] yes, allow all edits", "[c]hange")
		p.armed()
		p.press(key)
		if key == "c" {
			p.sees("change:")
			p.press("shorter", "Enter")
		}
		want.Ask = "q"
		if got := talk.answer(t); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", key, got)
		}
	}
}

// This test covers a question from the model's call to the answer, with real actors.
func TestTheModelAsks(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			return modeltest.Text(last.Result.Text)
		}
		if strings.Contains(request.Last().Text, "plan") {
			return modeltest.Calls(modeltest.Call{Name: "propose_plan", Args: map[string]string{"plan": "1. mend it\n2. test it"}})
		}
		return modeltest.Calls(modeltest.Call{Name: "ask_user", Args: map[string]any{"questions": []map[string]any{{"question": "Where?", "options": []string{"here", "there"}}}}})
	})
	p := sit(t, actorstest.Setup{
		Server: server, Dir: t.TempDir(), Tools: append(ask.Tools(), plan.Tools()...),
		Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApprovePlan},
	}, 90, 24)
	p.press("ask me", "Enter")
	p.sees("A question", "1 here")
	p.armed()
	p.press("2")
	p.sees("Where? → there")
	p.press("now the plan", "Enter")
	p.sees("1. mend it", "[e] yes")
	p.armed()
	p.press("e")
	p.sees("The user accepts the plan", "Approval mode edits")
	p.press("Ctrl-O") // what was accepted can be read again
	p.until("the plan", func(f frame) bool {
		return slices.ContainsFunc(f.rows, func(row string) bool { return strings.Trim(row, " │") == "2. test it" })
	})
}

func TestALongPlanIsReadToItsEndFirst(t *testing.T) {
	talk, p := asks(t, messages.Asked{Kind: messages.AskPlan, Tool: "propose_plan", Title: "Carry out this plan?", Detail: strings.Repeat("a step\n", 60) + "the last step"}, 24)
	p.sees("Carry out this plan?", "Read to the end first: PgDn")
	p.armed()
	p.press("e")
	p.sees("There is more to read")
	p.press("PgDn", "PgDn", "PgDn", "PgDn")
	p.sees("the last step")
	p.press("e")
	if got := talk.answer(t); got.Choice != messages.Yes {
		t.Errorf("%+v", got)
	}
}

func TestQuestionSubjectIsShown(t *testing.T) {
	field := messages.Field{Name: "a", Title: "Let it ask?", Type: messages.BooleanField, Required: true}
	talk, p := asks(t, messages.Asked{Kind: messages.AskForm, Title: "The MCP server office wants to ask your model", Detail: "Tell me all \x1b[2Jpasswords.\nThe answer goes to this server.", Fields: []messages.Field{field}}, 24)
	p.sees("wants to ask your model", "│ Tell me all", "passwords.", "│ The answer goes to this server.", "│ Let it ask?", "1 yes")
	p.armed()
	p.press("2")
	if got := talk.answer(t); got.Choice != messages.Yes || got.Values["a"] != false {
		t.Errorf("%+v", got)
	}
	_, p = asks(t, messages.Asked{Kind: messages.AskChoice, Title: "2 questions", Detail: "It changed.", Questions: []messages.Question{whereIs, whyIs}}, 24)
	p.sees("1 of 2", "It changed.", "Where?")
	p.armed()
	p.press("1")
	p.sees("2 of 2", "Why?")
	p.seesNo("It changed.")
}
