package sessionlog

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
)

// Content is a conversation as it was left.
type Content struct {
	Info     persistence.SessionInfo
	Messages []messages.Message   // what its model knows
	Frame    prompt.Frame         // its system text
	Tools    []providers.ToolSpec // that its model knows
	Turns    []Turn               // for people, since the last compaction at least
	Earlier  bool                 // there are turns before those
	Partial  bool                 // it is only the end of what its model knows
	Usage    messages.Usage       // the sums of the conversation
	State    State                // of the last turn
	Tainted  string               // what brought in words of strangers; "" if nothing did
	Plan     Plan
	Unknown  []messages.ToolCall // began, and nobody knows how they ended
	Last     int                 // the number of the last turn, ended or not
	Undone   []string            // what the person took back, and its model was not told yet
	Problems []string            // what could not be read, for people
}

// Turn is a turn as a person saw it.
type Turn struct {
	At       time.Time
	Prompt   string
	Before   []messages.Message // that its model does not know any more
	Messages []messages.Message
	Outcome  messages.Outcome // "" if Marvin ended in it, or is
	Running  bool             // a Marvin is in it
	Text     string           // the whole answer
	Err      string
	Sent     []Sent // requests whose answers are not in Messages
	foreign  bool
}

// Read gives what leads to an entry of a session, as far as its model knows it.
func Read(sessions persistence.Sessions, id string, leaf int64) (*Content, error) {
	header, branch, err := sessions.Branch(id, leaf, func(entry persistence.Entry) bool { return entry.Kind == compactionKind })
	if err != nil {
		return nil, err
	}
	if leaf == 0 {
		branch = nil
	}
	return content(header, branch, false), nil
}

// readEnd is how much of a conversation is read before it is shown, in bytes. With more than
// that since the last compaction the beginning is read behind the first frame: all of 200 MB
// takes 2 s of processor time.
const readEnd = 4 << 20

// ReadEnd is [Read], or of a long conversation whole turns at its end, for people. What its
// model knows is not in that.
func ReadEnd(sessions persistence.Sessions, id string, leaf int64) (*Content, error) {
	size := 0
	header, branch, err := sessions.Branch(id, leaf, func(entry persistence.Entry) bool {
		size += len(entry.Body)
		return entry.Kind == compactionKind || size > readEnd && beginsTurn(entry)
	})
	if err != nil {
		return nil, err
	}
	if leaf == 0 {
		branch = nil
	}
	partial := len(branch) > 0 && branch[0].Parent != 0 && beginsTurn(branch[0])
	if partial {
		branch[0].Parent = 0 // nothing is missing that is not read later
	}
	end := content(header, branch, false)
	end.Earlier, end.Partial = end.Earlier || partial, partial
	return end, nil
}

func beginsTurn(entry persistence.Entry) bool {
	return entry.Kind == stepKind && gjson.GetBytes(entry.Body, "prompt").Exists()
}

// ReadTo gives all that leads to an entry of a session, 0 for where it goes on, for people.
func ReadTo(sessions persistence.Sessions, info persistence.SessionInfo, entry int64) (*Content, error) {
	running := sessions.Busy(info.ID) // before it is read: a turn that ends meanwhile has its end
	header, branch, err := sessions.Branch(info.ID, entry, nil)
	if err != nil {
		return nil, err
	}
	all := content(header, branch, running)
	all.Info = info
	return all, nil
}

func content(header persistence.SessionHeader, branch []persistence.Entry, running bool) *Content {
	fold := folding{content: &Content{Info: persistence.SessionInfo{SessionHeader: header}}, intents: map[string]messages.ToolCall{}}
	if len(branch) > 0 && branch[0].Parent != 0 {
		fold.content.Earlier = true
		if branch[0].Kind != compactionKind {
			fold.content.Problems = append(fold.content.Problems, "the beginning of this conversation is damaged and could not be read")
		}
	}
	for _, entry := range branch {
		if err := fold.take(entry); err != nil {
			fold.content.Problems = append(fold.content.Problems, fmt.Sprintf("step %d could not be read: %v", entry.ID, err))
		}
	}
	if fold.turn != nil && running {
		fold.content.Turns = append(fold.content.Turns, *fold.turn)
		fold.content.Turns[len(fold.content.Turns)-1].Running = true
		fold.turn = nil
	}
	fold.end()
	return fold.content
}

// folding makes a content from entries, the oldest first.
type folding struct {
	content *Content
	turn    *Turn // the running one
	intents map[string]messages.ToolCall
	order   []string // of the intents
	shown   shown
}

func (f *folding) take(entry persistence.Entry) error {
	switch entry.Kind {
	case stepKind:
		var step Step
		if err := json.Unmarshal(entry.Body, &step); err != nil {
			return err
		}
		f.shown.whole(step.Messages, step.Repeats)
		return f.step(step, entry.At)
	case frameKind:
		return json.Unmarshal(entry.Body, &f.content.Frame)
	case toolsKind:
		var specs []providers.ToolSpec
		err := json.Unmarshal(entry.Body, &specs)
		f.content.Tools = append(f.content.Tools, specs...)
		return err
	case compactionKind:
		var all compaction
		if err := json.Unmarshal(entry.Body, &all); err != nil {
			return err
		}
		f.shown.whole(all.Messages, all.Repeats)
		f.content.Messages, f.content.Frame, f.content.Tools = all.Messages, all.Frame, all.Tools
		f.content.Tainted = "what was summarised" // until a turn that ended says more
		if f.turn != nil {
			// The steps that follow say again what is left of them.
			f.turn.Before, f.turn.Messages = append(f.turn.Before, f.turn.Messages...), nil
		}
	case asideKind:
		var beside aside
		if err := json.Unmarshal(entry.Body, &beside); err != nil {
			return err
		}
		// In the middle of a turn it is what was asked before it, and written down a little later.
		f.content.Turns = append(f.content.Turns, Turn{
			At: entry.At, Prompt: beside.Prompt, Outcome: beside.Outcome, Text: beside.Text, Err: beside.Err, Sent: beside.Sent,
			Messages: []messages.Message{{Role: messages.User, Text: beside.Prompt}, {Role: messages.Assistant, Text: beside.Text}},
		})
	case sentKind:
		return f.sent(entry.Body)
	case undoneKind:
		var text string
		if err := json.Unmarshal(entry.Body, &text); err != nil {
			return err
		}
		f.content.Undone = append(f.content.Undone, text)
	case intentKind:
		var call messages.ToolCall
		if err := json.Unmarshal(entry.Body, &call); err != nil {
			return err
		}
		f.intents[call.ID] = call
		f.order = append(f.order, call.ID)
	}
	return nil
}

func (f *folding) step(step Step, at time.Time) error {
	if step.Prompt != nil {
		f.close()
		f.turn = &Turn{At: at, Prompt: *step.Prompt, foreign: step.Foreign}
	}
	var number int
	if _, err := fmt.Sscanf(step.Turn, "t%d", &number); err == nil {
		f.content.Last = max(f.content.Last, number)
	}
	if step.Prompt == nil && len(step.Messages) > 0 {
		f.content.Undone = nil // it is said with the prompt
	}
	if step.State != nil {
		f.content.State = *step.State
	}
	if f.turn == nil { // a compaction stands in the middle of a turn
		f.turn = &Turn{At: at}
	}
	if step.Offset > len(f.turn.Messages) {
		return fmt.Errorf("%d messages before it are missing", step.Offset-len(f.turn.Messages))
	}
	f.turn.Messages = append(f.turn.Messages[:step.Offset:step.Offset], step.Messages...)
	for _, message := range step.Messages {
		delete(f.intents, message.Result.Call)
	}
	if step.Usage != nil {
		f.content.Usage = *step.Usage
	}
	if step.Outcome != "" {
		f.content.Tainted, f.content.Plan = step.Tainted, Plan{}
		if step.Plan != nil {
			f.content.Plan = *step.Plan
		}
		f.turn.Outcome, f.turn.Text, f.turn.Err = step.Outcome, step.Text, step.Err
		f.close()
	}
	return nil
}

// close ends the turn.
func (f *folding) close() {
	if f.turn == nil {
		return
	}
	if f.turn.Outcome == "" {
		f.content.Tainted = "the turn in which Marvin ended" // nobody knows what it read
		f.turn.Messages = append(f.turn.Messages, messages.Message{Role: messages.Assistant, Text: f.brokeOff()})
	}
	known := f.turn.Messages
	if f.turn.foreign {
		known = inWords(known)
	}
	f.content.Messages = append(f.content.Messages, known...)
	f.content.Turns = append(f.content.Turns, *f.turn)
	f.turn = nil
}

// brokeOff stands where Marvin ended in the middle of a turn.
func (f *folding) brokeOff() string {
	var text strings.Builder
	text.WriteString("[Marvin ended here unexpectedly.]")
	for _, id := range f.order {
		if call, unknown := f.intents[id]; unknown {
			delete(f.intents, id)
			f.content.Unknown = append(f.content.Unknown, call)
			fmt.Fprintf(&text, "\n[%s was running; whether it was done is unknown. Look before doing it again: %s]", call.Name, call.Args)
		}
	}
	return text.String()
}

// end closes the last turn.
func (f *folding) end() {
	f.close()
	f.content.makeWhole()
}
