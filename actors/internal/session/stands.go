package session

import (
	"cmp"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/providers"
)

// This file writes the state of a conversation to its log. A process that resumes the conversation
// reads the state from there.

// stateMark detects possible changes in the result of [keeping.currentState]. Comparison must be
// cheap, because the session compares two marks after each message.
type stateMark struct {
	choice                             conv.Choice
	named, coding                      bool
	effort                             providers.Effort
	approval                           messages.Approval
	dir, root, profile, tainted        string
	bound, untold, words, plans, turns int
	tokens                             int
	cost                               float64
	log                                *sessionlog.Log
}

func (k *keeping) mark() stateMark {
	state, begin := k.state, &k.state.conversation
	return stateMark{
		choice: begin.Choice, named: begin.Named, coding: begin.Policy.Coding, effort: begin.Effort, approval: begin.Policy.Approval,
		dir: begin.Dir, root: begin.Root, profile: begin.Profile, tainted: state.tainted,
		bound: len(begin.PrivateDirs), untold: len(state.untold), words: len(state.words), plans: state.plans,
		turns: state.usage.Turns, tokens: state.usage.InputTokens + state.usage.OutputTokens, cost: state.usage.Cost, log: begin.Stored.Log,
	}
}

func (k *keeping) currentState() sessionlog.State {
	state, begin := k.state, k.state.conversation
	usage := state.usage
	// Without a user, state.usage omits earlier runs.
	if before := begin.Stored.Before; before != nil && !begin.Policy.Person {
		usage = usage.Plus(before.State.Sums())
	}
	stands := sessionlog.State{
		Provider: begin.Choice.Provider, Model: begin.Choice.Model, Dir: begin.Dir, Coding: begin.Policy.Coding, Profile: begin.Profile, Terminal: begin.Stored.Terminal,
		Effort: cmp.Or(string(begin.Effort), sessionlog.NoEffort), Named: begin.Named, Approval: begin.Policy.Approval, Person: begin.Policy.Person, Root: begin.Root,
		Bound: begin.PrivateDirs, Usage: &usage, Tainted: state.tainted, Untold: slices.Clone(state.untold), Words: slices.Clone(state.words),
	}
	if len(state.plan.Is.Steps) > 0 {
		stands.Plan = &sessionlog.Plan{Is: state.plan.Is, Call: state.plan.Call}
	}
	return stands
}

// noteState writes the state to the log if the state has changed.
func (k *keeping) noteState(c actor.Context) {
	if k.state.conversation.Stored == nil {
		return
	}
	if now := k.mark(); now != k.state.marked {
		k.state.marked = now
		k.log(c, sessionlog.StateRecord(k.currentState()))
	}
}
