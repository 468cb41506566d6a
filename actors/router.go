package actors

import (
	"fmt"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/loop"
	"marvin/actors/internal/splice"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/dialect"
)

// router is one turn: it asks the model, runs the calls, and asks again until there
// is an answer. It lives exactly as long as the work and is never restarted.
type router struct {
	turnState

	spoken   strings.Builder // the whole answer, of all rounds
	current  strings.Builder // what the request under way has said so far
	waiting  bool            // the session has words for the model
	due      bool            // which it has to hear in this turn
	borrowed time.Duration   // of people, beyond the time limit
	guard    loop.Guard

	preparation
	exchange
	recovery
	round
	hookedTurn
}

func (r *router) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		r.start(c)
	case prepared:
		r.prepared(c, message)
	case described:
		r.described(c, message)
	case granted:
		r.acquainted(c, message)
	case approve:
		r.approve(c, message)
	case remembered:
		r.remembered(c, message)
	case promptKept:
		r.promptKept(c, message)
	case keepText:
		r.keepText(c)
	case notifications:
		r.notified(c, message)
	case newsLate:
		r.stopNews(c)
	case consultedHooks:
		r.advised(c, message)
	case weighed:
		r.weighed(c, message)
	case planned:
		r.planned(c, message)
	case pruned:
		r.pruned(c, message)
	case compacted:
		r.compacted(c, message)
	case part:
		r.part(c, message)
	case quiet:
		r.quiet(c, message)
	case answered:
		r.answered(c, message)
	case messages.Event:
		c.Send(r.brief.session, message)
	case callEnded:
		r.callEnded(c, message)
	case wordsWait:
		r.wordsWait(message)
	case words:
		r.heard(c, message)
	case useProvider:
		r.useProvider(c, message)
	case cancelTurn:
		r.cancelTurn(c)
	case messages.Background:
		r.sendAway(c, message)
	case compactTurn:
		r.wanted, r.focus = true, message.focus
	case overtime:
		c.Request(r.brief.session, message)
	case lent:
		r.lent(c, message)
	case patienceEnded:
		r.patienceEnded(c, message)
	case affordable:
		r.affordable(c, message)
	case *actor.Stopping:
		r.hushHooks()
		r.pay(0) // for a request that nobody waits for any more
	case providerLost:
		if _, pid := r.respondent(); message.who.Equal(pid) { // and not the one before a fallback
			r.answered(c, answered{err: message.reason})
		}
	case *actor.Terminated:
		task.Obituary(c, message)
	case task.Gone:
		r.workerGone(c, message)
	}
}

func (r *router) part(c actor.Context, message part) {
	if r.phase != asking {
		return
	}
	switch message.Kind {
	case providers.TextPart:
		r.say(c, pass(r.retold, pass(r.joint, message.Text)))
	case providers.ThinkingPart:
		c.Send(r.brief.session, messages.Thinking{Chunk: message.Text})
	case providers.AnewPart:
		r.flush(c)
		r.retold = splice.Anew(r.current.String())
		c.Send(r.brief.session, messages.Waiting{Why: message.Text, Until: r.config.Now()})
	case providers.NoticePart:
		if message.Text != "" { // else it is for the provider's clock
			c.Send(r.brief.session, messages.Waiting{Why: message.Text, Until: r.config.Now().Add(message.Wait)})
		}
	case providers.CallingPart:
		// a sign of life for the provider's clock; the call itself comes whole
	}
}

// say passes text on. A new round's first words begin a line of their own, but the
// continuation of an answer that broke off does not.
func (r *router) say(c actor.Context, chunk string) {
	if chunk == "" {
		return
	}
	if r.joint == nil && r.current.Len() == 0 && r.spoken.Len() > 0 && !strings.HasSuffix(r.spoken.String(), "\n") {
		r.spoken.WriteByte('\n')
	}
	r.current.WriteString(chunk)
	r.spoken.WriteString(chunk)
	r.kept.wake(c) // guard: an answer is on the disk while it streams
	c.Send(r.brief.session, messages.Text{Chunk: chunk})
}

// answered decides what follows an answer: calls, an end, or a second chance.
func (r *router) answered(c actor.Context, message answered) {
	if r.phase == compacting {
		r.summarised(c, message)
		return
	}
	if r.phase != asking {
		return
	}
	r.reply = r.answer(message.reply, r.account(c, message))
	r.meter().Told(message.reply.Window, message.reply.Widest)
	if message.err == nil {
		r.meter().Learn(r.question, message.reply.Usage)
	}
	for _, notice := range message.reply.Notices {
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: notice})
	}
	r.reported(c, message, func() { r.digest(c, message) })
}

// digest goes on with an answer, once everybody heard what it cost.
func (r *router) digest(c actor.Context, message answered) {
	healed := r.joint != nil
	r.flush(c)
	text, calls := r.current.String(), message.reply.Calls
	switch {
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case message.err != nil:
		r.failed(c, text, message.err)
		return
	case len(calls) > 0 && r.outOfRounds(): // guard: the last round is the last
		r.refuseLate(c, text, calls)
	case len(calls) > 0 && message.reply.Finish == providers.Length:
		r.refuse(c, text, calls, cutCalls)
	case len(calls) > 0 && message.reply.Torn: // guard: a call with a hole is not run
		r.refuse(c, text, calls, tornCalls)
	case len(calls) > 0:
		r.run(c, text, calls)
	case message.reply.Finish == providers.Length:
		r.end(c, messages.Incomplete, "the answer reached the model's output limit; ask it to go on")
	case message.reply.Finish == providers.Filtered:
		r.end(c, messages.Incomplete, "the provider's content filter ended the answer")
	case dialect.LooksLikeCall(text) && len(r.offered) > 0:
		r.reask(c, text)
	case text == "" && !healed && !r.exit:
		r.end(c, messages.Incomplete, "the model gave an empty answer; try again or choose another model")
	case healed:
		r.turn.Join(r.said(text))
		r.complete(c)
	default:
		r.turn.AddAnswer(r.said(text))
		r.complete(c)
	}
	r.joint, r.broken, r.failure = nil, "", nil // an answer that breaks off later is another one
}

// reask gives a model that writes tool calls into its text one chance to do better.
func (r *router) reask(c actor.Context, text string) {
	if r.reasked {
		r.end(c, messages.Incomplete, fmt.Sprintf("%s writes tool calls as text that cannot be executed; choose a model that calls tools", r.choice.Model))
		return
	}
	r.reasked = true
	r.turn.AddAnswer(r.said(text))
	r.turn.AddRequest(r.words(messages.FromMarvin, "Your last message looks like a tool call written as text, and nothing was executed. Call the tool through the tool interface, or answer in plain words."))
	r.ask(c)
}
