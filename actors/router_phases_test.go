package actors

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

var phases = []phase{preparing, weighing, compacting, asking, running, consulting, hearing, leaving}

// stands is where a turn is.
func stands(r *router) string {
	last := "nothing"
	for _, message := range r.turn.Messages() {
		last = string(message.Role) + " " + message.Text
	}
	return fmt.Sprintf("phase %d, request %d, %s, of %d messages the last is %q", r.phase, r.number, r.choice, len(r.turn.Messages()), last)
}

// What a cancel, another model, words and an end of patience come to goes by the phase.
func TestWhatMailComesToInEachPhase(t *testing.T) {
	s := onAStage(t)
	for _, at := range phases {
		mail := map[string]func(*router, actor.Context){
			"a cancel":          func(r *router, c actor.Context) { r.cancelTurn(c) },
			"a second cancel":   func(r *router, c actor.Context) { r.cancel = true; r.cancelTurn(c) },
			"a limit":           func(r *router, c actor.Context) { r.stopAt(c, "the limit") },
			"a limit, too late": func(r *router, c actor.Context) { r.cancel = true; r.stopAt(c, "the limit") },
			"a cancel of what waits to be paid for": func(r *router, c actor.Context) {
				r.billing.queued = true
				r.cancelTurn(c)
			},
			"another model": func(r *router, c actor.Context) {
				r.useProvider(c, useProvider{choice: Choice{"q", "n"}, pid: s.at("ntfy")})
			},
			"another model after a cancel": func(r *router, c actor.Context) {
				r.cancel = true
				r.useProvider(c, useProvider{choice: Choice{"q", "n"}, pid: s.at("ntfy")})
			},
			"nothing to hear": func(r *router, c actor.Context) { r.heard(c, words{}) },
			"nothing to hear behind an answer": func(r *router, c actor.Context) {
				r.turn.AddAnswer(messages.Message{Text: "because"})
				r.heard(c, words{})
			},
			"news":                    func(r *router, c actor.Context) { r.heard(c, words{news: []string{"a job ended"}}) },
			"words":                   func(r *router, c actor.Context) { r.heard(c, words{said: []string{"and this"}}) },
			"news after a cancel":     func(r *router, c actor.Context) { r.cancel = true; r.heard(c, words{news: []string{"a job ended"}}) },
			"an answer":               func(r *router, c actor.Context) { r.answered(c, answered{reply: providers.Reply{Text: "x"}}) },
			"a failure":               func(r *router, c actor.Context) { r.answered(c, answered{err: errors.New("no")}) },
			"the end of patience":     func(r *router, c actor.Context) { r.patienceEnded(c, patienceEnded{round: 1}) },
			"that of a round before":  func(r *router, c actor.Context) { r.patienceEnded(c, patienceEnded{round: 0}) },
			"the beginning":           func(r *router, c actor.Context) { r.begin(c) },
			"what was asked of calls": func(r *router, c actor.Context) { r.approve(c, approve{mode: messages.ApprovePlan}) },
			"time that was lent":      func(r *router, c actor.Context) { r.lent(c, lent{before: time.Hour, all: 2 * time.Hour}) },
			"no time that was lent":   func(r *router, c actor.Context) { r.lent(c, lent{}) },
		}
		for _, name := range sorted(mail) {
			work := mail[name]
			r := scened(s, at, Policy{Limits: Limits{Time: time.Minute}})
			r.number, r.news.ready, r.preparation.filesReady, r.preparation.toolsReady = 1, at == preparing, at == preparing, at == preparing
			gone := make(chan struct{})
			s.do(func(c actor.Context) {
				child := c.Spawn(actor.PropsFromFunc(func(c actor.Context) {
					switch c.Message().(type) {
					case *actor.Started, *actor.Stopping, *actor.PoisonPill:
					case *actor.Stopped:
						close(gone)
					default:
						c.Send(s.at("ntfy"), c.Message())
					}
				}))
				work(r, c)
				c.Poison(child)
			})
			receive(t, gone, "the end of a call")
			s.do(func(actor.Context) {})
			s.scene(fmt.Sprintf("phase %d: %s", at, name), stands(r)+fmt.Sprintf(" cancel %v %q, borrowed %s, %s, moved %v %q", r.cancel, r.limit, r.borrowed, r.conversation.Policy.Approval, r.round.moved, r.preparation.steered))
		}
	}
	s.hold("phases")
}

// A turn begins once all is there that its first request needs, and what it begins with goes by
// what came meanwhile.
func TestWhatATurnBeginsWith(t *testing.T) {
	s := onAStage(t)
	names := []string{"preparing", "files", "tools", "news", "kept", "cancelled", "calls"}
	for _, set := range flags(names...) {
		missing := 0
		for _, name := range names[:4] {
			if !set[name] {
				missing++
			}
		}
		if missing > 1 || missing == 1 && (set["cancelled"] || set["calls"] || set["kept"]) {
			continue
		}
		r := scened(s, asking, Policy{})
		if set["preparing"] {
			r.phase = preparing
		}
		r.preparation.filesReady, r.preparation.toolsReady, r.news.ready, r.kept.waits, r.cancel = set["files"], set["tools"], set["news"], set["kept"], set["cancelled"]
		if set["calls"] {
			r.brief.parts = &messages.PromptParts{Calls: []messages.ToolCall{{ID: "c1", Name: "gone"}}}
		}
		s.do(func(c actor.Context) { r.begin(c) })
		if r.round.opened {
			s.await("self", 1)
		}
		s.scene(on(set, names...), stands(r))
	}
	for _, set := range flags("framed", "hooks", "news", "undone", "asked before", "changed", "tainted") {
		r := scened(s, preparing, Policy{})
		r.preparation.parts = prompt.Parts{Profile: "ann"}
		if set["framed"] {
			r.frame, r.conversation.Profile = prompt.Begin(r.preparation.parts), "ann"
		}
		if set["changed"] {
			r.parts = prompt.Parts{Profile: "ann", Dir: "/elsewhere"}
		} else {
			r.parts = prompt.Parts{Profile: "ann"}
		}
		if set["hooks"] {
			r.unsaid = []string{"mind the gap"}
		}
		if set["news"] {
			r.news.list = []string{"it rang"}
		}
		if set["undone"] {
			r.preparation.undone = []string{"a file is as it was"}
		}
		if set["asked before"] {
			r.number = 2
		}
		if set["tainted"] {
			r.tainted = "read_web"
		}
		r.preparation.inform()
		told := ""
		for _, message := range r.turn.New() {
			told += fmt.Sprintf("%s of %s: %q; ", message.Role, message.Origin.From, message.Text)
		}
		s.scene(on(set, "framed", "hooks", "news", "undone", "asked before", "changed", "tainted"), told, r.tainted, fmt.Sprint(r.frame.Began(), len(r.unsaid), len(r.news.list), len(r.preparation.undone)))
	}
	s.hold("begins")
}

// What is reported of a turn goes by what it was and how it ended.
func TestWhatIsReportedOfATurn(t *testing.T) {
	s := onAStage(t)
	names := []string{"compact", "read", "replaced", "persist", "wanted", "exit", "words"}
	for _, set := range flags(names...) {
		if !set["read"] && (set["replaced"] || set["exit"]) || set["compact"] && set["exit"] {
			continue
		}
		for _, outcome := range []messages.Outcome{messages.Completed, messages.Cancelled, messages.Failed} {
			r := scened(s, leaving, Policy{Persist: set["persist"]})
			r.brief.compact, r.wanted, r.exit = set["compact"], set["wanted"], set["exit"]
			if set["words"] {
				r.speech.spoken.WriteString("because")
			}
			if set["replaced"] {
				r.turn.Replace(append([]messages.Message{{Role: messages.User, Text: "in short"}}, r.turn.Messages()...), 1)
			}
			if !set["read"] {
				r.turn = nil
			}
			r.unsaid, r.tainted, r.offered = []string{"mind"}, "read_web", []providers.ToolSpec{{Name: "one"}}
			s.do(func(c actor.Context) { r.finish(c, outcome, "why") })
			s.scene(fmt.Sprintf("%s: %s", outcome, on(set, names...)))
		}
	}
	s.hold("finish")
}

// Requests are put once they can be paid for.
func TestWhenARequestIsPutAndWhatItCosts(t *testing.T) {
	s := onAStage(t)
	priced := providers.Prices{"m": {Input: 1_000_000, Output: 10_000}}
	for _, limit := range []float64{0, 50, 120} {
		for _, spent := range []float64{0, 49, 50, 110} {
			for _, other := range []bool{false, true} {
				r := scened(s, asking, Policy{Limits: Limits{Cost: limit}})
				r.config.Models.Price, r.weight.tokens = priced, 20
				r.conversation.Spending.pay(spent)
				if other {
					r.conversation.Spending.claim(&claim{limit: 1000, estimate: 10, ready: func() {}})
				}
				s.do(func(c actor.Context) { r.billing.put(c, providers.Question{System: "s"}) })
				if limit > 0 && spent >= limit {
					s.await("self", 1)
				}
				s.scene(fmt.Sprintf("limit %g, spent %g, another %v", limit, spent, other))
				told := fmt.Sprint(r.billing.queued, r.billing.claim != nil)
				if r.billing.claim != nil {
					told += fmt.Sprint(" ", r.billing.claim.estimate)
				}
				var next step
				for _, one := range []*claim{nil, r.billing.claim} {
					s.do(func(c actor.Context) { next = r.billing.affordable(c, affordable{claim: one}) })
					told += " " + brieflyStep(next)
				}
				s.scene("then", told, fmt.Sprint(r.broke(), " ", r.limit))
			}
		}
	}
	names := []string{"failed", "known", "estimated", "many", "offline", "priced", "told before"}
	for _, set := range flags(names...) {
		r := scened(s, asking, Policy{})
		r.weight.tokens = 77
		message := answered{reply: providers.Reply{Usage: providers.Usage{Known: set["known"], Estimated: set["estimated"], Input: 10, Output: 3, Turns: 1}}}
		if set["failed"] {
			message.err = errors.New("no")
		}
		if set["many"] {
			message.reply.Usage.Turns = 2
		}
		if set["offline"] {
			r.choice.Provider = providers.Offline
		}
		if set["priced"] {
			r.config.Models.Price = priced
		}
		if set["told before"] {
			r.usage.Unpriced = []string{"m"}
		}
		var cost float64
		s.do(func(c actor.Context) { cost = r.billing.account(c, message) })
		s.scene(on(set, names...), fmt.Sprint(cost, r.conversation.Spending.total(), r.context))
	}
	s.hold("billing")
}

// What an answer tells besides its words is known before anything is done about it.
func TestWhatAnAnswerTells(t *testing.T) {
	s := onAStage(t)
	for _, err := range []error{nil, errors.New("no")} {
		r := scened(s, asking, Policy{})
		r.exchange.question = providers.Question{System: "a system text of a few words"}
		reply := providers.Reply{Window: 500, Widest: 900, Notices: []string{"one", "two"}, Usage: providers.Usage{Known: true, Input: 4000, Turns: 1}, Thinking: []messages.Thought{{Text: "hm"}}}
		s.do(func(c actor.Context) { r.exchange.receive(c, answered{reply: reply, err: err}) })
		window, widest := r.meter().Widest()
		s.scene(fmt.Sprint("failed: ", err), r.speech.reply, fmt.Sprint(window, widest, r.meter().Text("some words that are counted as the server counts them")))
	}
	for _, spoken := range []int{mostSpoken, mostSpoken + 1} {
		r := scened(s, asking, Policy{})
		r.speech.spoken.Write(make([]byte, spoken))
		s.do(func(c actor.Context) { r.ask(c) })
		s.mu.Lock()
		heard := len(s.heard["provider"])
		s.mu.Unlock()
		if s.take(); (heard == 1) != (spoken == mostSpoken) {
			t.Errorf("behind %d bytes the model is asked %d times", spoken, heard)
		}
	}
	for _, set := range flags("due", "exit", "waiting") {
		r := scened(s, asking, Policy{})
		r.interjected.due, r.exit, r.interjected.waiting = set["due"], set["exit"], set["waiting"]
		r.round.found = []tools.Tool{}
		s.do(func(c actor.Context) { r.next(c) })
		s.scene("next: "+on(set, "due", "exit", "waiting"), stands(r))
		r = scened(s, asking, Policy{})
		r.interjected.due, r.exit, r.interjected.waiting = set["due"], set["exit"], set["waiting"]
		s.do(func(c actor.Context) { r.complete(c) })
		s.scene("complete: "+on(set, "due", "exit", "waiting"), stands(r))
	}
	s.hold("answers")
}
