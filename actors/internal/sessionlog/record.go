package sessionlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/providers"
)

// The kinds of entries.
const (
	stepKind       = "step"
	frameKind      = "frame"
	toolsKind      = "tools"
	compactionKind = "compaction"
	intentKind     = "intent"
	labelKind      = "label"
	asideKind      = "aside"
	undoneKind     = "undone"
	sentKind       = "sent"
	textKind       = "text"
	toldKind       = "told"
	titleKind      = sessions.TitleEntry
	stateKind      = sessions.StateEntry
)

// Record is an entry to be written.
type Record struct {
	kind  string
	of    int64 // the entry that it is about, 0 for none
	body  any
	about *sessions.About
	at    time.Time // zero for now
}

// Step holds the messages of a turn since its last step. They replace those of the turn from
// Offset.
type Step struct {
	Turn     string             `json:"turn"`
	Prompt   *string            `json:"prompt,omitempty"`  // of the first one: what was asked
	Cut      bool               `json:"cut,omitempty"`     // Prompt is only the beginning of the first message of the user
	State    *State             `json:"state,omitempty"`   // of the first one
	Quiet    bool               `json:"quiet,omitempty"`   // of a turn that only summarizes: people see none
	Foreign  bool               `json:"foreign,omitempty"` // of the first one: another assistant's, with tools of its own
	Offset   int                `json:"offset,omitempty"`
	Messages []messages.Message `json:"messages,omitempty"`
	Repeats  []Repeat           `json:"repeats,omitempty"` // pictures stored in an earlier entry
	Outcome  messages.Outcome   `json:"outcome,omitempty"` // of the last one
	Text     string             `json:"text,omitempty"`    // of the last one: the whole answer
	Err      string             `json:"error,omitempty"`
	Usage    *messages.Usage    `json:"usage,omitempty"`   // of the last one: the conversation's sums
	Tainted  string             `json:"tainted,omitempty"` // of the last one: what brought in words of strangers
	Plan     *Plan              `json:"plan,omitempty"`    // of the last one, if there is one
}

// Plan is the checklist of the conversation, and the call that made it.
type Plan struct {
	Is   messages.Plan `json:"is"`
	Call string        `json:"call,omitempty"`
}

// label names the turn of the entry that it is about.
type label struct {
	Text string `json:"text"`
}

// aside is what was asked beside the conversation, for people.
type aside struct {
	Prompt  string           `json:"prompt"`
	Text    string           `json:"text"`
	Outcome messages.Outcome `json:"outcome"`
	Err     string           `json:"error,omitempty"`
	Sent    []Sent           `json:"sent,omitempty"`
}

// compaction is all that the model knows from here on.
type compaction struct {
	Messages []messages.Message   `json:"messages"`
	Frame    prompt.Frame         `json:"frame"`
	Tools    []providers.ToolSpec `json:"tools"`
	Repeats  []Repeat             `json:"repeats,omitempty"` // pictures stored earlier in Messages
	State    *State               `json:"state,omitempty"`   // nil where an older Marvin wrote it
}

// spoken is a piece of an answer that is still coming.
type spoken struct {
	Turn string `json:"turn"`
	Text string `json:"text"`
}

// toldOf lists calls with unknown outcome that were reported to the user.
type toldOf struct {
	Calls []string `json:"calls,omitempty"`
}

// Began records the prompt of a turn.
func Began(turn string, asked messages.Message, state State) Record {
	first := FirstLine(asked.Text)
	return Record{
		kind: stepKind, body: Step{Turn: turn, Prompt: &asked.Text, State: &state, Messages: []messages.Message{asked}},
		about: &sessions.About{First: first, Last: first, Model: state.Model, Terminal: state.Terminal},
	}
}

// On is the record with the branch of git that it was made on.
func (r Record) On(branch string) Record {
	about := *r.about
	about.Branch = branch
	r.about = &about
	return r
}

// MessagesRecord records what was said since.
func MessagesRecord(turn string, offset int, said []messages.Message) Record {
	return Record{kind: stepKind, body: Step{Turn: turn, Offset: offset, Messages: said}}
}

// Ended records how a turn ended, and what it cost in US dollars.
func Ended(step Step, cost float64) Record {
	return Record{kind: stepKind, body: step, about: &sessions.About{Turns: 1, Cost: cost}}
}

// Stated records what the conversation is from here on. The log drops it where it says nothing
// new, and where nothing was said yet: the first prompt has the state with it.
func Stated(state State) Record { return Record{kind: stateKind, body: state} }

// Spoke records a piece of an answer that is still coming. The messages of the turn replace
// it; where Marvin ends before them it is all that there is of the answer.
func Spoke(turn, text string) Record {
	return Record{kind: textKind, body: spoken{Turn: turn, Text: text}}
}

// SummaryRecord is what was said since in a turn that only summarizes.
func SummaryRecord(turn string, said []messages.Message) Record {
	return Record{kind: stepKind, body: Step{Turn: turn, Quiet: true, Messages: said}}
}

// UnfinishedCallsRecord records that a conversation was taken up in which Marvin had ended within a turn, and
// that the user knows of these calls whose outcome is unknown.
func UnfinishedCallsRecord(calls []messages.ToolCall) Record {
	var body toldOf
	for _, call := range calls {
		body.Calls = append(body.Calls, call.ID)
	}
	return Record{kind: toldKind, body: body}
}

// Framed records the system text of the conversation and the tools that its model knows.
func Framed(frame prompt.Frame) Record { return Record{kind: frameKind, body: frame} }

// ToolsRecord records additional tools that the model knows from here.
func ToolsRecord(specs []providers.ToolSpec) Record { return Record{kind: toolsKind, body: specs} }

// Compacted records all that the model knows from here on.
func Compacted(all []messages.Message, frame prompt.Frame, specs []providers.ToolSpec) Record {
	return Record{kind: compactionKind, body: compaction{Messages: all, Frame: frame, Tools: specs}}
}

// HandedOver records the beginning of a conversation that continues another: the request there, and
// the summary.
func HandedOver(asked string, said []messages.Message, state State) []Record {
	const turn = "handoff"
	summary := said[len(said)-1].Text
	return []Record{
		{
			kind: stepKind, body: Step{Turn: turn, Prompt: &asked, State: &state, Messages: said},
			about: &sessions.About{First: FirstLine(strings.TrimLeft(summary, "#* \n")), Model: state.Model, Terminal: state.Terminal},
		},
		{kind: stepKind, body: Step{Turn: turn, Offset: len(said), Outcome: messages.Completed, Text: summary, Tainted: state.Tainted, Usage: state.Usage}, about: &sessions.About{Turns: 1}},
	}
}

// Labelled gives the turn of an entry a name, or takes it away.
func Labelled(entry int64, text string) Record {
	return Record{kind: labelKind, of: entry, body: label{Text: text}}
}

// AsideRecord records what was asked beside the conversation, with the requests that it took, and
// cost so many US dollars. Its model never reads it again.
func AsideRecord(asked string, ended messages.TurnEnded, cost float64, sent []Sent) Record {
	return Record{kind: asideKind, body: aside{Prompt: asked, Text: ended.Text, Outcome: ended.Outcome, Err: ended.Err, Sent: sent}, about: &sessions.About{Cost: cost}}
}

// Intended records a call that begins.
func Intended(call messages.ToolCall) Record { return Record{kind: intentKind, body: call} }

// Undone records what the user undid, as text for the model.
func Undone(text string) Record { return Record{kind: undoneKind, body: text} }

// Titled records what a person, or a model, calls the conversation.
func Titled(title string) Record {
	return Record{kind: titleKind, body: struct{}{}, about: &sessions.About{Title: title}}
}

// named records the name under which a conversation is found.
func named(name string) Record {
	return Record{kind: titleKind, body: struct{}{}, about: &sessions.About{Name: name}}
}

// longPrompt is from how many bytes on a prompt is in the file once, as a message: people read
// its beginning in lists.
const longPrompt = 4 << 10

// cutPrompt leaves of a long prompt the beginning, if the rest is in a message.
func (s Step) cutPrompt(hide func(string) string) Step {
	if s.Prompt == nil || len(*s.Prompt) < longPrompt || s.asked() != *s.Prompt {
		return s
	}
	whole := hide(*s.Prompt) // first: the end of a key that is cut is no key
	beginning := strings.ToValidUTF8(whole[:min(len(whole), longPrompt/4)], "") + "…"
	s.Prompt, s.Cut = &beginning, true
	return s
}

// asked is what the first message of the user says.
func (s Step) asked() string {
	for _, message := range s.Messages {
		if message.Role == messages.User {
			return message.Text
		}
	}
	return ""
}

// prompt is what was asked, where the step begins a turn.
func (s Step) prompt() string {
	if s.Cut {
		return s.asked()
	}
	return *s.Prompt
}

// entry is a record as it is kept. Hide takes keys out of texts.
func (r Record) entry(at time.Time, hide func(string) string) (sessions.Entry, error) {
	if step, is := r.body.(Step); is {
		r.body = step.cutPrompt(hide)
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // requests that repeat it have to have the same bytes
	if err := encoder.Encode(r.body); err != nil {
		return sessions.Entry{}, fmt.Errorf("keep the conversation: %w", err)
	}
	clean := hide(string(bytes.TrimSpace(body.Bytes())))
	if !json.Valid([]byte(clean)) { // a key that holds a quote would do it
		return sessions.Entry{}, fmt.Errorf("keep the conversation: a key in it cannot be removed")
	}
	if !r.at.IsZero() {
		at = r.at
	}
	about := r.about
	if about != nil {
		hidden := *about
		hidden.First, hidden.Last, hidden.Title = hide(about.First), hide(about.Last), hide(about.Title)
		about = &hidden
	}
	return sessions.Entry{Kind: r.kind, Of: r.of, At: at, About: about, Body: json.RawMessage(clean)}, nil
}
