package actors

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
	"marvin/providers/tokens"
	"marvin/tools"
)

// A title is made once, of what was said to a person in a conversation that is kept and has none.
func TestWhenATitleIsMade(t *testing.T) {
	s := newStage(t, nil)
	s.named("recorder")
	home := persistence.Open(t.TempDir(), time.Now)
	log := func() *sessionlog.Log {
		return sessionlog.New(home.Sessions(), persistence.SessionHeader{ID: "20260501-120000-aaaaaa"}, "", home.Now)
	}
	said := turnEnded{event: messages.TurnEnded{Outcome: messages.Completed, Text: "because"}, messages: []messages.Message{
		{Role: messages.User, Text: "why?", Origin: messages.Origin{Places: []string{"/work"}}}, {Role: messages.Tool}, {Role: messages.Assistant, Text: "because", Origin: messages.Origin{Places: []string{"/work/a"}}},
	}}
	named := log()
	if err := named.Add(false, func(text string) string { return text }, sessionlog.Began("t1", messages.Message{Text: "why?"}, sessionlog.State{})); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = named.Close() })
	for name, test := range map[string]struct {
		change func(*voice, *Config, *turnEnded)
		made   bool
	}{
		"it is made":        {func(*voice, *Config, *turnEnded) {}, true},
		"it is not kept":    {func(v *voice, _ *Config, _ *turnEnded) { v.state.conversation.Kept = nil }, false},
		"one was asked for": {func(v *voice, _ *Config, _ *turnEnded) { v.state.conversation.Kept.entitled = true }, false},
		"nobody is there":   {func(v *voice, _ *Config, _ *turnEnded) { v.state.conversation.Policy.Person = false }, false},
		"no small model":    {func(_ *voice, c *Config, _ *turnEnded) { c.Models.Role = nil }, false},
		"it is offline": {func(_ *voice, c *Config, _ *turnEnded) {
			c.Models.Role = func(string) []Choice { return []Choice{{providers.Offline, "o"}} }
		}, false},
		"it is too dear": {func(v *voice, _ *Config, _ *turnEnded) { v.state.conversation.Policy.Limits.Cost = 1 }, false},
		"it may not be told": {func(v *voice, c *Config, _ *turnEnded) {
			c.Models.Private, v.state.conversation.Dir = []PrivateRule{{Dir: "/work"}}, "/work/a"
		}, false},
		"it failed":          {func(_ *voice, _ *Config, e *turnEnded) { e.event.Outcome = messages.Failed }, false},
		"nothing was said":   {func(_ *voice, _ *Config, e *turnEnded) { e.event.Text = "" }, false},
		"nothing is written": {func(v *voice, _ *Config, _ *turnEnded) { v.state.conversation.Kept.log = log() }, false},
		"it has a title": {func(v *voice, _ *Config, _ *turnEnded) {
			v.state.conversation.Kept.before = &sessionlog.Content{Info: persistence.SessionInfo{About: persistence.About{Title: "x"}}}
		}, false},
		"it has turns": {func(v *voice, _ *Config, _ *turnEnded) {
			v.state.conversation.Kept.before = &sessionlog.Content{Info: persistence.SessionInfo{About: persistence.About{Turns: 1}}}
		}, false},
		"it has none yet": {func(v *voice, _ *Config, _ *turnEnded) { v.state.conversation.Kept.before = &sessionlog.Content{} }, true},
	} {
		kept := &Kept{log: named}
		spoken, _ := speaking(Conversation{Kept: kept, Policy: Policy{Person: true}})
		config := &Config{
			Now: time.Now, tokens: &tokens.Counter{}, Log: slog.New(slog.DiscardHandler), Tuning: Tuning{}.withDefaults(),
			Models: Models{Role: func(string) []Choice { return []Choice{{"p", "small"}} }, Connect: func(Choice) (providers.Model, error) { return nil, errors.New("no") }},
		}
		ended := said
		test.change(spoken, config, &ended)
		before, calls := kept.entitled, 0
		made := titles{voice: spoken, config: config, recorder: s.at("recorder")}
		s.do(func(c actor.Context) {
			made.make(c, &ended)
			calls = len(c.Children())
		})
		if calls > 0 {
			s.await("self", 1) // it holds the log until it said that nobody answers
		}
		if (calls == 1) != test.made || kept.entitled != (test.made || before) {
			t.Errorf("%s: %d are made, entitled %v", name, calls, kept.entitled)
		}
	}
}

// What a title cost is charged whether or not it is taken, and a person's is never replaced.
func TestWhatBecomesOfATitle(t *testing.T) {
	s := newStage(t, nil)
	s.named("recorder")
	home := persistence.Open(t.TempDir(), time.Now)
	log, other := sessionlog.New(home.Sessions(), persistence.SessionHeader{}, "", home.Now), sessionlog.New(home.Sessions(), persistence.SessionHeader{}, "", home.Now)
	names := []string{"known", "estimated", "titled", "kept", "another", "named", "running"}
	for _, set := range flags(names...) {
		spoken, heard := speaking(Conversation{Policy: Policy{Person: true}, Spending: &Spending{}})
		spoken.now = func() time.Time { return s.now }
		if set["kept"] {
			spoken.state.conversation.Kept = &Kept{log: log, named: set["named"]}
		}
		message := titled{choice: Choice{"p", "small"}, usage: providers.Usage{Known: set["known"], Estimated: set["estimated"], Input: 10, Turns: 1}, read: []string{"/work"}}
		if set["titled"] {
			message.title = "The lid"
		}
		if set["another"] {
			message.log = other
		} else if set["kept"] {
			message.log = log
		}
		made := titles{voice: spoken, config: &Config{}, recorder: s.at("recorder")}
		s.do(func(c actor.Context) { made.made(c, message, set["running"]) })
		var lines []string
		for _, line := range s.take() {
			lines = append(lines, fmt.Sprintf("%.40s", line))
		}
		s.scene(on(set, names...), fmt.Sprint(lines, *heard, spoken.state.usage.Turns, spoken.state.beside.Turns, len(spoken.state.sent.kept)))
	}
	s.hold("titles")
}

// What is taken back from the list of what was allowed is taken back from the trail as well.
func TestWhatWasAllowedIsTakenBackFromTheTrail(t *testing.T) {
	for name, work := range map[string]func(*grants, *tools.Trail){
		"one":   func(g *grants, trail *tools.Trail) { g.revoke(2, trail) },
		"all":   func(g *grants, trail *tools.Trail) { g.forget(trail) },
		"wrong": func(g *grants, trail *tools.Trail) { g.revoke(9, trail) },
	} {
		g, trail := &grants{}, &tools.Trail{}
		for _, host := range []string{"one.example", "two.example"} {
			g.allow(askUser{host: host}, trail)
		}
		work(g, trail)
		var left []string
		for _, host := range []string{"one.example", "two.example"} {
			if strings.Contains(plain(trail), `"`+host+`":true`) {
				left = append(left, host)
			}
		}
		want := map[string]string{"one": "[one.example]", "all": "[]", "wrong": "[one.example two.example]"}[name]
		if got := fmt.Sprint(left); got != want || len(g.list) != len(left) {
			t.Errorf("%s: left are %s, listed %d", name, got, len(g.list))
		}
	}
}
