package actors

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// overheard is an audience that remembers what it was told.
type overheard []string

func (o *overheard) Push(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.Notice:
		*o = append(*o, string(event.Level)+": "+event.Text)
	case messages.Refused:
		*o = append(*o, "refused "+event.Request+": "+event.Err)
	case messages.Answered:
		*o = append(*o, fmt.Sprintf("answered %s %s %q", event.Ask, event.Choice, event.Text))
	case messages.Asked:
		*o = append(*o, "asked "+event.Ask)
	default:
		*o = append(*o, messages.EventName(event))
	}
}

func (o *overheard) Close() {}

// take gives what was said since.
func (o *overheard) take() []string {
	said := *o
	*o = nil
	return said
}

// speaking is the voice of a conversation, with who hears it.
func speaking(conversation Conversation) (*voice, *overheard) {
	heard := &overheard{}
	return &voice{state: newSessionState("s", conversation, heard), now: time.Now}, heard
}

// The end of a turn is told once it is on the disk, where it is kept, and once its cost is known,
// where nobody would hear of that later.
func TestWhatTheEndOfATurnWaitsFor(t *testing.T) {
	for name, test := range map[string]struct {
		turn        currentTurn
		alone, over bool
	}{
		"it never reported":                {turn: currentTurn{buried: true}, over: true},
		"it reported":                      {turn: currentTurn{buried: true, ended: &turnEnded{}}, over: true},
		"its router is there":              {turn: currentTurn{ended: &turnEnded{}}},
		"it is kept, and not written":      {turn: currentTurn{buried: true, ended: &turnEnded{kept: true}}},
		"it is kept and written":           {turn: currentTurn{buried: true, written: true, ended: &turnEnded{kept: true}}, over: true},
		"a cost may come, with a person":   {turn: currentTurn{buried: true, owed: 1, ended: &turnEnded{}}, over: true},
		"a cost may come, alone":           {turn: currentTurn{buried: true, owed: 1, ended: &turnEnded{}}, alone: true},
		"nothing is owed, alone":           {turn: currentTurn{buried: true, ended: &turnEnded{}}, alone: true, over: true},
		"a cost may come, hurried":         {turn: currentTurn{buried: true, owed: 1, hurried: true, ended: &turnEnded{}}, alone: true, over: true},
		"hurried, and not written":         {turn: currentTurn{buried: true, hurried: true, ended: &turnEnded{kept: true}}, alone: true},
		"a cost may come of none, alone":   {turn: currentTurn{buried: true, owed: 1}, alone: true, over: true},
		"a cost may come, and not written": {turn: currentTurn{buried: true, owed: 1, ended: &turnEnded{kept: true}}},
	} {
		if over := test.turn.over(test.alone); over != test.over {
			t.Errorf("%s: it is over: %v", name, over)
		}
	}
	turn := currentTurn{router: &actor.PID{}, ended: &turnEnded{}, written: true, buried: true, hurried: true, owed: 2, beside: &aside{}}
	ended, beside := turn.leave()
	if ended == nil || beside == nil || turn.runs() || turn.ended != nil || turn.beside != nil || turn.buried {
		t.Errorf("behind its end: %+v", turn)
	}
	turn.written = true
	turn.begin(&actor.PID{})
	if !turn.runs() || turn.written || turn.hurried || turn.owed != 2 {
		t.Errorf("the next one: %+v", turn)
	}
}

// Nothing else comes in the place of what goes on while something is under way in it.
func TestWhatKeepsAConversationInItsPlace(t *testing.T) {
	const runs, changes = "A turn is running: wait for its end, or cancel it first.", "The last change is not done yet; try again in a moment."
	for name, test := range map[string]struct {
		turn    currentTurn
		undoing undoing
		running string
		moving  bool
		gone    bool
		why     string
	}{
		"nothing":                  {},
		"a turn":                   {turn: currentTurn{router: &actor.PID{}}, why: runs},
		"a prompt that is read":    {running: "t1", why: runs},
		"another change":           {moving: true, why: changes},
		"what may be taken back":   {undoing: undoing{planning: true}, why: changes},
		"what is taken back":       {undoing: undoing{taking: &undoPlanned{}}, why: changes},
		"a turn and a change":      {turn: currentTurn{router: &actor.PID{}}, moving: true, why: runs},
		"it is not kept":           {gone: true, why: notKeptAtAll},
		"a change, it is not kept": {gone: true, moving: true, why: changes},
	} {
		spoken, _ := speaking(Conversation{})
		spoken.state.running = test.running
		kept := &Kept{}
		if test.gone {
			kept = nil
		}
		b := branches{voice: spoken, turn: &test.turn, undoing: &test.undoing, moving: test.moving}
		if why := b.cannotMove(kept); why != test.why {
			t.Errorf("%s: %q", name, why)
		}
		if reversing := test.undoing.reversing(); reversing {
			t.Errorf("%s: calls are made", name)
		}
	}
	if u := (undoing{taking: &undoPlanned{calls: &actor.PID{}}}); !u.reversing() || !u.busy() {
		t.Error("no calls are made")
	}
}

// What a model hears of jobs it hears once, and not at all where it read it by a tool.
func TestNewsOfJobsIsToldOnce(t *testing.T) {
	state := sessionState{finished: []finished{{"1", "one ended"}, {"2", "two ended"}, {"1", "one, once more"}}}
	state.jobRead("1")
	if first, second := state.jobNews(), state.jobNews(); !slices.Equal(first, []string{"two ended"}) || second != nil {
		t.Errorf("%q, then %q", first, second)
	}
	session, other := actor.NewPID("here", "session"), actor.NewPID("here", "other")
	for name, test := range map[string]struct {
		who, whose asker
		sees       bool
	}{
		"a conversation sees its own":         {asker{session: session}, asker{session: session}, true},
		"a conversation sees another's":       {asker{session: session}, asker{session: other}, true},
		"a conversation sees what nobody has": {asker{session: session}, asker{}, true},
		"a sub-agent sees its own":            {asker{session: session, agent: true}, asker{session: session, agent: true}, true},
		"a sub-agent sees another's":          {asker{session: session, agent: true}, asker{session: other}, false},
		"a sub-agent sees what nobody has":    {asker{session: session, agent: true}, asker{}, false},
	} {
		if sees := test.who.sees(test.whose); sees != test.sees {
			t.Errorf("%s: %v", name, sees)
		}
	}
}

// What is taken where nobody answered is said in words, as long as they are short.
func TestWhatWasTakenIsSaidInWords(t *testing.T) {
	long := strings.Repeat("ö", mostShownDefault)
	for name, test := range map[string]struct {
		asked messages.Asked
		reply messages.Answer
		said  string
	}{
		"nothing is stated": {said: "Which?: nobody is there; nothing is stated for that case."},
		"a plan":            {asked: messages.Asked{Kind: messages.AskPlan}, said: "Which?: nobody is there; nothing is carried out."},
		"a choice":          {reply: messages.Answer{Chosen: []messages.Chosen{{}, {Text: "the\nred one"}}}, said: "Which?: nobody is there; taken as stated: the red one."},
		"values":            {asked: messages.Asked{Fields: []messages.Field{{Name: "size"}, {Name: "none"}}}, reply: messages.Answer{Values: map[string]any{"size": 3, "other": 4}}, said: "Which?: nobody is there; taken as stated: size 3."},
		"all of it":         {asked: messages.Asked{Fields: []messages.Field{{Name: "size"}}}, reply: messages.Answer{Chosen: []messages.Chosen{{Text: "red"}}, Values: map[string]any{"size": 3}}, said: "Which?: nobody is there; taken as stated: red; size 3."},
		"too much":          {reply: messages.Answer{Chosen: []messages.Chosen{{Text: long}}}, said: ("Which?: nobody is there; taken as stated: " + long)[:mostShownDefault] + "…"},
	} {
		spoken, heard := speaking(Conversation{})
		q := questions{voice: spoken}
		test.asked.Title = "Which?"
		q.tellStated(test.asked, tools.Reply{Answer: test.reply, Unanswered: "nobody is there"})
		if said := heard.take(); !slices.Equal(said, []string{"warning: " + test.said}) {
			t.Errorf("%s: %q", name, said)
		}
	}
	for wait, want := range map[time.Duration]time.Duration{-time.Second: tools.DefaultWait, 0: tools.DefaultWait, 1: 1, time.Hour: time.Hour} {
		if got := (&pendingAsk{askUser: askUser{inquiry: &tools.Inquiry{Wait: wait}}}).wait(); got != want {
			t.Errorf("a wait of %s is %s", wait, got)
		}
	}
}
