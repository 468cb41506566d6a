package actors

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// membersOf are the sub-agents of a call on a stage: one works, one asks, one is elsewhere and one
// has not begun.
func membersOf(s *stage, stopped bool) (*subAgents, chan []tools.Report) {
	config := &Config{Now: func() time.Time { return s.now }, Log: slog.New(slog.DiscardHandler), Tuning: Tuning{CancelGrace: time.Hour}}
	reports := make(chan []tools.Report, 2)
	tasks := []tools.Task{{Name: "one", Prompt: "do it"}, {Name: "two", Prompt: "and this"}, {Name: "three", Prompt: "there", Fleet: true}, {Name: "four", Prompt: "then"}}
	all := newSubAgents(services{config: config, pools: newPools(100), recorder: s.at("recorder"), session: s.at("session")},
		situation{conversation: Conversation{Spending: &Spending{}}, seen: &tools.Stamps{}}, "c1", launch{tasks: tasks, parallel: 3, reports: reports})
	all.begun = 3
	for i, one := range tasks[:3] {
		m := &member{number: i + 1, task: one, leave: func() {}, begun: s.now.Add(-time.Minute), state: messages.AgentWorking, stopped: stopped, stop: func() {}}
		m.session = newSessionState("c1", Conversation{}, &overheard{})
		m.session.said = &strings.Builder{}
		if !one.Fleet {
			m.pid = s.at("member" + fmt.Sprint(i+1))
			all.positions[m.pid.Id] = i
		}
		all.members[i] = m
	}
	all.members[1].state = messages.AgentAsking
	all.asks["c1.2.call-1"] = question{member: all.members[1], ask: "call-1"}
	return all, reports
}

// What a call does with what it is told of its sub-agents goes by the one it is of.
func TestWhatACallDoesWithWhatItIsToldOfItsSubAgents(t *testing.T) {
	s := newStage(t, nil)
	for _, name := range []string{"session", "recorder", "member1", "member2"} {
		s.named(name)
	}
	usage := messages.Usage{Turns: 2, Cost: 0.5, InputTokens: 70, OutputTokens: 7}
	mail := map[string]func(*subAgents, actor.Context){
		"a question of the first": func(a *subAgents, c actor.Context) {
			a.receive(c, raised{member: s.at("member1"), question: askUser{call: "call-2", title: "May it?"}})
		},
		"a question is taken back": func(a *subAgents, c actor.Context) { a.receive(c, lowered{member: s.at("member2"), ask: "call-1"}) },
		"another's is not":         func(a *subAgents, c actor.Context) { a.receive(c, lowered{member: s.at("member1"), ask: "call-1"}) },
		"an unknown one":           func(a *subAgents, c actor.Context) { a.receive(c, lowered{member: s.at("member2"), ask: "call-7"}) },
		"yes": func(a *subAgents, c actor.Context) {
			a.settled(c, granted{ask: "c1.2.call-1", choice: messages.Yes, text: "do", person: true})
		},
		"always": func(a *subAgents, c actor.Context) {
			a.settled(c, granted{ask: "c1.2.call-1", choice: messages.Always})
		},
		"no":             func(a *subAgents, c actor.Context) { a.settled(c, granted{ask: "c1.2.call-1", choice: messages.No}) },
		"yes to nothing": func(a *subAgents, c actor.Context) { a.settled(c, granted{ask: "c1.2.call-9", choice: messages.Yes}) },
		"another mode":   func(a *subAgents, c actor.Context) { a.approve(c, messages.ApproveAll) },
		"far away": func(a *subAgents, c actor.Context) {
			a.receive(c, awaySaid{2, tools.Doing{Title: "reads\x1b", Rounds: 3, Usage: usage}})
		},
		"far away, cheaper": func(a *subAgents, c actor.Context) {
			a.members[2].report.Usage.Cost, a.members[2].report.Rounds = 1, 9
			a.receive(c, awaySaid{2, tools.Doing{Title: "reads", Rounds: 3, Usage: usage}})
		},
		"far away, as dear": func(a *subAgents, c actor.Context) {
			a.members[2].report.Usage.Cost = 0.5
			a.receive(c, awaySaid{2, tools.Doing{Title: "reads", Rounds: 3, Usage: usage}})
		},
		"far away, too late": func(a *subAgents, c actor.Context) {
			a.members[2].report.Outcome = messages.Failed
			a.receive(c, awaySaid{2, tools.Doing{Title: "reads", Rounds: 3, Usage: usage}})
		},
		"the last that is begun": func(a *subAgents, c actor.Context) {
			a.begun, a.ended = 4, 3
			a.receive(c, awayEnded{2, tools.Report{Outcome: messages.Completed, Text: "found", Usage: usage}})
		},
		"dismiss":          func(a *subAgents, c actor.Context) { a.receive(c, dismiss{}) },
		"dismiss twice":    func(a *subAgents, c actor.Context) { a.dismissed = true; a.receive(c, dismiss{}) },
		"overstayed":       func(a *subAgents, c actor.Context) { a.receive(c, overstayed{}) },
		"overstayed twice": func(a *subAgents, c actor.Context) { a.receive(c, overstayed{}); a.receive(c, overstayed{}) },
		"a slot, failed": func(a *subAgents, c actor.Context) {
			a.seating = true
			a.receive(c, seated{err: context.Canceled})
			a.end()
		},
		"a slot, too late": func(a *subAgents, c actor.Context) { a.dismissed, a.seating = true, true; a.receive(c, seated{}) },
		"a slot, no fleet": func(a *subAgents, c actor.Context) {
			a.tasks[3].Fleet = true
			a.receive(c, seated{leave: func() {}})
			a.end()
		},
		"the end of nobody":     func(a *subAgents, c actor.Context) { a.receive(c, task.Gone{Who: s.at("recorder")}) },
		"the end of their work": func(a *subAgents, c actor.Context) { a.end() },
	}
	for _, outcome := range []messages.Outcome{messages.Completed, messages.Failed, messages.Cancelled} {
		mail["far away it ended: "+string(outcome)] = func(a *subAgents, c actor.Context) {
			a.members[2].report.Rounds = 4
			a.receive(c, awayEnded{2, tools.Report{Outcome: outcome, Text: "found", Rounds: 2, Usage: usage}})
			a.end()
		}
		mail["its turn ended: "+string(outcome)] = func(a *subAgents, c actor.Context) {
			a.receive(c, memberSaid{position: 0, event: messages.TurnEnded{Outcome: outcome, Text: "done", Err: "why", Usage: usage}})
		}
		mail["it is gone: "+string(outcome)] = func(a *subAgents, c actor.Context) {
			a.members[1].report.Outcome, a.members[1].session.tainted = outcome, "read_web"
			a.receive(c, task.Gone{Who: s.at("member2")})
			a.end()
		}
	}
	for name, event := range map[string]messages.Event{
		"calls": messages.ToolsCalled{Names: []string{"say"}}, "a call": messages.ToolStarted{Call: "x", Name: "say", Title: "say hello"},
		"sums": messages.UsageChanged{Usage: usage}, "a notice": messages.Notice{Text: "mind"}, "nothing": nil,
	} {
		mail["it says "+name] = func(a *subAgents, c actor.Context) {
			a.receive(c, memberSaid{position: 1, event: event, words: "hm "})
		}
	}
	mail["it is gone without a word"] = func(a *subAgents, c actor.Context) {
		a.members[0].session.said.WriteString("half")
		a.receive(c, task.Gone{Who: s.at("member1")})
		a.end()
	}
	mail["it is gone without a word, dismissed"] = func(a *subAgents, c actor.Context) {
		a.dismissed = true
		a.receive(c, task.Gone{Who: s.at("member1")})
		a.end()
	}
	for more, name := range map[bool]string{false: "shown", true: "read along"} {
		for agent := range 6 {
			mail[fmt.Sprint(name, " ", agent)] = func(a *subAgents, c actor.Context) { a.visit(c, messages.VisitAgent{Agent: agent, More: more}) }
			mail[fmt.Sprint("stopped, ", name, " ", agent)] = func(a *subAgents, c actor.Context) {
				a.visit(c, messages.VisitAgent{Agent: agent, More: more, Stop: true})
			}
		}
	}
	for _, name := range sorted(mail) {
		for _, stopped := range []bool{false, true} {
			a, reports := membersOf(s, stopped)
			s.do(func(c actor.Context) { mail[name](a, c) })
			came := "no reports"
			if len(reports) > 0 {
				came = plain(<-reports)
			}
			var states []string
			for _, one := range a.members {
				if one == nil {
					states = append(states, "none")
					continue
				}
				states = append(states, fmt.Sprintf("%s %q %q %q stopped %v waits %v", one.state, one.doing, one.heard, one.told.lines, one.stopped, one.along.waits))
			}
			asks := sorted(a.asks)
			s.scene(fmt.Sprintf("%s, stopped %v", name, stopped), came, fmt.Sprintf("begun %d, ended %d, dismissed %v, over %v, asks %q, spent %v, heard %q, %s", a.begun, a.ended, a.dismissed, a.life.Err() != nil, asks, a.conversation.Spending.total(), a.heard(), a.conversation.Policy.Approval), slices.Compact(states))
			a.stop()
		}
	}
	s.hold("members")
}

// What a sub-agent may do is never more than its caller, and what its task asks for.
func TestWhatASubAgentMayDo(t *testing.T) {
	s := newStage(t, nil)
	priced := providers.Prices{"m": {Input: 1}, "known": {Input: 1}}
	wishes := map[string]tools.Task{
		"nothing": {}, "read only": {ReadOnly: true}, "tools": {Tools: []string{"say", "jot"}}, "fewer rounds": {Rounds: 3}, "as many rounds": {Rounds: 5}, "more rounds": {Rounds: 9},
		"elsewhere": {Dir: "/there"}, "its own": {Dir: "/there", Own: true}, "a provider": {Provider: "other"}, "an unknown provider": {Provider: "unknown"},
		"a model": {Model: "known"}, "a model without a price": {Model: "dear"}, "a role": {Model: "small"}, "a name": {Name: "a\x1bb"},
	}
	for _, name := range sorted(wishes) {
		wish := wishes[name]
		for i, set := range flags("read only", "only", "limit", "rounds") {
			if i&(i-1) != 0 && i != 15 {
				continue // one of them, or all
			}
			a, _ := membersOf(s, false)
			a.conversation.Policy = Policy{ReadOnly: set["read only"], Persist: true}
			a.conversation.Choice, a.conversation.Dir, a.conversation.Root = Choice{"p", "m"}, "/here", "/here"
			a.config.Models = Models{Price: priced, Role: func(name string) []Choice {
				if name == "small" {
					return []Choice{{"q", "known"}}
				}
				return nil
			}}
			if set["only"] {
				a.conversation.Policy.Only = []string{"say", "look"}
			}
			if set["limit"] {
				a.conversation.Policy.Limits.Cost = 2
			}
			if set["rounds"] {
				a.conversation.Policy.Limits.Rounds = 5
			}
			seat := seated{choice: Choice{"other", "dear"}}
			if wish.Provider == "unknown" {
				seat.unknown = fmt.Errorf("no key")
			}
			conversation, err := a.sub(wish, seat)
			conversation.life, conversation.Spending = nil, nil
			fmt.Fprintf(&s.golden, "# %s: %s\n= %s %v\n", name, on(set, "read only", "only", "limit", "rounds"), plain(conversation), err)
			a.config.Models.Fleet = struct{ Elsewhere }{}
			a.conversation.Spending.pay(0.5)
			a.members[2].task = wish
			errand, err := a.errand(a.members[2])
			errand.Call = ""
			fmt.Fprintf(&s.golden, "= %s %v\n", plain(errand), err)
			a.conversation.Spending.pay(1.5)
			_, err = a.errand(a.members[2])
			fmt.Fprintf(&s.golden, "= %v\n", err)
			a.stop()
		}
	}
	s.hold("sub_agents")
}
