package turn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/tokens"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Input is the input of a turn. It does not change, except the text in said, which the session
// takes back when the turn is gone.
type Input struct {
	Turn, Prompt      string
	Typed             string                // by the user, of the prompt
	Erased            int                   // number of forgotten texts already removed from the history
	Pictures          []messages.Picture    // that came with the prompt
	Parts             *messages.PromptParts // that are made before the model is asked
	Compact           bool                  // there is no prompt: the turn only summarizes
	Focus             string                // what the summary must keep above all
	Aside             bool                  // it is not part of the conversation
	News              []string              // alarms that rang since the last prompt
	Undone            []string              // what the person took back since
	Words             []string              // of hooks
	History           []messages.Message
	Frame             prompt.Frame         // the system text of the conversation, if it began
	Offered           []providers.ToolSpec // the tools that it has
	Conversation      conv.Running
	Usage             messages.Usage
	Seen              *tools.Stamps
	Tainted           string // what first brought words of strangers or what is private, "" if nothing did
	Known             *tools.KnownHosts
	Tools             *toolbox.Registry // what there is when the turn begins
	Plan              conv.Plan
	Stands            sessionlog.State // of a conversation that is kept
	Said              *strings.Builder // the model's answer; the session has no other copy
	Session, Provider *actor.PID
}

// turnState is the state of a turn: its input, changed by calls and the user, and the messages so
// far. All parts of the turn share it.
type turnState struct {
	personal tools.Personal // private values in the system text
	Deps
	input   *Input
	phase   phase
	missing missing // what a request still waits for

	conversation conv.Running
	choice       conv.Choice // who is asked; another one after a fallback
	provider     *actor.PID  // that one
	helper       UseProvider // another model that makes the summary; may be zero
	mode         tools.Mode
	tools        *toolbox.Registry // what there is, as the turn knows it
	plan         conv.Plan
	tainted      string
	unsaid       []string // of hooks, which the model does not know of yet

	frame   prompt.Frame
	parts   prompt.Parts         // of the system text, as they are now
	offered []providers.ToolSpec // only grows: what find_tools found comes behind
	turn    *transcript.Turn     // nil until the files are read
	number  int                  // of the requests so far
	weight  weight
	usage   messages.Usage
	context messages.Context // after the last answer

	another bool           // the next words begin another answer, with no call before it
	wanted  bool           // a summary, by a person or by a tool, and not made yet
	exit    bool           // Marvin ends once the answer is out
	undo    *messages.Undo // what to undo when the turn has ended
	cancel  bool           // the turn is being ended
	limit   string         // that ended it, for people
	stop    messages.Stop  // what that was, where it has a name
	ends    time.Time      // when the time limit ends the turn; zero for none
}

// newTurnState is where a turn begins.
func newTurnState(deps Deps, input Input) turnState {
	policy := input.Conversation.Policy
	return turnState{
		Deps: deps, input: &input, missing: theFiles | theTools | theNews, conversation: input.Conversation, choice: input.Conversation.Choice, provider: input.Provider,
		mode: policy.Mode(), tools: input.Tools, plan: input.Plan, tainted: input.Tainted, unsaid: input.Words,
		frame: input.Frame, offered: input.Offered, usage: input.Usage, wanted: input.Compact,
	}
}

// tell says something in the conversation.
func (t *turnState) tell(c actor.Context, event messages.Event) { c.Send(t.input.Session, event) }

// note tells people something.
func (t *turnState) note(c actor.Context, level messages.Level, text string) {
	t.tell(c, messages.Notice{Level: level, Text: text})
}

// tellUsage says what was spent so far.
func (t *turnState) tellUsage(c actor.Context) {
	t.tell(c, messages.UsageChanged{Usage: t.usage, Context: t.context})
}

func (t *turnState) name() recorder.TurnName {
	return recorder.TurnName{Session: t.input.Session.Id, Turn: t.input.Turn}
}

// framed says whether the conversation has a system text for its profile. With another
// person begins another one: what the one before prefers is not theirs to read.
func (t *turnState) framed() bool {
	return t.frame.Began() && t.frame.Profile == t.conversation.Profile
}

// has says whether the model knows a tool already.
func (t *turnState) has(name string) bool { return KnowsTool(t.offered, name) }

func KnowsTool(offered []providers.ToolSpec, name string) bool {
	return slices.ContainsFunc(offered, func(known providers.ToolSpec) bool { return known.Name == name })
}

// offer adds a tool. They are only appended, so that the beginning of a request stays what it was.
func (t *turnState) offer(spec providers.ToolSpec) {
	if !t.has(spec.Name) {
		t.offered = append(t.offered, spec)
	}
}

func (t *turnState) meter() tokens.Meter {
	return t.Config.Tokens.For(t.choice.Provider, t.choice.Model)
}

// limits are those of the window of the model that is asked, as it is known now.
func (t *turnState) limits() budget.Limits {
	return t.Config.Context.Within(t.Config.Window(t.choice))
}

// respondent is who is asked at present: for a summary it may be a cheaper model.
func (t *turnState) respondent() (conv.Choice, *actor.PID) {
	if t.phase == compacting && t.helper.Pid != nil {
		return t.helper.Choice, t.helper.Pid
	}
	return t.choice, t.provider
}

// silence is how long the model may say nothing; it is fixed when the turn begins.
func (t *turnState) silence() time.Duration { return t.Config.Tuning.SilenceFor(t.conversation.Policy) }

// broke says whether all that may be spent is spent, and notes it as the limit.
func (t *turnState) broke() bool {
	limit := t.conversation.Policy.Limits.Cost
	if limit <= 0 || t.conversation.Spending.Total() < limit {
		return false
	}
	t.limit = fmt.Sprintf("the cost limit of $%g is reached", limit)
	return true
}

// stopped is the end of a turn that something with a name stopped.
func (t *turnState) stopped(why messages.Stop, problem string) step {
	t.stop = why
	return ending(messages.Incomplete, problem)
}

// stoppedBy is the reason for a turn's outcome, for front ends.
func (t *turnState) stoppedBy(outcome messages.Outcome) messages.Stop {
	switch {
	case outcome != messages.Incomplete:
		return ""
	case t.limit != "":
		return messages.StopLimit
	}
	return t.stop
}

// cancelled is the outcome of a turn that was stopped: by the user, or by a limit.
func (t *turnState) cancelled() messages.Outcome {
	if t.limit != "" {
		return messages.Incomplete
	}
	return messages.Cancelled
}

// places are the sources of all text in the turn and the conversation before it.
func (t *turnState) places() []string {
	if len(t.Config.Models.Private) == 0 {
		return nil
	}
	places := append([]string{t.conversation.Dir}, t.conversation.Bound...)
	if t.turn != nil {
		places = append(places, messages.Places(t.turn.Messages())...)
	}
	for _, dir := range t.Config.Bound(places) {
		if !slices.Contains(t.conversation.Bound, dir) { // a summary does not take it away
			t.conversation.Bound = append(slices.Clip(t.conversation.Bound), dir)
		}
	}
	return places
}

// outside is a text for the history of the profile, which other conversations read: what is
// said in one that holds words of a directory that is bound stays in its own log.
func (t *turnState) outside(text string) string {
	if len(t.Config.Models.Private) == 0 || text == "" {
		return text
	}
	if dirs := t.Config.Bound(t.places()); len(dirs) > 0 {
		return "(kept private: " + strings.Join(dirs, ", ") + ")"
	}
	return text
}
