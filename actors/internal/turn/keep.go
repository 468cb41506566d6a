package turn

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// How a turn that is kept is on the disk while it runs: its prompt before it is asked,
// and what the model says a second later at the latest.

// keepText says that a second passed since something was said.
type keepText struct{}

// keepEvery is how much of an answer a crash may cost.
const keepEvery = time.Second

// turnKeeping is what of a turn is on the disk, or on its way there.
type turnKeeping struct {
	*turnState
	on        bool // what is said is written down while it comes
	asked     bool // the prompt was given to the recorder
	said      int  // bytes of the answer that are in the history
	own       int  // bytes of the answer that are in the log of the conversation
	awake     bool // keepText comes within the second
	stopTimer func()
	logged    writtenDown
}

// prompt stores the prompt. A disk that does not respond delays the turn no longer than reading the
// profile may take.
func (k *turnKeeping) prompt(c actor.Context) {
	conversation := k.conversation
	if k.asked || k.input.Compact || !conversation.Policy.Persist && conversation.Kept == nil {
		return
	}
	k.asked = true
	if k.on = conversation.Policy.Persist || conversation.Kept.Lasts(); k.on {
		k.missing |= theDisk
		k.stopTimer = task.After(c, k.Config.Tuning.Disk, recorder.PromptStored{Late: true})
	}
	record := recorder.PromptRecord{Turn: k.name(), Conversation: conversation, Prompt: k.outside(k.input.Prompt), Router: c.Self()}
	if conversation.Kept != nil {
		record.Began = sessionlog.Began(k.input.Turn, k.turn.Prompt(), k.input.Stands)
	}
	c.Send(k.Recorder, record)
}

func (k *turnKeeping) promptKept(c actor.Context, message recorder.PromptStored) step {
	if k.missing&theDisk == 0 {
		return step{}
	}
	k.missing &^= theDisk
	k.stopTimer()
	if message.Late {
		k.note(c, messages.Warning, "The disk does not answer; if Marvin ends now, this prompt is missing from the history.")
	}
	return step{to: begins}
}

// wake has what is said now written down within the second. Between two seconds it is one
// look, for each token.
func (k *turnKeeping) wake(c actor.Context) {
	if k.on && !k.awake {
		k.awake = true
		task.After(c, keepEvery, keepText{})
	}
}

// text has what was said since the last second written down.
func (k *turnKeeping) text(c actor.Context, whole string) {
	k.awake = false
	record := recorder.TextRecord{Turn: k.name()}
	if k.conversation.Kept != nil {
		record.Own, k.own = whole[min(k.own, len(whole)):], len(whole)
	}
	if all := k.outside(whole); k.said <= len(all) {
		record.Text, k.said = all[k.said:], len(all)
	}
	if record.Text+record.Own != "" {
		c.Send(k.Recorder, record)
	}
}

// forgo continues without waiting for a prompt to reach the disk.
func (k *turnKeeping) forgo() {
	if k.missing&theDisk != 0 {
		k.missing &^= theDisk
		k.stopTimer()
	}
}
