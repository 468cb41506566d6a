package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools/hooks"
)

// The user's hooks about a conversation. One that begins waits for those that are told of it,
// because their words are for its first turn.

// greeting is the hooks that a conversation waits for.
type greeting struct {
	waits int // for so many
	// rereads: one of them is that what others bring is read again, for the prompt that is next.
	rereads bool
	life    context.Context
	stop    context.CancelCauseFunc
}

// greeted and observed come from goroutines that tell hooks.
type (
	greeted  struct{ outcome hooks.Outcome }
	observed struct{ outcome hooks.Outcome }
)

// opens tells that the conversation begins, or goes on.
func (s *session) opens(c actor.Context) {
	conversation := s.state.conversation
	events := []hooks.Event{hooks.SessionStart}
	if kept := conversation.Kept; kept != nil && kept.before != nil {
		events[0] = hooks.SessionResume
	}
	if conversation.first {
		events = append([]hooks.Event{hooks.AppStart}, events...)
	}
	s.greet(c, events...)
}

// greet tells hooks of events that begin something, one after the other. Prompts wait for
// them.
func (s *session) greet(c actor.Context, events ...hooks.Event) {
	var works []func() hooks.Outcome
	for _, event := range events {
		if work := s.hooked(event, hooks.Said{}); work != nil {
			works = append(works, work)
		}
	}
	if len(works) == 0 {
		return
	}
	s.greeting.waits++
	task.Do(c, func() any {
		var all hooks.Outcome
		for _, work := range works {
			outcome := work()
			all.Context, all.Problems = append(all.Context, outcome.Context...), append(all.Problems, outcome.Problems...)
		}
		return greeted{all}
	}, func(panicked *task.Panicked) any { return greeted{hooks.Crashed(events[0], panicked)} })
}

// hooked is the work of telling the hooks of an event, nil if there are none.
func (s *session) hooked(event hooks.Event, said hooks.Said) func() hooks.Outcome {
	conversation := s.state.conversation
	list := conversation.hooks.For(event, "")
	if len(list) == 0 {
		return nil
	}
	if s.greeting.life == nil {
		s.greeting.life, s.greeting.stop = context.WithCancelCause(context.Background())
	}
	life, place := s.greeting.life, s.config.hookPlace(s.config.hookEnv(conversation))
	said.Event, said.Session, said.Dir = event, conversation.called(), conversation.Dir
	return func() hooks.Outcome { return hooks.Tell(life, place, list, said) }
}

func (s *session) greeted(c actor.Context, outcome hooks.Outcome) {
	s.greeting.waits--
	s.observed(outcome)
	s.state.words = append(s.state.words, outcome.Context...)
	s.next(c)
}

// observe tells hooks of something that waits for nobody.
func (s *session) observe(c actor.Context, event hooks.Event, said hooks.Said) {
	if work := s.hooked(event, said); work != nil {
		task.Do(c, func() any { return observed{work()} }, func(panicked *task.Panicked) any { return observed{hooks.Crashed(event, panicked)} })
	}
}

func (s *session) observed(outcome hooks.Outcome) {
	for _, problem := range outcome.Problems {
		s.tell(messages.Notice{Level: messages.Warning, Text: problem})
	}
}

// hushHooks ends what hooks are being told, and says whether a prompt waited for that.
func (s *session) hushHooks(why error) bool {
	waited := s.greeting.waits > 0
	if s.greeting.stop != nil {
		s.greeting.stop(why)
		s.greeting.life, s.greeting.stop = nil, nil
	}
	return waited
}
