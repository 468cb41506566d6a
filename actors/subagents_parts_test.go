package actors

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// What a person wishes of a sub-agent is done to one that works, and said of others.
func TestWhatIsDoneToASubAgent(t *testing.T) {
	for name, test := range map[string]struct {
		one     *member
		wish    messages.VisitAgent
		none    bool
		away    bool
		said    []string
		stopped bool
	}{
		"there are none":         {none: true, wish: messages.VisitAgent{Agent: 1}, said: []string{"warning: " + noSuchAgent}},
		"more of none":           {none: true, wish: messages.VisitAgent{Agent: 1, More: true}},
		"below the first":        {one: &member{}, wish: messages.VisitAgent{Agent: 0}, said: []string{"warning: " + noSuchAgent}},
		"behind the last":        {one: &member{}, wish: messages.VisitAgent{Agent: 2}, said: []string{"warning: " + noSuchAgent}},
		"it has not begun":       {wish: messages.VisitAgent{Agent: 1}, said: []string{"warning: " + agentWaits}},
		"it waits, and stops":    {one: &member{state: messages.AgentWaiting}, wish: messages.VisitAgent{Agent: 1, Stop: true}, said: []string{"warning: " + agentWaits}},
		"it waits, and is shown": {one: &member{number: 1, state: messages.AgentWaiting}, wish: messages.VisitAgent{Agent: 1}, said: []string{"1 shown as waiting"}},
		"it is shown":            {one: &member{number: 1, state: messages.AgentEnded}, wish: messages.VisitAgent{Agent: 1}, said: []string{"1 shown as ended"}},
		"more, while it works":   {one: &member{number: 1, state: messages.AgentWorking}, wish: messages.VisitAgent{Agent: 1, More: true}},
		"more, of one that ended": {
			one: &member{number: 1, state: messages.AgentFailed}, wish: messages.VisitAgent{Agent: 1, More: true}, said: []string{"1 shown as failed"},
		},
		"more, and there is": {
			one: &member{number: 1, state: messages.AgentWorking, told: account{number: 3}}, wish: messages.VisitAgent{Agent: 1, More: true}, said: []string{"1 shown as working"},
		},
		"it ended, and stops":  {one: &member{state: messages.AgentEnded}, wish: messages.VisitAgent{Agent: 1, Stop: true}, said: []string{"warning: " + noSuchAgent}},
		"it works, and stops":  {one: &member{state: messages.AgentWorking}, wish: messages.VisitAgent{Agent: 1, Stop: true}, said: []string{"member Quit"}, stopped: true},
		"it asks, and stops":   {one: &member{state: messages.AgentAsking}, wish: messages.VisitAgent{Agent: 1, Stop: true}, said: []string{"member Quit"}, stopped: true},
		"elsewhere, and stops": {one: &member{state: messages.AgentWorking}, away: true, wish: messages.VisitAgent{Agent: 1, Stop: true}, stopped: true},
	} {
		w := newTeller(t)
		session := w.hears("member")
		ended := false
		if test.one != nil && test.away {
			test.one.stop = func() { ended = true }
		} else if test.one != nil {
			test.one.pid = session
		}
		s := &subAgents{members: []*member{test.one}}
		if test.none {
			s = nil
		}
		said := w.during(func(c actor.Context) { s.visit(c, test.wish) }, session)
		if !slices.Equal(said, test.said) || ended != test.away {
			t.Errorf("%s: said %q, ended %v", name, said, ended)
		}
		if test.one != nil && test.one.stopped != test.stopped {
			t.Errorf("%s: stopped: %v", name, test.one.stopped)
		}
	}
}

// How a sub-agent ended is what it reported, or else why it could not.
func TestHowASubAgentEnded(t *testing.T) {
	reported := tools.Report{Outcome: messages.Incomplete, Text: "half", Err: "cut"}
	for name, test := range map[string]struct {
		one       member
		dismissed bool
		report    tools.Report
		state     messages.AgentState
	}{
		"it reported":             {one: member{report: reported}, report: reported, state: messages.AgentStopped},
		"it reported, and all go": {one: member{report: reported, stopped: true}, dismissed: true, report: reported, state: messages.AgentStopped},
		"it completed":            {one: member{report: tools.Report{Outcome: messages.Completed}}, report: tools.Report{Outcome: messages.Completed}, state: messages.AgentEnded},
		"it is lost":              {report: tools.Report{Outcome: messages.Failed, Text: "so far", Err: "it ended unexpectedly"}, state: messages.AgentFailed},
		"all go":                  {dismissed: true, report: tools.Report{Outcome: messages.Cancelled, Text: "so far"}, state: messages.AgentStopped},
		"a person stopped it":     {one: member{stopped: true}, report: tools.Report{Outcome: messages.Cancelled, Text: "so far", Err: stoppedByPerson}, state: messages.AgentStopped},
		"a person, and all go":    {one: member{stopped: true}, dismissed: true, report: tools.Report{Outcome: messages.Cancelled, Text: "so far", Err: stoppedByPerson}, state: messages.AgentStopped},
	} {
		w := newTeller(t)
		session, caller := w.hears("member"), w.hears("caller")
		left := 0
		one := test.one
		one.number, one.leave = 1, func() { left++ }
		one.session = &sessionState{tainted: "read_web", said: &strings.Builder{}}
		one.session.said.WriteString("so far")
		s := &subAgents{members: []*member{&one, {}}, positions: map[string]int{session.Id: 0}, dismissed: test.dismissed, begun: 2, asks: map[string]question{
			"c.1.a": {member: &one, ask: "a"}, "c.2.a": {member: &member{}, ask: "a"},
		}}
		s.tasks, s.session = make([]tools.Task, 2), caller
		now := time.Now()
		s.config = &Config{Now: func() time.Time { return now }}
		one.begun = now.Add(-time.Minute)
		test.report.Took = time.Minute
		said := w.during(func(c actor.Context) {
			s.memberGone(c, task.Gone{Who: caller}) // who is none of them
			s.memberGone(c, task.Gone{Who: session})
		}, caller)
		if !reflect.DeepEqual(one.report, test.report) || one.state != test.state || left != 1 || s.ended != 1 || s.heard() != "read_web" {
			t.Errorf("%s: %+v is %s, left %d times, heard %q", name, one.report, one.state, left, s.heard())
		}
		if want := []string{fmt.Sprintf("1 is %s 0", test.state), "caller retract c.1.a"}; !slices.Equal(said, want) || len(s.asks) != 1 {
			t.Errorf("%s: said %q", name, said)
		}
	}
	var none *subAgents
	if none.heard() != "" || none.bound() != nil || none.asking() || none.spent().Turns != 0 {
		t.Error("a call without any heard something")
	}
}

// What is told of a task elsewhere only grows, and nothing is told behind its end.
func TestHowFarATaskElsewhereIs(t *testing.T) {
	w := newTeller(t)
	one := &member{number: 1, state: messages.AgentWorking}
	s := &subAgents{members: []*member{one}}
	s.config = &Config{Now: time.Now}
	said := w.during(func(c actor.Context) {
		for _, doing := range []tools.Doing{
			{Title: "shell\n", Rounds: 2, Usage: messages.Usage{Cost: 2, Turns: 1}}, {Title: "edit", Rounds: 1, Usage: messages.Usage{Cost: 1, Turns: 9}}, {Rounds: 3, Usage: messages.Usage{Cost: 2, Turns: 3}},
		} {
			s.awaySaid(c, awaySaid{doing: doing})
		}
		one.report.Outcome = messages.Completed
		s.awaySaid(c, awaySaid{doing: tools.Doing{Rounds: 8}})
	})
	if want := []string{"1 is working 2", "1 is working 2", "1 is working 3"}; !slices.Equal(said, want) || one.report.Usage.Turns != 3 {
		t.Errorf("said %q, used %+v", said, one.report.Usage)
	}
}

// What a task that is done elsewhere may not do, and cost, is what its caller may not either.
func TestWhatGoesWithATaskThatIsSentOut(t *testing.T) {
	everything := func(policy Policy) *subAgents {
		s := &subAgents{name: "call"}
		s.config = &Config{Models: Models{Fleet: struct{ Elsewhere }{}}}
		s.conversation = Conversation{Policy: policy, Spending: &Spending{}}
		s.conversation.Spending.pay(2)
		return s
	}
	for name, test := range map[string]struct {
		policy   Policy
		task     tools.Task
		readOnly bool
		tools    []string
		rounds   int
		cost     float64
		err      string
	}{
		"of somebody who may all":    {rounds: 10},
		"of a reader":                {policy: Policy{ReadOnly: true}, readOnly: true, rounds: 10},
		"to a reader":                {task: tools.Task{ReadOnly: true}, readOnly: true, rounds: 10},
		"with few tools":             {policy: Policy{Only: []string{"a", "b"}}, task: tools.Task{Tools: []string{"b", "c"}}, tools: []string{"b"}, rounds: 10},
		"in fewer rounds":            {task: tools.Task{Rounds: 3}, rounds: 3},
		"in more rounds":             {policy: Policy{Limits: Limits{Rounds: 5}}, task: tools.Task{Rounds: 30}, rounds: 5},
		"with what is left to spend": {policy: Policy{Limits: Limits{Cost: 5}}, rounds: 10, cost: 3},
		"with all spent":             {policy: Policy{Limits: Limits{Cost: 2}}, err: "the cost limit of $2 is reached"},
		"with more than all spent":   {policy: Policy{Limits: Limits{Cost: 1}}, err: "the cost limit of $1 is reached"},
	} {
		sent, err := everything(test.policy).errand(&member{number: 4, task: test.task})
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || sent.Call != "call" || sent.Number != 4 || sent.Task.ReadOnly != test.readOnly || !slices.Equal(sent.Task.Tools, test.tools) || sent.Limits != (Limits{Rounds: test.rounds, Cost: test.cost}) {
			t.Errorf("%s: %+v, %v", name, sent, err)
		}
	}
	s := everything(Policy{})
	s.config.Models.Fleet = nil
	if _, err := s.errand(&member{}); !errors.Is(err, errNoFleet) {
		t.Errorf("without a fleet: %v", err)
	}
}
