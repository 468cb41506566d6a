package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// How old results leave the model's view before anything is summarised: they are kept as
// artifacts, and a word says where.

// pruned is a conversation without the results that left; without messages none could.
type pruned struct {
	messages []messages.Message
	left     int
}

// prune takes old results out of the view, or goes on to the summary.
func (r *router) prune(c actor.Context) {
	r.phase = compacting
	input, artifacts := r.measured(), r.brief.conversation.artifacts.get()
	task.Do(c, func() any {
		leaving := budget.Prune(input)
		for i, one := range leaving {
			if one.Address != "" || one.Stays {
				continue
			}
			about := persistence.Artifact{Tool: one.Name, Title: "an earlier result", Foreign: one.Foreign}
			kept, err := artifacts.Put(about, []byte(one.Text))
			if err != nil {
				return pruned{} // what could not be had again does not leave
			}
			leaving[i].Address = tools.ArtifactAddress(kept.Number) // guard: what leaves the view is kept
		}
		if len(leaving) == 0 {
			return pruned{}
		}
		return pruned{messages: budget.Blank(input.Messages, leaving), left: len(leaving)}
	}, func(*task.Panicked) any { return pruned{} })
}

func (r *router) pruned(c actor.Context, message pruned) {
	switch {
	case r.phase != compacting:
		return
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
		return
	case message.messages == nil:
		r.compact(c)
		return
	}
	r.turn.Replace(message.messages, r.turn.Base())
	c.Send(r.brief.session, messages.Notice{Level: messages.Info, Text: fmt.Sprintf("To make room, %d old results left the model's view; they are kept, and it knows where", message.left)})
	r.ask(c)
}
