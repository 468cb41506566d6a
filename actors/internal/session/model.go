package session

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/model"
	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/providers"
)

// This file selects models by name. Resolving a name can be slow, because Marvin may run a
// user-defined command that prints a key, or ask a local server for its models. Prompts wait for
// the result; everything else continues.

// modelFound holds a name to resolve and, later, the result. deliverModel passes the result to the
// callback.
type modelFound struct {
	name   string
	then   func(actor.Context, conv.Choice, error)
	choice conv.Choice
	err    error
}

// sessionModels manages the models of a conversation and the actors that talk to them.
type sessionModels struct {
	*emitter
	config    *conv.Setup
	turn      *currentTurn
	providers map[conv.Choice]*actor.PID
	made      int          // the number of provider actors so far
	last      conv.Choice  // the model that a turn or the user chose last
	choosing  []modelFound // names to resolve; the first one is being resolved
}

// choose resolves a name in the background and then calls the callback. Names are resolved one at a
// time, in order.
func (m *sessionModels) choose(c actor.Context, name string, then func(actor.Context, conv.Choice, error)) {
	if m.choosing = append(m.choosing, modelFound{name: name, then: then}); len(m.choosing) == 1 {
		m.lookUp(c, m.choosing[0])
	}
}

func (m *sessionModels) lookUp(c actor.Context, wish modelFound) {
	task.Do(c, func() any {
		wish.choice, wish.err = m.config.Models.Choose(wish.name)
		return wish
	}, func(panicked *task.Panicked) any {
		wish.err = panicked
		return wish
	})
}

// deliverModel passes a result to its callback and begins to resolve the next name. It returns true
// if no name is left.
func (m *sessionModels) deliverModel(c actor.Context, message modelFound) bool {
	m.choosing = slices.Delete(m.choosing, 0, 1)
	message.then(c, message.choice, message.err)
	if len(m.choosing) > 0 {
		m.lookUp(c, m.choosing[0])
		return false
	}
	return true
}

// set replaces the model and the effort for later turns.
func (m *sessionModels) set(c actor.Context, wish messages.SetModel) {
	if wish.Effort != "" && !m.isEffort(wish.Effort) {
		return
	}
	if wish.Provider == "" && (wish.Model == "" || len(m.choosing) == 0) {
		m.use(c, m.state.conversation.Choice, wish)
		return
	}
	request := m.request
	m.choose(c, wish.Provider, func(c actor.Context, choice conv.Choice, err error) {
		switch {
		case wish.Provider == "":
			choice = m.state.conversation.Choice
		case err != nil:
			m.tell(messages.Notice{Level: messages.Problem, Text: err.Error()})
			m.answering(request).refuse(err.Error())
			return
		}
		m.use(c, choice, wish)
	})
}

// use applies the wish: first the model, and then the effort, which depends on the model.
func (m *sessionModels) use(c actor.Context, choice conv.Choice, wish messages.SetModel) {
	if wish.Provider+wish.Model != "" {
		choice.Model = cmp.Or(wish.Model, choice.Model)
		m.state.conversation.Choice, m.state.conversation.Named, m.last = choice, true, choice
		if !m.turn.runs() {
			m.release(c)
		}
		m.tell(messages.ModelChanged{Provider: choice.Provider, Model: choice.Model})
	}
	if wish.Effort != "" {
		m.setEffort(wish.Effort)
	}
}

// restore selects the model of a stored conversation, or warns the user if the model is
// unavailable.
func (m *sessionModels) restore(choice conv.Choice, err error) {
	begin := &m.state.conversation
	if err != nil {
		now := begin.Choice
		m.tell(messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("%s %s, which answered earlier in this conversation, is no longer available (%v); %s %s answers instead.", choice.Provider, choice.Model, err, now.Provider, now.Model)})
		return
	}
	begin.Choice, m.last = choice, choice
	m.tell(messages.ModelChanged{Provider: choice.Provider, Model: choice.Model})
}

// isEffort reports whether a thinking level with the given name exists. If there is no such level,
// isEffort tells the user.
func (m *sessionModels) isEffort(word string) bool {
	if word == conv.AutoEffort || slices.Contains(providers.Efforts, providers.Effort(word)) {
		return true
	}
	why := fmt.Sprintf("there is no thinking level %q; the levels are auto, off, minimal, low, medium, high, xhigh and max", word)
	m.tell(messages.Notice{Level: messages.Problem, Text: why})
	m.refuse(why)
	return false
}

// setEffort sets the effort for later turns, and tells the user which level the current model uses.
func (m *sessionModels) setEffort(word string) {
	effort := conv.ParseEffort(word)
	m.state.conversation.Effort = effort
	choice := m.state.conversation.Choice
	about := m.config.Properties(choice)
	m.tell(messages.EffortChanged{Effort: string(effort), Takes: string(about.Fit(effort))})
	text := fmt.Sprintf("From the next turn on, %s thinks at the level %s.", choice.Model, word)
	switch fit := about.Fit(effort); {
	case effort == "":
		text = fmt.Sprintf("%s decides how long it thinks.", choice.Model)
	case fit == "":
		text = fmt.Sprintf("%s has no thinking levels; %s applies once you choose a model that has them.", choice.Model, word)
	case fit != effort:
		text = fmt.Sprintf("%s has no thinking level %s; from the next turn, it uses %s.", choice.Model, word, fit)
	}
	m.tell(messages.Notice{Level: messages.Info, Text: text})
}

// pick begins to resolve prompt.Provider. The result goes to prompt.picked.
func (m *sessionModels) pick(c actor.Context, prompt *waitingPrompt) {
	picked := &modelFound{}
	prompt.picked = picked
	m.choose(c, prompt.Provider, func(_ actor.Context, choice conv.Choice, err error) { picked.choice, picked.err = choice, err })
}

// answeredBy returns a copy of the conversation in which Choice is the model for the prompt.
func (m *sessionModels) answeredBy(prompt waitingPrompt) (begin conv.LiveConversation, err error) {
	begin = m.state.conversation
	if prompt.picked != nil {
		begin.Choice, err = prompt.picked.choice, prompt.picked.err
	} else {
		begin.Choice = m.chooseModel(begin, prompt.Pictures)
	}
	if prompt.Model != "" {
		begin.Choice.Model = prompt.Model
	}
	return begin, err
}

// provider returns the actor for a model. It starts the actor on first use.
func (m *sessionModels) provider(c actor.Context, choice conv.Choice) *actor.PID {
	if pid := m.providers[choice]; pid != nil {
		return pid
	}
	m.made++ // makes the actor's name unique
	pid, err := c.SpawnNamed(kernel.Synchronous(kernel.Props(m.config.Log, func() actor.Actor {
		return model.New(providerOf(m.config), choice)
	})), fmt.Sprintf("provider-%s-%d", choice.Provider, m.made))
	if err != nil {
		panic(err)
	}
	m.providers[choice] = pid
	return pid
}

// providerOf returns the dependencies of provider actors.
func providerOf(config *conv.Setup) model.Deps {
	return model.Deps{
		Connect: config.Models.Connect, MayTell: config.MayTell, Tokens: config.Tokens, Environ: config.Environ, User: config.Home.User,
		Quiet: config.Tuning.Quiet, Grace: config.Tuning.StopGrace, Log: config.Log, Now: config.Now,
	}
}

// release frees memory between turns. It stops all providers except the conversation's provider and
// the provider of m.last. The Copilot CLI alone uses 290 MB.
func (m *sessionModels) release(c actor.Context) {
	for choice, pid := range m.providers {
		if choice != m.state.conversation.Choice && choice != m.last {
			delete(m.providers, choice)
			c.Stop(pid)
		}
	}
}

// lend responds with the provider actor for the requested model.
func (m *sessionModels) lend(c actor.Context, wish turn.WantProvider) {
	if !wish.Beside {
		m.last = wish.Choice
	}
	if wish.Stays {
		m.state.conversation.Choice = wish.Choice
	}
	c.Respond(turn.UseProvider{Choice: wish.Choice, Pid: m.provider(c, wish.Choice)})
}

// forgetProvider removes a provider actor that has ended, so that the next turn makes a new one. It
// returns false if the actor is not a provider.
func (m *sessionModels) forgetProvider(who *actor.PID) bool {
	for choice, pid := range m.providers {
		if pid.Equal(who) {
			delete(m.providers, choice)
			return true
		}
	}
	return false
}

// chooseModel returns the model for a turn. If that model is not the conversation's model, the user
// sees the reason.
func (m *sessionModels) chooseModel(begin conv.LiveConversation, pictures []messages.Picture) conv.Choice {
	places := m.state.places()
	for _, picture := range pictures {
		places = append(places, picture.Path)
	}
	choice, why := m.config.ForTurn(begin, len(pictures), places)
	if choice != begin.Choice {
		m.tell(messages.Notice{Level: messages.Info, Text: fmt.Sprintf("%s answers this: %s", choice, why)})
	}
	if sees := m.config.Properties(choice).Sees; len(pictures) > 0 && (choice.Provider == providers.Offline || sees != nil && !*sees) {
		m.tell(messages.Notice{Level: messages.Warning, Text: choice.Model + " cannot see pictures and gets only their names. Use /model to choose a model that can see pictures, or list one in config.yaml, under \"vision:\" in \"roles:\"."})
	}
	return choice
}

func (s *session) receiveModel(c actor.Context, message any) {
	switch message := message.(type) {
	case turn.WantProvider:
		s.models.lend(c, message)
	case modelFound:
		if s.models.deliverModel(c, message) {
			s.startNextTurn(c)
		}
	}
}
