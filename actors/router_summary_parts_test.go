package actors

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/messages"
	"marvin/providers"
)

// What comes of a plan goes by whether the turn is wanted still, and by who is asked.
func TestWhatComesOfThePlanOfASummary(t *testing.T) {
	s := onAStage(t)
	names := []string{"too late", "cancelled", "failed", "offline"}
	for _, set := range flags(names...) {
		r := scened(s, compacting, Policy{})
		if set["too late"] {
			r.phase = asking
		}
		r.cancel = set["cancelled"]
		if set["offline"] {
			r.choice.Provider = providers.Offline
		}
		r.turn.AddAnswer(messages.Message{Text: strings.Repeat("many words ", 900)})
		r.turn.AddRequest(messages.Message{Text: "and?"})
		r.helper = useProvider{choice: Choice{"h", "small"}, pid: s.at("ntfy")}
		message := planned{plan: budget.New(r.compaction.measured()), backup: "/backup"}
		if set["failed"] {
			message.err = errors.New("no")
		}
		var next, behind step
		s.do(func(c actor.Context) { next = r.compaction.planned(c, message) })
		s.scene(on(set, names...), brieflyStep(next), fmt.Sprintf("part %d of %d, backup %q, helper %q, tried at %d", r.compaction.summary.part, r.compaction.summary.plan.Parts(), r.compaction.summary.backup, r.helper.pid.GetId(), r.weight.tried))
		if next.to != summarises {
			continue
		}
		for _, refused := range []error{nil, errors.New("a hook says no")} {
			s.do(func(c actor.Context) { behind = r.compaction.allowed(c, refused) })
			if refused == nil && set["offline"] {
				s.await("self", 1)
			}
			s.scene(fmt.Sprint("allowed: ", refused), brieflyStep(behind))
		}
	}
	s.hold("planned")
}

// What comes of a summary's part goes by who made it, and whether the turn is wanted still.
func TestWhatComesOfThePartsOfASummary(t *testing.T) {
	s := onAStage(t)
	names := []string{"cancelled", "helper", "failed", "blank", "limit"}
	for _, set := range flags(names...) {
		r := scened(s, compacting, Policy{})
		r.cancel = set["cancelled"]
		if set["limit"] {
			r.limit = "the limit"
		}
		if set["helper"] {
			r.helper = useProvider{choice: Choice{"h", "small"}, pid: s.at("ntfy")}
		}
		message := answered{reply: providers.Reply{Text: "in short", Usage: providers.Usage{Known: true, Turns: 1, Input: 7, Output: 2}}}
		if set["failed"] {
			message.err = errors.New("no")
		}
		if set["blank"] {
			message.reply.Text = ""
		}
		r.turn.AddAnswer(messages.Message{Text: strings.Repeat("many words ", 900)})
		r.turn.AddRequest(messages.Message{Text: "and?"})
		r.compaction.summary = summary{plan: budget.New(r.compaction.measured()), looked: true}
		var next step
		s.do(func(c actor.Context) { next = r.compaction.summarised(c, message) })
		if r.compaction.summary.part >= r.compaction.summary.plan.Parts() && !set["cancelled"] {
			s.await("self", 1)
		}
		s.scene(on(set, names...), brieflyStep(next), fmt.Sprintf("part %d, %q, helper %q", r.compaction.summary.part, r.compaction.summary.text, r.helper.pid.GetId()))
	}
	s.hold("summarised")
}
