package actors

import (
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// inQuestion has the questions of a conversation, which wait for a worker that hears.
func inQuestion(w *teller, policy Policy, waiting ...*pendingAsk) (*questions, *overheard, *actor.PID) {
	spoken, heard := speaking(Conversation{Policy: policy})
	worker := w.hears("worker")
	q := &questions{voice: spoken, asks: map[string]*pendingAsk{}}
	request := "r1"
	q.request = &request
	for i, one := range waiting {
		one.worker, one.number, one.asked.Ask = worker, i+1, one.call
		q.asks[one.call] = one
	}
	return q, heard, worker
}

// Consent is told at once, what is asked of a person only when nothing is in front of it.
func TestWhichQuestionsAreTold(t *testing.T) {
	consent := func(call string) *pendingAsk { return &pendingAsk{askUser: askUser{call: call}} }
	inquiry := func(call string) *pendingAsk {
		return &pendingAsk{askUser: askUser{call: call, inquiry: &tools.Inquiry{}}}
	}
	for name, test := range map[string]struct {
		waiting []*pendingAsk
		agent   bool
		said    []string
		limited []string // those with a deadline
	}{
		"consents":                  {waiting: []*pendingAsk{consent("a"), consent("b")}, said: []string{"asked a", "asked b"}},
		"a question":                {waiting: []*pendingAsk{inquiry("a")}, said: []string{"asked a"}, limited: []string{"a"}},
		"two questions":             {waiting: []*pendingAsk{inquiry("a"), inquiry("b")}, said: []string{"asked a"}, limited: []string{"a"}},
		"a question first":          {waiting: []*pendingAsk{inquiry("a"), consent("b")}, said: []string{"asked a", "asked b"}, limited: []string{"a"}},
		"a question last":           {waiting: []*pendingAsk{consent("a"), inquiry("b"), consent("c")}, said: []string{"asked a"}},
		"a question of a sub-agent": {waiting: []*pendingAsk{inquiry("a")}, agent: true, said: []string{"asked a"}},
	} {
		w := newTeller(t)
		q, heard, _ := inQuestion(w, Policy{Person: true, Agent: test.agent}, test.waiting...)
		w.during(func(c actor.Context) {
			q.tellAsks(c)
			q.tellAsks(c) // and none twice
		})
		if said := heard.take(); !slices.Equal(said, test.said) {
			t.Errorf("%s: said %q", name, said)
		}
		for _, one := range test.waiting {
			if limited := !one.asked.Deadline.IsZero(); limited != slices.Contains(test.limited, one.call) {
				t.Errorf("%s: %s has a deadline: %v", name, one.call, limited)
			}
		}
	}
}

// A question is settled once, by whom it was told to, and is done with when nobody waits for it.
func TestHowQuestionsAreDoneWith(t *testing.T) {
	soon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		told  bool
		asks  *tools.Inquiry
		agent bool
		do    func(*questions, actor.Context)
		said  []string
		heard []string
		waits bool
	}{
		"it is answered": {
			told: true, do: func(q *questions, c actor.Context) {
				q.answer(c, messages.Answer{Ask: "a", Choice: messages.No, Text: "why"})
			},
			said: []string{`answered a no "why"`}, heard: []string{"worker granted"},
		},
		"before it is told": {
			do:   func(q *questions, c actor.Context) { q.answer(c, messages.Answer{Ask: "a", Choice: messages.Yes}) },
			said: []string{`refused r1: no question "a" waits; it was settled, or there was none`}, waits: true,
		},
		"another one": {
			told: true, do: func(q *questions, c actor.Context) { q.answer(c, messages.Answer{Ask: "b", Choice: messages.Yes}) },
			said: []string{`refused r1: no question "b" waits; it was settled, or there was none`}, waits: true,
		},
		"settled twice": {
			told: true, do: func(q *questions, c actor.Context) {
				q.settle(c, messages.Answer{Ask: "a", Choice: messages.Yes}, true)
				q.settle(c, messages.Answer{Ask: "a", Choice: messages.No}, true)
			}, said: []string{`answered a yes ""`}, heard: []string{"worker granted"},
		},
		"always, which was not offered": {
			told: true, do: func(q *questions, c actor.Context) {
				q.settle(c, messages.Answer{Ask: "a", Choice: messages.Always}, true)
			},
			said: []string{`answered a always ""`}, heard: []string{"worker granted"},
		},
		"taken back":                {told: true, do: func(q *questions, c actor.Context) { q.retract(c, "a") }, said: []string{`answered a no ""`}},
		"taken back before":         {do: func(q *questions, c actor.Context) { q.retract(c, "a") }},
		"taken back by a sub-agent": {told: true, agent: true, do: func(q *questions, c actor.Context) { q.retract(c, "a") }, said: []string{`answered a no ""`}, heard: []string{"lowered"}},
		"another one is taken back": {told: true, do: func(q *questions, c actor.Context) { q.retract(c, "b") }, waits: true},
		"all are closed":            {told: true, do: func(q *questions, _ actor.Context) { q.close() }, said: []string{`answered a no ""`}},
		"all are closed before":     {do: func(q *questions, _ actor.Context) { q.close() }},
		"attended without a deadline": {
			told: true, do: func(q *questions, c actor.Context) { q.attend(c, "a") }, said: []string{`refused r1: no question "a" waits that has a deadline`}, waits: true,
		},
		"attended": {
			told: true, asks: &tools.Inquiry{}, waits: true, said: []string{"asked a"}, do: func(q *questions, c actor.Context) {
				q.asks["a"].asked.Deadline = soon
				q.attend(c, "a")
				q.unanswered(c, unanswered{ask: "a", deadline: soon}) // which is not the deadline any more
			},
		},
		"its time is over": {
			told: true, asks: &tools.Inquiry{}, heard: []string{"worker granted"},
			said: []string{"warning: : nobody answered within " + tools.DefaultWait.String() + "; nothing is stated for that case.", `answered a no ""`},
			do: func(q *questions, c actor.Context) {
				q.asks["a"].asked.Deadline = soon
				q.unanswered(c, unanswered{ask: "b", deadline: soon})
				q.unanswered(c, unanswered{ask: "a", deadline: soon})
			},
		},
	} {
		w := newTeller(t)
		q, heard, worker := inQuestion(w, Policy{Person: true, Agent: test.agent}, &pendingAsk{askUser: askUser{call: "a", tool: "shell", inquiry: test.asks}, told: test.told})
		others := w.during(func(c actor.Context) { test.do(q, c) }, worker)
		if said := heard.take(); !slices.Equal(said, test.said) || !slices.Equal(others, test.heard) {
			t.Errorf("%s: said %q, and heard is %q", name, said, others)
		}
		if _, waits := q.asks["a"]; waits != test.waits {
			t.Errorf("%s: it waits: %v", name, waits)
		}
		if q.state.grants.list != nil {
			t.Errorf("%s: allowed is %+v", name, q.state.grants.list)
		}
	}
}

// Nothing is taken back while a turn runs, nor without a yes.
func TestWhatIsNotTakenBack(t *testing.T) {
	const runs = "warning: A turn is running: take back when it has ended, or cancel it."
	turn := currentTurn{router: &actor.PID{}}
	for name, test := range map[string]struct {
		turn    currentTurn
		running string
		taking  bool
		does    func(*undoing, actor.Context)
		said    []string
		still   bool
	}{
		"a turn runs":             {turn: turn, does: func(u *undoing, c actor.Context) { u.begin(c, messages.Undo{}) }, said: []string{runs}},
		"a prompt is read":        {running: "t1", does: func(u *undoing, c actor.Context) { u.begin(c, messages.Undo{}) }, said: []string{runs}},
		"it is done already":      {taking: true, does: func(u *undoing, c actor.Context) { u.begin(c, messages.Undo{}) }, said: []string{"warning: Something is being taken back already."}, still: true},
		"nothing is kept":         {does: func(u *undoing, c actor.Context) { u.begin(c, messages.Undo{}) }, said: []string{"warning: There is nothing to take back: this conversation keeps nothing."}},
		"an answer to nothing":    {does: func(u *undoing, c actor.Context) { u.answered(c, granted{choice: messages.Yes}) }},
		"no":                      {taking: true, does: func(u *undoing, c actor.Context) { u.answered(c, granted{choice: messages.No}) }, said: []string{"info: Nothing was changed."}},
		"always":                  {taking: true, does: func(u *undoing, c actor.Context) { u.answered(c, granted{choice: messages.Always}) }, said: []string{"info: Nothing was changed."}},
		"yes, and a turn began":   {turn: turn, taking: true, does: func(u *undoing, c actor.Context) { u.answered(c, granted{choice: messages.Yes}) }, said: []string{"warning: Nothing was changed: a turn has begun meanwhile. Try again when it has ended."}},
		"another actor's end":     {taking: true, does: func(u *undoing, c actor.Context) { u.gone(c, c.Self(), nil) }, still: true},
		"an end, nothing is done": {does: func(u *undoing, c actor.Context) { u.gone(c, c.Self(), nil) }},
	} {
		w := newTeller(t)
		spoken, heard := speaking(Conversation{})
		spoken.state.running = test.running
		u := &undoing{voice: spoken, turn: &test.turn}
		if test.taking {
			u.taking = &undoPlanned{}
		}
		w.during(func(c actor.Context) { test.does(u, c) })
		if said := heard.take(); !slices.Equal(said, test.said) || u.busy() != test.still {
			t.Errorf("%s: said %q, busy %v", name, said, u.busy())
		}
	}
}
