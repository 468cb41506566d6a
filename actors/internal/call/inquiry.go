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

// This file lets a call ask the user a question. The call's goroutine waits while the worker sends
// the question to the session and passes the answer back.

type (
	// callQuestion carries a question to the worker. The call's goroutine waits for the reply.
	callQuestion struct {
		inquiry tools.Inquiry
		reply   chan tools.Reply
	}
	// forgo says that the call's goroutine no longer waits for the reply.
	forgo struct{ reply chan tools.Reply }
	// QuestionRetracted says that the session of a sub-agent has withdrawn a question.
	QuestionRetracted struct {
		Member *actor.PID
		Ask    string
	}
)

type inquiries struct {
	count int
	open  map[string]chan tools.Reply
}

// inquirer returns a function that asks the user. The function runs on the call's goroutine.
func inquirer(c actor.Context) tools.Asker {
	self, root := c.Self(), c.ActorSystem().Root
	return func(ctx context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		reply := make(chan tools.Reply, 1)
		root.Send(self, callQuestion{inquiry: inquiry, reply: reply})
		select {
		case came := <-reply:
			return came, nil
		case <-ctx.Done():
			root.Send(self, forgo{reply: reply})
			return tools.Reply{}, context.Cause(ctx)
		}
	}
}

// asksLater returns a function with which a background job can ask the user. It returns nil for a
// sub-agent and for a conversation without a user. The function sends each question to the session,
// because a job can outlive the worker.
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
			return tools.Reply{}, fmt.Errorf("internal error: %T is not an answer to a question", came)
		}
		return reply.Reply, context.Cause(ctx)
	}
}

// add registers an open question and returns the question's id.
func (i *inquiries) add(call string, reply chan tools.Reply) (name string) {
	if i.open == nil {
		i.open = map[string]chan tools.Reply{}
	}
	i.count++
	name = fmt.Sprintf("%s-ask-%d", call, i.count)
	i.open[name] = reply
	return name
}

func (i *inquiries) waiting() bool { return len(i.open) > 0 }

// deliverReply passes an answer to the waiting goroutine. It returns false if the call has no open
// question with that id.
func (i *inquiries) deliverReply(message mail.Answered) bool {
	reply, own := i.open[message.Ask]
	if own {
		delete(i.open, message.Ask)
		reply <- message.Reply
	}
	return own
}

// forget deletes the question with this reply channel, or all questions if the channel is nil. It
// returns the ids of the deleted questions.
func (i *inquiries) forget(reply chan tools.Reply) (names []string) {
	for name, awaited := range i.open {
		if reply == nil || awaited == reply {
			delete(i.open, name)
			names = append(names, name)
		}
	}
	return names
}

func (w *worker) pose(c actor.Context, message callQuestion) {
	if w.done {
		return // the call has ended, and so has its context
	}
	name := w.asking.add(w.call.ID, message.reply)
	question := w.question(message.inquiry.Title, message.inquiry.Detail, true)
	question.Call, question.Inquiry, question.Host = name, &message.inquiry, ""
	c.Request(w.Session, question)
}

// forgo withdraws the question whose reply channel is message.reply, or all questions if
// message.reply is nil.
func (w *worker) forgo(c actor.Context, message forgo) {
	for _, name := range w.asking.forget(message.reply) {
		c.Send(w.Session, mail.Retract{Ask: name})
	}
}
