package actors

import (
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
)

// Who is asked. What a name means may take its time: a key may come from a command of the
// person's own, and a server on this machine is asked which models it has. Until that is
// known no prompt begins, and everything else goes on.

// meant is who a name turned out to mean, with what waits for it.
type meant struct {
	name   string
	then   func(actor.Context, Choice, error)
	choice Choice
	err    error
}

// choose finds out beside the session who a name means; what people wish is done in the
// order in which they said it.
func (s *session) choose(c actor.Context, name string, then func(actor.Context, Choice, error)) {
	if s.choosing = append(s.choosing, meant{name: name, then: then}); len(s.choosing) == 1 {
		lookUp(c, s, s.choosing[0])
	}
}

func lookUp(c actor.Context, s *session, wish meant) {
	task.Do(c, func() any {
		wish.choice, wish.err = s.config.Choose(wish.name)
		return wish
	}, func(panicked *task.Panicked) any {
		wish.err = panicked
		return wish
	})
}

func found(c actor.Context, s *session, message meant) {
	s.choosing = slices.Delete(s.choosing, 0, 1)
	message.then(c, message.choice, message.err)
	if len(s.choosing) > 0 {
		lookUp(c, s, s.choosing[0])
		return
	}
	s.next(c)
}

// setModel makes another model answer from the next turn on.
func (s *session) setModel(c actor.Context, wish messages.SetModel) {
	if wish.Effort != "" && !s.setEffort(wish.Effort) || wish.Provider+wish.Model == "" {
		return
	}
	if wish.Provider == "" && len(s.choosing) == 0 {
		useModel(c, s, s.state.conversation.Choice, wish.Model)
		return
	}
	request := s.request
	s.choose(c, wish.Provider, func(c actor.Context, choice Choice, err error) {
		switch {
		case wish.Provider == "":
			choice = s.state.conversation.Choice
		case err != nil:
			s.tell(messages.Notice{Level: messages.Problem, Text: err.Error()})
			s.request = request
			s.refuse(err.Error())
			s.request = nil
			return
		}
		useModel(c, s, choice, wish.Model)
	})
}

func useModel(c actor.Context, s *session, choice Choice, model string) {
	if model != "" {
		choice.Model = model
	}
	s.state.conversation.Choice, s.state.conversation.Named, s.last = choice, true, choice
	if s.router == nil {
		s.release(c)
	}
	s.tell(messages.ModelChanged{Provider: choice.Provider, Model: choice.Model})
}

// auto is the word for what a model does by itself.
const auto = "auto"

// setEffort has models think longer or shorter from the next turn on, and says what that
// is for the present one.
func (s *session) setEffort(word string) bool {
	effort := providers.Effort(word)
	if word == auto {
		effort = ""
	} else if !slices.Contains(providers.Efforts, effort) {
		why := fmt.Sprintf("there is no effort %q; there are auto, off, minimal, low, medium, high, xhigh and max", word)
		s.tell(messages.Notice{Level: messages.Problem, Text: why})
		s.refuse(why)
		return false
	}
	s.state.conversation.Effort = effort
	choice := s.state.conversation.Choice
	about := s.config.about(choice)
	s.tell(messages.EffortChanged{Effort: string(effort), Takes: string(about.Fit(effort))})
	text := fmt.Sprintf("%s thinks with effort %s from the next turn on.", choice.Model, word)
	switch fit := about.Fit(effort); {
	case effort == "":
		text = fmt.Sprintf("%s thinks as long as it does by itself.", choice.Model)
	case fit == "":
		text = fmt.Sprintf("%s cannot be told how long to think; a model that can will be told %s.", choice.Model, word)
	case fit != effort:
		text = fmt.Sprintf("%s has no effort %s; it is told %s from the next turn on.", choice.Model, word, fit)
	}
	s.tell(messages.Notice{Level: messages.Info, Text: text})
	return true
}

// pick finds out who the provider of the oldest prompt is, which waits where it is: it can
// still be taken back.
func pick(c actor.Context, s *session, provider string) {
	picked := &meant{}
	s.queue[0].picked = picked
	s.choose(c, provider, func(_ actor.Context, choice Choice, err error) { picked.choice, picked.err = choice, err })
}

// answeredBy is the conversation as the turn of a prompt has it, with the model that answers.
func answeredBy(s *session, prompt waiting) (begin Conversation, err error) {
	begin = s.state.conversation
	if prompt.picked != nil {
		begin.Choice = prompt.picked.choice
		return begin, prompt.picked.err
	}
	begin.Choice = s.chosen(begin, prompt.Pictures)
	return begin, nil
}

// provider is the actor that talks to the chosen model, made on first use.
func (s *session) provider(c actor.Context, choice Choice) *actor.PID {
	if pid := s.providers[choice]; pid != nil {
		return pid
	}
	s.made++ // turns of another conversation count from elsewhere
	pid, err := c.SpawnNamed(onTheSpot(props(s.config.Log, func() actor.Actor {
		return &provider{config: s.config, choice: choice}
	})), fmt.Sprintf("provider-%s-%d", choice.Provider, s.made))
	if err != nil {
		panic(err)
	}
	s.providers[choice] = pid
	return pid
}

// release ends the providers that nobody asks any more: between turns, all but the one of
// the conversation and the last one. The Copilot CLI alone holds 290 MB.
func (s *session) release(c actor.Context) {
	for choice, pid := range s.providers {
		if choice != s.state.conversation.Choice && choice != s.last { // guard: a provider that was left is closed
			delete(s.providers, choice)
			c.Stop(pid)
		}
	}
}
