package call

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
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
	// QuestionRetracted takes a question of a sub-agent's session back that was raised.
	QuestionRetracted struct {
		Member *actor.PID
		Ask    string
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

// asksLater is what [tools.Env] offers to a job, whose worker is gone: it asks the session. It
// is nil where no user would answer.
func (w *worker) asksLater(root *actor.RootContext) tools.Asker {
	if !w.Mode.Person || w.Mode.Agent {
		return nil
	}
	session, call, count := w.Session, w.call.ID, new(atomic.Int64)
	return func(ctx context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		ask := fmt.Sprintf("%s-job-%d", call, count.Add(1))
		answer := root.RequestFuture(session, mail.AskUser{Call: ask, Title: inquiry.Title, Detail: inquiry.Detail, Inquiry: &inquiry}, 2*cmp.Or(inquiry.Wait, tools.DefaultWait))
		stop := context.AfterFunc(ctx, func() {
			root.Send(session, mail.Retract{Ask: ask})
			root.Send(answer.PID(), mail.Answered{Ask: ask, Reply: tools.Reply{Unanswered: "the job is over"}})
		})
		defer stop()
		came, err := answer.Result()
		if err != nil {
			return tools.Reply{}, err
		}
		reply, ok := came.(mail.Answered)
		if !ok {
			return tools.Reply{}, fmt.Errorf("%T is not an answer to a question", came)
		}
		return reply.Reply, context.Cause(ctx)
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
func (i *inquiries) replied(message mail.Answered) bool {
	reply, own := i.open[message.Ask]
	if own {
		delete(i.open, message.Ask)
		reply <- message.Reply
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
	question.Call, question.Inquiry, question.Host = name, &message.inquiry, ""
	c.Request(w.Session, question)
}

// forgo takes back what the call asks no more: with a nil reply, as it is over, all of it.
func (w *worker) forgo(c actor.Context, message forgo) {
	for _, name := range w.asking.forget(message.reply) {
		c.Send(w.Session, mail.Retract{Ask: name})
	}
}
