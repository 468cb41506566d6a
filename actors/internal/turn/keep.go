package turn

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// This file stores the running turn. The prompt is stored before the model receives it, and new
// text of the answer is stored within a second.

// keepText is the request to store new text.
type keepText struct{}

// keepEvery is the interval at which new text is stored. A crash loses at most the text of one
// interval.
const keepEvery = time.Second

// turnKeeping tracks which part of a turn is stored or sent to the recorder.
type turnKeeping struct {
	*turnState
	on        bool // the answer's text is stored while it arrives
	asked     bool // the prompt was given to the recorder
	said      int  // how many bytes of the answer are in the profile's history
	own       int  // how many bytes of the answer are in the conversation's log
	awake     bool // the timer for keepText is running
	stopTimer func()
	logged    writtenDown
}

// storePrompt sends the prompt to the recorder. The turn waits at most Tuning.Disk for the
// confirmation.
func (k *turnKeeping) storePrompt(c actor.Context) {
	conversation := k.conversation
	if k.asked || k.input.Compact || !conversation.Policy.Persist && conversation.Stored == nil {
		return
	}
	k.asked = true
	if k.on = conversation.Policy.Persist || conversation.Stored.Listed(); k.on {
		k.missing |= theDisk
		k.stopTimer = task.After(c, k.Config.Tuning.Disk, recorder.PromptStored{Late: true})
	}
	record := recorder.PromptRecord{Turn: k.name(), Conversation: conversation, Prompt: k.forHistory(k.input.Prompt), Router: c.Self()}
	if conversation.Stored != nil {
		record.Began = sessionlog.BeginRecord(k.input.Turn, k.turn.Prompt(), k.input.Stands)
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
		k.note(c, messages.Warning, "The disk does not respond; if Marvin ends now, this prompt will be missing from the history.")
	}
	return step{to: begins}
}

// wake ensures that new text is stored within a second. It is called for every chunk of text, and
// most calls only compare flags.
func (k *turnKeeping) wake(c actor.Context) {
	if k.on && !k.awake {
		k.awake = true
		task.After(c, keepEvery, keepText{})
	}
}

// sendText sends the new text of the answer to the recorder.
func (k *turnKeeping) sendText(c actor.Context, whole string) {
	k.awake = false
	record := recorder.TextRecord{Turn: k.name()}
	if k.conversation.Stored != nil {
		record.Own, k.own = whole[min(k.own, len(whole)):], len(whole)
	}
	if all := k.forHistory(whole); k.said <= len(all) {
		record.Text, k.said = all[k.said:], len(all)
	}
	if record.Text+record.Own != "" {
		c.Send(k.Recorder, record)
	}
}

// forgo terminates the wait for the disk.
func (k *turnKeeping) forgo() {
	if k.missing&theDisk != 0 {
		k.missing &^= theDisk
		k.stopTimer()
	}
}
