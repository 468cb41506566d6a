package actors

import (
	"context"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/tools"
)

// How a call asks the person something: its goroutine waits, and the worker passes the
// question up and the answer down.

type (
	// pose comes from the goroutine of a call, which waits for the reply.
	pose struct {
		inquiry tools.Inquiry
		reply   chan tools.Reply
	}
	// forgo says that it does so no more.
	forgo struct{ reply chan tools.Reply }
	// lowered takes a question of a sub-agent's session back that was raised.
	lowered struct {
		member *actor.PID
		ask    string
	}
)

// inquiries are the questions of a call, by the name under which they wait.
type inquiries struct {
	count int
	open  map[string]chan tools.Reply
}

// waiting says whether one of them is open.
func (i *inquiries) waiting() bool { return len(i.open) > 0 }

// asker is what [tools.Env] offers to the goroutine of a call.
func (w *worker) asker(c actor.Context) tools.Asker {
	self, root := c.Self(), c.ActorSystem().Root
	return func(ctx context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		reply := make(chan tools.Reply, 1)
		root.Send(self, pose{inquiry: inquiry, reply: reply})
		select {
		case came := <-reply:
			return came, nil
		case <-ctx.Done():
			root.Send(self, forgo{reply: reply})
			return tools.Reply{}, context.Cause(ctx)
		}
	}
}

func (w *worker) pose(c actor.Context, message pose) {
	if w.done {
		return // and its context ended
	}
	if w.asking.open == nil {
		w.asking.open = map[string]chan tools.Reply{}
	}
	w.asking.count++
	name := fmt.Sprintf("%s-ask-%d", w.call.ID, w.asking.count)
	w.asking.open[name] = message.reply
	question := w.question(message.inquiry.Title, message.inquiry.Detail, true)
	question.call, question.inquiry, question.host = name, &message.inquiry, ""
	c.Request(w.session, question)
}

// replied passes an answer down, and says whether it was one to a question of this call.
func (w *worker) replied(message granted) bool {
	reply, own := w.asking.open[message.ask]
	if own {
		delete(w.asking.open, message.ask)
		reply <- message.reply
	}
	return own
}

func (w *worker) forgo(c actor.Context, message forgo) {
	for name, reply := range w.asking.open {
		if reply == message.reply {
			delete(w.asking.open, name)
			c.Send(w.session, retract{ask: name})
		}
	}
}

// forgoAll takes back what a call asks that is over.
func (w *worker) forgoAll(c actor.Context) {
	for name := range w.asking.open {
		delete(w.asking.open, name)
		c.Send(w.session, retract{ask: name})
	}
}
