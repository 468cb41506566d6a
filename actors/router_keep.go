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

// kept is what of a turn is on the disk, or on its way there.
type kept struct {
	on    bool // what is said goes into the file of the running turn
	asked bool // the prompt was given to the recorder
	waits bool // the prompt is on its way
	said  int  // bytes of the answer
	awake bool // keepText comes within the second
	stop  func()
}

// keepPrompt has the prompt written down. A disk that does not answer holds up nobody for
// longer than the reading of the profile may take.
func (r *router) keepPrompt(c actor.Context) {
	conversation := r.conversation
	if r.kept.asked || r.brief.compact || !conversation.Policy.Persist && conversation.Kept == nil {
		return
	}
	r.kept.on, r.kept.waits, r.kept.asked = conversation.Policy.Persist, true, true
	r.kept.stop = task.After(c, r.config.Tuning.Prepare, promptKept{late: true})
	record := promptRecord{turn: r.name(), conversation: conversation, prompt: r.outside(r.brief.prompt), router: c.Self()}
	if conversation.Kept != nil {
		record.began = sessionlog.Began(r.brief.turn, r.turn.Prompt(), stateOf(r.conversation))
	}
	c.Send(r.recorder, record)
}

func (r *router) promptKept(c actor.Context, message promptKept) {
	if !r.kept.waits {
		return
	}
	r.kept.waits = false
	r.kept.stop()
	if message.late {
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: "The disk does not answer; should Marvin end now, this prompt is not in the history."})
	}
	r.begin(c)
}

// wake has what is said now written down within the second. Between two seconds it is one
// look, for each token.
func (k *kept) wake(c actor.Context) {
	if k.on && !k.awake {
		k.awake = true
		task.After(c, keepEvery, keepText{})
	}
}

func (r *router) keepText(c actor.Context) {
	r.kept.awake = false
	all := r.outside(r.spoken.String())
	if r.kept.said > len(all) {
		return
	}
	c.Send(r.recorder, textRecord{turn: r.name(), text: all[r.kept.said:]})
	r.kept.said = len(all)
}
