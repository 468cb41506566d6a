package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

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
	on     bool // what is said goes into the file of the running turn
	asked  bool // the prompt was given to the recorder
	waits  bool // the prompt is on its way
	said   int  // bytes of the answer
	awake  bool // keepText comes within the second
	hush   func()
	logged writtenDown
}

// prompt has the prompt written down. A disk that does not answer holds up nobody for
// longer than the reading of the profile may take.
func (k *turnKeeping) prompt(c actor.Context) {
	conversation := k.conversation
	if k.asked || k.brief.compact || !conversation.Policy.Persist && conversation.Kept == nil {
		return
	}
	k.on, k.waits, k.asked = conversation.Policy.Persist, true, true
	k.hush = task.After(c, k.config.Tuning.Prepare, promptKept{late: true})
	record := promptRecord{turn: k.name(), conversation: conversation, prompt: k.outside(k.brief.prompt), router: c.Self()}
	if conversation.Kept != nil {
		record.began = sessionlog.Began(k.brief.turn, k.turn.Prompt(), stateOf(conversation))
	}
	c.Send(k.recorder, record)
}

func (k *turnKeeping) promptKept(c actor.Context, message promptKept) step {
	if !k.waits {
		return step{}
	}
	k.waits = false
	k.hush()
	if message.late {
		k.note(c, messages.Warning, "The disk does not answer; should Marvin end now, this prompt is not in the history.")
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
	all := k.outside(whole)
	if k.said > len(all) {
		return
	}
	c.Send(k.recorder, textRecord{turn: k.name(), text: all[k.said:]})
	k.said = len(all)
}
