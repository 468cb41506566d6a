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

// Record is an entry to write.
type Record struct {
	kind  string
	of    int64 // the entry to which the record refers, or 0
	body  any
	about *sessions.About
	at    time.Time // the time of the record; if zero, the time of writing
}

// Step holds new messages of a turn. They replace the turn's messages at index Offset and above.
// Only the first step of a turn has Prompt, State and Foreign. Only the final step has Outcome,
// Text, Err, Usage, Tainted and Plan.
type Step struct {
	Turn     string             `json:"turn"`
	Prompt   *string            `json:"prompt,omitempty"`
	Cut      bool               `json:"cut,omitempty"` // Prompt contains only the beginning
	State    *State             `json:"state,omitempty"`
	Quiet    bool               `json:"quiet,omitempty"`   // the turn only summarizes; not displayed
	Foreign  bool               `json:"foreign,omitempty"` // imported from another assistant
	Offset   int                `json:"offset,omitempty"`
	Messages []messages.Message `json:"messages,omitempty"`
	Repeats  []Repeat           `json:"repeats,omitempty"` // pictures stored in an earlier entry
	Outcome  messages.Outcome   `json:"outcome,omitempty"`
	Text     string             `json:"text,omitempty"` // the whole answer
	Err      string             `json:"error,omitempty"`
	Usage    *messages.Usage    `json:"usage,omitempty"`   // the totals of the conversation
	Tainted  string             `json:"tainted,omitempty"` // the source of untrusted text
	Plan     *Plan              `json:"plan,omitempty"`
}

// Plan is the checklist of the conversation. Call is the id of the tool call that set the
// checklist.
type Plan struct {
	Is   messages.Plan `json:"is"`
	Call string        `json:"call,omitempty"`
}

// A label is the name of a turn.
type label struct {
	Text string `json:"text"`
}

// An aside contains a side question and its answer.
type aside struct {
	Prompt  string           `json:"prompt"`
	Text    string           `json:"text"`
	Outcome messages.Outcome `json:"outcome"`
	Err     string           `json:"error,omitempty"`
	Sent    []Sent           `json:"sent,omitempty"`
}

// compaction replaces the system text, the tools and all earlier messages.
type compaction struct {
	Messages []messages.Message   `json:"messages"`
	Frame    prompt.Frame         `json:"frame"`
	Tools    []providers.ToolSpec `json:"tools"`
	Repeats  []Repeat             `json:"repeats,omitempty"` // repetitions within Messages
	State    *State               `json:"state,omitempty"`   // nil in files from older versions
}

// spoken is a piece of an incomplete answer.
type spoken struct {
	Turn string `json:"turn"`
	Text string `json:"text"`
}

// toldOf lists unfinished calls that were reported to the user.
type toldOf struct {
	Calls []string `json:"calls,omitempty"`
}

// BeginRecord records the prompt of a turn.
func BeginRecord(turn string, asked messages.Message, state State) Record {
	first := FirstLine(asked.Text)
	return Record{
		kind: stepKind, body: Step{Turn: turn, Prompt: &asked.Text, State: &state, Messages: []messages.Message{asked}},
		about: &sessions.About{First: first, Last: first, Model: state.Model, Terminal: state.Terminal},
	}
}

// OnBranch returns a copy of the record with the given git branch.
func (r Record) OnBranch(branch string) Record {
	about := *r.about
	about.Branch = branch
	r.about = &about
	return r
}

// MessagesRecord records new messages of a turn.
func MessagesRecord(turn string, offset int, said []messages.Message) Record {
	return Record{kind: stepKind, body: Step{Turn: turn, Offset: offset, Messages: said}}
}

// EndRecord records the end of a turn and its cost in US dollars.
func EndRecord(step Step, cost float64) Record {
	return Record{kind: stepKind, body: step, about: &sessions.About{Turns: 1, Cost: cost}}
}

// StateRecord records the conversation's state. The log drops the record if the state has not
// changed. It also drops state records before the first prompt, because that prompt's record
// contains the state.
func StateRecord(state State) Record { return Record{kind: stateKind, body: state} }

// TextRecord returns the record of a piece of an answer. The pieces are used only if Marvin exits
// before it records the whole answer.
func TextRecord(turn, text string) Record {
	return Record{kind: textKind, body: spoken{Turn: turn, Text: text}}
}

// SummaryRecord records new messages of a turn that only summarizes.
func SummaryRecord(turn string, said []messages.Message) Record {
	return Record{kind: stepKind, body: Step{Turn: turn, Quiet: true, Messages: said}}
}

// UnfinishedCallsRecord records the unfinished calls that were reported to the user. The record is
// written when an interrupted conversation is resumed.
func UnfinishedCallsRecord(calls []messages.ToolCall) Record {
	var body toldOf
	for _, call := range calls {
		body.Calls = append(body.Calls, call.ID)
	}
	return Record{kind: toldKind, body: body}
}

// FrameRecord records the system text of the conversation.
func FrameRecord(frame prompt.Frame) Record { return Record{kind: frameKind, body: frame} }

// ToolsRecord records tools that are added to later requests.
func ToolsRecord(specs []providers.ToolSpec) Record { return Record{kind: toolsKind, body: specs} }

// CompactionRecord records a compaction, which replaces the messages, the system text and the
// tools.
func CompactionRecord(all []messages.Message, frame prompt.Frame, specs []providers.ToolSpec) Record {
	return Record{kind: compactionKind, body: compaction{Messages: all, Frame: frame, Tools: specs}}
}

// HandoffRecords returns the first records of a conversation that continues an earlier one. They
// contain the user's handoff request and the model's summary of the earlier conversation.
func HandoffRecords(asked string, said []messages.Message, state State) []Record {
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

// LabelRecord gives a name to the turn that contains the entry. An empty text removes the name.
func LabelRecord(entry int64, text string) Record {
	return Record{kind: labelKind, of: entry, body: label{Text: text}}
}

// AsideRecord records a side question and its cost in US dollars. Later turns do not send the
// question to the model.
func AsideRecord(asked string, ended messages.TurnEnded, cost float64, sent []Sent) Record {
	return Record{kind: asideKind, body: aside{Prompt: asked, Text: ended.Text, Outcome: ended.Outcome, Err: ended.Err, Sent: sent}, about: &sessions.About{Cost: cost}}
}

// IntentRecord records the beginning of a call.
func IntentRecord(call messages.ToolCall) Record { return Record{kind: intentKind, body: call} }

// UndoRecord records a text that tells the model what the user undid.
func UndoRecord(text string) Record { return Record{kind: undoneKind, body: text} }

// TitleRecord records a title that the user or a model gave the conversation.
func TitleRecord(title string) Record {
	return Record{kind: titleKind, body: struct{}{}, about: &sessions.About{Title: title}}
}

func nameRecord(name string) Record {
	return Record{kind: titleKind, body: struct{}{}, about: &sessions.About{Name: name}}
}

// longPrompt is the minimum size, in bytes, of a long prompt. [Step.Prompt] contains only the
// beginning of a long prompt, for display in lists. The step's messages contain the full text.
const longPrompt = 4 << 10

// cutPrompt keeps only the beginning of a long prompt that the first user message repeats.
func (s Step) cutPrompt(hide func(string) string) Step {
	if s.Prompt == nil || len(*s.Prompt) < longPrompt || s.promptText() != *s.Prompt {
		return s
	}
	whole := hide(*s.Prompt) // the cut could split a key, so keys are hidden first
	beginning := strings.ToValidUTF8(whole[:min(len(whole), longPrompt/4)], "") + "…"
	s.Prompt, s.Cut = &beginning, true
	return s
}

func (s Step) promptText() string {
	for _, message := range s.Messages {
		if message.Role == messages.User {
			return message.Text
		}
	}
	return ""
}

// prompt restores the whole prompt of a step. The step must begin a turn.
func (s Step) prompt() string {
	if s.Cut {
		return s.promptText()
	}
	return *s.Prompt
}

// entry converts the record to its stored form. The given function removes secret keys.
func (r Record) entry(at time.Time, hide func(string) string) (sessions.Entry, error) {
	if step, is := r.body.(Step); is {
		r.body = step.cutPrompt(hide)
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // later requests must repeat the same bytes
	if err := encoder.Encode(r.body); err != nil {
		return sessions.Entry{}, fmt.Errorf("keep the conversation: %w", err)
	}
	clean := hide(string(bytes.TrimSpace(body.Bytes())))
	if !json.Valid([]byte(clean)) { // a removed key can include a quotation mark
		return sessions.Entry{}, fmt.Errorf("the conversation is not stored, because it contains a key that Marvin cannot remove")
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
