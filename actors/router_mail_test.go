package actors

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
)

// All mail of a turn reaches the part that it is for.
func TestWhatATurnDoesWithItsMail(t *testing.T) {
	s := onAStage(t)
	mail := map[string]any{
		"words wait": wordsWait{}, "words wait that are due": wordsWait{due: true}, "words": words{said: []string{"and this"}},
		"a piece": part{providers.Part{Kind: providers.TextPart, Text: "be"}}, "a thought": part{providers.Part{Kind: providers.ThinkingPart, Text: "hm"}},
		"an answer anew": part{providers.Part{Kind: providers.AnewPart, Text: "once more"}}, "a wait": part{providers.Part{Kind: providers.NoticePart, Text: "later", Wait: time.Second}}, "a sign": part{providers.Part{Kind: providers.NoticePart}},
		"it stands still": quiet{since: noon.Add(-time.Minute)}, "an event": messages.Notice{Text: "mind"}, "a summary is wanted": compactTurn{focus: "the lid"},
		"time is over": overtime{}, "another is lost": providerLost{who: s.at("ntfy"), reason: errors.New("gone")},
		"its provider is lost": providerLost{who: s.at("provider"), reason: errors.New("gone")},
		"news are late":        newsLate{}, "news": notifications{news: []messages.Notification{{Text: "rain"}}, problems: []string{"one topic"}}, "no news": notifications{problems: []string{"one topic"}}, "the last news": notifications{last: true},
		"its prompt is kept": promptKept{}, "its prompt is late": promptKept{late: true}, "a second passed": keepText{}, "what was described": described{problems: []string{"no schema"}, specs: []providers.ToolSpec{{Name: "one"}}, window: 9},
		"who is looked at": messages.VisitAgent{Call: "c", Agent: 1}, "a mode": approve{mode: messages.ApproveAll}, "a round trip is paid": affordable{},
	}
	for _, at := range []phase{preparing, compacting, asking, running, hearing} {
		for _, name := range sorted(mail) {
			r := scened(s, at, Policy{})
			r.ntfy = s.at("ntfy")
			r.kept.waits, r.kept.hush, r.kept.on = true, func() {}, true
			r.speech.spoken.WriteString("so far")
			s.on = toldOnly(r)
			s.enter()
			s.tell(mail[name], "jobs")
			s.scene(fmt.Sprintf("phase %d: %s", at, name), stands(r), fmt.Sprint(r.interjected.waiting, r.interjected.due, r.wanted, r.compaction.focus, r.news.ready, r.news.list, r.kept.waits, r.kept.awake, r.kept.said, len(r.offered), r.preparation.window, r.preparation.toolsReady, r.recovery.failure, r.speech.whole()))
		}
	}
	s.hold("mail")
}

// What is written down of a turn is what was said since, and what the model knows otherwise.
func TestWhatIsWrittenDownOfATurn(t *testing.T) {
	s := onAStage(t)
	home := persistence.Open(t.TempDir(), func() time.Time { return s.now })
	kept := &Kept{log: sessionlog.New(home.Sessions(), persistence.SessionHeader{}, "", home.Now)}
	names := []string{"framed", "another frame", "more tools", "replaced", "steps", "answered"}
	for _, set := range flags(names...) {
		r := scened(s, asking, Policy{})
		r.brief.prompt, r.conversation.Kept = "why?", kept
		if set["framed"] {
			r.frame = prompt.Begin(prompt.Parts{Profile: "ann"})
			r.kept.logged.frame = r.frame
		}
		if set["another frame"] {
			r.frame = prompt.Begin(prompt.Parts{Profile: "bob"})
		}
		if r.offered = []providers.ToolSpec{{Name: "one"}}; !set["more tools"] {
			r.kept.logged.tools = 1
		}
		if set["replaced"] {
			r.turn.Replace(slices.Concat([]messages.Message{{Role: messages.User, Text: "in short"}}, r.turn.Messages()), 1)
		}
		r.kept.logged.steps = set["steps"]
		if set["answered"] {
			r.turn.AddAnswer(messages.Message{Text: "because"})
		}
		first, second := r.kept.records(), r.kept.records()
		r.turn.AddRequest(messages.Message{Text: "and?"})
		s.scene(on(set, names...), recordsOf(first), recordsOf(second), recordsOf(r.kept.records()))
	}
	for _, set := range flags("asked", "compact", "persist", "kept", "read") {
		r := scened(s, preparing, Policy{Persist: set["persist"]})
		r.kept.asked, r.brief.compact = set["asked"], set["compact"]
		if set["kept"] {
			r.conversation.Kept = kept
		}
		s.do(func(c actor.Context) { r.kept.prompt(c) })
		told := len(s.take())
		if !set["read"] {
			r.turn = nil
		}
		s.do(func(c actor.Context) { r.finish(c, messages.Completed, "") })
		var ends []string
		for _, line := range s.take() {
			ends = append(ends, fmt.Sprintf("%.30s", line))
		}
		s.scene("ends: "+on(set, "asked", "compact", "persist", "kept", "read"), fmt.Sprint(told, r.kept.on, r.kept.waits, r.kept.asked), ends)
		for _, spoken := range []string{"", "bec", "because"} {
			r.kept.said, r.kept.awake = 3, true
			s.do(func(c actor.Context) { r.kept.text(c, spoken) })
			s.scene("  "+spoken, fmt.Sprint(r.kept.said, r.kept.awake))
		}
	}
	s.hold("written_down")
}

// recordsOf are the kinds of records, with how much they have.
func recordsOf(records []sessionlog.Record) (all []string) {
	for _, record := range records {
		all = append(all, plain(record))
	}
	return all
}
