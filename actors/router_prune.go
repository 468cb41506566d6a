package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
	"marvin/tools"
)

// How old results leave the model's view before anything is summarised, and, where the provider
// keeps nothing of the conversation, before there is any need for room: they are kept as
// artifacts, and a word says where.

// pruned is a conversation without the results that left; without messages none could.
type pruned struct {
	messages []messages.Message
	from     int  // the first of them that is another one
	left     int  // of those that can be had again
	saved    int  // bytes of the old ones
	early    bool // there was room for them
	old      int  // of them that nothing newer stands for
}

// prune takes old results out of the view, or goes on to the summary.
func (r *router) prune(c actor.Context) {
	r.phase = compacting
	input := r.measured()
	leave(c, r, pruned{}, input.Messages, func() []budget.Leaving { return budget.Prune(input) })
}

// tidy takes old results out of the view where the provider has to read all of it anew in any
// case, and says whether the request has to wait for that.
func tidy(c actor.Context, r *router) bool {
	if r.tidied || r.brief.aside || r.wanted || r.choice.Provider == providers.Offline {
		return false
	}
	r.tidied = true
	input := budget.Input{Messages: r.turn.Messages(), Turn: r.turn.Base(), Limits: r.limits()}
	price, known := r.config.Models.Price.Lookup(r.choice.Provider, r.choice.Model)
	cache := budget.Cache{
		Now: r.config.Now(), Model: r.choice.String(), Lasts: providers.CacheLasts(r.choice.Provider), Paid: known && price.Input > 0,
	}
	if !cache.Cold(input.Messages) {
		return false
	}
	r.phase = compacting
	leave(c, r, pruned{early: true}, input.Messages, func() []budget.Leaving { return budget.Early(input) })
	return true
}

// leave keeps the results that are chosen and says where they are, or that none could.
func leave(c actor.Context, r *router, none pruned, all []messages.Message, choose func() []budget.Leaving) {
	artifacts := r.conversation.artifacts.get()
	task.Do(c, func() any {
		leaving, message := choose(), none
		for i, one := range leaving {
			if !one.Empty {
				message.left++
			}
			if !one.Again {
				message.old, message.saved = message.old+1, message.saved+len(one.Text)
			}
			if one.Address != "" || one.Stays || one.Empty {
				continue
			}
			about := persistence.Artifact{Tool: one.Name, Title: "an earlier result", Foreign: one.Foreign}
			kept, err := artifacts.Put(about, []byte(one.Text))
			if err != nil {
				return none // what could not be had again does not leave
			}
			leaving[i].Address = tools.ArtifactAddress(kept.Number) // guard: what leaves the view is kept
		}
		if len(leaving) == 0 {
			return none
		}
		message.messages, message.from = budget.Blank(all, leaving), leaving[0].At
		return message
	}, func(*task.Panicked) any { return none })
}

func (r *router) pruned(c actor.Context, message pruned) {
	switch {
	case r.phase != compacting:
		return
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
		return
	case message.messages == nil && message.early:
		r.pose(c)
		return
	case message.messages == nil:
		r.compact(c)
		return
	case message.early:
		r.turn.Rewrite(message.messages, message.from)
		if message.old > 0 {
			c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: fmt.Sprintf("The provider has to read the whole conversation anew, so %d old results (%d KB) left the model's view first; they are kept, and it knows where", message.old, message.saved>>10)})
		}
	default:
		r.turn.Replace(message.messages, r.turn.Base())
		if message.left > 0 {
			c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: fmt.Sprintf("To make room, %d old results left the model's view; they are kept, and it knows where", message.left)})
		}
	}
	if message.early {
		r.pose(c)
		return
	}
	r.ask(c)
}
