package session

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/mcpservers"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools/hooks"
)

// This file runs the user's hooks for a conversation. The first turn waits for the session.start
// hooks, because the model must read their output in that turn.

type sessionHooks struct {
	*emitter
	config  *conv.Setup
	servers mcpservers.Client
	waits   int  // the number of results that the next prompt waits for
	rereads bool // whether the next prompt waits for a reload of servers, hooks and tools
	life    context.Context
	stop    context.CancelCauseFunc
}

// These messages are the results of the tasks that [sessionHooks.greet] and [sessionHooks.observe]
// start.
type (
	greeted  struct{ outcome hooks.Outcome }
	observed struct{ outcome hooks.Outcome }
)

func (h *sessionHooks) opens(c actor.Context) {
	conversation := h.state.conversation
	events := []hooks.Event{hooks.SessionStart}
	if kept := conversation.Stored; kept != nil && kept.Before != nil {
		events[0] = hooks.SessionResume
	}
	if conversation.First {
		events = append([]hooks.Event{hooks.AppStart}, events...)
	}
	h.greet(c, events...)
}

// greet executes the hooks for the given events, one after the other. Prompts wait until these
// hooks have ended.
func (h *sessionHooks) greet(c actor.Context, events ...hooks.Event) {
	var works []func() hooks.Outcome
	for _, event := range events {
		if work := h.hooked(event, hooks.HookInput{}); work != nil {
			works = append(works, work)
		}
	}
	if len(works) == 0 {
		return
	}
	h.waits++
	task.Do(c, func() any {
		var all hooks.Outcome
		for _, work := range works {
			outcome := work()
			all.Context, all.Problems = append(all.Context, outcome.Context...), append(all.Problems, outcome.Problems...)
		}
		return greeted{all}
	}, func(panicked *task.Panicked) any { return greeted{hooks.Crashed(events[0], panicked)} })
}

// hooked returns a function that runs the hooks for an event, or nil if there are none.
func (h *sessionHooks) hooked(event hooks.Event, said hooks.HookInput) func() hooks.Outcome {
	conversation := h.state.conversation
	list := conversation.Hooks.Matching(event, "")
	if len(list) == 0 {
		return nil
	}
	if h.life == nil {
		h.life, h.stop = context.WithCancelCause(context.Background())
	}
	life, place := h.life, h.config.HookPlace(h.config.HookEnv(conversation))
	said.Event, said.Session, said.Dir = event, conversation.HookName(), conversation.Dir
	return func() hooks.Outcome { return hooks.Run(life, place, list, said) }
}

// finishGreeting handles the output of the hooks that [sessionHooks.greet] ran.
func (h *sessionHooks) finishGreeting(outcome hooks.Outcome) {
	h.waits--
	h.showProblems(outcome)
	h.state.words = append(h.state.words, outcome.Context...)
}

// observe executes hooks and does not wait for their results.
func (h *sessionHooks) observe(c actor.Context, event hooks.Event, said hooks.HookInput) {
	if work := h.hooked(event, said); work != nil {
		task.Do(c, func() any { return observed{work()} }, func(panicked *task.Panicked) any { return observed{hooks.Crashed(event, panicked)} })
	}
}

func (h *sessionHooks) showProblems(outcome hooks.Outcome) {
	for _, problem := range outcome.Problems {
		h.tell(messages.Notice{Level: messages.Warning, Text: problem})
	}
}

// cancelHooks cancels running hooks, and reports whether a prompt waited for them.
func (h *sessionHooks) cancelHooks(why error) bool {
	waited := h.waits > 0
	if h.stop != nil {
		h.stop(why)
		h.life, h.stop = nil, nil
	}
	return waited
}

func (s *session) receiveHooks(c actor.Context, message any) {
	switch message := message.(type) {
	case greeted:
		s.hooks.finishGreeting(message.outcome)
		s.startNextTurn(c)
	case observed:
		s.hooks.showProblems(message.outcome)
	case reread:
		s.hooks.useReloaded(message)
		s.startNextTurn(c)
	}
}
