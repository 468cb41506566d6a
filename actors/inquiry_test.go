package actors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/agents"
	"marvin/tools/ask"
	"marvin/tools/plan"
)

var talking = &actors.Policy{Coding: true, Person: true}

// wonders is a call that asks one question, with a default.
func wonders(question, stated string) modeltest.Call {
	return modeltest.Call{Name: "ask_user", Args: map[string]any{"questions": []map[string]any{{"question": question, "options": []string{"sqlite", "files"}, "default": []string{stated}}}}}
}

// answers makes calls and then repeats their results.
func answers(t *testing.T, calls ...modeltest.Call) *modeltest.Server {
	return modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role != messages.Tool {
			return modeltest.Calls(calls...)
		}
		var results []string
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				results = append(results, message.Result.Text)
			}
		}
		return modeltest.Text(strings.Join(results, "\n"))
	})
}

func TestAQuestionIsAnswered(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, wonders("Where?", "files")), Tools: ask.Tools(), Policy: talking})
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	if asked.Kind != messages.AskChoice || asked.Title != "Where?" || len(asked.Questions) != 1 || time.Until(asked.Deadline) < 9*time.Minute {
		t.Errorf("asked %+v", asked)
	}
	tree.Client.Send(messages.Request{ID: "wrong", Op: messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{"pigeon"}}}}})
	if refused := actorstest.ReadUntil[messages.Refused](tree); refused.Request != "wrong" || !strings.Contains(refused.Err, `"pigeon" is not one of the options of this question`) {
		t.Errorf("%+v", refused)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{"sqlite"}}}})
	if answered := actorstest.ReadUntil[messages.Answered](tree); answered.Default || answered.Chosen[0].String() != "sqlite" {
		t.Errorf("%+v", answered)
	}
	if turn := tree.Finish(); turn.Ended.Text != "The user answers:\nWhere? → sqlite" {
		t.Errorf("%+v", turn.Ended)
	}
}

func TestUnusableStatement(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, wonders("Where?", "files")), Tools: ask.Tools()})
	turn := tree.Prompt("go")
	if !strings.HasPrefix(turn.Ended.Text, "No answer: there is no user to ask.") || !strings.HasSuffix(turn.Ended.Text, "Where? → files") {
		t.Errorf("%q", turn.Ended.Text)
	}
	notices := actorstest.TurnEvents[messages.Notice](turn)
	if len(notices) != 1 || notices[0].Text != "Where?: there is no user to ask; taken as stated: files." || len(actorstest.TurnEvents[messages.Asked](turn)) > 0 {
		t.Errorf("%s", actorstest.Lines(turn.Events))
	}
}

// brief is a tool that asks with a very short time limit.
func brief(wait time.Duration, inquiry tools.Inquiry) tools.Tool {
	inquiry.Wait = wait
	return tools.New(tools.Def[sayArgs]{
		Name: "wonder", Doc: "Asks the person something.", Timeout: time.Hour, Pool: tools.Agent, Places: func(tools.Env, sayArgs) []tools.Place { return []tools.Place{tools.ThePerson} },
		Run: func(ctx context.Context, env tools.Env, in sayArgs) (tools.Output, error) {
			inquiry.Title = "Wonder " + in.Text
			reply, err := env.Ask(ctx, inquiry)
			if err != nil {
				return tools.Output{}, err
			}
			return tools.Output{Text: fmt.Sprintf("%s %v %v %q", reply.Choice, reply.Chosen, reply.Values, reply.Unanswered)}, nil
		},
	})
}

var where = tools.Inquiry{Kind: messages.AskChoice, Questions: []messages.Question{{Text: "Where?", Default: []string{"here"}}}}

func wonder(text string) modeltest.Call {
	return modeltest.Call{Name: "wonder", Args: map[string]string{"text": text}}
}

// A client that does not know a kind of question does not answer, and the turn continues after the
// deadline with the default.
func TestAtItsDeadlineWhatIsStatedIsTaken(t *testing.T) {
	form := tools.Inquiry{Kind: messages.AskForm, Fields: []messages.Field{{Name: "name", Type: messages.StringField, Required: true}, {Name: "size", Type: messages.NumberField, Default: 2.0}}}
	for _, one := range []struct {
		inquiry    tools.Inquiry
		told, says string
	}{
		{where, `no [here] map[] "nobody answered within 10ms"`, "Wonder a: nobody answered within 10ms; taken as stated: here."},
		{form, `no [] map[size:2] "nobody answered within 10ms"`, "Wonder a: nobody answered within 10ms; taken as stated: size 2."},
		{tools.Inquiry{Kind: messages.AskPlan}, `no [] map[] "nobody answered within 10ms"`, "Wonder a: nobody answered within 10ms; the call does not run."},
	} {
		tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, wonder("a")), Tools: []tools.Tool{brief(10*time.Millisecond, one.inquiry)}, Policy: talking})
		turn := tree.Prompt("go")
		if turn.Ended.Text != one.told {
			t.Errorf("%s: %q", one.inquiry.Kind, turn.Ended.Text)
		}
		answered, notices := actorstest.TurnEvents[messages.Answered](turn), actorstest.TurnEvents[messages.Notice](turn)
		if len(answered) != 1 || !answered[0].Default || len(notices) != 1 || notices[0].Text != one.says {
			t.Errorf("%s: %s", one.inquiry.Kind, actorstest.Lines(turn.Events))
		}
	}
}

func TestQuestionsComeOneAfterAnother(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, wonder("a"), wonder("b")), Tools: []tools.Tool{brief(time.Hour, where)}, Policy: talking})
	tree.Client.Send(messages.Say("go"))
	first := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Attend{Ask: first.Ask})
	again := actorstest.ReadUntil[messages.Asked](tree) // not the second question
	if first.Title != "Wonder a" || first.Position != 1 || first.Total != 2 || again.Ask != first.Ask || !again.Deadline.After(first.Deadline) {
		t.Errorf("%+v, then %+v", first, again)
	}
	tree.Client.Send(messages.Request{ID: "r", Op: messages.Attend{Ask: "none"}})
	if refused := actorstest.ReadUntil[messages.Refused](tree); !strings.Contains(refused.Err, "none") {
		t.Errorf("%+v", refused)
	}
	tree.Client.Send(messages.Answer{Ask: first.Ask, Choice: messages.No})
	second := actorstest.ReadUntil[messages.Asked](tree)
	if second.Title != "Wonder b" || second.Deadline.Before(again.Deadline) {
		t.Errorf("%+v", second)
	}
	tree.Client.Send(messages.Answer{Ask: second.Ask, Choice: messages.Yes})
	if turn := tree.Finish(); turn.Ended.Text != "no [here] map[] \"\"\nyes [here] map[] \"\"" {
		t.Errorf("%+v", turn.Ended)
	}
}

func TestACancelTakesAQuestionBack(t *testing.T) {
	server := modeltest.Start(t, modeltest.Calls(wonder("a")), modeltest.Calls(wonder("b")), modeltest.Text("done"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{brief(time.Hour, where)}, Policy: talking})
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Cancel{})
	if answered := actorstest.ReadUntil[messages.Answered](tree); answered.Ask != asked.Ask {
		t.Errorf("%+v", answered)
	}
	if turn := tree.Finish(); turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("%+v", turn.Ended)
	}
	tree.Client.Send(messages.Say("again"))
	if asked = actorstest.ReadUntil[messages.Asked](tree); asked.Title != "Wonder b" {
		t.Errorf("%+v", asked)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	if turn := tree.Finish(); turn.Ended.Text != "done" {
		t.Errorf("%+v", turn.Ended)
	}
}

// Questions of sub-agents reach the user with their names.
func TestSubAgentsAskUser(t *testing.T) {
	for name, policy := range map[string]actors.Policy{"a person": *talking, "nobody": {Coding: true}} {
		server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
			last := request.Last()
			switch {
			case last.Role == messages.Tool:
				return modeltest.Text(last.Result.Text)
			case last.Text == "go":
				return modeltest.Calls(modeltest.Call{Name: "launch_agent", Args: map[string]any{"tasks": []map[string]string{{"prompt": "find a store", "name": "scout"}}}})
			}
			return modeltest.Calls(wonders("Where?", "files"))
		})
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: t.TempDir(), Tools: append(agents.New(nil, nil).Tools(), ask.Tools()...), Policy: &policy})
		tree.Client.Send(messages.Say("go"))
		want := "Where? → files"
		if policy.Person {
			want = "Where? → in their own words: in a pipe"
			asked := actorstest.ReadUntil[messages.Asked](tree)
			if asked.Title != "Where? (sub-agent scout)" || asked.Kind != messages.AskChoice || asked.Deadline.IsZero() {
				t.Errorf("%s: %+v", name, asked)
			}
			tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Chosen: []messages.Chosen{{Text: "in a pipe"}}})
		} else if notice := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(notice.Text, "Where? (sub-agent scout): there is no user to ask; taken as stated: files") {
			t.Errorf("%s: %+v", name, notice)
		}
		if turn := tree.Finish(); !strings.Contains(turn.Ended.Text, want) {
			t.Errorf("%s: %q", name, turn.Ended.Text)
		}
	}
}

func TestAPlanIsAcceptedChangedOrRefused(t *testing.T) {
	proposal := modeltest.Calls(modeltest.Call{Name: "propose_plan", Args: map[string]string{"plan": "1. say it"}})
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		last := request.Last()
		switch {
		case last.Role != messages.Tool:
			return proposal
		case strings.Contains(last.Result.Text, "accepts"):
			return modeltest.Calls(modeltest.Call{Name: "change", Args: map[string]string{"text": "x"}})
		case strings.Contains(last.Result.Text, "wants the plan changed"):
			return proposal
		}
		return modeltest.Text(last.Result.Text)
	})
	change := tools.New(tools.Def[sayArgs]{Name: "change", Doc: "Changes something.", Effect: tools.Writes, Run: sayFunc(func(in sayArgs) string { return "changed " + in.Text })})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: t.TempDir(), Tools: append(plan.Tools(), change), Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApprovePlan}})
	ask := func() messages.Asked {
		asked := actorstest.ReadUntil[messages.Asked](tree)
		if asked.Kind != messages.AskPlan || asked.Detail != "1. say it" || asked.Deadline.IsZero() {
			t.Errorf("%+v", asked)
		}
		return asked
	}
	tree.Client.Send(messages.Say("go"))
	tree.Client.Send(messages.Answer{Ask: ask().Ask, Choice: messages.No})
	if turn := tree.Finish(); !strings.HasPrefix(turn.Ended.Text, "The user refuses the plan.") {
		t.Errorf("%+v", turn.Ended)
	}
	tree.Client.Send(messages.Say("go"))
	tree.Client.Send(messages.Answer{Ask: ask().Ask, Choice: messages.No, Text: "say it twice"})
	tree.Client.Send(messages.Answer{Ask: ask().Ask, Choice: messages.Yes})
	if mode := actorstest.ReadUntil[messages.ModeChanged](tree); mode.Approval != messages.ApproveEdits {
		t.Errorf("%+v", mode)
	}
	if turn := tree.Finish(); turn.Ended.Text != "changed x" {
		t.Errorf("%+v", turn.Ended)
	}
	requests := server.Requests()
	system, last := requests[0].Messages[0].Text, requests[len(requests)-1]
	offered := slices.ContainsFunc(requests[0].Tools, func(tool modeltest.Tool) bool { return tool.Name == "propose_plan" })
	if !strings.Contains(system, "The user wants a plan first") || !offered || strings.Contains(string(last.Raw), "no longer applies") {
		t.Errorf("%t, %s", offered, system)
	}
	tree.Client.Send(messages.Say("go")) // the model forgot that it is not in plan mode
	if turn := tree.Finish(); !strings.Contains(turn.Ended.Text, "the user has not asked for a plan") {
		t.Errorf("%+v", turn.Ended)
	}
	requests = server.Requests()
	if raw := string(requests[len(requests)-1].Raw); !strings.Contains(raw, "This no longer applies: planning.") {
		t.Errorf("the model is not told: %s", raw)
	}
}

func TestAQuestionWaitsBehindConsent(t *testing.T) {
	careful := tools.New(tools.Def[sayArgs]{
		Name: "careful", Doc: "Asks before it runs.", Places: func(tools.Env, sayArgs) []tools.Place { return nil },
		Confirm: func(tools.Env, sayArgs) (string, string) { return "Do it?", "it" }, Run: sayFunc(func(in sayArgs) string { return in.Text }),
	})
	tree := actorstest.Start(t, actorstest.Setup{
		Server: answers(t, modeltest.Call{Name: "careful", Args: map[string]string{"text": "done"}}, wonder("b")),
		Tools:  []tools.Tool{careful, brief(time.Hour, where)}, Policy: talking,
	})
	tree.Client.Send(messages.Say("go"))
	consent := actorstest.ReadUntil[messages.Asked](tree)
	for range 200 { // long enough for the event to arrive
		tree.Client.Send(messages.Request{ID: "r", Op: messages.Attend{Ask: "call_0_1-ask-1"}})
		actorstest.ReadUntil[messages.Refused](tree)
	}
	if told := actorstest.Pick[messages.Asked](tree.Seen); len(told) != 1 || consent.Kind != messages.AskConsent {
		t.Errorf("told at once: %+v", told)
	}
	tree.Client.Send(messages.Answer{Ask: consent.Ask, Choice: messages.Yes})
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	if turn := tree.Finish(); asked.Title != "Wonder b" || turn.Ended.Text != "done\nyes [here] map[] \"\"" {
		t.Errorf("%+v, %+v", asked, turn.Ended)
	}
}

// Questions of one reply come in the order of the reply.
func TestQuestionsOfTheModelComeInOrder(t *testing.T) {
	var calls []modeltest.Call
	for i := range 6 {
		calls = append(calls, wonders(fmt.Sprint("Number ", i), "files"))
	}
	tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, calls...), Tools: ask.Tools(), Policy: talking})
	tree.Client.Send(messages.Say("go"))
	for i := range calls {
		asked := actorstest.ReadUntil[messages.Asked](tree)
		if asked.Title != fmt.Sprint("Number ", i) || asked.Position != i+1 {
			t.Errorf("question %d is %+v", i, asked)
		}
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	}
	tree.Finish()
}

// A job can ask a question after its call and its turn have ended. The question has a deadline,
// accepts an answer, and is withdrawn when the job ends.
func TestAJobAsksBehindItsCall(t *testing.T) {
	type asked struct {
		reply tools.Reply
		err   error
	}
	later, replies := make(chan tools.Asker, 1), make(chan asked, 1)
	begins := tools.New(tools.Def[sayArgs]{Name: "begin", Doc: "Begins a job.", Run: func(_ context.Context, env tools.Env, _ sayArgs) (tools.Output, error) {
		later <- env.AskLater
		return tools.Output{Text: "begun"}, nil
	}})
	tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, modeltest.Call{Name: "begin", Args: map[string]any{"text": "x"}}), Tools: []tools.Tool{begins}, Policy: talking})
	tree.Prompt("go")
	ask := <-later
	pose := func(ctx context.Context) messages.Asked {
		go func() {
			reply, err := ask(ctx, tools.Inquiry{Kind: messages.AskChoice, Title: "Let job cmd-1 speak?", Wait: time.Minute, Questions: []messages.Question{{Text: "May it?", Options: []messages.Option{{Label: "once"}, {Label: "no"}}}}})
			replies <- asked{reply, err}
		}()
		return actorstest.ReadUntil[messages.Asked](tree)
	}
	question := pose(t.Context())
	if question.Title != "Let job cmd-1 speak?" || time.Until(question.Deadline) > time.Minute {
		t.Errorf("%+v", question)
	}
	tree.Client.Send(messages.Answer{Ask: question.Ask, Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{"once"}}}})
	if came := <-replies; came.err != nil || came.reply.Choice != messages.Yes {
		t.Errorf("%+v", came)
	}
	actorstest.ReadUntil[messages.Answered](tree)
	ctx, over := context.WithCancel(t.Context())
	question = pose(ctx)
	over()
	if gone := actorstest.ReadUntil[messages.Answered](tree); gone.Ask != question.Ask || gone.Choice != messages.No {
		t.Errorf("%+v", gone)
	}
	if came := <-replies; came.err == nil {
		t.Errorf("%+v", came)
	}
}
