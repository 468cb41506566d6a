package actors

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/private"
	"marvin/actors/internal/prompt"
	"marvin/providers"
	"marvin/providers/tokens"
	"marvin/tools"
)

// scened is a turn at a phase on a stage, with all that it mails to.
func scened(s *stage, at phase, policy Policy) *router {
	r := turnWith(at, policy)
	r.config = &Config{
		Now: func() time.Time { return s.now }, tokens: &tokens.Counter{}, Log: slog.New(slog.NewTextHandler(&s.log, nil)), Tools: &tools.Shelf{},
		Context: ContextLimits{Warn: 100, Compact: 200, Refuse: 300}, Tuning: Tuning{Silence: time.Minute, SilenceCoding: time.Hour}.withDefaults(),
	}
	r.tools, r.usage = &tools.Registry{}, noUsage()
	r.brief.session, r.provider, r.recorder, r.jobs = s.at("session"), s.at("provider"), s.at("recorder"), s.at("jobs")
	r.conversation.Spending = &Spending{}
	return r
}

// onAStage is a stage with those whom a turn mails to.
func onAStage(t *testing.T) *stage {
	t.Helper()
	s := newStage(t, nil)
	for _, name := range []string{"session", "provider", "recorder", "jobs", "ntfy"} {
		s.named(name)
	}
	return s
}

// flags counts through all values of some switches: "wanted" is one that is on in half of them.
func flags(names ...string) []map[string]bool {
	all := make([]map[string]bool, 1<<len(names))
	for i := range all {
		all[i] = map[string]bool{}
		for at, name := range names {
			all[i][name] = i>>at&1 == 1
		}
	}
	return all
}

// on are the names of the switches that are on.
func on(set map[string]bool, names ...string) string {
	var all []string
	for _, name := range names {
		if set[name] {
			all = append(all, name)
		}
	}
	return strings.Join(all, ", ")
}

// What is done about the size of a question depends on the limits, on what was tried and on who
// wants what.
func TestWhatIsDoneAboutTheSizeOfAQuestion(t *testing.T) {
	s := onAStage(t)
	names := []string{"cancelled", "limit", "wanted", "starved", "tried", "larger", "too late"}
	for _, set := range flags(names...) {
		if set["too late"] && (set["wanted"] || set["starved"] || set["larger"]) || set["limit"] && !set["cancelled"] {
			continue
		}
		for _, size := range []int{99, 100, 199, 200, 209, 210, 299, 300} {
			r := scened(s, weighing, Policy{})
			if set["too late"] {
				r.phase = asking
			}
			r.cancel, r.wanted, r.weight.starved = set["cancelled"], set["wanted"], set["starved"]
			if set["limit"] {
				r.limit = "the limit"
			}
			if set["tried"] {
				r.weight.tried = 200
			}
			if set["larger"] {
				r.config.Models.Larger = func(than Choice, tokens int) (Choice, bool) {
					return Choice{than.Provider, fmt.Sprint("larger than ", tokens)}, true
				}
			}
			var next step
			s.do(func(c actor.Context) { next = r.exchange.weighed(c, weighed{tokens: size}) })
			s.scene(fmt.Sprintf("%d tokens %s", size, on(set, names...)), brieflyStep(next), fmt.Sprint(r.weight.verdict, r.weight.tokens, r.wanted, r.weight.starved, r.recovery.tried))
		}
	}
	s.hold("weighed")
}

// directions are their names.
var directions = strings.Fields("waits gathers begins asks poses weighs sends digests prunes compacts summarises runs continues completes consults ends closes")

// brieflyStep is a step in a line.
func brieflyStep(next step) string {
	return strings.TrimSpace(fmt.Sprint(directions[next.to], " ", next.outcome, " ", next.problem))
}

// What one result may take is its share of the room, and a tool that has none is remembered.
func TestTheRoomOfAResult(t *testing.T) {
	s := onAStage(t)
	for _, limit := range []int{1600, 100_000} {
		for _, used := range []int{0, limit - budget.LeastRoom - 1, limit - budget.LeastRoom, limit - budget.LeastRoom + 1, limit - 2*budget.LeastRoom, limit + 1} {
			for _, calls := range []int{0, 1, 2} {
				r := scened(s, running, Policy{})
				r.config.Context, r.weight.tokens = ContextLimits{Warn: limit}, used
				s.scene(fmt.Sprintf("%d of %d tokens are used, %d calls", used, limit, calls), r.room(calls), r.weight.starved)
			}
		}
	}
	s.hold("room")
}

// A question is counted only where its length does not tell enough.
func TestWhichQuestionsAreCounted(t *testing.T) {
	s := onAStage(t)
	for _, bound := range []int{0, 100, 200, 400} {
		for _, set := range flags("wanted", "offline") {
			r := scened(s, asking, Policy{})
			r.wanted = set["wanted"]
			if set["offline"] {
				r.choice.Provider = providers.Offline
			}
			r.exchange.question = providers.Question{System: strings.Repeat("x", bound)}
			for tokens.Bound(r.exchange.question) < bound {
				r.exchange.question.System += "x"
			}
			var next step
			s.do(func(c actor.Context) { next = r.exchange.weigh(c) })
			if next.to == weighs {
				s.await("self", 1)
			}
			s.scene(fmt.Sprintf("at most %d tokens, %s", tokens.Bound(r.exchange.question), on(set, "wanted", "offline")), brieflyStep(next), r.weight.tokens, r.weight.verdict)
		}
	}
	s.hold("weigh")
}

// What a window is too small for is told with what may be done about it.
func TestWhatAWindowThatIsTooSmallIsToldAs(t *testing.T) {
	s := onAStage(t)
	for _, fixed := range []int{50, 98, 99, 100, 101, 102, 299, 300, 400} {
		for _, told := range [][2]int{{0, 0}, {341, 341}, {341, 9000}} {
			r := scened(s, weighing, Policy{})
			r.frame = prompt.Frame{System: strings.Repeat("word ", fixed)}
			r.config.Models.About = func(Choice) providers.About { return providers.About{Window: 777} }
			r.meter().Told(told[0], told[1])
			r.brief.prompt = strings.Repeat("ask ", 400)
			for _, size := range []int{299, 300} {
				s.scene(fmt.Sprintf("%d words, the server says %v, %d tokens", fixed, told, size), r.exchange.tooSmall(r.limits(), size))
			}
			r.brief.prompt = "why?"
			s.scene("a short prompt", r.exchange.tooSmall(r.limits(), 300))
		}
	}
	names := []string{"coding", "person", "agent", "read only"}
	for _, set := range flags(names...) {
		r := scened(s, weighing, Policy{Coding: set["coding"], Person: set["person"], Agent: set["agent"], ReadOnly: set["read only"]})
		r.frame, r.offered = prompt.Frame{System: strings.Repeat("word ", 400)}, []providers.ToolSpec{{Name: "shell", Doc: "runs"}}
		s.scene(on(set, names...), r.exchange.tooSmall(r.limits(), 1000))
	}
	s.hold("too_small")
}

// After a failure comes what the ladder says, and all who have to hear of it do.
func TestWhatFollowsAFailure(t *testing.T) {
	s := onAStage(t)
	names := []string{"words", "joined", "tried", "larger", "fallback", "copilot", "person"}
	for _, set := range flags(names...) {
		if set["copilot"] && (!set["fallback"] || set["tried"] || set["larger"]) || set["person"] && (set["joined"] || set["tried"] || set["larger"] || set["fallback"]) {
			continue
		}
		for _, err := range []error{
			providers.ErrTooMuch, providers.ErrTooLong, &private.Error{Rule: private.Rule{Said: "~/x"}}, providers.ErrSilent, providers.ErrCut,
			&providers.StatusError{Status: 500}, &providers.StatusError{Status: 401}, errors.New("no"),
		} {
			r := scened(s, asking, Policy{Person: set["person"]})
			r.number, r.brief.turn = 3, "t1"
			text := ""
			if set["joined"] {
				r.speech.handOver("be")
				r.recovery.failure = errors.New("it broke off")
			}
			if set["words"] {
				text = "because"
			}
			if set["tried"] {
				r.weight.tried = 1
			}
			if set["larger"] {
				r.config.Models.Larger = func(than Choice, _ int) (Choice, bool) { return Choice{than.Provider, "large"}, true }
			}
			if set["fallback"] {
				other := Choice{"other", "o"}
				if set["copilot"] {
					other.Provider = providers.Copilot
				}
				r.config.Models.Fallback = func(Choice) (Choice, bool) { return other, true }
			}
			var next step
			s.do(func(c actor.Context) { next = r.recovery.failed(c, text, providers.Question{}, err) })
			window := r.meter().Window(0)
			s.scene(fmt.Sprintf("%v: %s", err, on(set, names...)), brieflyStep(next), fmt.Sprint(r.number, r.recovery.tried, r.recovery.failure, r.speech.broken, len(r.turn.New()), window), s.logged())
		}
	}
	s.hold("failed")
}

// A larger model is one that was not asked yet, has room, and can be paid for.
func TestWhichLargerModelIsAsked(t *testing.T) {
	s := onAStage(t)
	names := []string{"none", "tried", "limit", "priced", "told"}
	for _, set := range flags(names...) {
		r := scened(s, asking, Policy{})
		r.weight.tokens = 500
		large := Choice{"p", "large"}
		r.config.Models.Larger = func(than Choice, tokens int) (Choice, bool) {
			if than != r.choice || tokens != map[bool]int{true: 1000, false: 500}[set["told"]] {
				t.Errorf("asked for one larger than %v with %d", than, tokens)
			}
			return large, !set["none"]
		}
		if set["told"] {
			r.meter().Told(1000, 1000)
		}
		if set["tried"] {
			r.recovery.tried = []Choice{large}
		}
		if set["limit"] {
			r.conversation.Policy.Limits.Cost = 1
		}
		if set["priced"] {
			r.config.Models.Price = providers.Prices{"large": {Input: 1}}
		}
		var grew bool
		s.do(func(c actor.Context) { grew = r.recovery.grow(c, "why") })
		s.scene(on(set, names...), grew, r.recovery.tried)
	}
	r := scened(s, asking, Policy{})
	for _, at := range []phase{asking, running} {
		for _, since := range []time.Time{{}, noon.Add(-90 * time.Second)} {
			r.phase = at
			s.do(func(c actor.Context) { r.recovery.quiet(c, quiet{since: since}) })
			s.scene(fmt.Sprint("quiet ", at, since.IsZero()))
		}
	}
	s.hold("larger")
}
