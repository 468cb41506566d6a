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

// Content is a stored conversation.
type Content struct {
	Info     sessions.Info
	Messages []messages.Message   // what the model knows
	Frame    prompt.Frame         // the system text
	Tools    []providers.ToolSpec // the tools that the model knows
	Turns    []Turn               // for display
	Earlier  bool                 // the conversation has turns before the first one in Turns
	Partial  bool                 // the beginning was not read
	State    State                // the last state
	Open     bool                 // the conversation breaks off in the last turn and was not resumed
	Unknown  []messages.ToolCall  // the last turn's calls with unknown outcomes
	Problems []string             // warnings about unreadable or missing parts
}

// Turn describes one turn of a conversation.
type Turn struct {
	At       time.Time
	Prompt   string
	Before   []messages.Message // messages that the model no longer knows
	Messages []messages.Message
	Outcome  messages.Outcome // "" if the turn has no end
	Running  bool             // a Marvin process is still running this turn
	Text     string           // the whole answer
	Err      string
	Sent     []Sent // requests whose answers are not in Messages
	foreign  bool
}

// Read returns a conversation up to the given entry. Turns before the last compaction can be
// missing, because the model no longer knows them.
func Read(sessions sessions.Store, id string, leaf int64) (*Content, error) {
	return read(sessions, id, leaf, false)
}

// readEnd is how many bytes of a long conversation are read before the screen is first drawn. The
// rest is read later, because reading 200 MB takes 2 s of CPU time.
const readEnd = 4 << 20

// ReadEnd is like [Read], but it returns only the last turns of a long conversation. If the model
// knows earlier turns, Partial is set.
func ReadEnd(sessions sessions.Store, id string, leaf int64) (*Content, error) {
	return read(sessions, id, leaf, true)
}

func read(store sessions.Store, id string, leaf int64, partial bool) (*Content, error) {
	size, begun := 0, 0
	// whether reading stopped early, found a compaction, and found the state
	var stopped, summed, stated bool
	header, branch, err := store.Branch(id, leaf, func(entry sessions.Entry) bool {
		size += len(entry.Body)
		border := entry.Kind == compactionKind
		if border {
			summed = true
			stated = stated || gjson.GetBytes(entry.Body, "state").Exists()
		} else if border = (!stated || size > readEnd) && beginsTurn(entry); border {
			begun++
			// Older versions of Marvin divided the state between a turn's first step and the
			// previous turn's last step.
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

// ReadTo returns the branch that ends at the given entry, or the current branch if entry is 0.
func ReadTo(sessions sessions.Store, info sessions.Info, entry int64) (*Content, error) {
	// If Busy were called after Branch, a turn that ended between the two calls would look
	// interrupted.
	running := sessions.Busy(info.ID)
	header, branch, err := sessions.Branch(info.ID, entry, nil)
	if err != nil {
		return nil, err
	}
	all := content(header, branch, running, false)
	all.Info = info
	return all, nil
}

// content returns a [Content] built from the entries of a branch. If the first entry has a parent,
// the beginning is missing, and Earlier is set.
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

// folding builds a [Content] from entries, oldest first.
type folding struct {
	content *Content
	turn    *Turn // the turn that has not ended; may be nil
	intents map[string]messages.ToolCall
	order   []string        // call ids, oldest first
	told    map[string]bool // unknown outcomes already reported to the user
	text    string          // the text of an incomplete answer
	shown   shown
}

func (f *folding) take(entry sessions.Entry) error {
	switch entry.Kind {
	case stepKind:
		var step Step
		if err := json.Unmarshal(entry.Body, &step); err != nil {
			return err
		}
		f.shown.restorePictures(step.Messages, step.Repeats)
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
		f.shown.restorePictures(all.Messages, all.Repeats)
		f.content.Messages, f.content.Frame, f.content.Tools, f.text = all.Messages, all.Frame, all.Tools, ""
		switch {
		case all.State != nil:
			f.content.State = *all.State
		case len(f.content.Turns) == 0 && f.turn == nil:
			// Older versions of Marvin stored no state with a compaction, so assume untrusted text.
			// The last step of the next turn replaces Tainted.
			f.content.State.Tainted = "what was summarized"
		}
		if f.turn != nil {
			// Later steps repeat the messages that the model still knows.
			f.turn.Before, f.turn.Messages = append(f.turn.Before, f.turn.Messages...), nil
		}
	case asideKind:
		var beside aside
		if err := json.Unmarshal(entry.Body, &beside); err != nil {
			return err
		}
		// The aside precedes the running turn, even if the aside was recorded later.
		f.content.Turns = append(f.content.Turns, Turn{
			At: entry.At, Prompt: beside.Prompt, Outcome: beside.Outcome, Text: beside.Text, Err: beside.Err, Sent: beside.Sent,
			Messages: []messages.Message{{Role: messages.User, Text: beside.Prompt}, {Role: messages.Assistant, Text: beside.Text}},
		})
	case sentKind:
		return f.addSent(entry.Body)
	case undoneKind:
		var text string
		if err := json.Unmarshal(entry.Body, &text); err != nil {
			return err
		}
		f.content.State.record(UndoRecord(text))
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
		f.text = "" // this step replaces the pieces of the answer
	}
	if f.turn == nil { // the beginning of this turn was not read
		f.turn = &Turn{At: at}
	}
	if step.Offset < 0 {
		return fmt.Errorf("its offset is %d", step.Offset)
	}
	if step.Offset > len(f.turn.Messages) {
		return fmt.Errorf("%d messages before this step are missing", step.Offset-len(f.turn.Messages))
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

// close adds the running turn to the content. endInterrupted describes atEnd.
func (f *folding) close(atEnd bool) {
	if f.turn == nil {
		return
	}
	if f.turn.Outcome == "" {
		f.content.State.Tainted = brokenOff // the lost calls may have read untrusted text
		f.turn.Messages = append(f.turn.Messages, messages.Message{Role: messages.Assistant, Text: f.endInterrupted(atEnd)})
	}
	known := f.turn.Messages
	if f.turn.foreign {
		known = inWords(known)
	}
	f.content.Messages = append(f.content.Messages, known...)
	f.content.Turns = append(f.content.Turns, *f.turn)
	f.turn = nil
}

// brokenOff is the value of Tainted after an interrupted turn.
const brokenOff = "the turn that was running when Marvin ended"

// endInterrupted returns the text that ends an interrupted turn: the partial answer and the calls
// that were running. If atEnd is true, the calls that have not been reported to the user are added
// to Unknown.
func (f *folding) endInterrupted(atEnd bool) string {
	var text strings.Builder
	if f.text != "" {
		text.WriteString(strings.TrimRight(f.text, "\n") + "\n")
	}
	f.text = ""
	text.WriteString("[Marvin ended here unexpectedly.]")
	for _, id := range f.order {
		if call, unknown := f.intents[id]; unknown {
			delete(f.intents, id)
			if atEnd && !f.told[id] {
				f.content.Unknown = append(f.content.Unknown, call)
			}
			fmt.Fprintf(&text, "\n[%s was running; whether it finished is unknown. Check what it did before doing it again: %s]", call.Name, call.Args)
		}
	}
	return text.String()
}

// end closes and marks an interrupted turn, and repairs the messages.
func (f *folding) end() {
	f.content.Open = f.turn != nil
	f.close(true)
	f.content.makeWhole()
}
