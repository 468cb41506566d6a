package actors

import (
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/tokens"
	"marvin/tools"
)

// How a turn stays within its model's window: every question is weighed before it is
// sent, and a conversation that grew too long is backed up and summarised first.

// What the goroutines of counting and planning mail.
type (
	weighed struct{ tokens int }
	planned struct {
		plan   budget.Plan
		backup string
		err    error
	}
	compacted struct {
		result budget.Result
		err    error
	}
)

// weight is what is known of the size of the conversation.
type weight struct {
	tokens  int
	verdict budget.Verdict
	tried   int  // the size after the last attempt to compact
	starved bool // a tool had no room for its result
}

// summary is a compaction under way.
type summary struct {
	plan   budget.Plan
	backup string
	part   int
	text   string      // of the parts so far; blank when the model could not
	looked bool        // whether a cheaper model can make it
	helper useProvider // that one; the zero value is none
}

// weigh counts the question. As long as it is short by any measure that is a look at
// its length; then it is work, beside the actor.
func (r *router) weigh(c actor.Context) {
	limits := r.limits()
	if bound := tokens.Bound(r.question); !r.wanted && (bound < limits.Warn || r.choice.Provider == providers.Offline) {
		r.weight.tokens, r.weight.verdict = bound/2, budget.Proceed
		r.send(c)
		return
	}
	r.phase = weighing
	meter, question := r.meter(), r.question
	task.Do(c, func() any { return weighed{tokens: meter.Count(question, limits.Warn)} }, func(*task.Panicked) any {
		return weighed{tokens: tokens.Bound(question) / 2}
	})
}

func (r *router) weighed(c actor.Context, message weighed) {
	if r.phase != weighing {
		return
	}
	limits := r.limits()
	r.weight.tokens = message.tokens
	if tight := r.tooSmall(limits, message.tokens); tight != "" && !r.cancel { // guard: a window that is too small is told as that
		if !r.grow(c, tight) {
			r.end(c, messages.Failed, tight)
		}
		return
	}
	asked := r.wanted
	r.weight.verdict = limits.Decide(budget.State{Tokens: message.tokens, Tried: r.weight.tried, Starved: r.weight.starved, Asked: r.wanted})
	r.weight.starved, r.wanted = false, false
	switch {
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case r.weight.verdict == budget.Compact && asked:
		r.compact(c)
	case r.weight.verdict == budget.Compact:
		r.prune(c) // guard: old results leave before a summary is made
	case r.weight.verdict == budget.Refuse && r.grow(c, limits.Refusal(message.tokens)):
		// with a larger model it is weighed again
	case r.weight.verdict == budget.Refuse:
		r.end(c, messages.Failed, limits.Refusal(message.tokens))
	default:
		r.send(c)
	}
}

// shortPrompt is what a prompt must have room for, in tokens, or else the window is no good.
const shortPrompt = 200

// tooSmall says what to do where what every question carries leaves a prompt no room: a
// summary, or a new conversation, would not help. It is blank where there is room.
func (r *router) tooSmall(limits budget.Limits, tokens int) string {
	if tokens < limits.Refuse {
		return ""
	}
	meter, policy := r.meter(), r.conversation.Policy
	fixed := meter.Count(providers.Question{System: r.frame.System, Tools: r.offered}, 0)
	if fixed+min(meter.Text(r.brief.prompt), shortPrompt) < limits.Refuse {
		return ""
	}
	window, widest := meter.Widest()
	if window == 0 {
		window = r.config.window(r.choice)
	}
	next := "choose a model with a larger window (/model)"
	if widest > window { // only Ollama tells, where the window is the asker's choice
		next = fmt.Sprintf("give it a larger one (OLLAMA_CONTEXT_LENGTH, or ollama: {num_ctx: N} in config.yaml; up to %d tokens) or choose another model (/model)", widest)
	}
	switch {
	case policy.Coding && policy.Person:
		next += "; without coding mode (!code) there are fewer tools"
	case !policy.Agent && !policy.ReadOnly:
		next += "; with MARVIN_READONLY=1 there are fewer tools, those that only read"
	}
	return fmt.Sprintf("the model's window of %d tokens is too small: the instructions and %d tools alone take about %d, and the answer needs room too; %s", window, len(r.offered), fixed, next)
}

// compact plans what to keep, and backs everything up before anything is dropped.
func (r *router) compact(c actor.Context) {
	r.phase = compacting
	c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: budget.NoticeBegin})
	input := r.measured()
	whole := append(r.brief.history[:len(r.brief.history):len(r.brief.history)], r.turn.New()...)
	secrets := tools.SecretsOf(r.config.Environ, r.config.Home.User)
	profile, dir := r.config.Home.Profile(r.conversation.Profile), r.conversation.Dir
	task.Do(c, func() any {
		plan := budget.New(input)
		if plan.Empty() {
			return planned{err: budget.ErrNoGain}
		}
		backup, err := profile.BackupContext(dir, budget.Hide(budget.Backup(whole), secrets.Hide))
		return planned{plan: plan, backup: backup, err: err}
	}, func(panicked *task.Panicked) any { return planned{err: panicked} })
}

// measured is the conversation with what a budget needs to know of it.
func (r *router) measured() budget.Input {
	meter := r.meter()
	return budget.Input{
		Messages: r.turn.Messages(), Turn: r.turn.Base(), Limits: r.limits(), Count: meter.Text,
		Plan: r.plan.left(), PlanCall: r.plan.call, Focus: r.focus, // guard: a plan survives compaction
		Fixed: meter.Count(providers.Question{System: r.frame.System, Tools: r.offered}, 0),
	}
}

func (r *router) planned(c actor.Context, message planned) {
	switch {
	case r.phase != compacting:
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case message.err != nil:
		r.compacted(c, compacted{err: message.err})
	default:
		r.summary = summary{plan: message.plan, backup: message.backup}
		if r.choice.Provider == providers.Offline {
			r.summary.part = message.plan.Parts() // it cannot summarise; what can be done without a model is
		}
		r.mayCompact(c)
	}
}

// summarise asks the model for the next part of the summary, or puts it in place.
func (r *router) summarise(c actor.Context) {
	if r.summary.part < r.summary.plan.Parts() {
		question := r.summary.plan.Question(r.summary.part, r.summary.text)
		if small, ok := r.config.summariser(r.choice, question, r.places()); ok && !r.summary.looked {
			r.summary.looked = true
			c.Request(r.brief.session, wantProvider{choice: small, beside: true})
			return
		}
		r.put(c, question)
		return
	}
	state := r.summary
	task.Do(c, func() any {
		result, err := state.plan.Assemble(state.text, state.backup)
		return compacted{result: result, err: err}
	}, func(panicked *task.Panicked) any { return compacted{err: panicked} })
}

// summarised takes a part of the summary. When the model cannot, the summary is made
// from the messages themselves.
func (r *router) summarised(c actor.Context, message answered) {
	r.account(c, message)
	if r.cancel {
		r.end(c, r.cancelled(), r.limit)
		return
	}
	if r.summary.helper.pid != nil && (message.err != nil || message.reply.Text == "") {
		r.summary.helper = useProvider{} // the conversation's own model can
		r.summarise(c)
		return
	}
	r.summary.text = message.reply.Text
	r.summary.part++
	if message.err != nil || message.reply.Text == "" {
		r.summary.text, r.summary.part = "", r.summary.plan.Parts()
	}
	r.summarise(c)
}

// compacted puts the shorter conversation in place, or leaves everything as it was,
// and decides again.
func (r *router) compacted(c actor.Context, message compacted) {
	if r.phase != compacting {
		return
	}
	if message.err != nil {
		level := messages.Warning
		if errors.Is(message.err, budget.ErrNoGain) {
			level = messages.Info
		}
		c.Send(r.brief.session, messages.Notice{Level: level, Text: budget.NoticeFailed(message.err)})
		r.weight.tried = max(r.weight.tokens, 1)
	} else {
		r.turn.Replace(message.result.Messages, message.result.Turn)
		r.frame = r.frame.Again(r.parts) // what told of changes may be gone
		r.weight.tried = message.result.After
		c.Send(r.brief.session, messages.Compacted{Before: message.result.Before, After: message.result.After})
		c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: budget.NoticeEnd})
	}
	if r.brief.compact {
		r.end(c, messages.Completed, "")
		return
	}
	r.ask(c)
}

// roomForResult is how many tokens one result may take at most: what the caps leave.
const roomForResult = 16_000

// room is how many tokens each of so many results may take.
func (r *router) room(calls int) int {
	room := r.limits().Room(r.weight.tokens, calls)
	r.weight.starved = room < budget.LeastRoom
	return min(room, roomForResult)
}
