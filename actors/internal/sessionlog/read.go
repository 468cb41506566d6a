package sessionlog

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/providers"
)

// Content is a conversation as it was left.
type Content struct {
	Info     sessions.Info
	Messages []messages.Message   // what its model knows
	Frame    prompt.Frame         // its system text
	Tools    []providers.ToolSpec // that its model knows
	Turns    []Turn               // for people
	Earlier  bool                 // there are turns before those
	Partial  bool                 // the beginning is not included
	State    State                // in which it was left
	Open     bool                 // Marvin ended in the last turn, which was not resumed
	Unknown  []messages.ToolCall  // calls of that turn with unknown outcome
	Problems []string             // what could not be read, for people
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

// Read gives what leads to an entry of a session: all that its model knows, and for people as
// much as [ReadEnd] shows.
func Read(sessions sessions.Store, id string, leaf int64) (*Content, error) {
	return read(sessions, id, leaf, false)
}

// readEnd is how much of a conversation is read before the first frame, in bytes. If the model
// knows more, the beginning is read afterwards: all of 200 MB takes 2 s of CPU time.
const readEnd = 4 << 20

// ReadEnd is [Read], or for a long conversation its last whole turns for display, without all that
// the model knows.
func ReadEnd(sessions sessions.Store, id string, leaf int64) (*Content, error) {
	return read(sessions, id, leaf, true)
}

func read(store sessions.Store, id string, leaf int64, partial bool) (*Content, error) {
	size, begun := 0, 0
	var stopped, summed, stated bool // reading covers all that the model knows, and the state
	header, branch, err := store.Branch(id, leaf, func(entry sessions.Entry) bool {
		size += len(entry.Body)
		border := entry.Kind == compactionKind
		if border {
			summed = true
			stated = stated || gjson.GetBytes(entry.Body, "state").Exists()
		} else if border = (!stated || size > readEnd) && beginsTurn(entry); border {
			begun++
			// An older Marvin has the state with the prompt, and the rest of it with the end of
			// the turn before.
			stated = stated || begun == 2 || gjson.GetBytes(entry.Body, "state.effort").Exists()
		}
		stopped = border && size > readEnd && (summed || partial) && stated
		return stopped
	})
	if err != nil {
		return nil, err
	}
	if leaf == 0 {
		branch = nil
	}
	content := content(header, branch, false, stopped)
	content.Partial = stopped && !summed
	return content, nil
}

func beginsTurn(entry sessions.Entry) bool {
	return entry.Kind == stepKind && gjson.GetBytes(entry.Body, "prompt").Exists()
}

// ReadTo returns the branch up to an entry of a session, for display; 0 is the current end.
func ReadTo(sessions sessions.Store, info sessions.Info, entry int64) (*Content, error) {
	running := sessions.Busy(info.ID) // before it is read: a turn that ends meanwhile has its end
	header, branch, err := sessions.Branch(info.ID, entry, nil)
	if err != nil {
		return nil, err
	}
	all := content(header, branch, running, false)
	all.Info = info
	return all, nil
}

// content builds a content from entries. The first is where reading stopped, or where the file
// becomes unreadable.
func content(header sessions.Header, branch []sessions.Entry, running, stopped bool) *Content {
	fold := folding{content: &Content{Info: sessions.Info{Header: header}}, intents: map[string]messages.ToolCall{}, told: map[string]bool{}}
	if len(branch) > 0 && branch[0].Parent != 0 {
		fold.content.Earlier = true
		if !stopped && branch[0].Kind != compactionKind {
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
	order   []string        // of the intents
	told    map[string]bool // unknown outcomes already reported to the user
	text    string          // of the answer that is coming
	shown   shown
}

func (f *folding) take(entry sessions.Entry) error {
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
		f.content.Messages, f.content.Frame, f.content.Tools, f.text = all.Messages, all.Frame, all.Tools, ""
		switch {
		case all.State != nil:
			f.content.State = *all.State
		case len(f.content.Turns) == 0 && f.turn == nil: // until a turn that ended says more
			f.content.State.Tainted = "what was summarized"
		}
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
		f.content.State.record(Undone(text))
	case stateKind:
		var state State
		if err := json.Unmarshal(entry.Body, &state); err != nil {
			return err
		}
		f.content.State.replace(state)
	case textKind:
		var piece spoken
		if err := json.Unmarshal(entry.Body, &piece); err != nil {
			return err
		}
		f.text += piece.Text
	case toldKind:
		var known toldOf
		if err := json.Unmarshal(entry.Body, &known); err != nil {
			return err
		}
		for _, id := range known.Calls {
			f.told[id] = true
		}
		f.close(true)
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
		f.close(false)
		f.turn = &Turn{At: at, Prompt: step.prompt(), foreign: step.Foreign}
	}
	f.content.State.follow(step)
	if step.Quiet {
		f.content.Messages = append(f.content.Messages, step.Messages...)
		return nil
	}
	if len(step.Messages) > 0 || step.Outcome != "" {
		f.text = "" // it is in the messages
	}
	if f.turn == nil { // a compaction in the middle of a turn
		f.turn = &Turn{At: at}
	}
	if step.Offset < 0 {
		return fmt.Errorf("its offset is %d", step.Offset)
	}
	if step.Offset > len(f.turn.Messages) {
		return fmt.Errorf("%d messages before it are missing", step.Offset-len(f.turn.Messages))
	}
	f.turn.Messages = append(f.turn.Messages[:step.Offset:step.Offset], step.Messages...)
	for _, message := range step.Messages {
		delete(f.intents, message.Result.Call)
	}
	if step.Outcome != "" {
		f.turn.Outcome, f.turn.Text, f.turn.Err = step.Outcome, step.Text, step.Err
		f.close(false)
	}
	return nil
}

// close ends the turn. Last says that nothing follows.
func (f *folding) close(last bool) {
	if f.turn == nil {
		return
	}
	if f.turn.Outcome == "" {
		f.content.State.Tainted = brokenOff // unknown what it read
		f.turn.Messages = append(f.turn.Messages, messages.Message{Role: messages.Assistant, Text: f.brokeOff(last)})
	}
	known := f.turn.Messages
	if f.turn.foreign {
		known = inWords(known)
	}
	f.content.Messages = append(f.content.Messages, known...)
	f.content.Turns = append(f.content.Turns, *f.turn)
	f.turn = nil
}

// brokenOff is what taints a conversation with a turn that has no end.
const brokenOff = "the turn in which Marvin ended"

// brokeOff returns the end of an interrupted turn: the partial answer and the running calls. For
// the last turn these are reported to the user, once.
func (f *folding) brokeOff(last bool) string {
	var text strings.Builder
	if f.text != "" {
		text.WriteString(strings.TrimRight(f.text, "\n") + "\n")
	}
	f.text = ""
	text.WriteString("[Marvin ended here unexpectedly.]")
	for _, id := range f.order {
		if call, unknown := f.intents[id]; unknown {
			delete(f.intents, id)
			if last && !f.told[id] {
				f.content.Unknown = append(f.content.Unknown, call)
			}
			fmt.Fprintf(&text, "\n[%s was running; whether it was done is unknown. Look before doing it again: %s]", call.Name, call.Args)
		}
	}
	return text.String()
}

// end closes the last turn.
func (f *folding) end() {
	f.content.Open = f.turn != nil
	f.close(true)
	f.content.makeWhole()
}
