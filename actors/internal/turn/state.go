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

// Input is the input of a turn.
type Input struct {
	Turn, Prompt      string
	Typed             string                // the part of Prompt that the user typed
	Erased            int                   // number of forgotten facts already erased from the history
	Pictures          []messages.Picture    // the prompt's pictures
	Parts             *messages.PromptParts // calls that run before the model is asked
	Compact           bool                  // the turn has no prompt and only summarizes
	Focus             string                // the most important subject of the summary
	Aside             bool                  // the turn is not part of the conversation
	News              []string              // alarms that rang and jobs that ended since the last prompt
	Undone            []string              // changes that the user undid since the last prompt
	Words             []string              // hook output that the model has not read yet
	History           []messages.Message
	Frame             prompt.Frame         // the system text, if the conversation has begun
	Offered           []providers.ToolSpec // the tools that the model knows
	Conversation      conv.LiveConversation
	Usage             messages.Usage
	Seen              *tools.Stamps
	Tainted           string // the first source of untrusted or private text, or ""
	Known             *tools.KnownHosts
	Tools             *toolbox.Registry // the tools at the beginning of the turn
	Plan              conv.Plan
	Stands            sessionlog.State // the state of a stored conversation
	Said              *AnswerText      // the model's answer; the session has no other copy
	Session, Provider *actor.PID
}

// turnState is the state that all parts of a turn share. It includes the messages so far and the
// input. The user and tool calls can change the input.
type turnState struct {
	personal tools.Personal // private values in the system text
	Deps
	input   *Input
	phase   phase
	missing awaited // what the next request still waits for

	conversation conv.LiveConversation
	choice       conv.Choice // the model; a fallback changes it
	provider     *actor.PID  // the actor that asks this model
	helper       UseProvider // cheaper model for the summary; Pid is nil if there is none
	mode         tools.Mode
	tools        *toolbox.Registry // the tools that the turn knows
	plan         conv.Plan
	tainted      string
	unsaid       []string // hook output that the model has not read yet

	frame   prompt.Frame
	parts   prompt.Parts         // the current parts of the system text
	offered []providers.ToolSpec // the tools in the order in which they were offered; none is ever removed
	turn    *transcript.Turn     // created by receiveFiles; nil before
	number  int                  // how many requests the turn has sent
	weight  weight
	usage   messages.Usage
	context messages.Context // how full the context window was after the last answer

	another bool           // a hook continued the turn, so the next text begins on a new line
	wanted  bool           // a summary has been requested and has not begun
	exit    bool           // Marvin exits after the answer
	undo    *messages.Undo // what to undo after the turn
	cancel  bool           // the turn is being cancelled
	limit   string         // the message about the limit that ended the turn, or ""
	stop    messages.Stop  // the reason why the turn ended early, or ""
	ends    time.Time      // the initial deadline of the turn; zero without a time limit
}

func newTurnState(deps Deps, input Input) turnState {
	policy := input.Conversation.Policy
	return turnState{
		Deps: deps, input: &input, missing: theFiles | theTools | theNews, conversation: input.Conversation, choice: input.Conversation.Choice, provider: input.Provider,
		mode: policy.Mode(), tools: input.Tools, plan: input.Plan, tainted: input.Tainted, unsaid: input.Words,
		frame: input.Frame, offered: input.Offered, usage: input.Usage, wanted: input.Compact,
	}
}

func (t *turnState) tell(c actor.Context, event messages.Event) { c.Send(t.input.Session, event) }

func (t *turnState) note(c actor.Context, level messages.Level, text string) {
	t.tell(c, messages.Notice{Level: level, Text: text})
}

func (t *turnState) tellUsage(c actor.Context) {
	t.tell(c, messages.UsageChanged{Usage: t.usage, Context: t.context})
}

func (t *turnState) name() recorder.TurnName {
	return recorder.TurnName{Session: t.input.Session.Id, Turn: t.input.Turn}
}

// framed returns true if the conversation has a system text for the current profile. A new profile
// must not see the preferences of the old profile.
func (t *turnState) framed() bool {
	return t.frame.Began() && t.frame.Profile == t.conversation.Profile
}

func (t *turnState) has(name string) bool { return KnowsTool(t.offered, name) }

func KnowsTool(offered []providers.ToolSpec, name string) bool {
	return slices.ContainsFunc(offered, func(known providers.ToolSpec) bool { return known.Name == name })
}

// offer appends a new tool to t.offered. Appending leaves the beginning of requests unchanged.
func (t *turnState) offer(spec providers.ToolSpec) {
	if !t.has(spec.Name) {
		t.offered = append(t.offered, spec)
	}
}

func (t *turnState) meter() tokens.Meter {
	return t.Config.Tokens.MeterFor(t.choice.Provider, t.choice.Model)
}

func (t *turnState) limits() budget.Limits {
	return t.Config.Context.Within(t.Config.Window(t.choice))
}

// respondent returns the model that answers the current request, and the model's actor. During
// compaction, this is the helper model if there is one.
func (t *turnState) respondent() (conv.Choice, *actor.PID) {
	if t.phase == compacting && t.helper.Pid != nil {
		return t.helper.Choice, t.helper.Pid
	}
	return t.choice, t.provider
}

// silence looks up the maximum time without output from the model. The limit is constant during a
// turn.
func (t *turnState) silence() time.Duration { return t.Config.Tuning.SilenceFor(t.conversation.Policy) }

// costLimitReached reports whether the cost limit is reached. If so, it sets t.limit to an
// explanation for the user.
func (t *turnState) costLimitReached() bool {
	limit := t.conversation.Policy.Limits.Cost
	if limit <= 0 || t.conversation.Spending.Total() < limit {
		return false
	}
	t.limit = fmt.Sprintf("the cost limit of $%g has been reached", limit)
	return true
}

func (t *turnState) stopped(why messages.Stop, problem string) step {
	t.stop = why
	return ending(messages.Incomplete, problem)
}

func (t *turnState) stoppedBy(outcome messages.Outcome) messages.Stop {
	switch {
	case outcome != messages.Incomplete:
		return ""
	case t.limit != "":
		return messages.StopLimit
	}
	return t.stop
}

// cancelled returns the outcome of a turn stopped by the user or a limit.
func (t *turnState) cancelled() messages.Outcome {
	if t.limit != "" {
		return messages.Incomplete
	}
	return messages.Cancelled
}

// places returns the paths that the conversation's text comes from, or nil if no private
// directories are configured. In conversation.PrivateDirs, it records the private directories that
// contain these paths.
func (t *turnState) places() []string {
	if len(t.Config.Models.Private) == 0 {
		return nil
	}
	places := append([]string{t.conversation.Dir}, t.conversation.PrivateDirs...)
	if t.turn != nil {
		places = append(places, messages.Places(t.turn.Messages())...)
	}
	for _, dir := range t.Config.PrivateDirs(places) {
		// A summary replaces the messages, but not PrivateDirs.
		if !slices.Contains(t.conversation.PrivateDirs, dir) {
			t.conversation.PrivateDirs = append(slices.Clip(t.conversation.PrivateDirs), dir)
		}
	}
	return places
}

// forHistory returns the text to store in the profile's history. If the conversation contains text
// from a private directory, it returns a note instead, because other conversations read the
// history.
func (t *turnState) forHistory(text string) string {
	if len(t.Config.Models.Private) == 0 || text == "" {
		return text
	}
	if dirs := t.Config.PrivateDirs(t.places()); len(dirs) > 0 {
		return "(kept private: " + strings.Join(dirs, ", ") + ")"
	}
	return text
}
