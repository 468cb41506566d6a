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

// inquirer is what [tools.Env] offers to the goroutine of a call.
func inquirer(c actor.Context) tools.Asker {
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

// add notes a question of the call, and names it.
func (i *inquiries) add(call string, reply chan tools.Reply) (name string) {
	if i.open == nil {
		i.open = map[string]chan tools.Reply{}
	}
	i.count++
	name = fmt.Sprintf("%s-ask-%d", call, i.count)
	i.open[name] = reply
	return name
}

// waiting says whether one of them is open.
func (i *inquiries) waiting() bool { return len(i.open) > 0 }

// replied passes an answer down, and says whether it was one to a question of this call.
func (i *inquiries) replied(message granted) bool {
	reply, own := i.open[message.ask]
	if own {
		delete(i.open, message.ask)
		reply <- message.reply
	}
	return own
}

// forget gives up the question whose reply was awaited there, and says its name. With nil
// it gives up all.
func (i *inquiries) forget(reply chan tools.Reply) (names []string) {
	for name, awaited := range i.open {
		if reply == nil || awaited == reply {
			delete(i.open, name)
			names = append(names, name)
		}
	}
	return names
}

func (w *worker) pose(c actor.Context, message pose) {
	if w.done {
		return // and its context ended
	}
	name := w.asking.add(w.call.ID, message.reply)
	question := w.question(message.inquiry.Title, message.inquiry.Detail, true)
	question.call, question.inquiry, question.host = name, &message.inquiry, ""
	c.Request(w.session, question)
}

// forgo takes back what the call asks no more: with a nil reply, as it is over, all of it.
func (w *worker) forgo(c actor.Context, message forgo) {
	for _, name := range w.asking.forget(message.reply) {
		c.Send(w.session, retract{ask: name})
	}
}
