package turn

import (
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence/artifacts"
	"marvin/providers"
	"marvin/tools"
)

// Before Marvin summarizes anything, it removes old results from the context. If the provider's
// cache no longer has the conversation, Marvin removes results even before it needs the room.
// Removed results are stored as artifacts, and a note in the conversation gives their address.

// pruned describes the removal of old results. If nothing was removed, its messages are nil.
type pruned struct {
	messages []messages.Message
	from     int  // the index of the first changed message
	left     int  // the number of removed results that the model can read again
	saved    int  // size in bytes of the removed results that were neither outdated nor empty
	freed    int  // the number of tokens that the removal freed
	early    bool // the results were removed because the provider's cache had expired
	old      int  // number of removed results that were neither outdated nor empty
}

// prune creates a task that removes old results.
func (s *compaction) prune(c actor.Context) {
	input := s.budgetInput()
	s.leave(c, pruned{}, input.Messages, func() []budget.Removal { return budget.Prune(input) })
}

// tidy removes old results if the provider must reread the whole prompt in any case. The function
// returns true if the request must wait for the removal.
func (s *compaction) tidy(c actor.Context) bool {
	if s.tidied || s.input.Aside || s.wanted || s.choice.Provider == providers.Offline {
		return false
	}
	s.tidied = true
	input := budget.Input{Messages: s.turn.Messages(), Turn: s.turn.Base(), Limits: s.limits()}
	price, known := s.Config.Models.Price.Lookup(s.choice.Provider, s.choice.Model)
	cache := budget.Cache{
		Now: s.Config.Now(), Model: s.choice.String(), Lasts: providers.CacheLasts(s.choice.Provider), Paid: known && price.Input > 0,
	}
	if !cache.Cold(input.Messages) {
		return false
	}
	s.leave(c, pruned{early: true}, input.Messages, func() []budget.Removal { return budget.ChooseEarly(input) })
	return true
}

// makeRoom removes old results if calls of this round would otherwise be refused for lack of room.
// It reports whether the round must wait until the results are removed.
func (s *compaction) makeRoom(c actor.Context, round step) bool {
	least, crowded := s.limits().Crowded(s.weight.tokens, s.vain, len(round.calls))
	if !crowded || s.choice.Provider == providers.Offline || !slices.ContainsFunc(round.calls, func(call messages.ToolCall) bool {
		tool, _ := s.tools.Lookup(call.Name)
		return tool.Pages
	}) {
		return false
	}
	s.held = &round
	input := s.budgetInput()
	input.Least = least
	s.leave(c, pruned{}, input.Messages, func() []budget.Removal { return budget.Prune(input) })
	return true
}

// runHeldCalls runs the held calls after an attempt to make room for them.
func (s *compaction) runHeldCalls(c actor.Context, message pruned) step {
	round := *s.held
	s.held = nil
	if message.messages == nil {
		s.vain = s.weight.tokens
		return round
	}
	s.turn.Replace(message.messages, s.turn.Base())
	s.weight.tokens = max(s.weight.tokens-message.freed, 0)
	if s.weight.verdict == budget.Warn && s.weight.tokens < s.limits().Warn {
		s.weight.verdict = budget.Proceed
	}
	s.noteLeft(c, message)
	return round
}

func (s *compaction) noteLeft(c actor.Context, message pruned) {
	if message.left > 0 {
		s.note(c, messages.Info, fmt.Sprintf("To make room, %d old results were removed from the context; they are stored, and the model can read them", message.left))
	}
}

// leave replaces each chosen result with a note and stores the result as an artifact. The turn
// receives the shortened conversation, or the fallback if no result is chosen or if a result cannot
// be stored.
func (s *compaction) leave(c actor.Context, fallback pruned, all []messages.Message, choose func() []budget.Removal) {
	outputs := s.conversation.Artifacts.Get()
	s.writes = true
	task.Do(c, func() any {
		leaving, message := choose(), fallback
		for i, one := range leaving {
			message.freed += one.Saves
			if !one.Empty {
				message.left++
			}
			if !one.Again {
				message.old, message.saved = message.old+1, message.saved+len(one.Text)
			}
			if one.Address != "" || one.Stays || one.Empty {
				continue
			}
			about := artifacts.Artifact{Tool: one.Name, Title: "an earlier result", Foreign: one.Foreign}
			kept, err := outputs.Put(about, []byte(one.Text))
			if err != nil {
				return fallback // the result could not be stored, so nothing is removed
			}
			leaving[i].Address = tools.ArtifactAddress(kept.Number)
		}
		if len(leaving) == 0 {
			return fallback
		}
		message.messages, message.from = budget.WithPlaceholders(all, leaving), leaving[0].At
		return message
	}, func(*task.Panicked) any { return fallback })
}

func (s *compaction) finishPruning(c actor.Context, message pruned) step {
	s.writes = false
	switch {
	case s.phase != compacting:
		return step{}
	case s.cancel:
		return ending(s.cancelled(), s.limit)
	case s.held != nil:
		return s.runHeldCalls(c, message)
	case message.messages == nil && message.early:
		return step{to: poses}
	case message.messages == nil:
		return step{to: compacts}
	case message.early:
		s.turn.Rewrite(message.messages, message.from)
		if message.old > 0 {
			s.note(c, messages.Info, fmt.Sprintf("The provider has to read the whole conversation again, so Marvin first removed %d old results (%d KB) from the context; they are stored, and the model can read them", message.old, message.saved>>10))
		}
		return step{to: poses}
	}
	s.turn.Replace(message.messages, s.turn.Base())
	s.noteLeft(c, message)
	return step{to: asks}
}
